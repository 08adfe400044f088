"""Positions of The Castle for tests of pictures."""

from __future__ import annotations

from functools import cache

from engine.the_castle import Position, TileKind, default_tile_set
from gallery.contact_sheets import marks_of
from gallery.the_castle import play_compact_game
from renderers import Mark

TILES: tuple[TileKind, ...] = tuple(default_tile_set().kinds.values())
"""All castle tiles."""
ROTATIONS = (0, 90, 180, 270)
"""All rotations, in degrees clockwise."""


@cache
def _played(plies: int) -> Position:
    """Return a position after so many actions of a game with few gaps."""
    return play_compact_game("castle tests", plies)


def position_after(plies: int) -> Position:
    """Return a copy of a fixed random game after so many actions, with a tile in hand."""
    return _played(plies).copy()


def position_with_scores(*points: int) -> Position:
    """Return the position before the first tile of a game, with these points of the players."""
    position = position_after(0)
    position.scores[:] = points
    return position


def last_marks(position: Position) -> list[Mark]:
    """Return the marks of the newest tile of each player."""
    return marks_of(position)
