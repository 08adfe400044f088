"""Two castles that share a tile with a cap on either side: actions can name each of them (CA-40, CA-47, IX-14).

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. A cap is a piece of a city that touches one side of its tile. In the texts that describe positions,
``"base/E 0,1 90"`` is tile E of the base game, with its cell and rotation. Codes such as CA-40 are rules of the rule
digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine import parse_action
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseCastleSource, ChooseSource, castles_of
from engine.notation.positions import format_position, parse_position
from gallery.built_positions import arrange
from tests.scenarios.test_fairy import ALLOWED, EXPANSIONS, fairy_places, move_fairy
from tests.scenarios.vocabulary import BLUE, GREEN, RED, cell, place_tile, play_turn
from tests.scenarios.vocabulary_castles import castle_points, choose_source, source_options

RED_TOWN = ["base/E 0,1 180", "base/E 0,2 0"]
"""The town of Red's castle."""
TWO_TOWNS_IN_A_COLUMN = ["base/E 1,0 180", "base/H 1,1 0", "base/E 1,2 0"]
"""A tile with two caps, and the caps that complete both towns: Blue's castle in the north, Green's in the south."""
NORTHERN_ROAD = ["base/A 2,0 270", "base/V 3,0 0"]
"""A road of 3 tiles in Blue's fief without the crossing on (3, 1)."""
SOUTHERN_ROAD = ["base/A 2,3 180", "base/V 2,2 270", "base/V 3,2 90"]
"""A road of 4 tiles in Green's fief without the crossing on (3, 1)."""
CASTLES = ["0 0,1 0,2", "1 1,0 1,1", "2 1,1 1,2"]
"""Three castles; the first and the third share a tile."""
TAKE_FIRST_CASTLE, TAKE_SECOND_CASTLE = "take:N14.castle", "take:N14.castle.S"
"""The actions that name the two castles on the shared tile."""


def position_with_reds_choice() -> Position:
    """Return the position in which Red's castle takes Blue's, which a road of 3 feeds, or Green's, with a road of 4."""
    position = arrange(
        tiles=[*RED_TOWN, *TWO_TOWNS_IN_A_COLUMN, *NORTHERN_ROAD, *SOUTHERN_ROAD],
        castles=CASTLES,
        player=BLUE,
        hand="base/X",
    )
    play_turn(position, "3,1")
    for player, points in ((BLUE, 3), (GREEN, 4)):
        assert position.player == player
        assert source_options(position)["road"] == points
        choose_source(position, "road")
    assert position.player == RED
    return position


def test_CA_40_each_of_two_castles_on_one_tile_may_be_chosen() -> None:
    position = position_with_reds_choice()
    step = position.step
    assert isinstance(step, ChooseCastleSource)
    assert [(str(action), points) for action, points in step.options] == [
        (TAKE_FIRST_CASTLE, 3),
        (TAKE_SECOND_CASTLE, 4),
    ]
    assert [parse_action(text) for text in (TAKE_FIRST_CASTLE, TAKE_SECOND_CASTLE)] == list(position.legal_actions)
    assert [step.castle_named(position, action) for action, _ in step.options] == list(castles_of(position)[1:])


@pytest.mark.parametrize(("text", "points"), [(TAKE_FIRST_CASTLE, 3), (TAKE_SECOND_CASTLE, 4)])
def test_CA_40_the_chosen_castle_brings_its_own_points(text: str, points: int) -> None:
    """Older records have the text form without a side, which means the first castle."""
    events = position_with_reds_choice().apply(parse_action(text))
    assert (RED, points) in castle_points(events)


def test_CA_40_a_parsed_position_has_the_same_choice() -> None:
    position = position_with_reds_choice()
    read = parse_position(format_position(position))
    assert list(read.legal_actions) == list(position.legal_actions)
    assert (RED, 4) in castle_points(read.apply(parse_action(TAKE_SECOND_CASTLE)))


def test_CA_40_no_other_side_names_a_castle() -> None:
    position = position_with_reds_choice()
    for name in ("castle.N", "castle.E", "castle.W"):
        assert ChooseSource(cell("1,1"), name) not in position.legal_actions


def castles_named_by_one_tile(first: int, second: int) -> Position:
    """Return a position in which both castles are named by the tile that they share, after Red has placed a tile."""
    return arrange(
        tiles=["base/H 1,1 0", "base/E 1,0 180", "base/E 1,2 0", "base/B 5,5"],
        castles=[f"{first} 1,1 1,0", f"{second} 1,1 1,2"],
        hand="base/B",
        expansions=EXPANSIONS,
        options=ALLOWED,
    )


def test_IX_14_the_fairy_moves_to_either_of_two_castles_on_one_tile() -> None:
    """Actions without a side, as in older records, mean the later castle."""
    position = place_tile(castles_named_by_one_tile(RED, RED), "5,6")
    assert fairy_places(position) == {"1,1 castle", "1,1 castle.N"}
    for name, castle in (("castle.N", 0), ("castle", 1)):
        sent = position.copy()
        move_fairy(sent, f"1,1 {name}")
        assert sent.extra["fairy"].follower == castles_of(position)[castle].followers[0]


def test_IX_14_a_castle_of_another_player_needs_no_distinct_name() -> None:
    assert fairy_places(place_tile(castles_named_by_one_tile(RED, BLUE), "5,6")) == {"1,1 castle"}
    assert fairy_places(place_tile(castles_named_by_one_tile(BLUE, RED), "5,6")) == {"1,1 castle"}
