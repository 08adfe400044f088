"""Positions to draw."""

from __future__ import annotations

from engine import Cell
from engine.carcassonne import Position
from engine.carcassonne.built_positions import arrange
from renderers import Mark

SMALL = (
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


def small() -> Position:
    """Nine tiles, a bridge, four followers of six players and no castle."""
    return arrange(
        players=6,
        tiles=SMALL,
        bridges=("2,0 WE",),
        followers=("0 0,0 city.N", "1 0,1 field.NL", "2 2,0 monastery", "3 1,1 road.S"),
        hand="base/V",
    )


def with_castles(*, scored: bool = False) -> Position:
    """A castle with its tiles one above the other, and another with its tiles side by side."""
    end = " scored" if scored else ""
    return arrange(
        players=2,
        tiles=("base/E 0,0 180", "base/E 0,1 0", "base/E 2,0 90", "base/E 3,0 270", "base/B 1,0 0"),
        castles=(f"0 0,0 0,1{end}", f"1 2,0 3,0{end}"),
    )


def wide(columns: int, rows: int) -> Position:
    """A board full of monasteries and roads."""
    kinds = ("base/B", "base/U", "base/E", "base/X", "base/G")
    cells = sorted((abs(x) + abs(y), x, y) for x in range(columns) for y in range(rows))
    return arrange(
        players=2,
        tiles=[f"{kinds[(x * 3 + y) % 5]} {x},{y} {(x + y) % 4 * 90}" for _, x, y in cells],
        followers=("0 0,0 monastery",),
    )


def last_marks(position: Position) -> list[Mark]:
    """The newest tiles, one for each player."""
    cells: list[Cell] = [tile.cell for tile in position.placed()][-position.players :]
    return [Mark(cell, player) for player, cell in enumerate(cells)]
