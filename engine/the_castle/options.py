"""The options of The Castle, and the presets of its editions.

Each option is declared with its number in the project's rule digest (such as O-16), the numbers of the rules that it
decides (such as TC-73), and its default. The prefix ``tc_`` stands for The Castle. A wall tile is a bonus with a number
from 1 to 9, taken from the castle wall. A keep is the piece that marks a player's largest house.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from engine import options
from engine.options import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(options.Options):
    """One value for each option; the defaults are the preset ``tc_original``.

    Raises:
        NotationError: an option does not have this value.
    """

    tc_incomplete_path_fountain: Literal[1, 2] = option("O-16", "TC-73", 1)
    tc_wall_pickup: Literal["per_feature", "end_of_turn"] = option("O-17", "TC-55 HV-06", "per_feature")
    tc_tile1_timing: Literal["same_turn_allowed", "later_turn_only"] = option(
        "O-18", "TC-59 TC-64", "same_turn_allowed"
    )
    tc_keep_trigger: Literal["self_completed_with_majority", "any_completion_with_majority"] = option(
        "O-19", "TC-49 TC-50 TC-51", "self_completed_with_majority"
    )
    tc_empty_area_includes_start_spaces: bool = option("O-20", "TC-82 TC-84", default=False)
    tc_keep_measure: Literal["tiles", "quarters"] = option("O-29", "TC-52", "tiles")
    tc_empty_area_adjacency: Literal["orthogonal", "diagonal"] = option("O-30", "TC-82", "orthogonal")
    tc_final_tie: Literal["shared", "none"] = option("O-31", "TC-88", "shared")


PRESETS: Final[Mapping[str, Options]] = {"tc_original": Options(), "tc_rgg": Options(tc_incomplete_path_fountain=2)}
"""The options of the editions: the original German rules, and those of Rio Grande (section 9 of the rule digest)."""
