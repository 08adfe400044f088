"""Castles at the end of the game (CA-54, CA-55), and their value for farmers (CA-45, CA-56 … CA-60).

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. In the texts that describe positions, ``"base/E 0,1 90"`` is tile E of the base game, with its cell and
rotation. Codes such as CA-54 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle
from engine.events import Scored
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    cell,
    events_of,
    feature,
    legal_segments,
    place_tile,
    play_turn,
    standing_followers,
)
from tests.scenarios.vocabulary_castles import SOUTH_CAP, TOWN, castle_points, points_by_seat, unfinished_road

TOWNS_TO_THE_EAST = [f"base/E {x},{y} {180 - 180 * y}" for x in (1, 2) for y in (0, 1)]
"""Two towns east of the usual castle; the upper fields of all three are one farm, the lower fields another."""


def test_CA_45_a_farm_in_the_fief_gives_the_castle_nothing() -> None:
    towns = [f"base/E {x},{y} {180 - 180 * y}" for x in (2, 3, 4, 5) for y in (0, 1)]
    position = arrange(
        tiles=[*TOWN, "base/U 1,0 90", "base/U 1,1 90", *towns],
        castles=["0 0,0 0,1"],
        followers=["1 2,0 field.NL"],
        hand="base/B",
        pile=[],
    )
    events = play_turn(position, "0,-1", 0)
    assert position.step is None
    assert castle_points(events) == []
    assert position.scores == [0, 12, 0]


def test_CA_54_a_castle_that_never_scored_is_worth_nothing() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_road(1, 0, 3)],
        castles=["0 0,0 0,1"],
        followers=["0 1,0 road.E"],
        hand="base/B",
        pile=[],
    )
    events = play_turn(position, "0,-1", 0)
    assert position.step is None
    assert castle_points(events) == []
    assert position.scores == [2, 0, 0]


def test_CA_54_its_follower_returns_without_points() -> None:
    position = arrange(tiles=TOWN, castles=["0 0,0 0,1"], hand="base/B", pile=[])
    events = play_turn(position, "0,-1", 0)
    assert [(event.player, event.kind, event.points, event.final) for event in events_of(Scored, events)] == [
        (RED, "castle", 0, True)
    ]


def test_CA_55_unfinished_structures_do_not_feed_a_castle_at_the_end() -> None:
    position = arrange(
        tiles=[*TOWN, *unfinished_road(1, 0, 6)],
        castles=["0 0,0 0,1"],
        followers=["1 1,0 road.E"],
        hand="base/B",
        pile=[],
    )
    assert points_by_seat(play_turn(position, "0,-1", 0)) == {BLUE: 5}


@pytest.mark.parametrize("owner", [RED, BLUE])
def test_CA_56_a_castle_is_worth_four_on_a_farm(owner: int) -> None:
    position = arrange(
        tiles=[*TOWN, *TOWNS_TO_THE_EAST],
        castles=[f"{owner} 0,0 0,1"],
        followers=["0 2,0 field.NL"],
        hand="base/B",
        pile=[],
    )
    assert points_by_seat(play_turn(position, "0,-1", 0)) == {RED: 10}


@pytest.mark.parametrize("scored", ["", " scored"])
def test_CA_58_whether_the_castle_was_scored_does_not_matter_on_a_farm(scored: str) -> None:
    position = arrange(tiles=TOWN, castles=[f"1 0,0 0,1{scored}"], followers=["0 0,0 field.NL"], hand="base/B", pile=[])
    assert points_by_seat(play_turn(position, "0,-1", 0)) == {RED: 4}


def test_CA_58_a_castle_of_the_last_turn_counts_too() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["1 0,0 city.S", "0 0,0 field.NL"], hand="base/E", pile=[])
    play_turn(position, "0,1", 0)
    assert points_by_seat(position.apply(BuildCastle())) == {RED: 4}


def test_CA_59_every_farm_beside_the_castle_counts_it() -> None:
    position = arrange(
        tiles=TOWN, castles=["2 0,0 0,1"], followers=["0 0,0 field.NL", "1 0,1 field.EL"], hand="base/B", pile=[]
    )
    assert points_by_seat(play_turn(position, "0,-1", 0)) == {RED: 4, BLUE: 4}


def test_CA_60_a_castle_separates_fields_as_the_town_did() -> None:
    position = arrange(
        tiles=[SOUTH_CAP], followers=["0 0,0 city.S", "0 0,0 field.NL"], hand="base/E", pile=["base/B", "base/U"]
    )
    play_turn(position, "0,1", 0)
    position.apply(BuildCastle())
    north, south = feature(position, "0,0", "field.NL"), feature(position, "0,1", "field.EL")
    assert {where for where, _ in north.parts} == {cell("0,0")}
    assert {where for where, _ in south.parts} == {cell("0,1")}
    play_turn(position, "0,2", 0, deploy="field.NL")
    assert (BLUE, "0,2", "field.NL") in standing_followers(position)


def test_CA_60_the_field_on_the_other_side_of_the_castle_is_occupied_as_before() -> None:
    position = arrange(tiles=TOWN, castles=["0 0,0 0,1"], followers=["0 0,0 field.NL"], hand="base/B")
    place_tile(position, "0,-1")
    assert legal_segments(position) == {"monastery"}
