"""The end of the scoring round: lords choose the source of points for a castle (CA-28a (5)), then it scores (6).

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. In the texts that describe positions, ``"base/E 0,1 90"`` is tile E of the base game, with its cell and
rotation. Codes such as CA-28a are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Pass
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, ChooseCastleSource, ChooseSource
from engine.carcassonne.steps import PlaceTile
from engine.events import Completed, Returned, Scored, Term
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    assert_illegal,
    cell,
    events_of,
    play_turn,
    standing_followers,
)
from tests.scenarios.vocabulary_castles import (
    TOWN,
    castle_points,
    choose_source,
    completed_structures,
    event_types,
    lords,
    points_by_seat,
    source_options,
    unfinished_city,
    unfinished_road,
)

YELLOW_TOWN = ["base/E -1,0 180", "base/E -1,1 0"]
"""A town west of the usual castle."""


def one_structure_each(active: int) -> Position:
    """Complete a road of 3 in Yellow's fief and a city of 10 in Red's with one tile; their castles are neighbours."""
    position = arrange(
        players=4,
        tiles=[
            *(*TOWN, *YELLOW_TOWN),
            *("base/V -2,-1 270", "base/A -2,0 180"),
            *("base/G 0,-1", "base/M 1,-1 270", "base/E 1,0 0"),
        ],
        castles=["0 0,0 0,1", "3 -1,0 -1,1"],
        player=active,
        hand="bcb/FRFC",
    )
    assert completed_structures(play_turn(position, "-1,-1", 180)) == [("city", 10), ("road", 3)]
    return position


def test_CA_28a_5_a_castle_may_take_a_structure_or_another_castle() -> None:
    position = one_structure_each(RED)
    assert position.player == RED
    assert source_options(position) == {"city": 10, "castle": 3}


def test_CA_28a_5_each_castle_may_take_its_own_structure() -> None:
    position = one_structure_each(RED)
    choose_source(position, "city")
    assert position.player == YELLOW
    assert source_options(position) == {"road": 3, "castle": 10}
    choose_source(position, "road")
    assert position.scores == [10, 0, 0, 3]


def test_CA_28a_5_the_second_may_take_the_castle_of_the_first() -> None:
    position = one_structure_each(RED)
    choose_source(position, "city")
    events = choose_source(position, "castle")
    assert position.scores == [10, 0, 0, 10]
    assert [event.terms for event in events_of(Scored, events) if event.kind == "castle"] == [
        (Term("city", 1, 10),),
        (Term("castle", 1, 10),),
    ]


def test_CA_28a_5_two_castles_cannot_take_each_other() -> None:
    position = one_structure_each(RED)
    events = choose_source(position, "castle")
    assert not isinstance(position.step, ChooseCastleSource)
    assert sorted(castle_points(events)) == [(RED, 3), (YELLOW, 3)]


@pytest.mark.parametrize(
    ("choices", "scores"),
    [(["road", "city"], [10, 0, 0, 3]), (["road", "castle"], [3, 0, 0, 3]), (["castle"], [10, 0, 0, 10])],
)
def test_CA_28a_5_either_lord_may_choose_first(choices: list[str], scores: list[int]) -> None:
    position = one_structure_each(YELLOW)
    for kind in choices:
        choose_source(position, kind)
    assert position.scores == scores
    assert isinstance(position.step, PlaceTile)


@pytest.mark.parametrize(("active", "first"), [(RED, RED), (BLUE, YELLOW), (GREEN, YELLOW), (YELLOW, YELLOW)])
def test_CA_28a_5_the_active_player_chooses_first_then_clockwise(active: int, first: int) -> None:
    position = one_structure_each(active)
    assert position.player == first
    choose_source(position, "road" if first == YELLOW else "city")
    assert position.player == (RED if first == YELLOW else YELLOW)


def between_two_castles(active: int, castles: list[str]) -> Position:
    """Complete a road of 2 and a city of 4 with one tile, both in the fiefs of two castles that are not neighbours."""
    position = arrange(
        tiles=[*TOWN, "base/E 2,0 180", "base/E 2,1 0", "base/E 1,0 180", "base/A 1,2 180"],
        castles=castles,
        player=active,
        hand="bcb/FRFC",
    )
    play_turn(position, "1,1", 90)
    return position


@pytest.mark.parametrize(("active", "order"), [(RED, [RED, BLUE]), (BLUE, [BLUE, RED]), (GREEN, [RED, BLUE])])
def test_CA_28a_5_each_lord_chooses_for_their_own_castle(active: int, order: list[int]) -> None:
    position = between_two_castles(active, ["0 0,0 0,1", "1 2,0 2,1"])
    assert position.player == order[0]
    assert source_options(position) == {"road": 2, "city": 4}
    choose_source(position, "road")
    assert position.scores == [0, 0, 0]
    assert position.player == order[1]
    assert source_options(position) == {"road": 2, "city": 4}
    events = choose_source(position, "city")
    assert sorted(castle_points(events)) == sorted([(order[0], 2), (order[1], 4)])


def test_CA_28a_5_a_player_with_two_castles_chooses_for_each() -> None:
    position = between_two_castles(GREEN, ["0 0,0 0,1", "0 2,0 2,1"])
    choose_source(position, "road")
    assert position.player == RED
    events = choose_source(position, "city")
    assert sorted(points for _, points in castle_points(events)) == [2, 4]
    assert position.scores == [6, 0, 0]


def shared_road(active: int) -> Position:
    """Complete a road of 7 in both fiefs and a city of 10 in Red's with one tile; the castles are neighbours."""
    position = arrange(
        players=4,
        tiles=[
            *(*TOWN, *YELLOW_TOWN),
            *("base/A 1,0 0", "base/V 1,2 90", "base/U 0,2", "base/U -1,2", "base/V -2,2 180", "base/A -2,1 0"),
            *("base/F 2,1", "base/G 3,1", "base/E 4,1 270"),
        ],
        castles=["0 0,0 0,1", "3 -1,0 -1,1"],
        player=active,
        hand="base/D",
    )
    assert completed_structures(play_turn(position, "1,1", 90)) == [("city", 10), ("road", 7)]
    return position


@pytest.mark.parametrize(("kind", "worth"), [("road", 7), ("city", 10)])
def test_CA_28a_5_taking_a_castle_gives_the_points_that_it_takes(kind: str, worth: int) -> None:
    position = shared_road(YELLOW)
    choose_source(position, "castle")
    assert position.player == RED
    assert source_options(position) == {"road": 7, "city": 10}
    events = choose_source(position, kind)
    assert sorted(castle_points(events)) == [(RED, worth), (YELLOW, worth)]


def test_CA_28a_5_a_lord_may_take_less_than_a_neighbour_offers() -> None:
    position = shared_road(YELLOW)
    choose_source(position, "road")
    assert set(source_options(position)) == {"road", "city", "castle"}
    choose_source(position, "castle")
    assert position.scores == [7, 0, 0, 7]


def test_CA_28a_5_a_single_source_needs_no_decision() -> None:
    position = arrange(
        tiles=[*TOWN, *YELLOW_TOWN, *unfinished_road(1, 0, 4)], castles=["0 0,0 0,1", "1 -1,0 -1,1"], hand="base/A"
    )
    events = play_turn(position, "4,0", 90)
    assert isinstance(position.step, PlaceTile)
    assert sorted(castle_points(events)) == [(RED, 4), (BLUE, 4)]


def test_CA_28a_5_three_castles_cannot_take_each_other_in_a_circle() -> None:
    """Blue's castle lies in Red's fief, Green's in Blue's, Red's in Green's; the road lies in Green's alone."""
    position = arrange(
        tiles=[
            *TOWN,
            *("base/E 1,0 90", "base/E 2,0 270"),
            *("base/E 1,1 180", "base/E 1,2 0"),
            *unfinished_road(2, 2, 3),
        ],
        castles=["0 0,0 0,1", "1 1,0 2,0", "2 1,1 1,2"],
        player=BLUE,
        hand="base/A",
    )
    play_turn(position, "4,2", 90)
    assert position.player == RED
    assert {str(action) for action in position.legal_actions} == {"take:N13.castle", "take:N14.castle"}
    events = position.apply(ChooseSource(cell("1,0"), "castle"))
    assert sorted(castle_points(events)) == [(RED, 3), (BLUE, 3), (GREEN, 3)]


def test_CA_28a_5_only_the_offered_sources_may_be_chosen() -> None:
    position = one_structure_each(RED)
    assert_illegal(position, ChooseSource(cell("-2,0"), "road.N"))
    assert_illegal(position, Pass())


# (6) Pay all castles, then send home all followers.


def test_CA_28a_6_no_follower_returns_before_every_castle_is_paid() -> None:
    position = arrange(
        tiles=[*TOWN, *YELLOW_TOWN, *unfinished_road(1, 0, 4), *unfinished_city(1, 1, "F")],
        castles=["0 0,0 0,1", "1 -1,0 -1,1"],
        followers=["2 2,0 road.W"],
        hand="base/A",
    )
    events = play_turn(position, "4,0", 90)
    order = event_types(events)
    last_payment = max(number for number, kind in enumerate(order) if kind is Scored)
    assert last_payment < order.index(Returned)
    assert sorted(event.player for event in events_of(Returned, events)) == [RED, BLUE, GREEN]
    assert position.supply["follower"] == [7, 7, 7]


@pytest.mark.parametrize("kind", ["road", "city"])
def test_CA_28a_6_while_a_lord_chooses_the_holders_still_stand(kind: str) -> None:
    position = arrange(
        tiles=[*TOWN, "base/A 1,0 0", "base/A 1,2 180", "base/F 2,1", "base/G 3,1", "base/E 4,1 270"],
        castles=["0 0,0 0,1"],
        followers=["1 2,1 city.E", "2 1,0 road.S"],
        player=BLUE,
        hand="base/D",
    )
    play_turn(position, "1,1", 90)
    assert {(BLUE, "2,1", "city.E"), (GREEN, "1,0", "road.S")} <= standing_followers(position)
    events = choose_source(position, kind)
    assert [event.player for event in events_of(Returned, events)] == [RED, GREEN, BLUE]  # independent of the choice
    assert standing_followers(position) == set()
    assert position.supply["follower"] == [7, 7, 7]


def test_CA_28a_6_both_structures_send_their_followers_home_whichever_the_castle_took() -> None:
    position = between_two_castles(RED, ["0 0,0 0,1", "1 2,0 2,1"])
    choose_source(position, "city")
    choose_source(position, "city")
    assert lords(position, "0,0") == lords(position, "2,0") == []
    assert position.supply["follower"] == [7, 7, 7]


def test_CA_28a_6_the_payment_opens_no_other_round() -> None:
    position = arrange(
        tiles=["base/E 0,0 180", *YELLOW_TOWN[:1], "base/D -1,1 0", "base/A -2,1 270", "base/A 1,1 90"],
        castles=["1 -1,0 -1,1"],
        followers=["0 0,0 city.S"],
        hand="base/D",
        pile=["base/B", "base/U"],
    )
    play_turn(position, "0,1", 0)
    events = list(position.apply(BuildCastle()))
    assert castle_points(events) == [(BLUE, 4)]
    assert [(event.kind, event.points) for event in events_of(Completed, events) if event.kind != "castle"] == [
        ("road", 4)
    ]
    events = play_turn(position, "0,-1", 0)
    assert points_by_seat(events) == {}
    assert lords(position, "0,0") == [RED]
