"""Placing tiles (BA-07, BA-08) and deploying followers (BA-09 … BA-13) in the base game.

Codes such as BA-07 are rules of the rule digest; each test is named by the rule that it shows. Positions are arranged
from texts: ``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and rotation, ``"0 1,0
road.E"`` a follower by seat, cell and segment.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.actions import Deploy, Pass, Place
from engine.carcassonne import Position, new_setup
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS
from engine.carcassonne.steps import DeployFollower, PlaceTile
from engine.carcassonne.tiles import tile
from engine.events import Deployed, GameOver, TileDiscarded, TileDrawn
from engine.selfplay import random_action
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    assert_illegal,
    base_game,
    cell,
    events_of,
    feature,
    legal_placements,
    legal_segments,
    place_tile,
    placement,
    play_turn,
    standing_followers,
    tile_count,
)

CLOSED_TOWN = ["base/D 0,0 0", "base/E 0,-1 180"]
"""A completed city of two tiles: base/C, city on all sides, fits nowhere beside it."""


def test_BA_07_every_touching_side_must_match() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/E", pile=[])

    assert legal_placements(position, "0,-1") == {"180"}  # city to city
    assert legal_placements(position, "0,1") == {"90", "180", "270"}  # field to field
    assert legal_placements(position, "1,0") == set()  # nothing for the road


def test_BA_07_road_against_field_is_illegal() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/U", pile=[])

    assert legal_placements(position, "1,0") == {"0", "180"}
    assert_illegal(position, placement("1,0", 90))


def test_BA_07_all_touched_tiles_count() -> None:
    around = ["base/D 0,0 0", "base/V 1,0 0", "base/E 0,1 270"]
    position = base_game(players=2, tiles=around, hand="base/V", pile=[])

    assert legal_placements(position, "1,1") == {"180"}  # a road to the north, field to the west


@pytest.mark.parametrize("where", ["2,0", "1,1", "-1,-1", "0,0", "7,7"])
def test_BA_07_a_tile_must_touch_a_side_and_lie_on_an_empty_cell(where: str) -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/B", pile=[])

    for rotation in (0, 90, 180, 270):
        assert_illegal(position, placement(where, rotation))


def test_BA_08_a_tile_without_a_place_is_discarded_and_another_is_drawn() -> None:
    position = base_game(players=2, tiles=CLOSED_TOWN, hand="base/U", pile=["base/C", "base/V", "base/U"])

    events = play_turn(position, "1,0")

    assert events_of(TileDiscarded, events) == [TileDiscarded(BLUE, tile("base/C"), declined=False)]
    assert [drawn.tile.id for drawn in events_of(TileDrawn, events)] == ["base/C", "base/V"]
    assert (position.player, position.hand) == (BLUE, tile("base/V"))
    assert position.pile_left == 3 - 2


def test_BA_08_several_discarded_tiles_may_end_the_game() -> None:
    position = base_game(players=2, tiles=CLOSED_TOWN, hand="base/U", pile=["base/C", "base/C"])

    events = play_turn(position, "1,0")

    assert len(events_of(TileDiscarded, events)) == 2
    assert events_of(GameOver, events)
    assert position.step is None


def test_BA_08_applies_to_an_arranged_tile_in_hand() -> None:
    position = base_game(players=2, tiles=CLOSED_TOWN, hand="base/C", pile=["base/V", "base/U"])

    assert position.hand == tile("base/V")
    assert (position.player, position.pile_left) == (RED, 1)


def test_BA_09_a_follower_goes_on_the_tile_just_placed() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/V", pile=["base/U"])

    place_tile(position, "1,0")

    assert legal_segments(position) == {"road.S", "field.NL", "field.SR"}
    assert_illegal(position, Deploy("city.N"))  # free, but on the start tile


def test_BA_09_at_most_one_follower_a_turn() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/V", pile=["base/U"])

    play_turn(position, "1,0", deploy="road.S")

    assert isinstance(position.step, PlaceTile)
    assert position.player == BLUE
    assert standing_followers(position) == {(RED, "1,0", "road.S")}
    assert position.supply["follower"] == [6, 7]


def test_BA_09_deploying_a_follower_is_optional() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/V", pile=["base/U"])

    place_tile(position, "1,0").apply(Pass())

    assert standing_followers(position) == set()
    assert position.player == BLUE


@pytest.mark.parametrize("seat", [RED, BLUE])
def test_BA_10_an_occupied_road_is_not_free_at_any_distance(seat: int) -> None:
    row = ["base/D 0,0 0", "base/U 1,0 0", "base/U 2,0 0", "base/U 3,0 0"]
    position = base_game(players=2, tiles=row, followers=[f"{seat} 0,0 road.E"], hand="base/U", pile=[])

    place_tile(position, "4,0")

    assert legal_segments(position) == {"field.NL", "field.ER"}


@pytest.mark.parametrize(("follower", "free"), [("city.E", {"field.NL", "field.SL"}), ("field.NL", {"city.E"})])
def test_BA_10_occupied_cities_and_fields_are_not_free(follower: str, free: set[str]) -> None:
    # The field of the tile on (0,0) continues on the tiles above and below (1,0), into both fields of the tile placed.
    around = ["base/E 0,0 90", "base/B 0,-1 0", "base/B 1,-1 0", "base/B 0,1 0", "base/B 1,1 0"]
    position = base_game(players=2, tiles=around, followers=[f"1 0,0 {follower}"], hand="base/G", pile=[])

    place_tile(position, "1,0")

    assert legal_segments(position) == free


def test_BA_11_monasteries_roads_and_fields_take_followers() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/A", pile=[])

    place_tile(position, "1,0", 90)

    assert legal_segments(position) == {"monastery", "road.W", "field.NL"}


@pytest.mark.parametrize("segment", ["monastery", "road.W", "field.NL"])
def test_BA_11_the_follower_stands_where_it_was_deployed(segment: str) -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/A", pile=["base/U"])

    (deployed,) = events_of(Deployed, play_turn(position, "1,0", 90, deploy=segment))

    assert (deployed.player, deployed.cell, deployed.segment.name) == (RED, cell("1,0"), segment)
    assert feature(position, "1,0", segment).owners == (RED,)


def test_BA_11_a_follower_in_a_city_owns_it() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand="base/R", pile=["base/U"])

    play_turn(position, "0,-1", 180, deploy="city.E")

    assert feature(position, "0,0", "city.N").owners == (RED,)


def test_BA_12_a_third_tile_joins_two_cities() -> None:
    position = base_game(
        players=2,
        tiles=["base/E 0,0 90", "base/B 0,1 0", "base/B 1,1 0", "base/B 2,1 0", "base/E 2,0 270"],
        followers=["0 0,0 city.E", "1 2,0 city.W"],
        hand="base/R",
        pile=["base/U"],
    )

    place_tile(position, "1,0")

    assert "city.N" not in legal_segments(position)
    city = feature(position, "1,0", "city.N")
    assert (tile_count(city), city.complete) == (3, False)
    assert {follower.player for follower in city.followers} == {RED, BLUE}
    assert set(city.owners) == {RED, BLUE}


def test_BA_13_without_a_follower_in_supply_none_can_be_deployed() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], supply={"follower": [0, 7]}, hand="base/U", pile=["base/U"])

    place_tile(position, "1,0")

    assert isinstance(position.step, DeployFollower)
    assert list(position.legal_actions) == [Pass()]
    assert_illegal(position, Deploy("road.E"))


def test_BA_33_the_base_game_contains_nothing_else() -> None:
    """The river, the abbot and gardens of newer boxes are left out, and so are all expansions."""
    setup = new_setup(players=2, seed="33", expansions=())
    kinds = [tile(name) for name in (setup.start_tile, *setup.pile)]
    assert len(kinds) == 72
    assert {segment.kind for kind in kinds for segment in kind.segments} == {"city", "road", "field", "monastery"}
    assert {flag for kind in kinds for flag in kind.flags} == set()
    assert "abbot" not in DEFAULT_EXPANSIONS

    position, rng = Position(setup), Random(33)
    assert position.supply == {"follower": [7, 7]}
    steps, actions = set(), set()
    while position.step is not None:
        steps.add(type(position.step))
        actions |= {type(action) for action in position.legal_actions}
        position.apply(random_action(position, rng))
    assert steps == {PlaceTile, DeployFollower}
    assert actions == {Place, Deploy, Pass}


def test_BA_36_cities_that_meet_at_a_corner_are_separate() -> None:
    position = base_game(
        players=2, tiles=["base/E 0,0 0", "base/B 1,0 0"], followers=["0 0,0 city.N"], hand="base/E", pile=[]
    )

    place_tile(position, "1,-1", 270)

    assert "city.W" in legal_segments(position)
    assert tile_count(feature(position, "1,-1", "city.W")) == 1
    assert feature(position, "1,-1", "city.W").owners == ()


def test_BA_37_each_arm_of_a_crossing_is_its_own_road() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], followers=["1 0,0 road.E"], hand="base/W", pile=["base/U"])

    place_tile(position, "1,0", 0)

    assert legal_segments(position) == {"road.E", "road.S", "field.NL", "field.ER", "field.SR"}
    assert tile_count(feature(position, "1,0", "road.W")) == 2
    assert tile_count(feature(position, "1,0", "road.E")) == 1


@pytest.mark.parametrize(("tile_id", "arms"), [("base/W", 3), ("base/X", 4), ("base/L", 3)])
def test_BA_37_a_crossing_has_a_road_for_each_arm(tile_id: str, arms: int) -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], hand=tile_id, pile=[])

    place_tile(position, "1,0", 0)

    assert len([name for name in legal_segments(position) if name.startswith("road")]) == arms
