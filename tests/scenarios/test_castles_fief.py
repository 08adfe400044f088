"""The fief of a castle (CA-21 … CA-27): its two tiles and two on either side, where completed structures feed it.

A structure that is completed in the fief feeds the castle, which scores the same points. Positions are arranged from
texts: ``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and rotation, ``"0 1,0
road.E"`` a follower by seat, cell and segment. A town is a completed city of two tiles, which may become a castle.
Codes such as CA-21 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, RED, cell, play_turn
from tests.scenarios.vocabulary_castles import (
    TOWN,
    castle,
    castle_points,
    completed_structures,
    field_tiles,
    lords,
    points_by_seat,
    unfinished_road,
)

AROUND_1_0 = field_tiles("0,-1", "1,-1", "2,-1", "2,0", "1,1", "2,1")
"""The neighbours of (1, 0) except the castle on (0, 0) and (0, 1)."""


def test_CA_21_two_tiles_left_and_two_right_of_the_castle() -> None:
    position = arrange(tiles=TOWN, castles=["0 0,0 0,1"])
    assert set(castle(position, "0,0").fief) == {cell(where) for where in ("-1,0", "0,0", "1,0", "-1,1", "0,1", "1,1")}


def test_CA_21_the_fief_of_a_castle_that_was_built_in_play() -> None:
    position = arrange(tiles=["base/E 4,7 0"], followers=["0 4,7 city.N"], hand="base/E")
    play_turn(position, "4,6", 180)
    position.apply(BuildCastle())
    assert set(castle(position, "4,7").fief) == {cell(where) for where in ("3,6", "4,6", "5,6", "3,7", "4,7", "5,7")}


@pytest.mark.parametrize(
    ("half", "follower", "where", "rotation"),
    [("base/E 0,1 90", "0 0,1 city.E", "1,1", 270), ("base/E 1,1 270", "0 1,1 city.W", "0,1", 90)],
    ids=["closed in the east", "closed in the west"],
)
def test_CA_22_side_by_side_the_fief_lies_north_and_south(half: str, follower: str, where: str, rotation: int) -> None:
    position = arrange(tiles=[half], followers=[follower], hand="base/E")
    play_turn(position, where, rotation)
    position.apply(BuildCastle())
    block = [cell(where) for where in ("0,0", "1,0", "0,1", "1,1", "0,2", "1,2")]
    assert list(castle(position, "0,1").fief) == block


@pytest.mark.parametrize(("x", "y", "closing", "feeds"), [(2, 0, "3,0", False), (1, 1, "2,1", True)])
def test_CA_22_the_prolonged_line_of_the_castle_is_outside(x: int, y: int, closing: str, feeds: bool) -> None:
    position = arrange(
        tiles=["base/E 0,0 90", "base/E 1,0 270", *unfinished_road(x, y, 2)], castles=["0 0,0 1,0"], hand="base/A"
    )
    assert castle_points(play_turn(position, closing, 90)) == ([(RED, 2)] if feeds else [])


def test_CA_23_an_empty_place_of_the_fief_counts_when_it_is_filled() -> None:
    position = arrange(tiles=[*TOWN, "base/A 2,0 90"], castles=["0 0,0 0,1"], hand="base/A")
    assert castle_points(play_turn(position, "1,0", 270)) == [(RED, 2)]


def test_CA_24_one_tile_of_a_long_road_in_the_fief_is_enough() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_road(1, 1, 10)],
        castles=["0 0,0 0,1"],
        followers=["1 5,1 road.W"],
        player=BLUE,
        hand="base/A",
    )
    assert points_by_seat(play_turn(position, "10,1", 90)) == {BLUE: 10, RED: 10}


def test_CA_24_a_road_that_passes_outside_does_not_count() -> None:
    position = arrange(tiles=[*TOWN, *unfinished_road(2, 1, 3)], castles=["0 0,0 0,1"], hand="base/A")
    events = play_turn(position, "4,1", 90)
    assert completed_structures(events) == [("road", 3)]
    assert castle_points(events) == []
    assert lords(position, "0,0") == [RED]


def test_CA_25_a_monastery_beside_the_fief_does_not_count() -> None:
    position = arrange(
        tiles=[*TOWN, "base/B 2,0", *field_tiles("1,-1", "2,-1", "3,-1", "3,0", "1,1", "2,1", "3,1")],
        castles=["0 0,0 0,1"],
        followers=["1 2,0 monastery"],
        player=BLUE,
        hand="base/B",
    )
    assert points_by_seat(play_turn(position, "1,0", 0)) == {BLUE: 9}
    assert lords(position, "0,0") == [RED]


def test_CA_25_a_monastery_inside_counts() -> None:
    position = arrange(
        tiles=[*TOWN, "base/B 1,0", *AROUND_1_0[:-1]],
        castles=["0 0,0 0,1"],
        followers=["1 1,0 monastery"],
        player=BLUE,
        hand="base/B",
    )
    assert points_by_seat(play_turn(position, "2,1", 0)) == {BLUE: 9, RED: 9}
    assert lords(position, "0,0") == []


def test_CA_26_a_road_on_the_castles_own_tile_counts() -> None:
    position = arrange(
        tiles=["base/E 0,0 180", "base/D 0,1 0", "base/A -1,1 270"], castles=["0 0,0 0,1"], hand="base/A"
    )
    assert castle_points(play_turn(position, "1,1", 90)) == [(RED, 3)]


def test_CA_26_such_a_road_counts_if_it_touches_no_other_tile_of_the_fief() -> None:
    position = arrange(tiles=["base/E 0,0 180", "bcb/CFRF 0,1 0"], castles=["0 0,0 0,1"], hand="base/A")
    assert castle_points(play_turn(position, "0,2", 180)) == [(RED, 2)]


REFERENCE = [
    "base/A -1,0 90",  # 1: a cloister, and a road to the west
    "base/E 0,0 180",  # 2: the castle
    "base/H 1,0 0",  # 3: half of the old town, and a city to the north
    "base/B -1,1 0",  # 4
    "base/E 0,1 0",  # 5: the castle
    "base/I 1,1 90",  # 6: half of the old town, and a city to the east
]
"""The picture of the rule books: places 1 2 3 over 4 5 6, the castle on 2 and 5, a finished town on 3 and 6."""


@pytest.mark.parametrize(
    ("added_tiles", "hand", "where", "rotation", "feeds"),
    [
        ([], "base/A", "-2,0", 270, ("road", 2)),
        (["base/A -2,0 270", *field_tiles("-2,-1", "-1,-1", "-2,1")], "base/B", "0,-1", 0, ("monastery", 9)),
        ([], "base/E", "1,-1", 180, ("city", 4)),
        ([], "base/E", "2,1", 270, ("city", 4)),
    ],
    ids=["road 1", "cloister 1", "city above 3", "city right of 6"],
)
def test_CA_27_sources_of_the_castle_in_the_picture(
    added_tiles: list[str], hand: str, where: str, rotation: int, feeds: tuple[str, int]
) -> None:
    position = arrange(tiles=[*REFERENCE, *added_tiles], castles=["0 0,0 0,1"], hand=hand)
    events = play_turn(position, where, rotation)
    assert completed_structures(events) == sorted([feeds, ("castle", feeds[1])])
    assert castle_points(events) == [(RED, feeds[1])]


def test_CA_27_the_finished_town_in_the_picture_is_no_source() -> None:
    position = arrange(tiles=[*REFERENCE, *unfinished_road(3, 5, 2)], castles=["0 0,0 0,1"], hand="base/A")
    events = play_turn(position, "4,5", 90)
    assert completed_structures(events) == [("road", 2)]
    assert castle_points(events) == []
    assert lords(position, "0,0") == [RED]
