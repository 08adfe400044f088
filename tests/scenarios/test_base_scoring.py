"""Completed features of the base game (BA-14 … BA-23): roads, cities, monasteries, majorities, returning followers.

Codes such as BA-14 are rules of the rule digest; each test is named by the rule that it shows. Positions are arranged
from texts: ``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and rotation, ``"0 1,0
road.E"`` a follower by seat, cell and segment.
"""

from __future__ import annotations

import pytest

from engine.events import Completed, Returned, Scored, Term
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    base_game,
    cell,
    events_of,
    feature,
    legal_segments,
    place_tile,
    play_turn,
    points,
    skip_deployment,
    standing_followers,
    tile_count,
)

SPARE_TILES = ["base/U", "base/U"]
"""Tiles in the pile, so that the game does not end."""
ROAD_OF_THREE = ["base/A 0,0 270", "base/U 1,0 0", "base/U 2,0 0"]
"""A road of three tiles that is open in the east."""


def test_BA_14_deploy_close_and_return_in_one_turn() -> None:
    position = base_game(players=2, tiles=["base/E 0,0 180"], hand="base/E", pile=SPARE_TILES)

    events = play_turn(position, "0,1", deploy="city.N")

    assert points(events) == [(RED, 4)]
    assert position.supply["follower"] == [7, 7]
    assert standing_followers(position) == set()


def test_BA_14_a_returned_follower_is_usable_from_the_next_turn() -> None:
    position = base_game(
        players=2,
        tiles=ROAD_OF_THREE,
        followers=["0 0,0 road.E"],
        supply={"follower": [0, 7]},
        hand="base/A",
        pile=["base/U", "base/U", "base/U"],
    )

    place_tile(position, "3,0", 90)
    assert legal_segments(position) == set()  # the only follower is still on the road
    skip_deployment(position)
    assert position.supply["follower"] == [1, 7]
    assert position.player == BLUE
    play_turn(position, "0,1", 0)
    place_tile(position, "1,1", 0)
    assert "field.NL" in legal_segments(position)


@pytest.mark.parametrize(
    ("end", "rotation"), [("base/A", 90), ("base/W", 0), ("base/X", 0), ("base/L", 0), ("base/S", 90), ("base/T", 90)]
)
def test_BA_15_a_road_between_two_ends(end: str, rotation: int) -> None:
    position = base_game(players=2, tiles=ROAD_OF_THREE, followers=["1 0,0 road.E"], hand=end, pile=SPARE_TILES)

    events = play_turn(position, "3,0", rotation)

    assert points(events) == [(BLUE, 4)]
    assert position.scores == [0, 4]


def test_BA_15_a_ring_of_road_is_complete() -> None:
    ring = ["base/V 0,0 270", "base/V 1,0 0", "base/V 0,1 180"]
    position = base_game(players=2, tiles=ring, followers=["0 0,0 road.E"], hand="base/V", pile=SPARE_TILES)

    events = play_turn(position, "1,1", 90)

    assert points(events) == [(RED, 4)]


def test_BA_15_an_open_road_does_not_score() -> None:
    position = base_game(players=2, tiles=ROAD_OF_THREE, followers=["0 0,0 road.E"], hand="base/U", pile=SPARE_TILES)

    events = play_turn(position, "3,0")

    assert not events_of(Scored, events)
    assert feature(position, "3,0", "road.E").open_ends == 1


def test_BA_16_two_for_each_tile_and_each_pennant() -> None:
    position = base_game(
        players=2, tiles=["base/E 0,0 90", "base/F 1,0 0"], followers=["0 0,0 city.E"], hand="base/E", pile=SPARE_TILES
    )

    (scored,) = events_of(Scored, play_turn(position, "2,0", 270))

    assert (scored.player, scored.points, scored.kind, scored.final) == (RED, 8, "city", False)
    assert scored.terms == (Term("tiles", 3, 6), Term("pennants", 1, 2))
    assert scored.cells == (cell("0,0"), cell("1,0"), cell("2,0"))


def test_BA_16_a_city_with_a_gap_does_not_score() -> None:
    position = base_game(
        players=2,
        tiles=["base/E 0,0 90", "base/E 2,0 270", "base/E 1,1 0"],
        followers=["0 0,0 city.E"],
        hand="base/C",
        pile=["base/E", "base/U"],
    )

    assert points(play_turn(position, "1,0")) == []  # open to the north
    assert points(play_turn(position, "1,-1", 180)) == [(RED, 2 * 5 + 2)]


def test_BA_17_a_city_of_two_tiles_is_worth_four() -> None:
    position = base_game(
        players=2, tiles=["base/E 0,0 180"], followers=["1 0,0 city.S"], hand="base/E", pile=SPARE_TILES
    )

    assert points(play_turn(position, "0,1")) == [(BLUE, 4)]


def test_BA_18_a_tile_with_two_pieces_of_the_city_counts_once() -> None:
    position = base_game(
        players=2,
        tiles=["base/N 0,0 270", "base/N -1,0 180", "base/N -1,1 90"],
        followers=["0 -1,0 city.E"],
        hand="base/I",
        pile=SPARE_TILES,
    )

    events = play_turn(position, "0,1")

    assert points(events) == [(RED, 8)]
    assert tile_count(feature(position, "0,1", "city.N")) == 4


NEIGHBOURS = [
    "base/U 0,0 0",
    "base/U 1,0 0",
    "base/U 2,0 0",
    "base/B 0,1 0",
    "base/B 2,1 0",
    "base/U 0,2 0",
    "base/U 1,2 0",
]
"""Seven of the eight neighbours of (1,1); the eighth belongs at (2,2)."""


def test_BA_19_the_ninth_tile_completes_a_monastery_for_its_owner() -> None:
    position = base_game(
        players=2, tiles=[*NEIGHBOURS, "base/B 1,1 0"], followers=["1 1,1 monastery"], hand="base/U", pile=SPARE_TILES
    )

    (scored,) = events_of(Scored, play_turn(position, "2,2"))

    assert (scored.player, scored.points, scored.kind, scored.terms) == (BLUE, 9, "monastery", (Term("tiles", 9, 9),))
    assert position.supply["follower"] == [7, 7]


def test_BA_19_eight_tiles_do_not_complete_a_monastery() -> None:
    position = base_game(
        players=2,
        tiles=[*NEIGHBOURS[:-1], "base/B 1,1 0"],
        followers=["1 1,1 monastery"],
        hand="base/U",
        pile=SPARE_TILES,
    )

    assert points(play_turn(position, "2,2")) == []


def test_BA_19_a_monastery_laid_into_the_last_gap_scores_at_once() -> None:
    position = base_game(players=2, tiles=[*NEIGHBOURS, "base/U 2,2 0"], hand="base/B", pile=SPARE_TILES)

    assert points(play_turn(position, "1,1", deploy="monastery")) == [(RED, 9)]


def test_BA_20_tied_players_each_score_everything() -> None:
    position = base_game(
        players=3,
        tiles=["base/E 0,0 90", "base/E 2,0 270"],
        followers=["0 0,0 city.E", "1 2,0 city.W"],
        hand="base/G",
        pile=SPARE_TILES,
    )

    assert sorted(points(play_turn(position, "1,0"))) == [(RED, 6), (BLUE, 6)]
    assert position.scores == [6, 6, 0]


def test_BA_20_the_majority_takes_it_all() -> None:
    position = base_game(
        players=2,
        tiles=["base/E 0,0 90", "base/E 1,-1 180", "base/E 2,0 270"],
        followers=["0 0,0 city.E", "0 1,-1 city.S", "1 2,0 city.W"],
        hand="base/R",
        pile=SPARE_TILES,
    )

    assert points(play_turn(position, "1,0")) == [(RED, 8)]
    assert position.scores == [8, 0]
    assert position.supply["follower"] == [7, 7]


def test_BA_21_no_player_scores_for_an_empty_city() -> None:
    position = base_game(players=2, tiles=["base/E 0,0 90", "base/G 1,0 0"], hand="base/E", pile=SPARE_TILES)

    events = play_turn(position, "2,0", 270)

    assert not events_of(Scored, events)
    assert [(event.kind, len(event.cells)) for event in events_of(Completed, events)] == [("city", 3)]
    assert position.scores == [0, 0]


def test_BA_22_all_followers_on_a_scored_city_return_and_farmers_stay() -> None:
    position = base_game(
        players=2,
        tiles=["base/E 0,0 90", "base/E 1,-1 180", "base/E 2,0 270"],
        followers=["0 0,0 city.E", "0 1,-1 city.S", "1 2,0 city.W", "1 0,0 field.NL"],
        hand="base/R",
        pile=SPARE_TILES,
    )

    events = play_turn(position, "1,0")

    assert sorted(event.player for event in events_of(Returned, events)) == [RED, RED, BLUE]
    assert standing_followers(position) == {(BLUE, "0,0", "field.NL")}
    assert position.supply["follower"] == [7, 6]


def test_BA_22_the_follower_on_a_scored_road_returns() -> None:
    position = base_game(players=2, tiles=ROAD_OF_THREE, followers=["1 0,0 road.E"], hand="base/A", pile=SPARE_TILES)
    assert position.supply["follower"] == [7, 6]

    play_turn(position, "3,0", 90)

    assert position.supply["follower"] == [7, 7]


def test_BA_23_one_tile_completes_a_road_and_a_city() -> None:
    position = base_game(
        players=3,
        tiles=["base/G 0,0 90", "base/E 0,-1 180", "base/A -1,1 270"],
        followers=["1 0,-1 city.S", "2 -1,1 road.E"],
        hand="base/L",
        pile=SPARE_TILES,
    )

    events = play_turn(position, "0,1")

    assert sorted(points(events)) == [(1, 6), (2, 2)]
    assert {event.kind for event in events_of(Completed, events)} == {"road", "city"}
    assert position.supply["follower"] == [7, 7, 7]
