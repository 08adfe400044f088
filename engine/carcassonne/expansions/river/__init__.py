"""The box *The River*: tiles that are laid before all others, from the spring to the lake (RI-01 to RI-07, IX-41).

The river is a kind of edge of its own: it joins only itself, and no figure stands on it. A veto forbids a placement
with fitting edges that would not continue the river, or would bend it back. Codes such as RI-04 are rules of the rule
digest.
"""

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
"""The first and the last tile; the letters are the edges from north, clockwise: F a field, I the river."""
RIVER: Final = EdgeKind(NAME, edge=8, sign="~")
"""The edge of the river: the fourth of the four bits of a side, after city, road and field."""
RIVER_ENDS: Final = sum(RIVER.edge << (4 * side + 16) for side in range(4))
"""The bits of rivers in the constraint of an empty cell (``Landscape.frontier``): one for each that ends there."""


class Rivers(Expansion):
    """River tiles must continue the river and must not make a U-turn (RI-04, RI-05)."""

    def vetoes(self) -> Mapping[TileKind, Veto]:
        """Return the veto on river tiles."""
        return _vetoes()


def leaves_river(land: Landscape, kind: TileKind, square: Square, rotation: int) -> bool:
    """Return True if a river tile would not continue the river, or would bend it the same way twice (a U-turn)."""
    if not land.frontier[square] & RIVER_ENDS:
        return True  # the usual case: the river ends elsewhere
    edges = kind.faces[rotation // 90].edges
    entry = next(side for side in river_sides(edges) if square + STEP[side] in land.placed)
    exits = _exits(edges, entry)
    return bool(exits) and exits == _exits(land.placed[square + STEP[entry]].face.edges, (entry + 2) % 4)


@thread_safe_cache
def _vetoes() -> Mapping[TileKind, Veto]:
    """Return the veto on tiles that would leave the river, for each tile with a river on it."""
    return {kind: leaves_river for kind in tile_set(NAME).values() if river_sides(kind.faces[0].edges)}


@thread_safe_cache
def river_sides(edges: int) -> tuple[int, ...]:
    """Return the sides of a tile over which the river runs, given the tile's edges."""
    return tuple(side for side in range(4) if edges >> (4 * side) & 15 == RIVER.edge)


@thread_safe_cache
def _exits(edges: int, entry: int) -> tuple[int, ...]:
    """Return the sides to which the river runs from another side, given a tile's edges; none at its spring and lake."""
    return tuple(side for side in river_sides(edges) if side != entry)


BOX: Final = Box(
    name=NAME,
    mechanisms=(Rivers(),),
    number=0,
    tiles=TileSet(NAME, __name__, edges=(RIVER,)),
    start=SPRING,
    deck=Deck(NAME, bottom=LAKE),
    offered=True,
)
