"""Where the squares of the wall lie, and on them the spaces of the score track."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.geometry import Cell, Side
from engine.once import once
from engine.the_castle.wall import WallSquare, wall
from renderers.shapes import Point, turned

_CORNER: Final = 0.26
"""How far from the sides of a corner tower its spaces have their middle."""
_STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))


@dataclass(frozen=True, slots=True)
class Stretch:
    """A square of the wall: its ``inward`` side, None for a corner tower, and where its two spaces are."""

    square: WallSquare
    inward: Side | None
    places: tuple[Point, Point]

    @property
    def rising(self) -> bool:
        """Whether the line between the spaces of a corner tower rises to the east."""
        (x, y), (ex, ey) = self.places
        return (ex - x) * (ey - y) > 0


@once
def stretches() -> Mapping[Cell, Stretch]:
    """All squares of the wall, in the order of the track."""
    squares = wall().squares
    inside = set(wall().interior)
    found = {}
    for number, square in enumerate(squares):
        before, after = squares[number - 1].cell, squares[(number + 1) % len(squares)].cell
        entered, left = (next(side for side in Side if beyond(square.cell, side) == other) for other in (before, after))
        if square.corner:
            found[square.cell] = Stretch(square, None, _corner_places(entered, left))
        else:
            inward = next(side for side in Side if beyond(square.cell, side) in inside)
            quarters = (inward - Side.S) % 4
            places = (turned((0.25, 0.37), quarters), turned((0.75, 0.37), quarters))
            found[square.cell] = Stretch(square, inward, places)
    return MappingProxyType(found)


def beyond(cell: Cell, side: Side) -> Cell:
    """The cell at a side of another one."""
    dx, dy = _STEPS[side]
    return Cell(cell.x + dx, cell.y + dy)


def _corner_places(entered: Side, left: Side) -> tuple[Point, Point]:
    """The places of the two spaces of a corner tower, towards where the track comes from and where it goes on."""
    x = _CORNER if Side.W in (entered, left) else 1 - _CORNER
    y = _CORNER if Side.N in (entered, left) else 1 - _CORNER
    sideways, upright = (x, 1 - y), (1 - x, y)
    return (sideways, upright) if entered in (Side.W, Side.E) else (upright, sideways)


@once
def space_places() -> tuple[tuple[Cell, Point], ...]:
    """For each space of the track its square and the point in it."""
    return tuple((cell, place) for cell, stretch in stretches().items() for place in stretch.places)


@once
def facing() -> tuple[tuple[Cell, Side, Cell], ...]:
    """All places where a cell within the wall has a square of the wall at one of its sides."""
    return tuple(
        (cell, side, beyond(cell, side))
        for cell in wall().interior
        for side in Side
        if beyond(cell, side) in stretches()
    )
