"""Cells with their labels and squares, sides and axes.

A cell's square is its index in a flat board, so that a neighbour is one addition away.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Cell, Side
from engine.carcassonne import Axis
from engine.geometry import AROUND, AXIS_OF, HALVES, STEP

COORDINATES = st.integers(-300, 300)
CELLS = st.builds(Cell, COORDINATES, COORDINATES)


@pytest.mark.parametrize(
    ("x", "y", "label"),
    [
        (0, 0, "M13"),
        (1, 0, "N13"),
        (0, 1, "M14"),
        (0, -13, "M0"),
        (0, -14, "M-1"),
        (-12, 0, "A13"),
        (-13, 0, "-A13"),
        (13, 0, "Z13"),
        (14, 0, "AA13"),
        (-39, -20, "-AA-7"),
    ],
)
def test_a_cell_has_a_label(x: int, y: int, label: str) -> None:
    assert Cell(x, y).label == label
    assert Cell.parse(label) == Cell(x, y)
    assert Cell.parse(f" {label.lower()} ") == Cell(x, y)


@pytest.mark.parametrize("text", ["", "M", "13", "13M", "M1.5", "ABC1", "--A1", "M13 N13", "M1000", "ZZ13", "-ZZ13"])
def test_a_malformed_label_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"cell"):
        Cell.parse(text)


@given(CELLS)
def test_label_and_square_identify_a_cell(cell: Cell) -> None:
    assert Cell.parse(cell.label) == cell
    assert Cell.at(cell.square) == cell


@given(CELLS, CELLS)
def test_different_cells_have_different_labels(first: Cell, second: Cell) -> None:
    assert (first.label == second.label) == (first.square == second.square) == (first == second)


@given(CELLS)
def test_adding_a_step_gives_the_neighbour(cell: Cell) -> None:
    x, y = cell
    assert [Cell.at(cell.square + step) for step in STEP] == [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
    around = {Cell.at(cell.square + step) for step in AROUND}
    assert around == {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {(x, y)}


def test_sides_have_opposites() -> None:
    assert [side.opposite.name for side in Side] == ["S", "W", "N", "E"]
    assert all(STEP[side] == -STEP[side.opposite] for side in Side)


def test_an_axis_has_two_opposite_sides() -> None:
    assert Axis.NS.sides == (Side.N, Side.S)
    assert Axis.WE.sides == (Side.E, Side.W)
    assert all(side in AXIS_OF[side].sides for side in Side)


def test_half_sides_go_clockwise() -> None:
    assert tuple(f"{side.name}{half}" for side in Side for half in "LR") == HALVES
