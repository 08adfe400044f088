"""The scoring round: completed structures, decisions about towns, triggered castles (CA-28a (1) … (4)), new castles.

A castle does not score in the round in which it was built (CA-34, CA-35).

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. In the texts that describe positions, ``"base/E 0,1 90"`` is tile E of the base game, with its cell and
rotation. Codes such as CA-28a are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BazaarOpened,
    BuildCastle,
    CastleBuilt,
    ScoreTown,
    castles_of,
)
from engine.carcassonne.steps import PlaceTile
from engine.events import Scored
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, GREEN, RED, cell, events_of, play_turn, points
from tests.scenarios.vocabulary_castles import (
    SOUTH_CAP,
    TOWN,
    auction_for_free,
    castle_points,
    completed_structures,
    event_types,
    field_tiles,
    lords,
    pending_town,
    place_anywhere,
    points_by_seat,
    source_options,
    unfinished_road,
)

# (1) List everything that this placement, bridge included, completed.


def test_CA_28a_1_all_structures_completed_by_the_tile_are_listed() -> None:
    position = arrange(
        tiles=[
            *("base/F 2,1", "base/G 3,1", "base/E 4,1 270", "base/A 1,0 0", "base/A 1,2 180"),
            *("base/B 0,1", *field_tiles("-1,0", "0,0", "-1,1", "-1,2", "0,2")),
        ],
        hand="base/D",
    )
    assert completed_structures(play_turn(position, "1,1", 90)) == [("city", 10), ("monastery", 9), ("road", 3)]


def test_CA_28a_1_structures_completed_by_a_bridge_are_listed() -> None:
    position = arrange(
        tiles=[*TOWN, "base/A 1,-1 0", "base/A 1,1 180"],
        castles=["0 0,0 0,1"],
        followers=["1 1,1 road.N"],
        hand="base/B",
    )
    events = play_turn(position, "1,0", 0, aid="1,0 NS")
    assert ("road", 3) in completed_structures(events)
    assert points_by_seat(events) == {RED: 3, BLUE: 3}


# (2) The towns.


def close_three_towns(active: int) -> Position:
    """Complete a town of each player with one tile, Red west, Blue north, Green east, and Green's road of 2."""
    position = arrange(
        tiles=["base/E -1,0 90", "base/E 0,-1 180", "base/E 1,0 270", "base/A 0,1 180"],
        followers=["0 -1,0 city.E", "1 0,-1 city.S", "2 1,0 city.W", "2 0,1 road.N"],
        player=active,
        hand="bcb/CCRC",
    )
    assert events_of(Scored, play_turn(position, "0,0", 0)) == []
    return position


@pytest.mark.parametrize(
    ("active", "order"), [(RED, [RED, BLUE, GREEN]), (BLUE, [BLUE, GREEN, RED]), (GREEN, [GREEN, RED, BLUE])]
)
def test_CA_28a_2_the_active_player_answers_first_then_clockwise(active: int, order: list[int]) -> None:
    position, players = close_three_towns(active), []
    while (question := pending_town(position)) is not None:
        players.append(question[0])
        position.apply(BuildCastle())
    assert players == order


def test_CA_28a_2_all_answer_before_any_point_is_given() -> None:
    position = close_three_towns(RED)
    assert position.apply(ScoreTown()) == ()
    assert position.apply(ScoreTown()) == ()
    assert position.scores == [0, 0, 0]
    assert position.supply["follower"] == [6, 6, 5]
    assert points_by_seat(position.apply(ScoreTown())) == {RED: 4, BLUE: 4, GREEN: 6}
    assert position.supply["follower"] == [7, 7, 7]


def test_CA_28a_2_each_owner_decides_about_their_own_town() -> None:
    position = close_three_towns(RED)
    towns = {}
    while (question := pending_town(position)) is not None:
        towns[question[0]] = question[1] - {cell("0,0")}
        position.apply(ScoreTown())
    assert towns == {RED: {cell("-1,0")}, BLUE: {cell("0,-1")}, GREEN: {cell("1,0")}}


@pytest.mark.parametrize("castle_at", ["-1,0", "1,0"])
def test_CA_28a_2_an_owner_may_spend_their_last_token_on_any_of_their_towns(castle_at: str) -> None:
    position = arrange(
        tiles=["base/E -1,0 90", "base/E 1,0 270"],
        followers=["0 -1,0 city.E", "0 1,0 city.W"],
        supply={"castle": [1, 3, 3]},
        player=BLUE,
        hand="base/H",
    )
    play_turn(position, "0,0", 90)
    while (question := pending_town(position)) is not None:
        position.apply(BuildCastle() if cell(castle_at) in question[1] else ScoreTown())
    assert [set(candidate.cells) for candidate in castles_of(position)] == [{cell(castle_at), cell("0,0")}]
    assert position.scores == [4, 0, 0]


def close_two_towns(*followers: str, tokens: tuple[int, int, int] = (3, 3, 3)) -> Position:
    """Have Red complete a town in the west and one in the east with one tile."""
    position = arrange(
        tiles=["base/E -1,0 90", "base/E 1,0 270"], followers=list(followers), supply={"castle": tokens}, hand="base/H"
    )
    play_turn(position, "0,0", 90)
    return position


def test_CA_28a_2_a_shared_town_is_decided_when_its_first_owner_answers() -> None:
    position, players = close_two_towns("2 -1,0 city.E", "0 -1,0 city.E", "1 1,0 city.W"), []
    while (question := pending_town(position)) is not None:
        players.append(question[0])
        position.apply(ScoreTown())
    assert players == [RED, GREEN, BLUE]


def test_CA_13_an_owner_without_a_token_is_skipped_and_the_next_is_asked_once() -> None:
    position = close_two_towns("0 -1,0 city.E", "1 1,0 city.W", tokens=(0, 3, 3))
    assert pending_town(position) == (BLUE, {cell("0,0"), cell("1,0")})
    assert points_by_seat(position.apply(ScoreTown())) == {RED: 4, BLUE: 4}
    assert isinstance(position.step, PlaceTile)


def road_and_town_beside_reds_castle() -> Position:
    """Have Blue complete a road of 3 and a town of their own, both in the fief of Red's castle."""
    position = arrange(
        tiles=[*TOWN, "base/A 1,0 0", "base/A 1,2 180", "base/E 2,1 270"],
        castles=["0 0,0 0,1"],
        followers=["1 2,1 city.W"],
        player=BLUE,
        hand="base/D",
    )
    play_turn(position, "1,1", 90)
    assert pending_town(position) == (BLUE, {cell("1,1"), cell("2,1")})
    return position


def test_CA_28a_2_a_converted_town_leaves_the_list() -> None:
    position = road_and_town_beside_reds_castle()
    events = position.apply(BuildCastle())
    assert ("city", 4) not in completed_structures(events)
    assert points_by_seat(events) == {RED: 3}
    assert isinstance(position.step, PlaceTile)


def test_CA_28a_2_a_scored_town_stays_on_the_list() -> None:
    position = road_and_town_beside_reds_castle()
    events = position.apply(ScoreTown())
    assert completed_structures(events) == [("city", 4), ("road", 3)]
    assert source_options(position) == {"road": 3, "city": 4}


def test_CA_28a_2_a_fresh_castle_takes_no_part() -> None:
    position = road_and_town_beside_reds_castle()
    events = position.apply(BuildCastle())
    assert castle_points(events) == [(RED, 3)]
    assert lords(position, "2,1") == [BLUE]
    assert lords(position, "0,0") == []


def test_CA_28a_2_two_fresh_castles_do_not_feed_each_other() -> None:
    position = close_three_towns(RED)
    position.apply(BuildCastle())
    position.apply(BuildCastle())
    events = position.apply(ScoreTown())
    assert points_by_seat(events) == {GREEN: 6}
    assert [lords(position, where) for where in ("-1,0", "0,-1")] == [[RED], [BLUE]]


# (3) The structures.


def road_and_held_city() -> Position:
    """Arrange an empty road of 3 and Blue's city of 10 in the fief of Red's castle; Blue's tile will complete both."""
    return arrange(
        tiles=[*TOWN, "base/A 1,0 0", "base/A 1,2 180", "base/F 2,1", "base/G 3,1", "base/E 4,1 270"],
        castles=["0 0,0 0,1"],
        followers=["1 2,1 city.E"],
        player=BLUE,
        hand="base/D",
    )


def test_CA_28a_3_held_or_not_every_structure_is_valued() -> None:
    position = road_and_held_city()
    events = play_turn(position, "1,1", 90)
    assert completed_structures(events) == [("city", 10), ("road", 3)]
    assert points(events) == [(BLUE, 10)]


def test_CA_28a_3_the_holders_are_paid_before_a_lord_chooses() -> None:
    position = road_and_held_city()
    play_turn(position, "1,1", 90)
    assert source_options(position) == {"road": 3, "city": 10}
    assert position.scores == [0, 10, 0]


# (4) Which castles are triggered.


def test_CA_28a_4_only_an_occupied_castle_is_triggered() -> None:
    position = arrange(
        tiles=[*TOWN, "base/E 2,0 180", "base/E 2,1 0", "base/A 1,0 0"],
        castles=["0 0,0 0,1 scored", "1 2,0 2,1"],
        hand="base/A",
    )
    assert castle_points(play_turn(position, "1,1", 180)) == [(BLUE, 2)]


def test_CA_28a_4_a_structure_outside_the_fief_triggers_nothing() -> None:
    position = arrange(tiles=[*TOWN, "base/A 2,-1 0"], castles=["0 0,0 0,1"], hand="base/A")
    events = play_turn(position, "2,0", 180)
    assert completed_structures(events) == [("road", 2)]
    assert lords(position, "0,0") == [RED]


def test_CA_28a_4_castles_trigger_castles_until_none_is_added() -> None:
    position = arrange(
        players=4,
        tiles=[f"base/E {x},{y} {180 - 180 * y}" for x in range(4) for y in (0, 1)] + unfinished_road(-3, 0, 3),
        castles=[f"{x} {x},0 {x},1" for x in range(4)],
        hand="base/A",
    )
    assert sorted(castle_points(play_turn(position, "-1,0", 90))) == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert isinstance(position.step, PlaceTile)


# CA-34, CA-35.


def castle_with_a_road_under_it() -> Position:
    """Have Red complete a town and, with the same tile, Blue's road of 3."""
    position = arrange(
        tiles=[SOUTH_CAP, "base/A -1,1 270", "base/A 1,1 90", "base/A 1,0 180"],
        followers=["0 0,0 city.S", "1 -1,1 road.E"],
        hand="base/D",
        pile=["base/A", "base/U"],
    )
    play_turn(position, "0,1", 0)
    return position


def test_CA_34_a_castle_does_not_score_in_the_round_in_which_it_was_built() -> None:
    position = castle_with_a_road_under_it()
    assert points_by_seat(position.apply(BuildCastle())) == {BLUE: 3}
    assert lords(position, "0,0") == [RED]
    assert not castles_of(position)[0].scored


def test_CA_34_the_next_tile_may_score_it() -> None:
    position = castle_with_a_road_under_it()
    position.apply(BuildCastle())
    assert position.player == BLUE
    assert castle_points(play_turn(position, "1,-1", 0)) == [(RED, 2)]


def test_CA_35_a_later_scoring_round_of_the_same_turn_scores_it() -> None:
    position = arrange(
        tiles=[SOUTH_CAP, *unfinished_road(1, 0, 2)],
        followers=["0 0,0 city.S"],
        hand="bcb/CFRF",
        pile=["base/B", "base/B", "base/A", "base/U"],
    )
    events = play_turn(position, "0,1", 0)
    events += position.apply(BuildCastle())
    order = event_types(events)
    assert order.index(CastleBuilt) < order.index(BazaarOpened)
    auction_for_free(position)
    place_anywhere(position)
    place_anywhere(position)
    assert position.player == RED
    assert castle_points(play_turn(position, "2,0", 90)) == [(RED, 2)]
