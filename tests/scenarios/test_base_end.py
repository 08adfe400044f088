"""The end of the base game: unfinished features (BA-24 … BA-26), fields (BA-27 … BA-29), figures in supply (BA-38).

Codes such as BA-24 are rules of the rule digest; each test is named by the rule that it shows. Positions are arranged
from texts: ``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and rotation, ``"0 1,0
road.E"`` a follower by seat, cell and segment.
"""

from __future__ import annotations

from engine.events import GameOver, Scored, Term
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    base_game,
    events_of,
    feature,
    legal_segments,
    place_tile,
    play_turn,
    points,
    tile_count,
)


def test_BA_24_the_game_ends_after_the_turn_of_the_last_tile() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/U", pile=["base/U"])

    assert not events_of(GameOver, play_turn(position, "1,0"))
    assert (position.pile_left, position.player) == (0, BLUE)
    events = play_turn(position, "2,0", deploy="road.E")

    assert events[-1] == GameOver((0, 3))  # a follower deployed in the last turn also scores
    assert position.step is None
    assert position.player == -1
    assert not position.legal_actions


def test_BA_25_unfinished_city_one_for_each_tile_and_pennant() -> None:
    position = base_game(
        players=2, tiles=["base/E 0,0 90", "base/F 1,0 0"], followers=["0 0,0 city.E"], hand="base/G", pile=[]
    )

    (scored,) = events_of(Scored, play_turn(position, "2,0"))

    assert (scored.player, scored.points, scored.kind, scored.final) == (RED, 4, "city", True)
    assert scored.terms == (Term("tiles", 3, 3), Term("pennants", 1, 1))
    assert position.scores == [4, 0]


def test_BA_25_unfinished_road_one_for_each_tile() -> None:
    position = base_game(
        players=2, tiles=["base/A 0,0 270", "base/U 1,0 0"], followers=["0 0,0 road.E"], hand="base/U", pile=[]
    )

    assert points(play_turn(position, "2,0")) == [(RED, 3)]


def test_BA_25_tied_players_both_score_an_unfinished_city() -> None:
    position = base_game(
        players=3,
        tiles=["base/E 0,0 90", "base/E 2,0 270"],
        followers=["0 0,0 city.E", "1 2,0 city.W"],
        hand="base/R",
        pile=[],
    )

    assert sorted(points(play_turn(position, "1,0"))) == [(RED, 3), (BLUE, 3)]


def test_BA_26_unfinished_monastery_one_and_its_neighbours() -> None:
    position = base_game(
        players=2,
        tiles=["base/B 0,0 0", "base/U -1,-1 0", "base/U 0,-1 0", "base/U 1,-1 0", "base/B -1,0 0"],
        followers=["1 0,0 monastery"],
        hand="base/B",
        pile=[],
    )

    (scored,) = events_of(Scored, play_turn(position, "1,0"))

    assert (scored.player, scored.points, scored.kind, scored.final) == (BLUE, 6, "monastery", True)
    assert scored.terms == (Term("tiles", 6, 6),)


def test_BA_27_a_road_splits_the_field_of_its_tile() -> None:
    position = base_game(
        players=2, tiles=["base/D 0,0 0", "base/U 1,0 0"], followers=["1 1,0 field.NL"], hand="base/U", pile=[]
    )

    place_tile(position, "2,0")

    assert legal_segments(position) == {"road.E", "field.ER"}  # the field north of the road is taken


def test_BA_27_a_road_that_ends_splits_no_field() -> None:
    position = base_game(
        players=2, tiles=["base/U 0,0 0"], followers=["1 0,0 field.NL"], hand="base/A", pile=["base/U"]
    )

    play_turn(position, "1,0", 90)

    assert feature(position, "0,0", "field.NL") == feature(position, "0,0", "field.ER")


def test_BA_27_a_city_splits_a_field() -> None:
    position = base_game(players=2, tiles=["base/E 0,0 90"], hand="base/G", pile=[])

    place_tile(position, "1,0")

    assert {"field.NL", "field.SL"} <= legal_segments(position)
    assert tile_count(feature(position, "1,0", "field.NL")) == 1


FIELD_WITH_CITIES = [
    "base/B 0,0 0",
    "base/E 1,0 90",
    "base/E 2,0 270",
    "base/E -1,0 270",
    "base/E -2,0 90",
    "base/E 0,1 180",
]
"""A field with two finished cities, east and west, and an unfinished one in the south."""


def test_BA_28_three_for_each_completed_city_at_the_field() -> None:
    position = base_game(players=2, tiles=FIELD_WITH_CITIES, followers=["0 0,0 field.NL"], hand="base/B", pile=[])

    (scored,) = events_of(Scored, play_turn(position, "0,-1"))

    assert (scored.player, scored.points, scored.kind, scored.final) == (RED, 6, "field", True)
    assert scored.terms == (Term("cities", 2, 6),)
    assert position.scores == [6, 0]


def test_BA_28_a_city_beside_a_road_counts_for_the_field_on_its_side() -> None:
    tiles = ["base/U 5,5", "base/D 0,0", "base/E 0,-1 180"]
    followers = ["0 0,0 field.EL", "1 0,0 field.ER"]
    position = base_game(players=2, tiles=tiles, followers=followers, hand="base/B", pile=[])

    assert points(play_turn(position, "5,4")) == [(RED, 3)]


def test_BA_28_the_majority_of_farmers_scores() -> None:
    position = base_game(
        players=2,
        tiles=FIELD_WITH_CITIES,
        followers=["0 0,0 field.NL", "1 1,0 field.NL", "1 0,1 field.NL"],
        hand="base/B",
        pile=[],
    )

    assert points(play_turn(position, "0,-1")) == [(BLUE, 6)]


def test_BA_28_tied_farmers_all_score() -> None:
    position = base_game(
        players=3, tiles=FIELD_WITH_CITIES, followers=["0 0,0 field.NL", "1 1,0 field.NL"], hand="base/B", pile=[]
    )

    assert sorted(points(play_turn(position, "0,-1"))) == [(RED, 6), (BLUE, 6)]


def test_BA_28_fields_score_only_at_the_end() -> None:
    position = base_game(
        players=2, tiles=["base/E 0,0 90", "base/G 1,0 0"], followers=["0 0,0 field.NL"], hand="base/E", pile=["base/B"]
    )

    assert points(play_turn(position, "2,0", 270)) == []
    assert points(play_turn(position, "3,0")) == [(RED, 3)]


CITY_BETWEEN_TWO_FIELDS = ["base/E 0,0 90", "base/G 1,0 0", "base/E 2,0 270"]
"""A completed city of three tiles with a field north and south of it."""


def test_BA_29_one_city_counts_for_each_field_of_a_player() -> None:
    position = base_game(
        players=2, tiles=CITY_BETWEEN_TWO_FIELDS, followers=["0 1,0 field.NL", "0 1,0 field.SL"], hand="base/B", pile=[]
    )

    assert points(play_turn(position, "3,0")) == [(RED, 3), (RED, 3)]
    assert position.scores == [6, 0]


def test_BA_29_one_city_counts_for_the_fields_of_several_players() -> None:
    position = base_game(
        players=2, tiles=CITY_BETWEEN_TWO_FIELDS, followers=["0 1,0 field.NL", "1 1,0 field.SL"], hand="base/B", pile=[]
    )

    play_turn(position, "3,0")

    assert position.scores == [3, 3]


def test_BA_38_followers_in_the_supply_score_nothing() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/U", pile=[])

    events = play_turn(position, "1,0")

    assert position.supply["follower"] == [7, 7]
    assert not events_of(Scored, events)
    assert events[-1] == GameOver((0, 0))
