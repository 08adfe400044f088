"""Castles that feed castles (CA-47 … CA-53): a castle that scores counts as completed in the fiefs around it.

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. In the texts that describe positions, ``"base/E 0,1 90"`` is tile E of the base game, with its cell and
rotation. Codes such as CA-47 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, castles_of
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, RED, YELLOW, play_turn, points
from tests.scenarios.vocabulary_castles import (
    TOWN,
    castle_points,
    field_tiles,
    lords,
    points_by_seat,
    source_options,
    unfinished_road,
)

YELLOW_TOWN = ["base/E -1,0 180", "base/E -1,1 0"]
"""A town west of the usual castle."""
BLUE_TOWN = ["base/E 1,1 90", "base/E 2,1 270"]
"""A town in the fief of the usual castle. The usual castle lies outside the fief of this town."""
ROAD_EAST = ["base/A 2,0 270", *(f"base/U {x},0" for x in range(3, 7))]
"""A road to the east that lacks the last of its 6 tiles, the one on (7, 0)."""
ROAD_WEST = ["base/A -2,0 90", *(f"base/U {x},0" for x in (-3, -4, -5))]
"""A road to the west that lacks the last of its 5 tiles, the one on (-6, 0)."""


def neighbouring_castles(tiles: list[str], hand: str, *, yellow: str = "3 -1,0 -1,1") -> Position:
    """Arrange Red's and Yellow's castles side by side, with Blue to move and a follower on the first of ``tiles``."""
    return arrange(
        players=4,
        tiles=[*TOWN, *YELLOW_TOWN, *tiles],
        castles=["0 0,0 0,1", yellow],
        followers=[f"1 {tiles[0].split()[1]} {'monastery' if '/B' in tiles[0] else 'road.E'}"],
        player=BLUE,
        hand=hand,
    )


def test_CA_47_a_scoring_castle_is_a_completed_structure_for_its_neighbour() -> None:
    position = neighbouring_castles(unfinished_road(1, 0, 4), "base/A")
    events = play_turn(position, "4,0", 90)
    assert points_by_seat(events) == {BLUE: 4, RED: 4, YELLOW: 4}
    assert sorted(castle_points(events)) == [(RED, 4), (YELLOW, 4)]
    assert lords(position, "0,0") == lords(position, "-1,0") == []


def test_CA_48_all_in_the_chain_get_the_same_points() -> None:
    position = neighbouring_castles(["base/B 1,0", *field_tiles("0,-1", "1,-1", "2,0", "1,1", "2,1")], "base/B")
    events = play_turn(position, "2,-1", 0)
    assert points_by_seat(events) == {BLUE: 9, RED: 9, YELLOW: 9}


def three_castles_in_a_row(tiles: list[str], follower: str) -> Position:
    """Arrange Yellow's and Red's castles in each other's fief, and Blue's in Red's fief, but not vice versa."""
    return arrange(
        players=4,
        tiles=[*TOWN, *YELLOW_TOWN, *BLUE_TOWN, *tiles],
        castles=["0 0,0 0,1", "3 -1,0 -1,1", "1 1,1 2,1"],
        followers=[follower] if follower else [],
        player=BLUE,
        hand="base/A",
    )


def test_CA_49_a_castle_triggers_the_castle_in_whose_fief_it_lies() -> None:
    position = three_castles_in_a_row(ROAD_EAST, "")
    events = play_turn(position, "7,0", 90)
    assert source_options(position) == {}
    assert sorted(castle_points(events)) == [(RED, 6), (BLUE, 6), (YELLOW, 6)]


def test_CA_49_a_castle_does_not_trigger_one_that_only_lies_in_its_own_fief() -> None:
    position = three_castles_in_a_row(ROAD_WEST, "")
    events = play_turn(position, "-6,0", 270)
    assert source_options(position) == {}
    assert sorted(castle_points(events)) == [(RED, 5), (YELLOW, 5)]
    assert lords(position, "1,1") == [BLUE]
    assert lords(position, "0,0") == lords(position, "-1,0") == []


def test_CA_50_a_chain_may_run_over_three_castles() -> None:
    position = three_castles_in_a_row(ROAD_EAST, "1 3,0 road.E")
    events = play_turn(position, "7,0", 90)
    assert points_by_seat(events) == {BLUE: 12, RED: 6, YELLOW: 6}
    assert [candidate.scored for candidate in castles_of(position)] == [True, True, True]


def test_CA_51_a_finished_castle_does_not_chain() -> None:
    position = neighbouring_castles(unfinished_road(1, 0, 4), "base/A", yellow="3 -1,0 -1,1 scored")
    assert points_by_seat(play_turn(position, "4,0", 90)) == {BLUE: 4, RED: 4}


def test_CA_51_a_finished_castle_passes_nothing_on() -> None:
    position = arrange(
        players=4,
        tiles=[*TOWN, *YELLOW_TOWN, *BLUE_TOWN, *ROAD_EAST],
        castles=["0 0,0 0,1 scored", "3 -1,0 -1,1", "1 1,1 2,1"],
        hand="base/A",
    )
    assert castle_points(play_turn(position, "7,0", 90)) == [(BLUE, 6)]
    assert lords(position, "-1,0") == [YELLOW]


def test_CA_52_a_castle_built_in_this_round_does_not_join_a_chain() -> None:
    position = arrange(
        players=4,
        tiles=["base/E 0,0 180", "base/E -1,0 180", "base/D -1,1 0", "base/A -2,1 270", "base/A 1,1 90"],
        castles=["3 -1,0 -1,1"],
        followers=["0 0,0 city.S"],
        hand="base/D",
    )
    play_turn(position, "0,1", 0)
    assert castle_points(position.apply(BuildCastle())) == [(YELLOW, 4)]
    assert lords(position, "0,0") == [RED]


def test_CA_53_two_castles_that_have_not_scored_may_be_neighbours() -> None:
    position = arrange(
        players=4,
        tiles=["base/E 0,0 180", *YELLOW_TOWN],
        castles=["3 -1,0 -1,1"],
        followers=["0 0,0 city.S"],
        hand="base/E",
    )
    play_turn(position, "0,1", 0)
    assert points(position.apply(BuildCastle())) == []
    assert lords(position, "0,0") == [RED]
    assert lords(position, "-1,0") == [YELLOW]
