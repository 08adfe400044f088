"""Builders and pigs as figures: deployment, majorities, return (TB-01 … TB-11), and castles on farms (CA-57).

A builder stands beside a follower of its player on a road or in a city. Whoever extends that feature lays a second tile
in the same turn, the second half of a double turn. A pig stands beside a farmer of its player and raises the value of
the farm. Codes such as TB-01 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Deploy
from engine.carcassonne import Options, Position, new_setup
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, castles_of
from engine.events import Returned, Scored, Term
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    assert_illegal,
    events_of,
    feature,
    legal_segments,
    legal_segments_for,
    place_tile,
    play_turn,
    points,
    standing_followers,
)
from tests.scenarios.vocabulary_builders import BUILDERS_ONLY, WITH_BAZAARS
from tests.scenarios.vocabulary_castles import SOUTH_CAP, lords, points_by_seat


def test_TB_01_each_player_has_one_builder_and_one_pig() -> None:
    position = Position(new_setup(players=5, seed="1", expansions=BUILDERS_ONLY))
    assert position.supply["builder"] == [1] * 5
    assert position.supply["pig"] == [1] * 5
    assert position.supply["follower"] == [7] * 5


def road_of(seat: int, **supply: list[int]) -> Position:
    """Return the position after Red has extended a road of this seat by a crossing."""
    position = arrange(
        tiles=["base/U 0,0"], followers=[f"{seat} 0,0 road.E"], hand="base/W", expansions=BUILDERS_ONLY, supply=supply
    )
    return place_tile(position, "1,0", 90)


def test_TB_02_a_builder_joins_a_follower_of_its_owner_on_the_tile_just_placed() -> None:
    position = road_of(RED)
    assert legal_segments_for(position, "builder") == {"road.W"}
    assert "road.W" not in legal_segments(position)
    position.apply(Deploy("road.W", "builder"))
    assert position.supply["builder"] == [0, 1, 1]
    assert standing_followers(position) == {(RED, "0,0", "road.E"), (RED, "1,0", "road.W")}
    assert position.player == BLUE


def test_TB_02_a_builder_does_not_join_another_players_follower() -> None:
    position = road_of(BLUE)
    assert legal_segments_for(position, "builder") == set()
    assert_illegal(position, Deploy("road.W", "builder"))


def test_TB_02_each_player_has_one_builder_only() -> None:
    assert legal_segments_for(road_of(RED, builder=[0, 1, 1]), "builder") == set()


def test_TB_02_a_builder_needs_no_follower_in_supply() -> None:
    assert legal_segments_for(road_of(RED, follower=[0, 7, 7]), "builder") == {"road.W"}


def test_TB_02_a_builder_goes_into_cities_but_not_to_fields_or_monasteries() -> None:
    position = arrange(
        tiles=["base/D 0,0 90"], followers=["0 0,0 city.E", "0 0,0 field.NR"], hand="base/G", expansions=BUILDERS_ONLY
    )
    place_tile(position, "1,0")
    assert legal_segments_for(position, "builder") == {"city.E"}


def test_TB_09_a_pig_joins_a_farmer_of_its_owner() -> None:
    position = arrange(
        tiles=["base/B 0,0"], followers=["0 0,0 field.NL", "0 0,0 monastery"], hand="base/A", expansions=BUILDERS_ONLY
    )
    place_tile(position, "1,0")
    assert legal_segments_for(position, "pig") == {"field.NL"}
    assert legal_segments_for(position, "builder") == set()
    position.apply(Deploy("field.NL", "pig"))
    assert position.supply["pig"] == [0, 1, 1]


@pytest.mark.parametrize("farmer", ["1 0,0 field.NL", "0 0,0 monastery"])
def test_TB_09_a_pig_needs_a_farmer_of_its_owner(farmer: str) -> None:
    position = arrange(tiles=["base/B 0,0"], followers=[farmer], hand="base/A", expansions=BUILDERS_ONLY)
    assert legal_segments_for(place_tile(position, "1,0"), "pig") == set()


def test_BA_20_TB_06_a_builder_does_not_count_for_the_majority() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "base/U 1,0", "base/U 3,0"],
        followers=["0 0,0 road.E", "0 1,0 road.E builder", "1 3,0 road.E"],
        hand="base/U",
        pile=["base/A", "base/U"],
        expansions=BUILDERS_ONLY,
    )
    play_turn(position, "2,0")
    assert feature(position, "0,0", "road.E").owners == (RED, BLUE)
    assert points(play_turn(position, "4,0", 90)) == [(RED, 5), (BLUE, 5)]


def test_BA_22_TB_07_a_builder_returns_with_the_followers() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "base/U 1,0"],
        followers=["0 0,0 road.E", "0 1,0 road.E builder"],
        hand="base/A",
        expansions=BUILDERS_ONLY,
    )
    events = play_turn(position, "2,0", 90)
    assert {(event.player, event.figure) for event in events_of(Returned, events)} == {
        (RED, "follower"),
        (RED, "builder"),
    }
    assert position.supply["builder"] == [1, 1, 1]
    assert position.supply["follower"] == [7, 7, 7]


def test_BA_22_TB_07_a_builder_on_a_completed_feature_returns_at_once() -> None:
    position = arrange(tiles=["base/A 0,0 270"], followers=["0 0,0 road.E"], hand="base/A", expansions=BUILDERS_ONLY)
    play_turn(position, "1,0", 90, deploy="builder@road.W")
    assert position.supply["builder"] == [1, 1, 1]
    assert position.player == BLUE


def test_BA_22_TB_11_a_pig_stays_to_the_end() -> None:
    position = arrange(
        tiles=["base/B 0,0", "base/B 1,0"],
        followers=["0 0,0 field.NL", "0 1,0 field.NL pig"],
        hand="base/B",
        pile=[],
        expansions=BUILDERS_ONLY,
    )
    play_turn(position, "2,0")
    assert position.step is None
    assert position.supply["pig"] == [0, 1, 1]


def test_BA_10_a_feature_with_a_builder_is_occupied() -> None:
    position = arrange(
        tiles=["base/U 0,0", "base/U 1,0"],
        followers=["0 0,0 road.E", "0 1,0 road.E builder"],
        player=BLUE,
        hand="base/U",
        expansions=BUILDERS_ONLY,
    )
    assert "road.W" not in legal_segments(place_tile(position, "2,0"))
    assert legal_segments_for(position, "builder") == set()


def test_CA_12_TB_07_the_builder_of_a_town_that_becomes_a_castle_returns() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], hand="base/E", expansions=WITH_BAZAARS)
    play_turn(position, "0,1", 0, deploy="builder@city.N")
    events = position.apply(BuildCastle())
    assert [(event.player, event.figure) for event in events_of(Returned, events)] == [(RED, "builder")]
    assert lords(position, "0,1") == [RED]
    assert castles_of(position)[0].followers[0].figure == "follower"
    assert position.supply["builder"] == [1, 1, 1]


FARM_TILES = ["base/E 0,0 90", "base/E 1,0 270", "base/E 0,1 90", "base/E 1,1 270", "base/E 2,0 90", "base/E 3,0 270"]
"""Three towns in rows 0 and 1 whose fields are one farm."""


def farm_points(*figures: str, castle: str | None = "1 2,0 3,0", **overrides: object) -> dict[int, int]:
    """Return the points by seat of the farm at the end of the game, with two cities and Blue's castle."""
    position = arrange(
        tiles=[*FARM_TILES, "base/B 2,1", "base/B 3,1", "base/B 0,2", "base/B 1,2"],
        followers=[*figures],
        castles=[castle] if castle else [],
        hand="base/B",
        pile=[],
        expansions=WITH_BAZAARS,
        **overrides,  # type: ignore[arg-type]
    )
    return points_by_seat(play_turn(position, "2,2"))


def test_IX_07_CA_57_with_a_pig_cities_are_worth_4_and_a_castle_5() -> None:
    assert farm_points("0 2,1 field.NL") == {RED: 10}
    assert farm_points("0 2,1 field.NL", "0 3,1 field.NL pig") == {RED: 13}


def test_CA_57_the_score_says_what_the_pig_adds() -> None:
    tiles = [*FARM_TILES, "base/B 2,1", "base/B 3,1"]
    figures = ["0 2,1 field.NL", "0 3,1 field.NL pig"]
    position = arrange(
        tiles=tiles, followers=figures, castles=["1 2,0 3,0"], hand="base/B", pile=[], expansions=WITH_BAZAARS
    )
    (scored,) = [event for event in events_of(Scored, play_turn(position, "2,2")) if event.kind == "field"]
    assert sorted(scored.terms, key=str) == [Term("castles", 1, 4), Term("cities", 2, 6), Term("pig", 3, 3)]


def test_TB_10_a_pig_helps_its_owner_alone() -> None:
    assert farm_points("0 2,1 field.NL", "0 3,1 field.NL pig", "1 0,2 field.NL", castle=None) == {RED: 12, BLUE: 9}


def test_TB_10_a_pig_holds_no_field() -> None:
    assert farm_points("0 2,1 field.NL", "0 3,1 field.NL pig", "1 0,2 field.NL", "1 1,2 field.NL", castle=None) == {
        BLUE: 9
    }


def test_CA_57_a_castle_that_does_not_count_gives_the_pig_nothing() -> None:
    options = Options(castle_farm_needs_completed=True)
    figures = ("0 2,1 field.NL", "0 3,1 field.NL pig")
    assert farm_points(*figures, options=options) == {RED: 8}
    assert farm_points(*figures, options=options, castle="1 2,0 3,0 scored") == {RED: 13}


@pytest.mark.parametrize(("farm_scoring", "worth"), [("farm3_once_per_city", 12), ("city4", 15)])
def test_BA_30_BA_31_a_pig_adds_a_point_to_each_city_by_the_older_rules_too(farm_scoring: str, worth: int) -> None:
    options = Options.of({"farm_scoring": farm_scoring})
    assert farm_points("0 2,1 field.NL", "0 3,1 field.NL pig", castle=None, options=options) == {RED: worth}


@pytest.mark.parametrize("pig", ["0 1,0 field.NL", "0 1,0 field.SL"])
@pytest.mark.parametrize(
    "tiles", [["base/G 1,0", "base/B 1,1", "base/B 1,-1"], ["base/G 1,0", "base/B 1,-1", "base/B 1,1"]]
)
def test_BA_30_of_two_fields_at_one_city_the_one_with_the_pig_counts(pig: str, tiles: list[str]) -> None:
    position = arrange(
        tiles=["base/E 0,0 90", *tiles, "base/E 2,0 270"],
        followers=["0 1,0 field.NL", "0 1,0 field.SL", f"{pig} pig"],
        hand="base/B",
        pile=[],
        expansions=BUILDERS_ONLY,
        options=Options(farm_scoring="farm3_once_per_city"),
    )
    assert points_by_seat(play_turn(position, "3,0")) == {RED: 4}
