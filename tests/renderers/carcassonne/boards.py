"""Positions of Carcassonne for tests of pictures."""

from __future__ import annotations

from engine import Cell
from engine.carcassonne import Position
from gallery.built_positions import arrange
from renderers import Mark

SMALL_BOARD_TILES = (
    "base/D 0,0 0",
    "base/U 1,0 90",
    "base/B 2,0 0",
    "base/E 2,1 0",
    "base/E 2,2 180",
    "base/B 0,1 0",
    "base/V 1,1 0",
    "base/E 0,3 0",
    "base/E 1,3 0",
)
"""The tiles of a small board: kind, cell and rotation."""


def small_board() -> Position:
    """Return a game of six with nine tiles, a bridge, four followers and no castle."""
    return arrange(
        players=6,
        tiles=SMALL_BOARD_TILES,
        bridges=("2,0 WE",),
        followers=("0 0,0 city.N", "1 0,1 field.NL", "2 2,0 monastery", "3 1,1 road.S"),
        hand="base/V",
    )


def board_with_castles(*, scored: bool = False) -> Position:
    """Return a game of two with a vertical and a horizontal castle, each held by its own seat."""
    end = " scored" if scored else ""
    return arrange(
        players=2,
        tiles=("base/E 0,0 180", "base/E 0,1 0", "base/E 2,0 90", "base/E 3,0 270", "base/B 1,0 0"),
        castles=(f"0 0,0 0,1{end}", f"1 2,0 3,0{end}"),
    )


def wide_board(columns: int, rows: int) -> Position:
    """Return a rectangle of tiles; the engine does not check that they match."""
    kinds = ("base/B", "base/U", "base/E", "base/X", "base/G")
    cells = sorted((abs(x) + abs(y), x, y) for x in range(columns) for y in range(rows))
    return arrange(
        players=2,
        tiles=[f"{kinds[(x * 3 + y) % 5]} {x},{y} {(x + y) % 4 * 90}" for _, x, y in cells],
        followers=("0 0,0 monastery",),
    )


def last_marks(position: Position) -> list[Mark]:
    """Return the marks of the newest tiles, one for each player."""
    cells: list[Cell] = [tile.cell for tile in position.placed()][-position.players :]
    return [Mark(cell, player) for player, cell in enumerate(cells)]
