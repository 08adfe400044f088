"""Two castles on one tile, a cap on either side of it: each of them is called by a name of its own (CA-40, CA-47)."""

from __future__ import annotations

import pytest

from engine import parse_action
from engine.carcassonne import Position
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseCastleSource, ChooseSource, castles_of
from engine.notation.positions import format_position, parse_position
from tests.scenarios.test_fairy import ALLOWED, EXPANSIONS, hosts, send
from tests.scenarios.vocabulary import BLUE, GREEN, RED, cell, place_tile, play_turn
from tests.scenarios.vocabulary_castles import castle_points, choose_source, source_options

REDS = ["base/E 0,1 180", "base/E 0,2 0"]
COLUMN = ["base/E 1,0 180", "base/H 1,1 0", "base/E 1,2 0"]
"""A tile with two caps and what closes both: east of Red's town, Blue's castle in the north, Green's in the south."""
NORTH = ["base/A 2,0 270", "base/V 3,0 0"]
"""A road of 3 tiles in Blue's fief, all but the crossing on (3, 1)."""
SOUTH = ["base/A 2,3 180", "base/V 2,2 270", "base/V 3,2 90"]
"""One of 4 tiles in Green's fief."""
CASTLES = ["0 0,1 0,2", "1 1,0 1,1", "2 1,1 1,2"]
TAKE_FIRST_CASTLE, TAKE_SECOND_CASTLE = "take:N14.castle", "take:N14.castle.S"


def red_chooses() -> Position:
    """Blue's castle takes a road of 3, Green's one of 4; Red's takes one of these castles."""
    position = arrange(tiles=[*REDS, *COLUMN, *NORTH, *SOUTH], castles=CASTLES, player=BLUE, hand="base/X")
    play_turn(position, "3,1")
    for player, points in ((BLUE, 3), (GREEN, 4)):
        assert position.player == player
        assert source_options(position)["road"] == points
        choose_source(position, "road")
    assert position.player == RED
    return position


def test_CA_40_each_of_two_castles_on_one_tile_may_be_chosen() -> None:
    position = red_chooses()
    step = position.step
    assert isinstance(step, ChooseCastleSource)
    assert [(str(action), points) for action, points in step.options] == [
        (TAKE_FIRST_CASTLE, 3),
        (TAKE_SECOND_CASTLE, 4),
    ]
    assert [parse_action(text) for text in (TAKE_FIRST_CASTLE, TAKE_SECOND_CASTLE)] == list(position.legal_actions)
    assert [step.castle_named(position, action) for action, _ in step.options] == list(castles_of(position)[1:])


@pytest.mark.parametrize(("text", "points"), [(TAKE_FIRST_CASTLE, 3), (TAKE_SECOND_CASTLE, 4)])
def test_CA_40_and_brings_what_it_takes(text: str, points: int) -> None:
    """The text without a side is that of older records, where it meant the first."""
    events = red_chooses().apply(parse_action(text))
    assert (RED, points) in castle_points(events)


def test_CA_40_the_question_is_the_same_in_a_position_that_is_read() -> None:
    position = red_chooses()
    read = parse_position(format_position(position))
    assert list(read.legal_actions) == list(position.legal_actions)
    assert (RED, 4) in castle_points(read.apply(parse_action(TAKE_SECOND_CASTLE)))


def test_CA_40_no_other_side_names_a_castle() -> None:
    position = red_chooses()
    for name in ("castle.N", "castle.E", "castle.W"):
        assert ChooseSource(cell("1,1"), name) not in position.legal_actions


def two_lords(first: int, second: int) -> Position:
    """The tile with the two caps lay there first, so that both castles are called by it; Red puts a tile down."""
    return arrange(
        tiles=["base/H 1,1 0", "base/E 1,0 180", "base/E 1,2 0", "base/B 5,5"],
        castles=[f"{first} 1,1 1,0", f"{second} 1,1 1,2"],
        hand="base/B",
        expansions=EXPANSIONS,
        options=ALLOWED,
    )


def test_IX_14_the_fairy_is_sent_to_either_of_two_castles_on_one_tile() -> None:
    """Without a side it is the later castle, as it was before castles were told apart."""
    position = place_tile(two_lords(RED, RED), "5,6")
    assert hosts(position) == {"1,1 castle", "1,1 castle.N"}
    for name, castle in (("castle.N", 0), ("castle", 1)):
        sent = position.copy()
        send(sent, f"1,1 {name}")
        assert sent.extra["fairy"].follower == castles_of(position)[castle].followers[0]


def test_IX_14_somebody_elses_castle_needs_no_telling_apart() -> None:
    assert hosts(place_tile(two_lords(RED, BLUE), "5,6")) == {"1,1 castle"}
    assert hosts(place_tile(two_lords(BLUE, RED), "5,6")) == {"1,1 castle"}
