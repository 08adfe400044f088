"""The options of *Bridges, Castles & Bazaars*, and their values in the presets of its editions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from engine import options
from engine.carcassonne.table import Tabletop
from engine.options import option

BCB: Final = "bridges-castles-bazaars"
"""The name of the box."""


@dataclass(frozen=True, kw_only=True)
class BridgesOptions(options.Options):
    """The options of bridges, castles and bazaars, a part of the options of a game."""

    __slots__ = ()

    bazaar_bid_limit: Literal["unlimited", "own_score"] = option("O-01", "BZ-21 BZ-22", "unlimited", needs=BCB)
    bazaar_all_zero_fallback: Literal["auction", "draft"] = option("O-02", "BZ-23", "auction", needs=BCB)
    bazaar_next_selector: Literal["clockwise_after_selector", "same_until_served"] = option(
        "O-03", "BZ-24 BZ-25", "clockwise_after_selector", needs=BCB
    )
    bazaar_too_few_tiles: Literal["skip", "reveal_rest"] = option("O-04", "BZ-06", "skip", needs=BCB)
    bazaar_builder_order: Literal["bazaar_first", "builder_first"] = option(
        "O-05",
        "BZ-35 BZ-36 BZ-37 BZ-38 BZ-39 BZ-40 BZ-41 BZ-42 BZ-43 HV-04",
        "bazaar_first",
        needs=f"{BCB} traders-builders",
    )
    bridge_timing: Literal["after_tile", "any_time"] = option("O-06", "BR-14 BR-15", "after_tile", needs=BCB)
    castle_town_shape: Literal["semicircles", "city_ends", "any_two_tiles"] = option(
        "O-07", "CA-01 CA-02 CA-03 CA-04 CA-05", "semicircles", needs=BCB
    )
    castle_conversion_trigger: Literal["any_completion", "own_tile_only"] = option(
        "O-08", "CA-07 CA-08", "any_completion", needs=BCB
    )
    castle_first_score: Literal["next_scoring_round", "next_turn", "same_round"] = option(
        "O-09", "CA-34 CA-35 CA-36", "next_scoring_round", needs=BCB
    )
    castle_simultaneous_choice: Literal["choose_feature", "order_first"] = option(
        "O-10", "CA-40 CA-42", "choose_feature", needs=BCB
    )
    castle_farm_needs_completed: bool = option("O-11", "CA-56 CA-57 CA-58", default=False, needs=BCB)
    castle_garden: bool = option("OA-02", "AB-22", default=True, needs=f"{BCB} abbot")
    castle_fairy: Literal["forbidden", "allowed"] = option("O-12", "IX-14", "forbidden", needs=f"{BCB} fairy")
    c2_tile_mix: Literal["corrected", "first_print"] = option("O-15", "SU-10", "corrected", needs=BCB)
    bridge_limit_scope: Literal["per_placement", "per_turn"] = option(
        "O-21", "BR-02", "per_placement", needs=f"{BCB} traders-builders"
    )
    auctioned_tile_unplaceable: Literal["discard_and_redraw", "discard_no_redraw"] = option(
        "O-22", "BZ-32", "discard_and_redraw", needs=BCB
    )
    bazaar_mode: Literal["auction", "draft"] = option("O-23", "HV-01", "auction", needs=BCB)
    castle_auto_choose: bool = option("O-24", "CA-41", default=False, needs=BCB)
    castle_shared_token_display: Literal["stack", "single"] = option(
        "O-25", "CA-66 HV-05", "stack", needs=f"{BCB} flying-machines"
    )
    bazaar_tile_count_check: Literal["at_start", "when_drawn"] = option("O-33", "BZ-46", "at_start", needs=BCB)


def options_of(position: Tabletop) -> BridgesOptions:
    """Return the options of a position, typed as the options of this box, which are always among them."""
    return position.options  # type: ignore[return-value]  # asked often; a cast is a call


_C1: Final[Mapping[str, options.Value]] = {"bridge_timing": "any_time", "bridge_limit_scope": "per_turn"}
"""The options of the first edition that differ from the defaults."""
_C2: Final[Mapping[str, options.Value]] = {"castle_conversion_trigger": "own_tile_only", "castle_fairy": "allowed"}
"""The options of the second edition that differ from the defaults."""

PRESETS: Final[Mapping[str, Mapping[str, options.Value]]] = {
    "c1_hig": _C1,
    "c1_rgg": _C1,
    "c1_zmg": {
        **_C1,
        "bazaar_bid_limit": "own_score",
        "bazaar_all_zero_fallback": "draft",
        "castle_town_shape": "city_ends",
    },
    "bb3_rgg": {**_C1, "bazaar_next_selector": "same_until_served", "castle_fairy": "allowed"},
    "pl_2010": _C1,
    "c2_hig": _C2,
    "c2_zmg": {**_C2, "castle_town_shape": "any_two_tiles", "castle_simultaneous_choice": "order_first"},
}
"""The non-default options of each edition by the name of its preset (section 9c of the rule digest)."""
