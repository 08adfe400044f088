"""The options of *Abbey & Mayor*, and their values in the presets of its editions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from engine import options
from engine.carcassonne.table import Tabletop
from engine.options import option

NAME: Final = "abbey-mayor"
"""The name of the box and of its tile set."""


@dataclass(frozen=True, kw_only=True)
class AbbeyMayorOptions(options.Options):
    """The options of abbeys, mayors, wagons and barns, a part of the options of a game."""

    __slots__ = ()

    abbey_at_end: Literal["each_player", "none"] = option("OA-03", "AM-19", "each_player", needs=NAME)
    wagon_move: Literal["c1", "c2"] = option("OA-04", "AM-35 AM-36 AM-37 AM-38", "c1", needs=NAME)
    barn_placement: Literal["free_farm", "also_beside_barns"] = option("OA-05", "AM-49", "free_farm", needs=NAME)
    barn_join_pig: bool = option("OA-06", "AM-56", default=True, needs=f"{NAME} traders-builders")
    mayor_castle: bool = option("OA-07", "AM-30", default=True, needs=f"{NAME} bridges-castles-bazaars")


def options_of(position: Tabletop) -> AbbeyMayorOptions:
    """Return the options of a position, typed as the options of this box."""
    return position.options  # type: ignore[return-value]  # the options of a game include those of every box


_C2: Final[Mapping[str, options.Value]] = {"wagon_move": "c2"}
"""The options of the second edition that differ from the defaults."""
PRESETS: Final[Mapping[str, Mapping[str, options.Value]]] = {"c2_hig": _C2, "c2_zmg": _C2}
"""The non-default options of each edition, by the name of its preset."""
