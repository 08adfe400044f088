"""The table of figures: a weight for majorities that depends on the feature, and a callback when it is scored.

A weight is the number for which a figure counts in the majority of a feature; the mayor of these tests counts as many
as its city has pennants.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.actions import FOLLOWER
from engine.board import Board, Follower
from engine.carcassonne import Position, tile
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.table import ORDINARY, Figure
from engine.geometry import Cell
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import play_turn

RED, BLUE = range(2)


def pennants(board: Board, follower: Follower) -> int:
    """Return the number of pennants in the city of a follower."""
    return board.marks[board.find(follower.segment)]


@pytest.mark.parametrize(
    ("city", "figures", "owners"),
    [
        ("base/F", ["mayor"], (RED,)),
        ("base/F", ["mayor", FOLLOWER], (RED, BLUE)),
        ("base/G", ["mayor", FOLLOWER], (BLUE,)),
        ("base/G", ["mayor"], ()),
    ],
)
def test_a_weight_may_depend_on_the_feature(city: str, figures: list[str], owners: tuple[int, ...]) -> None:
    land = Landscape({FOLLOWER: ORDINARY, "mayor": Figure("mayor", 1, weight=pennants)})
    land.place(Cell(0, 0).square, tile(city).faces[0], -1)
    number = land.number_of(Cell(0, 0), "city.E")
    land.holders[number] = tuple(Follower(seat, figure, number) for seat, figure in enumerate(figures))
    assert land.owners(number) == owners
    assert land.copy().owners(number) == owners


def test_a_figure_may_replace_its_return_after_scoring() -> None:
    scored: list[Follower] = []

    def record_figure(_position: Position, follower: Follower) -> None:
        scored.append(follower)

    position = arrange(tiles=["base/A 0,0 270"], followers=["0 0,0 road.E"], hand="base/A")
    position.figures = {FOLLOWER: replace(ORDINARY, scored=record_figure)}
    play_turn(position, "1,0", 90)
    assert [(follower.player, follower.figure) for follower in scored] == [(RED, FOLLOWER)]
    assert position.supply[FOLLOWER] == [6, 7, 7]
    assert not list(position.standing_figures())
