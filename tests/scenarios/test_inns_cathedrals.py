"""Inns, cathedrals and the big follower (IC-01 … IC-09), also with bridges and castles (IX-01 … IX-05).

An inn doubles the points of a completed road, and a cathedral raises those of a completed city. If incomplete, such a
road or city scores nothing. The big follower counts twice. Positions are arranged from texts: ``"base/D 1,0 90"`` is
tile D of the base game, with its cell (x grows east, y south) and rotation, ``"0 1,0 road.E"`` a follower by seat, cell
and segment. Codes such as IC-01 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from functools import partial

import pytest

from engine import hints_on
from engine.actions import Deploy
from engine.carcassonne import FeatureKind, Position, new_setup, tile_set
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, DecideTown, castles_of
from engine.carcassonne.expansions.fairy import MoveFairy
from engine.carcassonne.expansions.inns_cathedrals import has_cathedral, has_inn
from engine.events import Completed, Returned, Scored, Term
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BCB,
    BLUE,
    RED,
    assert_illegal,
    cell,
    events_of,
    feature,
    legal_segments,
    legal_segments_for,
    place_tile,
    play_turn,
    points,
)
from tests.scenarios.vocabulary_castles import SOUTH_CAP, TOWN, castle_points, lords, points_by_seat, unfinished_road

INNS = "inns-cathedrals"
"""The name of the box."""
WITH_BRIDGES = (*BCB, INNS)
"""The box together with Bridges, Castles & Bazaars."""
BIG_FOLLOWER = "big-follower"
"""The name of the figure."""
KINDS = tile_set(INNS).values()
"""The tiles of the box."""
INN_ROAD = ["base/A 0,0 270", "ic/FRFR-b 1,0"]
"""A road with an inn: ``base/A`` on (2, 0) at 90 degrees completes it."""
CATHEDRAL = ["ic/CCCC-b 0,0", "base/E 0,-1 180", "base/E 1,0 270", "base/E 0,1"]
"""A city with a cathedral: ``base/E`` on (-1, 0) at 90 degrees completes it."""

inns_game = partial(arrange, expansions=(INNS,))
"""An arranged position of the base game with this box."""


def test_IC_01_the_tiles_of_the_box() -> None:
    assert sum(kind.count for kind in KINDS) == 18
    segments = [(kind.count, segment) for kind in KINDS for segment in kind.segments]
    assert sum(count for count, segment in segments if has_inn(segment)) == 6
    assert sum(count for count, segment in segments if has_cathedral(segment)) == 2
    assert sum(count for count, segment in segments if segment.pennants) == 3
    assert sum(count for count, segment in segments if segment.kind is FeatureKind.MONASTERY) == 1


def test_IC_01_each_player_has_one_big_follower() -> None:
    position = Position(new_setup(players=6, seed="1", expansions=(INNS,)))
    assert position.supply[BIG_FOLLOWER] == [1] * 6
    assert position.supply["follower"] == [7] * 6
    assert len(position.setup.pile) == 71 + 18


def test_IC_02_a_road_with_an_inn_brings_2_points_a_tile() -> None:
    position = inns_game(tiles=INN_ROAD, followers=["0 0,0 road.E"], hand="base/A")
    events = play_turn(position, "2,0", 90)
    assert events_of(Completed, events)[0].points == 6
    (scored,) = events_of(Scored, events)
    assert (scored.player, scored.points) == (RED, 6)
    assert scored.terms == (Term("tiles", 3, 3), Term("inn", 1, 3))


def test_IC_03_an_unfinished_inn_road_is_worth_nothing() -> None:
    position = inns_game(tiles=INN_ROAD, followers=["0 0,0 road.E"], hand="base/U", pile=[])
    (scored,) = events_of(Scored, play_turn(position, "2,0"))
    assert (scored.player, scored.points, scored.final) == (RED, 0, True)
    assert scored.terms == (Term("inn", 1, 0),)


def test_IC_03_an_unfinished_inn_road_projects_no_points() -> None:
    position = inns_game(tiles=INN_ROAD, followers=["0 0,0 road.E"], hand="base/B")
    assert [projection.total for projection in hints_on(position).projection()] == [0, 0, 0]


def test_IC_04_a_second_inn_or_cathedral_adds_nothing() -> None:
    road_of_two = inns_game(tiles=[*INN_ROAD, "ic/FRFR-b 2,0"], followers=["0 0,0 road.E"], hand="base/A")
    (scored,) = events_of(Scored, play_turn(road_of_two, "3,0", 90))
    assert scored.terms == (Term("tiles", 4, 4), Term("inn", 2, 4))
    caps = ["base/E 1,-1 180", "base/E 2,0 270", "base/E 1,1", "base/E 0,1"]
    city_of_two = inns_game(
        tiles=["ic/CCCC-b 0,0", "base/E 0,-1 180", "ic/CCCC-b 1,0", *caps], followers=["0 0,0 city.N"], hand="base/E"
    )
    assert points(play_turn(city_of_two, "-1,0", 90)) == [(RED, 24)]


def test_IC_05_a_city_with_a_cathedral_brings_3_points_a_tile_and_pennant() -> None:
    plain = inns_game(tiles=CATHEDRAL, followers=["0 0,0 city.N"], hand="base/E")
    assert points(play_turn(plain, "-1,0", 90)) == [(RED, 15)]
    tiles = [*CATHEDRAL, "base/F -1,0"]
    position = inns_game(tiles=tiles, followers=["0 0,0 city.N"], hand="base/E")
    (scored,) = events_of(Scored, play_turn(position, "-2,0", 90))
    assert scored.terms == (Term("tiles", 6, 12), Term("pennants", 1, 2), Term("cathedral", 1, 7))
    assert scored.points == 21


def test_IC_06_an_unfinished_cathedral_city_is_worth_nothing() -> None:
    position = inns_game(tiles=CATHEDRAL, followers=["0 0,0 city.N"], hand="base/B", pile=[])
    (scored,) = events_of(Scored, play_turn(position, "1,1"))
    assert (scored.points, scored.terms) == (0, (Term("cathedral", 1, 0),))


def test_IC_06_other_unfinished_roads_and_cities_keep_their_value() -> None:
    position = inns_game(
        tiles=["base/A 0,0 270", "base/U 1,0", SOUTH_CAP.replace("0,0", "0,5")],
        followers=["0 0,0 road.E", "1 0,5 city.S"],
        hand="base/A",
        pile=[],
    )
    assert points(play_turn(position, "2,0", 90)) == [(RED, 3), (BLUE, 1)]


ROAD_OF_TWO = ["base/A 0,0 270", "base/U 2,0"]
"""The two ends of a road, with a gap for one tile."""


def test_IC_07_a_big_follower_counts_for_two() -> None:
    position = inns_game(
        tiles=ROAD_OF_TWO,
        followers=[f"0 0,0 road.E {BIG_FOLLOWER}", "1 2,0 road.E"],
        hand="base/U",
        pile=["base/A", "base/U"],
    )
    play_turn(position, "1,0")
    assert feature(position, "0,0", "road.E").owners == (RED,)
    assert points(play_turn(position, "3,0", 90)) == [(RED, 4)]


def test_IC_07_a_big_follower_ties_with_two_ordinary_ones() -> None:
    followers = [f"0 0,0 road.E {BIG_FOLLOWER}", "1 2,0 road.E", "1 3,0 road.E"]
    position = inns_game(tiles=[*ROAD_OF_TWO, "base/U 3,0"], followers=followers, hand="base/U")
    play_turn(position, "1,0")
    assert feature(position, "0,0", "road.E").owners == (RED, BLUE)


def test_IC_07_a_big_farmer_counts_for_two() -> None:
    farmers = ["0 1,1 field.NL", f"1 2,1 field.NL {BIG_FOLLOWER}"]
    position = arrange(
        tiles=["base/E 0,0 90", "base/E 1,0 270", "base/B 1,1", "base/B 2,1"],
        followers=farmers,
        hand="base/B",
        pile=[],
        expansions=(INNS,),
    )
    assert points_by_seat(play_turn(position, "3,1")) == {BLUE: 3}


def test_IC_08_a_big_follower_is_deployed_and_returns_like_others() -> None:
    position = place_tile(inns_game(tiles=["base/A 0,0 270"], hand="base/A"), "1,0", 90)
    assert legal_segments_for(position, BIG_FOLLOWER) == legal_segments(position) == {"road.W", "monastery", "field.NL"}
    events = position.apply(Deploy("road.W", BIG_FOLLOWER))
    assert str(Deploy("road.W", BIG_FOLLOWER)) == "big-follower@road.W"
    assert points(events) == [(RED, 2)]
    assert [(event.player, event.figure) for event in events_of(Returned, events)] == [(RED, BIG_FOLLOWER)]
    assert position.supply[BIG_FOLLOWER] == [1, 1, 1]


def test_IC_08_each_player_has_one_big_follower_only() -> None:
    position = place_tile(
        inns_game(tiles=["base/A 0,0 270"], hand="base/A", supply={BIG_FOLLOWER: [0, 1, 1]}), "1,0", 90
    )
    assert legal_segments_for(position, BIG_FOLLOWER) == set()
    assert_illegal(position, Deploy("road.W", BIG_FOLLOWER))


def test_IC_08_a_big_follower_needs_a_free_feature() -> None:
    position = inns_game(tiles=["base/A 0,0 270"], followers=[f"1 0,0 road.E {BIG_FOLLOWER}"], hand="base/U")
    place_tile(position, "1,0")
    assert "road.W" not in legal_segments(position) | legal_segments_for(position, BIG_FOLLOWER)


def test_IC_08_a_builder_may_join_it() -> None:
    position = arrange(
        tiles=["base/U 0,0"],
        followers=[f"0 0,0 road.E {BIG_FOLLOWER}"],
        hand="base/U",
        expansions=(INNS, "traders-builders"),
    )
    assert legal_segments_for(place_tile(position, "1,0"), "builder") == {"road.E"}


def test_IC_08_the_fairy_may_stand_by_it() -> None:
    position = arrange(
        tiles=["base/U 0,0"], followers=[f"0 0,0 road.E {BIG_FOLLOWER}"], hand="base/U", expansions=(INNS, "fairy")
    )
    assert MoveFairy(cell("0,0"), "road.E") in place_tile(position, "1,0").legal_actions


def test_IC_09_a_farmer_gets_no_more_for_a_cathedral() -> None:
    position = inns_game(tiles=CATHEDRAL, followers=["0 0,-1 field.NL"], hand="base/E", pile=[])
    assert points_by_seat(play_turn(position, "-1,0", 90)) == {RED: 3}


def test_IX_01_an_inn_does_not_affect_the_bridge_over_its_tile() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "bcb/FFRF 1,0"],
        bridges=["1,0 WE"],
        followers=["0 0,0 road.E"],
        hand="base/A",
        expansions=WITH_BRIDGES,
    )
    assert points(play_turn(position, "2,0", 90)) == [(RED, 3)]


ROAD_WITH_BRIDGE = ["base/A 0,0 270", "bcb/FFFF 1,0", "ic/FRFR-b 2,0"]
"""A road with an inn that needs a bridge in the middle, and is open in the east."""


def test_IX_02_an_inn_elsewhere_on_its_road_affects_a_bridge() -> None:
    position = arrange(
        tiles=ROAD_WITH_BRIDGE, bridges=["1,0 WE"], followers=["0 0,0 road.E"], hand="base/A", expansions=WITH_BRIDGES
    )
    assert points(play_turn(position, "3,0", 90)) == [(RED, 8)]


def test_IX_02_an_unfinished_inn_road_with_a_bridge_is_worth_nothing() -> None:
    position = arrange(
        tiles=ROAD_WITH_BRIDGE,
        bridges=["1,0 WE"],
        followers=["0 0,0 road.E"],
        hand="base/B",
        pile=[],
        expansions=WITH_BRIDGES,
    )
    assert points(play_turn(position, "0,1")) == []


def test_IX_02_a_bridge_and_the_inn_below_it_may_be_of_one_road() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "bcb/FFRF 1,0", "base/V 2,0", "base/V 2,1 90"],
        bridges=["1,0 WE"],
        followers=["0 0,0 road.E"],
        hand="base/V",
        expansions=WITH_BRIDGES,
    )
    assert points(play_turn(position, "1,1", 180)) == [(RED, 10)]


@pytest.mark.parametrize(("expansions", "worth"), [(BCB, 3), (WITH_BRIDGES, 6), ((INNS, *BCB), 6)])
def test_IX_03_the_inns_of_bridges_castles_and_bazaars_count_with_this_box(
    expansions: tuple[str, ...], worth: int
) -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "base/U 1,0"], followers=["0 0,0 road.E"], hand="bcb/FFRF", expansions=expansions
    )
    assert points(play_turn(position, "2,0", 90)) == [(RED, worth)]


def test_IX_04_an_inn_raises_the_points_of_a_castle() -> None:
    first, _, *rest = unfinished_road(1, 0, 4)
    position = arrange(
        tiles=[*TOWN, first, "ic/FRFR-b 2,0", *rest], castles=["0 0,0 0,1"], hand="base/A", expansions=WITH_BRIDGES
    )
    assert castle_points(play_turn(position, "4,0", 90)) == [(RED, 8)]


def test_IX_04_CA_30_a_cathedral_raises_the_points_of_a_castle() -> None:
    """The rule's example, a city of four tiles, is impossible: a cathedral tile needs a neighbour on each side."""
    position = arrange(
        tiles=[*TOWN, "base/E 1,0 90", "ic/CCCC-b 2,0", "base/E 2,-1 180", "base/E 3,0 270"],
        castles=["0 0,0 0,1"],
        hand="base/E",
        expansions=WITH_BRIDGES,
    )
    assert castle_points(play_turn(position, "2,1")) == [(RED, 15)]


def test_IX_05_CA_11_a_big_follower_may_hold_a_castle() -> None:
    position = arrange(
        tiles=[SOUTH_CAP],
        followers=[f"0 0,0 city.S {BIG_FOLLOWER}"],
        hand="base/E",
        player=BLUE,
        expansions=WITH_BRIDGES,
    )
    play_turn(position, "0,1")
    assert isinstance(position.step, DecideTown)
    position.apply(BuildCastle())
    assert lords(position, "0,1") == [RED]
    assert [follower.figure for follower in castles_of(position)[0].followers] == [BIG_FOLLOWER]
    assert position.supply[BIG_FOLLOWER] == [0, 1, 1]


def test_IX_05_a_big_lord_returns_when_the_castle_scores() -> None:
    position = arrange(
        tiles=[SOUTH_CAP, *unfinished_road(1, 0, 2)],
        followers=[f"0 0,0 city.S {BIG_FOLLOWER}"],
        hand="base/E",
        pile=["base/A", "base/U"],
        expansions=WITH_BRIDGES,
    )
    play_turn(position, "0,1")
    position.apply(BuildCastle())
    assert castle_points(play_turn(position, "2,0", 90)) == [(RED, 2)]
    assert position.supply[BIG_FOLLOWER] == [1, 1, 1]
