"""The registry of boxes (expansions); each box is registered with one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from engine.carcassonne.box import Box
from engine.carcassonne.expansions import (
    abbey_mayor,
    abbot,
    fairy,
    games_quarterly,
    inns_cathedrals,
    king_robber,
    phantom,
    river,
    river_two,
    traders_builders,
)
from engine.carcassonne.expansions import bridges_castles_bazaars as bridges
from engine.carcassonne.tiles import BASE_SET, SURROUNDED_KINDS, register_tile_set

BOXES: Final[dict[str, Box]] = {}
"""Every box by its name; positions store the boxes' state in this order. Filled by :func:`register`."""
REGISTRY: Final[Mapping[str, Box]] = MappingProxyType(BOXES)
"""A read-only view of the boxes, by the names that a :class:`engine.setup.Setup` uses."""


def register(box: Box) -> str:
    """Register a box, its tile set and its kinds of features; return its name."""
    BOXES[box.name] = box
    for mechanism in box.mechanisms:
        SURROUNDED_KINDS.update({kind.name: kind for kind in mechanism.surrounded()})
    if box.tiles is not None:
        register_tile_set(box.tiles)
    return box.name


BCB: Final = register(bridges.BOX)
TRADERS_BUILDERS: Final = register(traders_builders.BOX)
FAIRY: Final = register(fairy.BOX)
INNS_CATHEDRALS: Final = register(inns_cathedrals.BOX)
RIVER: Final = register(river.BOX)
KING_ROBBER: Final = register(king_robber.BOX)
PHANTOM: Final = register(phantom.BOX)
RIVER_TWO: Final = register(river_two.BOX)
ABBOT: Final = register(abbot.BOX)
GAMES_QUARTERLY: Final = register(games_quarterly.BOX)
ABBEY_MAYOR: Final = register(abbey_mayor.BOX)

OFFERED: Final = tuple(name for name, box in REGISTRY.items() if box.offered)
"""The expansions that tables can choose."""
EXPANSIONS_ASKING_ALL: Final = tuple(name for name, box in REGISTRY.items() if box.asks_all_players)
"""The expansions that often ask all players in turn, which makes games of many players very long."""
DEFAULT_EXPANSIONS: Final = (BCB,)
"""The expansions that are played by default."""


def _sets(*, offered: bool) -> Iterator[str]:
    """Yield the names of the tile sets of all boxes that are, or are not, offered."""
    return (box.tiles.name for box in REGISTRY.values() if box.tiles is not None and box.offered is offered)


OFFERED_TILE_SETS: Final = (BASE_SET, *_sets(offered=True))
"""The tile sets of the base game and of all offered boxes."""
OTHER_TILE_SETS: Final = tuple(_sets(offered=False))
"""The tile sets of boxes that are not offered and have no pictures yet."""
