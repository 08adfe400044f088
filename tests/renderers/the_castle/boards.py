"""Positions of The Castle to draw."""

from __future__ import annotations

from functools import cache

from engine.the_castle import Position, TileKind, default_tile_set
from renderers import Mark
from renderers.the_castle.gallery import marks_of, played

TILES: tuple[TileKind, ...] = tuple(default_tile_set().kinds.values())
ROTATIONS = (0, 90, 180, 270)


@cache
def _played(plies: int) -> Position:
    return played("castle tests", plies)


def after(plies: int) -> Position:
    """A game after so many plies, with a tile in hand; a copy of its own."""
    return _played(plies).copy()


def with_scores(*points: int) -> Position:
    """A game before its first tile, with these points."""
    position = after(0)
    position.scores[:] = points
    return position


def last_marks(position: Position) -> list[Mark]:
    """The newest tile of each player."""
    return marks_of(position)
