"""Arranged positions of The Castle, and refusals of modified position texts.

A tile is written ``"D20 E2 180"``: id, cell and rotation.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import NotationError, Resign
from engine.notation.positions import format_position, parse_position
from engine.the_castle import ExtraTurn, PlaceTile, Position, WallTile, new_setup
from engine.the_castle.notation import CastleNotation
from tests.engine.built_castle_positions import arrange

POSITION = format_position(
    arrange(
        tiles=["D22 C13", "D03 C12", "D01 E7"],
        figures=["0 E7 tower.NL", "1 C12 court.NL"],
        keeps=["1 C13 house.SR"],
        wall_tiles={12: 3},
        hands=((), (9,)),
        scores=(3, 1),
        pile=["D03"],
    )
)
"""The text that the tests modify."""


@pytest.mark.parametrize(
    ("description", "problem"),
    [
        ({"wall_tiles": {0: 1}}, "no corner tower on space 0"),
        ({"wall_tiles": {12: 1, 16: 1, 20: 1}}, "the box holds others"),
        ({"tiles": ["D01 E7"], "figures": ["0 E7 house.NL"]}, "no segment 'house.NL' on E7"),
        ({"figures": ["0 E7 tower.NL"]}, "no segment 'tower.NL' on E7"),
        ({"hand": "D99"}, "unknown tile 'castle/D99'"),
    ],
)
def test_an_impossible_arrangement_is_refused(description: dict[str, Any], problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        arrange(**description)


def test_an_arranged_position_is_as_described() -> None:
    position = arrange(
        tiles=["D01 E7"],
        figures=["0 E7 tower.NL"],
        wall_tiles={12: 3, 90: 1},
        hands=((2, 1), ()),
        scores=(99, 7),
        supply=(2, 6),
        player=1,
        hand="D20",
        pile=["D48"],
    )
    assert position.player == 1
    assert position.hand is not None
    assert position.hand.id == "castle/D20"
    assert position.corners == (12, 90)
    assert position.setup.wall_tile_on(90) is WallTile.EXTRA_TURN
    assert position.hands == [(WallTile.EXTRA_TURN, WallTile.DOUBLE_TOWER), ()]
    assert (position.scores, position.supply["follower"], position.pile_left) == ([99, 7], [2, 6], 1)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("C13/0:castle/D22:1", "B13/0:castle/D22:1", "no place for a tile"),
        ("C13/0:castle/D22:1", "C12/0:castle/D22:1", "no place for a tile"),
        ("C13/0:castle/D22:1", "C13/45:castle/D22:1", "not a tile"),
        ("C13/0:castle/D22:1", "C13/0:castle/D77:1", "unknown tile 'castle/D77'"),
        ("1@E7.tower.NL", "1@E7.house.NL", "no segment 'house.NL' on E7"),
        ("1@E7.tower.NL", "E7.tower.NL", "not a figure"),
        ("1@E7.tower.NL", "3@E7.tower.NL", "no seat '3'"),
        ('Keeps "- ', 'Keeps "', "1 entries for 2 players"),
        ('Hands "- 9"', 'Hands "- 11"', "not a valid WallTile"),
        ('Taken "', 'Taken "13=1 ', "no wall tile there: '13=1'"),
        ('FaceDown "castle/D03"', 'FaceDown "castle/D05"', "there are not so many 'castle/D05'"),
        ("place:1:castle/D03", "place:1:castle/D99", "unknown tile 'castle/D99'"),
        ("place:1:castle/D03", "deploy:1:E8", "no tile on 'E8'"),
    ],
)
def test_a_changed_position_is_refused(old: str, new: str, problem: str) -> None:
    assert POSITION.count(old) == 1
    with pytest.raises(NotationError, match=problem):
        parse_position(POSITION.replace(old, new))


def test_the_decision_about_an_extra_turn_round_trips() -> None:
    position = arrange(hands=((1,), ()), pile=["D03"])
    position.apply(position.legal_actions[0])
    position.apply(position.legal_actions[0])
    assert isinstance(position.step, ExtraTurn)
    read = parse_position(format_position(position))
    assert format_position(read) == format_position(position)
    assert read.step == position.step


def test_the_table_is_cleared_when_a_game_is_over() -> None:
    position = Position(new_setup(seed="x"))
    step = position.step
    assert isinstance(step, PlaceTile)
    position.apply(Resign(0))
    assert position.is_over
    assert '[Cleared "yes"]' in format_position(position)
    assert parse_position(format_position(position)).corners == position.corners == ()
    assert set(CastleNotation.signs) == {"path", "tower", "house", "court"}
