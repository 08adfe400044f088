"""Tiles of The River, built from the rule book and independently of the engine's data file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from engine.carcassonne import FeatureKind, Segment, TileKind, tiles
from engine.geometry import HALVES, Side
from renderers.carcassonne.boxes.river import RIVER

RIVER_TILES = {
    "FIFF": ("field NL NR EL ER SL SR WL WR", "river E"),
    "FFFI": ("field NL NR EL ER SL SR WL WR", "river W"),
    "CICI": ("city N cap", "city S cap", "field EL WR 0", "field ER WL 1", "river E W"),
    "CIRI": ("city N cap", "road S", "field EL 0", "field WR 0", "field ER SL", "field SR WL", "river E W"),
    "FIRI": ("monastery", "road S", "field NL NR EL WR", "field ER SL", "field SR WL", "river E W"),
    "IRIR": ("road E W", "field NL WR", "field NR EL", "field ER SL", "field SR WL", "river N S"),
    "FIFI": ("field NL NR EL WR", "field ER SL SR WL", "river E W"),
    "CIIC": ("city N W", "field EL SR 0", "field ER SL", "river E S"),
    "RRII": ("road N E", "field NL ER SL WR", "field NR EL", "field SR WL", "river S W"),
    "FFII": ("field NL NR EL ER SL WR", "field SR WL", "river S W"),
}
"""Segments of each tile: kind, sides or half-sides, ``cap``, and the numbers of the cities beside a field."""


@contextmanager
def river_tiles() -> Iterator[dict[str, TileKind]]:
    """Yield the tiles by name. Within the block, the engine treats rivers as a kind of edge with a code of its own."""
    edges = tiles.EDGE_OF
    previous = edges.get(RIVER)
    edges[RIVER] = 8
    try:
        yield {name: _tile(name, lines) for name, lines in RIVER_TILES.items()}
    finally:
        if previous is None:
            del edges[RIVER]


def _tile(name: str, lines: tuple[str, ...]) -> TileKind:
    """Return a river tile made of these segments."""
    return TileKind(f"river/{name}", 1, tuple(map(_segment, lines)))


def _segment(line: str) -> Segment:
    """Read a segment from a line such as ``road N S`` or ``city E cap``."""
    kind, *words = line.split()
    names = HALVES if kind == "field" else tuple(side.name for side in Side)
    places = tuple(names.index(word) for word in words if word in names)
    cities = tuple(int(word) for word in words if word.isdigit())
    segment_kind = cast("FeatureKind", RIVER) if kind == RIVER else FeatureKind(kind)
    return Segment(segment_kind, places, cap="cap" in words, cities=cities)
