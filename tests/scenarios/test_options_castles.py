"""Options of castles: shapes of towns (CA-04, CA-05), conversion (CA-08), time and value of scores (CA-34 … CA-58).

An option is a point on which editions of the rules differ. A town is a completed city of two tiles, which may become a
castle. The lord of a castle is the follower in it. The fief of a castle is the block of six cells around it; a
structure that is completed there feeds the castle, which scores the same points. In the texts that describe positions,
``"base/E 0,1 90"`` is tile E of the base game, with its cell and rotation. Codes such as CA-04 are rules of the rule
digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, ScoreTown, castles_of
from engine.carcassonne.options import PRESETS, Options
from engine.carcassonne.steps import PlaceTile
from engine.events import Completed
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, RED, YELLOW, cell, events_of, play_turn, points
from tests.scenarios.vocabulary_castles import (
    SOUTH_CAP,
    TOWN,
    castle_points,
    choose_source,
    completed_structures,
    lords,
    pending_town,
    points_by_seat,
    source_options,
    town_points,
    unfinished_road,
)

CITY_ENDS = Options(castle_town_shape="city_ends")
"""The option with which a town is made of two ends of a city."""
ANY_TWO_TILES = Options(castle_town_shape="any_two_tiles")
"""The option with which every city of two tiles is a town."""
OWN_TILE_ONLY = Options(castle_conversion_trigger="own_tile_only")
"""The option with which only the player who completed a town may convert it."""


@pytest.mark.parametrize("options", [CITY_ENDS, PRESETS["c1_zmg"]])
def test_CA_04_two_end_pieces_of_any_shape_are_a_town(options: Options) -> None:
    position = arrange(tiles=["base/E 0,0 90"], followers=["0 0,0 city.E"], hand="bcb/FRFC", options=options)
    play_turn(position, "1,0", 0)
    assert pending_town(position) == (RED, {cell("0,0"), cell("1,0")})
    position.apply(BuildCastle())
    assert lords(position, "1,0") == [RED]


@pytest.mark.parametrize("options", [ANY_TWO_TILES, PRESETS["c2_zmg"]])
def test_CA_05_any_city_of_two_tiles_is_a_town(options: Options) -> None:
    position = arrange(tiles=["base/E 0,0 90"], followers=["0 0,0 city.E"], hand="bcb/FRFC", options=options)
    play_turn(position, "1,0", 0)
    assert pending_town(position) == (RED, {cell("0,0"), cell("1,0")})


@pytest.mark.parametrize("options", [CITY_ENDS, ANY_TWO_TILES])
def test_CA_05_a_city_of_three_tiles_is_never_a_town(options: Options) -> None:
    position = arrange(tiles=[SOUTH_CAP, "base/G 0,1 90"], followers=["0 0,0 city.S"], hand="base/E", options=options)
    assert points(play_turn(position, "0,2", 0)) == [(RED, 6)]
    assert castles_of(position) == ()


@pytest.mark.parametrize("options", [OWN_TILE_ONLY, PRESETS["c2_hig"]])
def test_CA_08_another_players_tile_lets_the_occupier_only_score(options: Options) -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], player=BLUE, hand="base/E", options=options)
    assert points_by_seat(play_turn(position, "0,1", 0)) == {RED: 4}
    assert pending_town(position) is None


@pytest.mark.parametrize(("followers", "deploy"), [(["0 0,0 city.S"], None), ([], "city.N")])
def test_CA_08_a_player_may_choose_when_they_placed_the_tile(followers: list[str], deploy: str | None) -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=followers, hand="base/E", options=OWN_TILE_ONLY)
    play_turn(position, "0,1", 0, deploy=deploy)
    assert pending_town(position) == (RED, {cell("0,0"), cell("0,1")})


def test_CA_08_of_two_towns_only_the_active_players_may_become_a_castle() -> None:
    position = arrange(
        tiles=["base/E 0,0 90", "base/E 2,0 270"],
        followers=["0 0,0 city.E", "1 2,0 city.W"],
        hand="base/H",
        options=OWN_TILE_ONLY,
    )
    play_turn(position, "1,0", 90)
    assert pending_town(position) == (RED, {cell("0,0"), cell("1,0")})
    assert points_by_seat(position.apply(BuildCastle())) == {BLUE: 4}
    assert isinstance(position.step, PlaceTile)


def complete_road_with_castle(options: Options) -> Position:
    """Have Red complete a town and, with the same tile, a road of 3 in the fief of the castle that it may become."""
    position = arrange(
        tiles=[SOUTH_CAP, "base/A -1,1 270", "base/A 1,1 90", "base/A 1,0 180"],
        followers=["0 0,0 city.S", "1 -1,1 road.E"],
        hand="base/D",
        pile=["base/A", "base/U"],
        options=options,
    )
    play_turn(position, "0,1", 0)
    return position


def test_CA_34_same_round_lets_a_castle_score_at_once() -> None:
    position = complete_road_with_castle(Options(castle_first_score="same_round"))
    assert points_by_seat(position.apply(BuildCastle())) == {BLUE: 3, RED: 3}
    assert lords(position, "0,0") == []


def test_CA_34_next_turn_lets_a_castle_score_in_the_next_turn() -> None:
    position = complete_road_with_castle(Options(castle_first_score="next_turn"))
    assert points_by_seat(position.apply(BuildCastle())) == {BLUE: 3}
    assert castle_points(play_turn(position, "1,-1", 0)) == [(RED, 2)]


def complete_road_and_city(options: Options) -> tuple[Position, list[object]]:
    """Have Blue complete a road of 3 and their city of 10 in the fief of Red's castle; return position and events."""
    position = arrange(
        tiles=[*TOWN, "base/A 1,0 0", "base/A 1,2 180", "base/F 2,1", "base/G 3,1", "base/E 4,1 270"],
        castles=["0 0,0 0,1"],
        followers=["1 2,1 city.E"],
        player=BLUE,
        hand="base/D",
        options=options,
    )
    return position, list(play_turn(position, "1,1", 90))


def test_CA_41_the_highest_value_may_be_taken_without_asking() -> None:
    position, events = complete_road_and_city(Options(castle_auto_choose=True))
    assert isinstance(position.step, PlaceTile)
    assert castle_points(events) == [(RED, 10)]


@pytest.mark.parametrize("options", [Options(castle_simultaneous_choice="order_first"), PRESETS["c2_zmg"]])
def test_CA_42_the_castle_takes_the_structure_that_its_lord_puts_first(options: Options) -> None:
    position, _ = complete_road_and_city(options)
    assert source_options(position) == {"road": 3, "city": 10}
    assert castle_points(choose_source(position, "road")) == [(RED, 3)]


@pytest.mark.parametrize(("first", "second"), [("road", "city"), ("city", "road")])
def test_CA_42_the_first_structure_is_scored_first_in_the_log(first: str, second: str) -> None:
    position, events = complete_road_and_city(Options(castle_simultaneous_choice="order_first"))
    events += choose_source(position, first)
    assert [event.kind for event in events_of(Completed, events)] == [first, second, "castle"]


def test_CA_42_the_order_changes_nothing_for_the_holders() -> None:
    position, _ = complete_road_and_city(Options(castle_simultaneous_choice="order_first"))
    choose_source(position, "road")
    assert position.scores == [3, 10, 0]


@pytest.mark.parametrize("active", [RED, BLUE, YELLOW])
def test_CA_28a_5_without_questions_both_neighbours_take_the_highest_reachable(active: int) -> None:
    position = arrange(
        players=4,
        tiles=[
            *(*TOWN, "base/E -1,0 180", "base/E -1,1 0"),
            *("base/V -2,-1 270", "base/A -2,0 180"),
            *("base/G 0,-1", "base/M 1,-1 270", "base/E 1,0 0"),
        ],
        castles=["0 0,0 0,1", "3 -1,0 -1,1"],
        player=active,
        hand="bcb/FRFC",
        options=Options(castle_auto_choose=True),
    )
    events = play_turn(position, "-1,-1", 180)
    assert isinstance(position.step, PlaceTile)
    assert sorted(castle_points(events)) == [(RED, 10), (YELLOW, 10)]


@pytest.mark.parametrize(("scored", "worth"), [("", {}), (" scored", {RED: 4})])
def test_CA_58_only_castles_that_were_scored_may_count_on_farms(scored: str, worth: dict[int, int]) -> None:
    position = arrange(
        tiles=TOWN,
        castles=[f"1 0,0 0,1{scored}"],
        followers=["0 0,0 field.NL"],
        hand="base/B",
        pile=[],
        options=Options(castle_farm_needs_completed=True),
    )
    assert points_by_seat(play_turn(position, "0,-1", 0)) == worth


def test_CA_10_a_town_is_worth_two_by_the_old_rules() -> None:
    position = arrange(
        tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], hand="base/E", options=Options(small_city_points=2)
    )
    play_turn(position, "0,1", 0)
    assert town_points(position) == 2
    assert points_by_seat(position.apply(ScoreTown())) == {RED: 2}


def test_CA_30_a_castle_gets_the_old_value_of_a_town_too() -> None:
    position = arrange(
        tiles=[*TOWN, "base/E 1,0 90"], castles=["0 0,0 0,1"], hand="base/E", options=Options(small_city_points=2)
    )
    events = play_turn(position, "2,0", 270)
    assert ("city", 2) in completed_structures(events)
    assert castle_points(events) == [(RED, 2)]


def test_CA_59_once_per_city_counts_a_castle_once_for_a_player_with_two_farms() -> None:
    position = arrange(
        tiles=TOWN,
        castles=["1 0,0 0,1"],
        followers=["0 0,0 field.NL", "0 0,1 field.EL", "2 0,1 field.EL"],
        hand="base/B",
        pile=[],
        options=Options(farm_scoring="farm3_once_per_city"),
    )
    assert points_by_seat(play_turn(position, "0,-1", 0)) == {RED: 4, 2: 4}


def test_BA_39_a_castle_is_worth_five_to_the_most_farmers_round_it_by_the_oldest_rules() -> None:
    position = arrange(
        tiles=TOWN,
        castles=["2 0,0 0,1"],
        followers=["0 0,0 field.NL", "0 0,1 field.EL", "1 0,1 field.EL"],
        hand="base/B",
        pile=[],
        options=Options(farm_scoring="city4"),
    )
    assert points_by_seat(play_turn(position, "0,-1", 0)) == {RED: 5}


def test_BA_32_without_farmers_a_castle_scores_as_usual() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_road(1, 0, 4)], castles=["0 0,0 0,1"], hand="base/A", options=Options(farmers=False)
    )
    assert castle_points(play_turn(position, "4,0", 90)) == [(RED, 4)]


@pytest.mark.parametrize("options", [CITY_ENDS, ANY_TWO_TILES])
def test_CA_05_a_road_of_two_tiles_is_no_town(options: Options) -> None:
    position = arrange(tiles=unfinished_road(0, 0, 2), followers=["0 0,0 road.E"], hand="base/A", options=options)
    assert points(play_turn(position, "1,0", 90)) == [(RED, 2)]
    assert castles_of(position) == ()


@pytest.mark.parametrize("castles", [["1 1,0 1,1", "1 0,0 0,1 scored"], ["1 0,0 0,1 scored", "1 1,0 1,1"]])
def test_CA_58_each_castle_counts_by_its_own_score(castles: list[str]) -> None:
    position = arrange(
        tiles=[*TOWN, "base/E 1,0 180", "base/E 1,1 0"],
        castles=castles,
        followers=["0 0,0 field.NL"],
        hand="base/B",
        pile=[],
        options=Options(castle_farm_needs_completed=True),
    )
    assert points_by_seat(play_turn(position, "0,-1", 0)) == {RED: 4}
