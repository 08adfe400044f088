"""Cells, sides and half-sides of the square grid.

The start tile lies at ``Cell(0, 0)``; x grows east, y grows south. Players read its label, such as ``M13``. Inside the
engine a cell is one integer, its :data:`Square`, so that a neighbour is an addition; outside it is a :class:`Cell`.
Codes such as BR-06 are rules of the rule digest.
"""

from __future__ import annotations

import re
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, NewType

from engine.caching import thread_safe_lru_cache

Square = NewType("Square", int)
"""A cell as one integer (:attr:`Cell.square`): adding an offset of :data:`STEP` leads to a neighbour."""
STRIDE: Final = 1024
"""Columns of the integer grid: wide enough for a straight line of 500 tiles in every direction."""
_MIDDLE: Final = STRIDE // 2
"""The column, and the row, of the integer grid on which the start tile lies."""
_START_COLUMN: Final = 12
"""The start tile is labelled M13, so that ordinary boards need neither negative rows nor negative columns."""
_START_ROW: Final = 13
"""The row of the start tile in its label."""
_LABEL: Final = re.compile(r"(-?)([A-Z]{1,2})(-?\d{1,3})", re.IGNORECASE)
"""A label such as ``M13``; a minus before the letters or the number says that the cell lies left of or above ``A0``."""


class Side(IntEnum):
    """A side of a tile, clockwise from north."""

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def opposite(self) -> Side:
        """The side of the neighbouring tile that touches this one."""
        return Side((self + 2) % 4)


class Axis(StrEnum):
    """A straight line across a cell, from one side to the opposite one (BR-06)."""

    NS = "NS"
    WE = "WE"

    @property
    def sides(self) -> tuple[Side, Side]:
        """The two opposite sides that it connects."""
        return (Side.N, Side.S) if self is Axis.NS else (Side.E, Side.W)


AXIS_OF: Final = (Axis.NS, Axis.WE, Axis.NS, Axis.WE)
"""The axis on which each side lies."""

HALVES: Final = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
"""Names of the half-sides, clockwise; L is the first half of a side, R the second."""

CORNERS: Final = ("NW", "NE", "SE", "SW")
"""Names of the corners of a tile, clockwise."""

STEP: Final = (-STRIDE, 1, STRIDE, -1)
"""Offsets from a square to its neighbour at each side, by :class:`Side`."""

AROUND: Final = (-STRIDE - 1, -STRIDE, -STRIDE + 1, -1, 1, STRIDE - 1, STRIDE, STRIDE + 1)
"""Offsets from a square to its eight neighbours (BA-19)."""


class Cell(NamedTuple):
    """A place of the grid: x grows east, y grows south, the start tile lies at (0, 0)."""

    x: int
    y: int

    @property
    def label(self) -> str:
        """The label that players see: a column letter and a row number, ``M13`` for the start tile."""
        column = self.x + _START_COLUMN
        sign = "-" if column < 0 else ""
        return f"{sign}{_letters(column if column >= 0 else -column - 1)}{self.y + _START_ROW}"

    @property
    def square(self) -> Square:
        """The integer that stands for the cell inside the engine."""
        return (self.y + _MIDDLE) * STRIDE + self.x + _MIDDLE  # type: ignore[return-value]  # naming it is a call

    def beside(self, side: Side) -> Cell:
        """Return the neighbour at a side."""
        return Cell.at(Square(self.square + STEP[side]))

    @staticmethod
    def at(square: Square) -> Cell:
        """Return the cell that an engine integer stands for."""
        row, column = divmod(square, STRIDE)
        return Cell(column - _MIDDLE, row - _MIDDLE)

    @staticmethod
    @thread_safe_lru_cache(4096)
    def parse(text: str) -> Cell:
        """Read a label.

        Raises:
            ValueError: the text is not the label of a cell.
        """
        match = _LABEL.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"not a cell: {text!r}")
        sign, letters, row = match.groups()
        column = _number(letters.upper())
        cell = Cell((-column - 1 if sign else column) - _START_COLUMN, int(row) - _START_ROW)
        if max(abs(cell.x), abs(cell.y)) >= _MIDDLE:
            raise ValueError(f"cell off the table: {text!r}")
        return cell


def _letters(number: int) -> str:
    """Return the letters of a column: ``A`` to ``Z``, then ``AA`` and so on."""
    if number < 26:
        return chr(ord("A") + number)
    return chr(ord("A") + number // 26 - 1) + chr(ord("A") + number % 26)


def _number(letters: str) -> int:
    """Return the number of a column with these letters."""
    if len(letters) == 1:
        return ord(letters) - ord("A")
    return (ord(letters[0]) - ord("A") + 1) * 26 + ord(letters[1]) - ord("A")
