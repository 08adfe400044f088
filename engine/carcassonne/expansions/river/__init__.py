"""The River: tiles that are laid before all others, from the spring to the lake (RI-01 to RI-07, IX-41)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.caching import thread_safe_cache
from engine.carcassonne.box import Box, Deck
from engine.carcassonne.landscape import Landscape, Veto
from engine.carcassonne.table import Expansion
from engine.carcassonne.tiles import EdgeKind, TileKind, TileSet, tile_set
from engine.geometry import STEP, Square

NAME: Final = "river"
"""The name of the box, of its tile set and deck, and of the feature."""
SPRING: Final = "river/FIFF"
LAKE: Final = "river/FFFI"
RIVER: Final = EdgeKind(NAME, edge=8, sign="~")


class Rivers(Expansion):
    """The river goes on from where it ends, and does not turn back on itself (RI-04, RI-05)."""

    def vetoes(self) -> Mapping[TileKind, Veto]:
        """What is said of tiles with the river; the others only have to fit."""
        return _vetoes()


def leaves_river(land: Landscape, kind: TileKind, square: Square, rotation: int) -> bool:
    """Whether a tile with the river would not go on with it, or lead it back to where the tile before comes from."""
    banks = _banks(kind.faces[rotation // 90].edges)
    joined = next((side for side in banks if square + STEP[side] in land.placed), None)
    if joined is None:
        return True
    before = _banks(land.placed[square + STEP[joined]].face.edges)
    return bool(_far(banks, joined)) and _far(banks, joined) == _far(before, (joined + 2) % 4)


@thread_safe_cache
def _vetoes() -> Mapping[TileKind, Veto]:
    return {kind: leaves_river for kind in tile_set(NAME).values() if _banks(kind.faces[0].edges)}


@thread_safe_cache
def _banks(edges: int) -> tuple[int, ...]:
    """The sides over which the river runs, by the edges of a tile."""
    return tuple(side for side in range(4) if edges >> (4 * side) & 15 == RIVER.edge)


def _far(banks: tuple[int, ...], near: int) -> tuple[int, ...]:
    """The side to which the river runs from this one; none at its ends."""
    return tuple(side for side in banks if side != near)


BOX: Final = Box(
    name=NAME,
    mechanisms=(Rivers(),),
    number=0,
    tiles=TileSet(NAME, __name__, edges=(RIVER,)),
    start=SPRING,
    deck=Deck(NAME, bottom=LAKE),
    offered=True,
)
