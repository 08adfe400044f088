"""The points of a castle: the structure that feeds it (CA-28, CA-37 … CA-40) gives the lord its whole value (CA-29).

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. In the texts that describe positions, ``"base/E 0,1 90"`` is tile E of the base game, with its cell and
rotation. Codes such as CA-28 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.carcassonne import Options, Position
from engine.carcassonne.steps import PlaceTile
from engine.events import Completed, Scored, Term
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, GREEN, RED, cell, events_of, play_turn, points
from tests.scenarios.vocabulary_castles import (
    TOWN,
    castle,
    castle_points,
    choose_source,
    completed_structures,
    field_tiles,
    lords,
    points_by_seat,
    source_options,
    unfinished_city,
    unfinished_road,
)


def test_CA_28_the_first_completed_structure_in_the_fief_scores_the_castle() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_road(1, 0, 4)],
        castles=["0 0,0 0,1"],
        followers=["1 2,0 road.W"],
        player=BLUE,
        hand="base/A",
    )
    assert points_by_seat(play_turn(position, "4,0", 90)) == {BLUE: 4, RED: 4}
    assert castle(position, "0,0").scored


@pytest.mark.parametrize(
    ("tiles", "hand", "where", "rotation", "kind", "worth"),
    [
        (unfinished_road(1, 0, 2), "base/A", "2,0", 90, "road", 2),
        (unfinished_city(1, 0, ""), "base/E", "2,0", 270, "city", 4),
        (["base/B 1,0", *field_tiles("0,-1", "1,-1", "2,-1", "2,0", "1,1")], "base/B", "2,1", 0, "monastery", 9),
    ],
)
def test_CA_28_roads_cities_and_cloisters_count(
    tiles: list[str], hand: str, where: str, rotation: int, kind: str, worth: int
) -> None:
    position = arrange(tiles=[*TOWN, *tiles], castles=["0 0,0 0,1"], hand=hand)
    events = play_turn(position, where, rotation)
    assert (kind, worth) in completed_structures(events)
    assert castle_points(events) == [(RED, worth)]


@pytest.mark.parametrize(("middle", "closing", "worth"), [("FFFF", "6,1", 20), ("FFF", "5,1", 16)])
def test_CA_29_holder_and_lord_each_get_the_whole_value(middle: str, closing: str, worth: int) -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_city(1, 1, middle)],
        castles=["0 0,0 0,1"],
        followers=["1 2,1 city.E"],
        player=BLUE,
        hand="base/E",
    )
    assert points_by_seat(play_turn(position, closing, 270)) == {BLUE: worth, RED: worth}


def test_CA_30_the_castle_gets_the_value_with_the_pennants() -> None:
    position = arrange(tiles=[*TOWN, *unfinished_city(1, 1, "FG")], castles=["0 0,0 0,1"], hand="base/E")
    events = play_turn(position, "4,1", 270)
    assert ("city", 10) in completed_structures(events)
    assert castle_points(events) == [(RED, 10)]


def test_CA_31_a_structure_without_followers_counts_too() -> None:
    position = arrange(tiles=[*TOWN, *unfinished_road(1, 0, 5)], castles=["0 0,0 0,1"], player=BLUE, hand="base/A")
    assert points_by_seat(play_turn(position, "5,0", 90)) == {RED: 5}


def test_CA_32_a_lord_scores_their_own_structure_twice() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_road(1, 0, 6)], castles=["0 0,0 0,1"], followers=["0 2,0 road.W"], hand="base/A"
    )
    assert points_by_seat(play_turn(position, "6,0", 90)) == {RED: 12}
    assert position.supply["follower"] == [7, 7, 7]


def test_CA_33_the_majority_on_the_structure_does_not_matter() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_city(1, 1, "FG")],
        castles=["0 0,0 0,1"],
        followers=["1 1,1 city.E", "1 2,1 city.E", "0 3,1 city.E"],
        player=BLUE,
        hand="base/E",
    )
    events = play_turn(position, "4,1", 270)
    assert points_by_seat(events) == {BLUE: 10, RED: 10}
    assert castle_points(events) == [(RED, 10)]


def test_CA_37_structures_completed_before_the_castle_never_count() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_city(1, 0, ""), "base/E 2,0 270", *unfinished_road(5, 5, 2)],
        castles=["0 0,0 0,1"],
        hand="base/A",
    )
    events = play_turn(position, "6,5", 90)
    assert completed_structures(events) == [("road", 2)]
    assert lords(position, "0,0") == [RED]


def small_road_and_large_city() -> Position:
    """Arrange Red's castle with a road of 2 and a city of 30 in its fief. Red has the last tile of the road in hand."""
    return arrange(
        tiles=[*TOWN, *unfinished_road(1, 0, 2), *unfinished_city(1, 1, "FFFFFFG")],
        castles=["0 0,0 0,1"],
        hand="base/A",
        pile=["base/E", "base/U"],
    )


def test_CA_38_the_next_completed_structure_must_be_taken() -> None:
    position = small_road_and_large_city()
    events = play_turn(position, "2,0", 90)
    assert castle_points(events) == [(RED, 2)]
    assert isinstance(position.step, PlaceTile)
    assert position.supply["follower"] == [7, 7, 7]
    events = play_turn(position, "9,1", 270)
    assert ("city", 30) in completed_structures(events)
    assert castle_points(events) == []
    assert position.scores == [2, 0, 0]


def complete_road_and_city() -> Position:
    """Have Blue complete a road of 3 and a city of 10 with one tile, both in the fief of Red's castle."""
    position = arrange(
        tiles=[*TOWN, "base/A 1,0 0", "base/A 1,2 180", "base/F 2,1", "base/G 3,1", "base/E 4,1 270"],
        castles=["0 0,0 0,1"],
        player=BLUE,
        hand="base/D",
    )
    play_turn(position, "1,1", 90)
    return position


@pytest.mark.parametrize(("kind", "worth"), [("road", 3), ("city", 10)])
def test_CA_39_only_one_structure_feeds_a_castle(kind: str, worth: int) -> None:
    position = complete_road_and_city()
    assert castle_points(choose_source(position, kind)) == [(RED, worth)]
    assert position.scores == [worth, 0, 0]
    assert isinstance(position.step, PlaceTile)


def test_CA_40_the_lord_chooses_among_several() -> None:
    position = complete_road_and_city()
    assert position.player == RED
    assert source_options(position) == {"road": 3, "city": 10}
    assert position.scores == [0, 0, 0]
    choose_source(position, "road")
    assert position.scores == [3, 0, 0]
    assert position.player == GREEN


def test_CA_43_a_scored_castle_is_finished() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_road(1, 0, 2), *unfinished_road(1, 1, 4)],
        castles=["0 0,0 0,1"],
        hand="base/A",
        pile=["base/A", "base/U"],
    )
    play_turn(position, "2,0", 90)
    assert position.supply["follower"] == [7, 7, 7]
    assert lords(position, "0,0") == []
    events = play_turn(position, "4,1", 90)
    assert completed_structures(events) == [("road", 4)]
    assert points(events) == []
    assert position.scores == [2, 0, 0]


@pytest.mark.parametrize(
    ("tiles", "hand", "where", "rotation", "worth"),
    [
        (["base/B 1,0", *field_tiles("0,-1", "1,-1", "2,-1", "2,0", "1,1")], "base/V", "2,1", 270, 9),
        (unfinished_city(1, 0, "G"), "base/E", "3,0", 270, 6),
    ],
    ids=["monastery", "city"],
)
def test_CA_44_being_completed_is_enough(tiles: list[str], hand: str, where: str, rotation: int, worth: int) -> None:
    position = arrange(tiles=[*TOWN, *tiles], castles=["0 0,0 0,1"], player=BLUE, hand=hand)
    assert points_by_seat(play_turn(position, where, rotation)) == {RED: worth}


def test_CA_46_every_castle_that_a_structure_touches_scores_it() -> None:
    position = arrange(
        tiles=[*TOWN, "base/E 2,0 180", "base/E 2,1 0", "base/A 1,-2 0", *(f"base/U 1,{y} 90" for y in (-1, 0, 1))],
        castles=["0 0,0 0,1", "0 2,0 2,1"],
        followers=["1 1,-1 road.N"],
        player=BLUE,
        hand="base/A",
    )
    events = play_turn(position, "1,2", 180)
    assert points_by_seat(events) == {BLUE: 5, RED: 10}
    assert castle_points(events) == [(RED, 5), (RED, 5)]
    assert position.supply["follower"] == [7, 7, 7]


def complete_monastery_and_road(options: Options | None = None) -> Position:
    """Complete the monastery of the start tile and a road of 2 with one tile, both in the fief of Red's castle."""
    position = arrange(
        tiles=["base/B 1,0", *TOWN, *field_tiles("0,-1", "1,-1", "2,-1", "2,0", "2,1"), "base/A 1,2 180"],
        castles=["0 0,0 0,1"],
        hand="base/A",
        options=options,
    )
    play_turn(position, "1,1", 0)
    return position


@pytest.mark.parametrize("options", [Options(), Options(castle_simultaneous_choice="order_first")])
@pytest.mark.parametrize(("kind", "worth"), [("monastery", 9), ("road", 2)])
def test_CA_40_the_start_tile_may_be_chosen_like_any_other(options: Options, kind: str, worth: int) -> None:
    position = complete_monastery_and_road(options)
    assert source_options(position) == {"monastery": 9, "road": 2}
    events = choose_source(position, kind)
    assert castle_points(events) == [(RED, worth)]
    if options.castle_simultaneous_choice == "order_first":
        assert events_of(Completed, events)[0].kind == kind


@pytest.mark.parametrize(("kind", "worth"), [("monastery", 9), ("road", 2)])
def test_CA_28_the_score_of_a_castle_says_what_fed_it(kind: str, worth: int) -> None:
    events = choose_source(complete_monastery_and_road(), kind)
    assert events_of(Scored, events) == [
        Scored(RED, worth, "castle", (Term(kind, 1, worth),), (cell("0,0"), cell("0,1")), final=False)
    ]


def test_CA_40_a_choice_is_named_by_its_first_tile_in_the_fief() -> None:
    position = arrange(
        tiles=["base/A 1,2 180", *TOWN, "base/A 1,0 0", "base/E 2,1 270"], castles=["0 0,0 0,1"], hand="base/D"
    )
    play_turn(position, "1,1", 90)
    assert {str(action) for action in position.legal_actions} == {"take:N13.road.S", "take:N14.city.E"}
