"""The registry: the one place where boxes are named, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from engine.carcassonne.box import Box
from engine.carcassonne.expansions import bridges_castles_bazaars as bridges
from engine.carcassonne.expansions import fairy, inns_cathedrals, river, traders_builders
from engine.carcassonne.tiles import BASE_SET, make_known

BOXES: Final[dict[str, Box]] = {}
"""Every box by its name, in the order in which what they remember is written; see :func:`register`."""
REGISTRY: Final[Mapping[str, Box]] = MappingProxyType(BOXES)
"""The same to look at: an expansion by its name in a :class:`engine.setup.Setup`."""


def register(box: Box) -> str:
    """Make a box known, and its tiles; gives its name."""
    BOXES[box.name] = box
    if box.tiles is not None:
        make_known(box.tiles)
    return box.name


BCB: Final = register(bridges.BOX)
TRADERS_BUILDERS: Final = register(traders_builders.BOX)
FAIRY: Final = register(fairy.BOX)
INNS_CATHEDRALS: Final = register(inns_cathedrals.BOX)
RIVER: Final = register(river.BOX)

OFFERED: Final = tuple(name for name, box in REGISTRY.items() if box.offered)
"""The expansions that a table can choose."""
EXPANSIONS_ASKING_ALL: Final = tuple(name for name, box in REGISTRY.items() if box.asks_all_players)
"""Those with which a game of many takes very long."""
DEFAULT_EXPANSIONS: Final = (BCB,)
"""What is played when nobody says otherwise."""


def _sets(*, offered: bool) -> Iterator[str]:
    return (box.tiles.name for box in REGISTRY.values() if box.tiles is not None and box.offered is offered)


SETS: Final = (BASE_SET, *_sets(offered=True))
"""The tile sets with which tables play."""
FURTHER_SETS: Final = tuple(_sets(offered=False))
"""Those of boxes that only the engine knows yet: nobody draws them."""
