"""The registry: the one place where boxes are named, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.carcassonne.base import BaseOptions
from engine.carcassonne.box import Box
from engine.carcassonne.expansions import bridges_castles_bazaars as bridges
from engine.carcassonne.expansions import fairy, inns_cathedrals, river, traders_builders
from engine.carcassonne.tiles import BASE_SET, make_known
from engine.options import numbered

BOXES: Final[dict[str, Box]] = {}
"""Every box by its name, in the order in which what they remember is written; see :func:`register`."""
REGISTRY: Final[Mapping[str, Box]] = MappingProxyType(BOXES)
"""The same to look at: an expansion by its name in a :class:`engine.setup.Setup`."""


def register(box: Box) -> None:
    """Make a box known, and its tiles."""
    BOXES[box.name] = box
    if box.tiles is not None:
        make_known(box.tiles)


register(bridges.BOX)
register(traders_builders.BOX)
register(fairy.BOX)
register(inns_cathedrals.BOX)
register(river.BOX)


@numbered
@dataclass(frozen=True, slots=True, kw_only=True)
class Options(bridges.BridgesOptions, BaseOptions):
    """One value for each option of the base game and of those boxes that have any; the defaults are ``standard``.

    Raises:
        NotationError: a value is none of the option's.
    """


BCB: Final = bridges.BOX.name
TRADERS_BUILDERS: Final = traders_builders.BOX.name
FAIRY: Final = fairy.BOX.name
INNS_CATHEDRALS: Final = inns_cathedrals.BOX.name
RIVER: Final = river.BOX.name

OFFERED: Final = tuple(name for name, box in REGISTRY.items() if box.offered)
"""The expansions that a table can choose."""
ASKING_EVERYBODY: Final = tuple(name for name, box in REGISTRY.items() if box.asks_everybody)
"""Those with which a game of many takes very long."""
DEFAULT_EXPANSIONS: Final = (BCB,)
"""What is played when nobody says otherwise."""


def _sets(*, offered: bool) -> Iterator[str]:
    return (box.tiles.name for box in REGISTRY.values() if box.tiles is not None and box.offered is offered)


SETS: Final = (BASE_SET, *_sets(offered=True))
"""The tile sets with which tables play."""
FURTHER_SETS: Final = tuple(_sets(offered=False))
"""Those of boxes that only the engine knows yet: nobody draws them."""
