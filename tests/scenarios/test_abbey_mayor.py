"""Abbeys, mayors, wagons and barns (AM-01 to AM-61), and their part in castles, bazaars and bridges (IX-08 to IX-13).

Positions are arranged from texts: ``"base/E 0,1 90"`` is tile E of the base game with its cell (x grows east, y south)
and rotation, ``"0 0,1 city.N wagon"`` a figure by seat, cell, segment and kind. Most abbeys fill the gap on 0,0. Codes
such as AM-05 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engine import (
    IllegalActionError,
    NotationError,
    Pass,
    Resign,
    Skip,
    hints_on,
    may_be_ordered,
    ordered_action,
    parse_action,
)
from engine.actions import Deploy
from engine.carcassonne import PRESETS, Position, check_plan, may_plan, new_setup, tile
from engine.carcassonne.expansions.abbey_mayor import (
    ABBEY,
    BARN,
    MAYOR,
    WAGON,
    DecideAbbey,
    DecideWagon,
    MoveWagon,
    PlaceAbbey,
    PutBarn,
    UseAbbey,
    WagonOrder,
    abbey_cells,
    may_lay_abbey,
    possible_wagon_orders,
)
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, DecideTown, ScoreTown, castles_of
from engine.carcassonne.expansions.traders_builders import GoodsTaken
from engine.carcassonne.options import Options
from engine.carcassonne.setup import tiles_in_play
from engine.carcassonne.steps import NextTurn
from engine.events import Completed, Event, Returned, Scored, TileDiscarded, TileDrawn, TurnSkipped
from engine.notation.positions import format_position, parse_position
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BCB,
    BLUE,
    GREEN,
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
    skip_deployment,
    standing_followers,
    tile_count,
)
from tests.scenarios.vocabulary_builders import RED_BUILDER, RED_ROAD
from tests.scenarios.vocabulary_castles import (
    SOUTH_CAP,
    TOWN,
    auction_for_free,
    bazaar,
    castle_points,
    lords,
    pending_town,
    points_by_seat,
    tile_to_place,
    town_points,
    unfinished_road,
)

BOX = "abbey-mayor"
"""The name of the box."""
FIELD = "base/B 0"
"""A tile with fields on all sides, and its rotation."""
TWO_CITIES = ["base/E 0,-1 180", "base/E 0,0", "base/E 1,-1 180", "base/E 1,0"]
"""Two towns, of which the southern caps lie on one field with what is south of them."""

abbey_game = partial(arrange, expansions=(BOX,))
"""An arranged position of the base game with this box."""
with_bridges = partial(arrange, expansions=(*BCB, BOX))
"""An arranged position with bridges, castles and bazaars beside it."""
with_builders = partial(arrange, expansions=("traders-builders", BOX))
"""An arranged position with builders, pigs and goods beside it."""


def gap(*, north: str = FIELD, east: str = FIELD, south: str = FIELD, west: str = FIELD) -> list[str]:
    """Return the four tiles around the empty cell 0,0; each is written as a kind and a rotation."""
    sides = ((north, "0,-1"), (east, "1,0"), (south, "0,1"), (west, "-1,0"))
    return [f"{kind} {where} {rotation}" for text, where in sides for kind, rotation in [text.split()]]


def begin_turn(position: Position, player: int = RED) -> Position:
    """Begin the turn of a player anew: with the decision before the draw, if there is one."""
    position.agenda = [NextTurn((player - 1) % position.players)]
    position.resume()
    return position


def lay_abbey(position: Position, where: str = "0,0", deploy: str | None = None) -> list[Event]:
    """Lay the abbey instead of drawing; return the events up to the next decision."""
    assert position.step == DecideAbbey(position.player)
    position.apply(UseAbbey())
    return play_turn(position, where, deploy=deploy)


def put(position: Position, corner: str) -> list[Event]:
    """Put the barn on a corner of the tile just laid."""
    return list(position.apply(PutBarn(corner)))


def corners(position: Position) -> set[str]:
    """Return the corners of the tile just laid on which the barn may be put."""
    return {action.corner for action in position.legal_actions if isinstance(action, PutBarn)}


def wagon_places(position: Position) -> set[str]:
    """Return the places to which the wagon in question may move, as ``x,y segment``; empty without that question."""
    if not isinstance(position.step, DecideWagon):
        return set()
    return {
        f"{action.cell.x},{action.cell.y} {action.segment}"
        for action in position.legal_actions
        if isinstance(action, MoveWagon)
    }


def move_wagon(position: Position, place: str) -> list[Event]:
    """Move the wagon in question to a place, ``x,y segment``."""
    where, segment = place.split()
    return list(position.apply(MoveWagon(cell(where), segment)))


def kinds_and_points(events: Iterable[object]) -> list[tuple[str, int, int]]:
    """Return the scores in order, as (kind, seat, points)."""
    return [(event.kind, event.player, event.points) for event in events_of(Scored, events)]


def home(events: Iterable[object]) -> list[tuple[int, str]]:
    """Return the figures that came home, sorted: (seat, figure)."""
    return sorted((event.player, event.figure) for event in events_of(Returned, events))


def final_scores(position: Position) -> list[tuple[str, int, int]]:
    """Return the scores if the game ended now, as (kind, seat, points)."""
    return kinds_and_points(position.concluded()[1])


# -- set-up and tiles --------------------------------------------------------------------------------------------------


def test_AM_01_everybody_has_an_abbey_and_three_figures() -> None:
    position = Position(new_setup(players=3, seed="1", expansions=(BOX,)))
    assert len(position.setup.pile) + 1 == 84
    assert not any(kind.id == "am/abbey" for kind in tiles_in_play((BOX,)))
    for piece in (ABBEY, MAYOR, WAGON, BARN):
        assert position.supply[piece] == [1, 1, 1]


def test_AM_01_the_second_edition_has_a_garden_among_the_tiles() -> None:
    second = tiles_in_play((BOX, "abbot"), Options(tile_edition="c2"))
    assert len(second) == len(tiles_in_play((BOX, "abbot")))
    ids = [kind.id for kind in second]
    assert ("am/FFRF+garden" in ids, "am/FFRF" in ids) == (True, False)


def test_AM_02_mayor_and_wagon_are_followers_and_the_barn_is_none() -> None:
    position = abbey_game(hand="base/E", supply={"follower": [0, 7, 7]})
    place_tile(position, "0,1", 180)
    assert legal_segments(position) == set()
    assert legal_segments_for(position, MAYOR) == {"city.S"}
    followers = {name: figure.is_follower for name, figure in position.figures.items()}
    assert followers == {"follower": True, MAYOR: True, WAGON: True, BARN: False}


def test_AM_03_a_road_with_three_arms_is_one_road() -> None:
    arms = ["base/A 0,-1", "base/U 1,0", "base/A 2,0 90", "base/U -1,0", "base/U -2,0"]
    position = abbey_game(tiles=["am/RRFR 0,0", *arms], followers=["0 0,0 road.N"], hand="base/A")
    assert points(play_turn(position, "-3,0", 270)) == [(RED, 7)]


def test_AM_04_the_city_with_a_pennant_reaches_the_field_beyond_the_other_city() -> None:
    caps = ["base/E 0,-1 180", "base/E 1,0 270", "base/E -1,0 90"]
    position = abbey_game(tiles=["am/CCFC 0,0", *caps], followers=["0 0,0 field.SL"])
    assert final_scores(position) == [("field", RED, 6)]


@pytest.mark.parametrize(
    ("kind", "fields"), [("am/CCFC", 2), ("am/RCRC", 3), ("am/CRRF", 3), ("am/CFRR", 3), ("am/FFFC", 3)]
)
def test_AM_04_fields_are_parted_as_drawn(kind: str, fields: int) -> None:
    assert sum(segment.kind == "field" for segment in tile(kind).segments) == fields
    assert sum(segment.kind == "road" for segment in tile("am/RCRC").segments) == 1


def test_CA_03_two_pieces_of_abbey_and_mayor_are_no_halves_of_towns() -> None:
    """Named by IX-43, too: the upper piece of tile E, and the squarish one of tile I."""
    assert [segment.cap for segment in tile("am/CCFC").segments if segment.kind == "city"] == [False, False]
    assert [segment.cap for segment in tile("am/FFFC").segments if segment.kind == "city"] == [False]


@pytest.mark.parametrize(("kind", "rotation"), [("am/CCFC", 180), ("am/FFFC", 270)])
def test_IX_43_the_odd_pieces_make_no_town(kind: str, rotation: int) -> None:
    """E is am/CCFC, whose piece with the pennant is meant, and I is am/FFFC: each faces the cap in the south here."""
    position = with_bridges(tiles=[f"{kind} 0,0 {rotation}"], followers=["0 0,0 city.S"], hand="base/E")
    events = play_turn(position, "0,1")
    assert pending_town(position) is None
    assert points(events) == [(RED, 6)]


# -- the abbey ---------------------------------------------------------------------------------------------------------


def test_AM_05_the_abbey_is_laid_instead_of_drawing() -> None:
    position = begin_turn(abbey_game(tiles=gap()))
    assert list(position.legal_actions) == [Pass(), UseAbbey()]
    events = lay_abbey(position)
    assert [event.player for event in events_of(TileDrawn, events)] == [BLUE]
    assert position.supply[ABBEY] == [0, 1, 1]
    assert position.player == BLUE


def test_AM_05_after_drawing_it_is_too_late() -> None:
    """Not even if the tile fits nowhere and another one is drawn."""
    position = begin_turn(abbey_game(tiles=gap(), pile=["base/C", "base/B", "base/B"]))
    events = position.apply(Pass())
    assert [type(event) for event in events] == [TileDrawn, TileDiscarded, TileDrawn]
    assert tile_to_place(position) == (RED, "base/B")
    assert_illegal(position, UseAbbey())


def test_AM_05_the_abbey_stays_with_a_player_who_does_not_lay_it_in_time() -> None:
    position = begin_turn(abbey_game(tiles=gap()))
    position.apply(UseAbbey())
    assert events_of(TurnSkipped, position.apply(Skip())) == [TurnSkipped(RED)]
    assert position.supply[ABBEY] == [1, 1, 1]
    assert position.step == DecideAbbey(BLUE)
    position.apply(UseAbbey())
    assert isinstance(position.step, PlaceAbbey)
    position.apply(Resign(BLUE))
    assert position.supply[ABBEY] == [1, 1, 1]
    assert position.player == GREEN


def test_AM_06_it_fits_only_into_a_gap() -> None:
    tiles = gap(north="base/N 180", east="base/U 0", south=FIELD, west="base/V 0")
    position = begin_turn(abbey_game(tiles=tiles))
    assert abbey_cells(position) == [cell("0,0")]
    position.apply(UseAbbey())
    assert {action.cell for action in position.legal_actions} == {cell("0,0")}
    assert len(tile("am/abbey").rotations) == 1
    three_sides = begin_turn(abbey_game(tiles=tiles[:3]))
    assert not isinstance(three_sides.step, DecideAbbey)


def test_AM_06_it_waits_until_the_river_is_finished() -> None:
    boxes = ("river", BOX)
    assert may_lay_abbey(arrange(tiles=gap(), expansions=boxes, pile=["base/B"]), RED)
    assert not may_lay_abbey(arrange(tiles=gap(), expansions=boxes, pile=["river/FIFI", "base/B"]), RED)


def test_AM_07_a_monk_or_nobody() -> None:
    position = begin_turn(abbey_game(tiles=gap(north="base/E 180")))
    position.apply(UseAbbey())
    place_tile(position, "0,0")
    assert legal_segments(position) == legal_segments_for(position, WAGON) == {"monastery"}
    assert legal_segments_for(position, MAYOR) == set()


def test_AM_08_it_closes_what_meets_it() -> None:
    tiles = [*gap(west="base/U 0"), *unfinished_road(-4, 0, 4)]
    position = begin_turn(abbey_game(tiles=tiles, followers=["1 -1,0 road.E"]))
    assert points(lay_abbey(position)) == [(BLUE, 4)]


def test_AM_08_it_closes_the_end_of_a_bridge() -> None:
    tiles = [*gap(), "base/A -2,0 270"]
    position = begin_turn(with_bridges(tiles=tiles, bridges=["-1,0 WE"], followers=["1 -2,0 road.E"]))
    assert points(lay_abbey(position)) == [(BLUE, 2)]


def test_AM_09_it_is_no_tile_of_what_it_closes() -> None:
    tiles = [*gap(west="base/U 0"), *unfinished_road(-4, 0, 4)]
    position = begin_turn(arrange(tiles=tiles, followers=["1 -1,0 road.E"], expansions=("king-robber", BOX)))
    events = lay_abbey(position)
    assert [(event.kind, event.points) for event in events_of(Completed, events)] == [("road", 4)]
    assert len(feature(position, "-1,0", "road.E").parts) == 4


@pytest.mark.parametrize(
    ("south", "follower", "expected"), [("base/E 0", "0 0,1 city.N", 2), ("base/A 180", "0 0,1 road.N", 1)]
)
def test_AM_10_a_feature_of_one_tile_may_be_complete(south: str, follower: str, expected: int) -> None:
    position = begin_turn(abbey_game(tiles=gap(south=south), followers=[follower]))
    assert points(lay_abbey(position)) == [(RED, expected)]


def test_AM_10_such_a_city_counts_for_farmers() -> None:
    position = begin_turn(abbey_game(tiles=gap(south="base/E 0"), followers=["0 0,1 field.SL"]))
    lay_abbey(position)
    assert final_scores(position) == [("field", RED, 3)]


def test_AM_11_everything_that_it_completes_is_scored() -> None:
    ring = [f"base/B {x},{y}" for x, y in ((-1, 1), (1, 1), (-1, 2), (0, 2), (1, 2))]
    tiles = [*gap(west="base/U 0"), *ring, *unfinished_road(-3, 0, 3)]
    position = begin_turn(abbey_game(tiles=tiles, followers=["1 0,1 monastery", "0 -1,0 road.E"]))
    assert points_by_seat(lay_abbey(position)) == {BLUE: 9, RED: 3}


def test_AM_12_its_monk_scores_as_in_a_monastery() -> None:
    around = [f"base/B {x},{y}" for x, y in ((-1, -1), (1, -1))]
    tiles = ["am/abbey 0,0", *gap(), *around]
    position = abbey_game(tiles=tiles, followers=["0 0,0 monastery"], pile=["base/B"] * 3)
    assert final_scores(position) == [("monastery", RED, 7)]
    play_turn(position, "-1,1")
    assert points(play_turn(position, "1,1")) == [(RED, 9)]


def test_AM_12_an_abbey_in_a_fief_feeds_the_castle() -> None:
    castle = [*TOWN, "base/B 2,-1", "base/B 2,0", "base/B 2,1", "base/B 1,-1", "base/B 1,1", "base/B 0,-1"]
    position = begin_turn(with_bridges(tiles=castle, castles=["0 0,0 0,1"]))
    assert castle_points(lay_abbey(position, "1,0")) == [(RED, 9)]


def test_AM_13_it_is_a_tile_around_gardens() -> None:
    ring = [f"base/B {x},{y}" for x, y in ((-1, 1), (1, 1), (-1, 2), (0, 2), (1, 2))]
    tiles = [*gap(south="base/V+garden 180"), *ring]
    position = arrange(tiles=tiles, followers=["1 0,1 garden abbot"], expansions=("abbot", BOX))
    assert points(lay_abbey(begin_turn(position))) == [(BLUE, 9)]


def test_AM_14_it_joins_no_fields() -> None:
    position = begin_turn(abbey_game(tiles=gap()))
    lay_abbey(position)
    for where in ("0,-1", "1,0", "0,1", "-1,0"):
        assert tile_count(feature(position, where, "field.NL")) == 1


def test_AM_14_no_barn_stands_at_its_corners() -> None:
    position = abbey_game(tiles=["am/abbey 0,0", *gap()], hand="base/B")
    assert corners(place_tile(position, "1,1")) == set()


def test_AM_15_it_gives_no_double_turn() -> None:
    tiles = [*gap(west="base/U 0"), "base/U -2,0"]
    followers = ["0 -2,0 road.E", "0 -1,0 road.E builder"]
    position = begin_turn(with_builders(tiles=[*tiles, "base/A -3,0 270"], followers=followers))
    assert points(lay_abbey(position)) == [(RED, 3)]
    assert position.player == BLUE


FAR_GAP = ["base/B 0,9", "base/B 1,10", "base/B 0,11", "base/B -1,10"]
"""The tiles around a gap on 0,10."""


def test_AM_16_it_may_be_the_second_tile_of_a_turn() -> None:
    position = with_builders(tiles=[*RED_ROAD, *FAR_GAP], followers=RED_BUILDER, hand="base/U", pile=["base/B"] * 3)
    play_turn(position, "2,0")
    assert position.step == DecideAbbey(RED)
    lay_abbey(position, "0,10")
    assert position.player == BLUE


def test_AM_16_also_when_no_tile_is_left_to_draw() -> None:
    options = Options(abbey_at_end="none")
    tiles = [*RED_ROAD, *FAR_GAP]
    position = with_builders(tiles=tiles, followers=RED_BUILDER, hand="base/U", pile=[], options=options)
    play_turn(position, "2,0")
    assert position.step == DecideAbbey(RED)
    assert parse_position(format_position(position)).step == DecideAbbey(RED)
    position.apply(Pass())
    assert position.is_over


def test_AM_17_whoever_closes_a_city_by_it_takes_its_goods() -> None:
    tiles = [*gap(west="tb/FCRC-b 0"), "base/E -2,0 90"]
    position = begin_turn(with_builders(tiles=tiles, followers=["1 -1,0 city.E"]))
    assert events_of(GoodsTaken, lay_abbey(position)) == [GoodsTaken(RED, "wine", 1)]


def bazaar_round(**changes: Any) -> Position:
    """Return the position before the first placement of a bazaar with a gap, in which Blue has a builder."""
    road = ["base/U 0,9", "base/U 1,9"]
    position = arrange(
        tiles=[*gap(), *road],
        followers=["1 0,9 road.E", "1 1,9 road.E builder"],
        hand="bcb/FFFF",
        expansions=(*BCB, "traders-builders", BOX),
        **{"pile": ["base/U", "base/B", "base/B", "base/B", "base/B", "base/B"], **changes},
    )
    play_turn(position, "2,0")
    auction_for_free(position)
    return position


def test_AM_18_it_is_never_the_first_tile_of_a_bazaar_turn() -> None:
    position = bazaar_round()
    assert tile_to_place(position) == (BLUE, "base/U")
    assert_illegal(position, UseAbbey())


def test_BZ_36_it_may_be_the_second_tile_in_a_bazaar_round() -> None:
    position = bazaar_round()
    play_turn(position, "2,9")
    assert position.step == DecideAbbey(BLUE)
    lay_abbey(position)
    assert tile_to_place(position) == (GREEN, "base/B")


def test_IX_09_the_second_tile_may_be_drawn_as_well() -> None:
    position = bazaar_round()
    play_turn(position, "2,9")
    assert isinstance(position.step, DecideAbbey)
    assert events_of(TileDrawn, position.apply(Pass())) == [TileDrawn(BLUE, tile("base/B"))]


def last_turn(**changes: Any) -> Position:
    """Return the position after Red has laid the last tile; there is one gap."""
    position = abbey_game(**{"tiles": gap(), "hand": "base/B", "pile": [], **changes})
    play_turn(position, "2,0")
    return position


def test_AM_19_abbeys_at_the_end_from_the_left_of_the_last_player() -> None:
    position = last_turn(supply={ABBEY: [1, 1, 0]})
    assert position.step == DecideAbbey(BLUE)
    lay_abbey(position, deploy="monastery")
    assert position.is_over


def test_AM_19_the_last_player_comes_last_and_each_once() -> None:
    tiles = [*gap(), "base/B 2,-1", "base/B 3,0", "base/B 2,1"]
    position = abbey_game(tiles=tiles, hand="base/B", pile=[])
    play_turn(position, "4,0")
    assert position.step == DecideAbbey(BLUE)
    lay_abbey(position, "2,0")
    assert position.step == DecideAbbey(GREEN)
    assert parse_position(format_position(position)).step == position.step
    position.apply(Pass())
    assert position.step == DecideAbbey(RED)
    position.apply(Pass())
    assert position.is_over


def test_AM_19_each_is_a_complete_turn() -> None:
    """A road is scored, the wagon on it may move on, and a castle may be built."""
    tiles = gap(west="base/U 0")
    position = last_turn(tiles=[*tiles, "base/A -2,0 270"], followers=["0 -1,0 road.E wagon"])
    events = lay_abbey(position)
    assert points(events) == [(RED, 2)]
    assert wagon_places(position) == {"0,0 monastery", "-2,0 monastery"}
    move_wagon(position, "0,0 monastery")
    assert position.is_over
    assert position.scores == [2 + 5, 0, 0]


def test_AM_19_a_table_may_end_at_once() -> None:
    assert last_turn(options=Options(abbey_at_end="none")).is_over


def test_AM_19_a_player_who_has_left_lays_none() -> None:
    position = abbey_game(tiles=gap(), hand="base/B", pile=[])
    position.apply(Resign(BLUE))
    play_turn(position, "2,0")
    assert position.step == DecideAbbey(GREEN)


def test_AM_20_an_abbey_that_was_never_laid_is_worth_nothing() -> None:
    position = last_turn()
    for _ in range(3):
        position.apply(Pass())
    assert position.is_over
    assert position.supply[ABBEY] == [1, 1, 1]
    assert position.scores == [0, 0, 0]


# -- the mayor ---------------------------------------------------------------------------------------------------------


def test_AM_21_a_mayor_goes_into_an_empty_city() -> None:
    position = place_tile(abbey_game(tiles=["base/V 0,0"], hand="base/E"), "1,0", 90)
    assert legal_segments_for(position, MAYOR) == {"city.E"}


def test_AM_21_not_into_a_city_with_a_wagon() -> None:
    position = abbey_game(tiles=["base/G 0,0"], followers=["1 0,0 city.E wagon"], hand="base/N")
    place_tile(position, "1,0")
    assert legal_segments_for(position, MAYOR) == set()


def city(middle: str) -> list[str]:
    """Return a city from 0,0 to the east whose last tile, a cap at 270 degrees, is missing."""
    return ["base/E 0,0 90", *(f"base/{letter} {x},0" for x, letter in enumerate(middle, 1))]


def test_AM_22_a_mayor_counts_the_pennants() -> None:
    followers = ["0 0,0 city.E mayor", "1 1,0 city.E", "1 2,0 city.E"]
    position = abbey_game(tiles=city("FFFG"), followers=followers, hand="base/E")
    events = play_turn(position, "5,0", 270)
    assert points(events) == [(RED, 18)]
    assert home(events) == [(RED, MAYOR), (BLUE, "follower"), (BLUE, "follower")]


def test_AM_22_two_pennants_and_a_big_follower_are_a_tie() -> None:
    followers = ["0 0,0 city.E mayor", "1 1,0 city.E big-follower"]
    boxes = ("inns-cathedrals", BOX)
    position = arrange(tiles=city("FF"), followers=followers, hand="base/E", expansions=boxes)
    assert points(play_turn(position, "3,0", 270)) == [(RED, 12), (BLUE, 12)]


def test_AM_23_without_pennants_a_mayor_gets_nothing() -> None:
    position = abbey_game(tiles=city("G"), followers=["0 0,0 city.E mayor", "1 1,0 field.SL"], hand="base/E")
    events = play_turn(position, "2,0", 270)
    assert points(events) == []
    assert home(events) == [(RED, MAYOR)]
    assert final_scores(position) == [("field", BLUE, 3)]


def test_AM_23_the_weakest_follower_is_stronger_than_a_mayor_without_pennants() -> None:
    followers = ["0 0,0 city.E mayor", "1 1,0 city.E"]
    position = abbey_game(tiles=city("G"), followers=followers, hand="base/E")
    assert points(play_turn(position, "2,0", 270)) == [(BLUE, 6)]


def test_AM_23_his_city_feeds_a_castle_nevertheless() -> None:
    tiles = [*TOWN, "base/E 1,0 90", "base/G 2,0"]
    position = with_bridges(tiles=tiles, castles=["1 0,0 0,1"], followers=["0 1,0 city.E mayor"], hand="base/E")
    assert points(play_turn(position, "3,0", 270)) == [(BLUE, 6)]


def test_AM_24_a_mayor_occupies_his_city() -> None:
    position = abbey_game(tiles=city("G"), followers=["0 0,0 city.E mayor"], hand="base/G", player=BLUE)
    place_tile(position, "2,0")
    assert "city.E" not in legal_segments(position)


def test_AM_25_the_value_of_the_city_is_unchanged() -> None:
    position = abbey_game(tiles=city("FFFG"), followers=["0 0,0 city.E mayor"], hand="base/E")
    (scored,) = events_of(Scored, play_turn(position, "5,0", 270))
    assert [(term.name, term.points) for term in scored.terms] == [("tiles", 12), ("pennants", 6)]


def test_AM_26_two_pennants_on_a_tile_count_twice() -> None:
    tiles = ["am/CCCC-a 0,0", "base/E 0,-1 180", "base/E -1,0 90", "base/E 0,1"]
    followers = ["0 0,0 city.N mayor", "1 0,-1 city.S", "1 0,1 city.N"]
    position = abbey_game(tiles=tiles, followers=followers, hand="am/FFFC")
    assert points(play_turn(position, "1,0")) == [(RED, 16)]


def test_AM_27_two_mayors_are_equally_strong() -> None:
    followers = ["0 0,0 city.E mayor", "1 1,0 city.E mayor"]
    position = abbey_game(tiles=city("FG"), followers=followers, hand="base/E")
    assert points(play_turn(position, "3,0", 270)) == [(RED, 10), (BLUE, 10)]


def test_AM_28_nobody_has_the_majority_without_strength() -> None:
    followers = ["0 0,0 city.E mayor", "1 1,0 city.E mayor"]
    position = abbey_game(tiles=city("G"), followers=followers, hand="base/E")
    events = play_turn(position, "2,0", 270)
    assert points(events) == []
    assert home(events) == [(RED, MAYOR), (BLUE, MAYOR)]


@pytest.mark.parametrize(("middle", "expected"), [("FG", [("city", RED, 4)]), ("GG", [])])
def test_AM_29_the_same_strength_decides_at_the_end(middle: str, expected: list[tuple[str, int, int]]) -> None:
    position = abbey_game(tiles=city(middle), followers=["0 0,0 city.E mayor"])
    assert final_scores(position) == expected


def closing_town(figure: str, **changes: Any) -> Position:
    """Return the position after a town was completed that holds nobody but a figure of Red's."""
    position = with_bridges(tiles=[SOUTH_CAP], followers=[f"0 0,0 city.S {figure}"], hand="base/E", **changes)
    play_turn(position, "0,1")
    return position


def test_AM_30_a_mayor_may_build_a_castle() -> None:
    position = closing_town(MAYOR)
    assert pending_town(position) == (RED, {cell("0,0"), cell("0,1")})
    assert town_points(position) == 0
    position.apply(BuildCastle())
    assert lords(position, "0,0") == [RED]
    assert format_position(parse_position(format_position(position))) == format_position(position)


def test_AM_30_a_mayor_who_scores_the_town_gets_nothing() -> None:
    position = closing_town(MAYOR)
    events = position.apply(ScoreTown())
    assert (points(events), home(events)) == ([], [(RED, MAYOR)])


def test_AM_30_a_table_may_keep_mayors_out_of_castles() -> None:
    position = closing_town(MAYOR, options=Options(mayor_castle=False))
    assert pending_town(position) is None
    assert position.supply[MAYOR] == [1, 1, 1]
    assert position.scores == [0, 0, 0]
    assert isinstance(closing_town("follower", options=Options(mayor_castle=False)).step, DecideTown)


def test_IX_13_a_mayor_earns_nothing_in_a_castle() -> None:
    position = with_bridges(
        tiles=[SOUTH_CAP, *unfinished_road(1, 1, 5)],
        followers=["0 0,0 city.S mayor"],
        hand="base/E",
        pile=["base/A"] * 9,
    )
    play_turn(position, "0,1")
    position.apply(BuildCastle())
    events = play_turn(position, "5,1", 90)
    assert castles_of(position)[0].scored
    assert points(events) == []
    assert home(events) == [(RED, MAYOR)]


# -- the wagon ---------------------------------------------------------------------------------------------------------


def test_AM_31_a_wagon_goes_onto_roads_into_cities_and_monasteries() -> None:
    position = arrange(tiles=["base/V 0,0"], hand="base/E+garden", expansions=("abbot", BOX))
    place_tile(position, "1,0")
    assert legal_segments_for(position, WAGON) == {"city.N"}
    position = place_tile(abbey_game(tiles=["base/V 0,0"], hand="base/A"), "1,0", 270)
    assert legal_segments_for(position, WAGON) == {"monastery", "road.E"}


def test_AM_31_a_wagon_may_stand_on_a_bridge() -> None:
    position = with_bridges(tiles=["base/B 0,0"], hand="base/B")
    place_tile(position, "1,0", build="1,0 NS")
    assert legal_segments_for(position, WAGON) == {"monastery", "road.N"}


def test_AM_32_a_wagon_weighs_as_a_follower() -> None:
    followers = ["0 0,0 road.E wagon", "1 1,0 road.E"]
    position = abbey_game(tiles=unfinished_road(0, 0, 5), followers=followers, hand="base/A")
    assert points(play_turn(position, "4,0", 90)) == [(RED, 5), (BLUE, 5)]


ROAD_TO_CITY = ["tb/CRFF 0,0", "base/U 1,0"]
"""A road from 0,0 to the east that leads into the city on 0,0; ``base/A`` on 2,0 at 90 degrees completes it."""
into_city = partial(with_builders, tiles=ROAD_TO_CITY, followers=["0 1,0 road.E wagon"], hand="base/A")
"""A wagon of Red's on that road."""


def test_AM_33_a_scored_wagon_may_move_on() -> None:
    position = into_city()
    assert points(play_turn(position, "2,0", 90)) == [(RED, 3)]
    assert position.step == DecideWagon(RED, position.land.number_of(cell("1,0"), "road.E"))
    assert wagon_places(position) == {"0,0 city.N", "2,0 monastery"}
    assert move_wagon(position, "0,0 city.N")
    assert position.scores == [3, 0, 0]
    assert position.supply[WAGON] == [0, 1, 1]
    assert (RED, "0,0", "city.N") in standing_followers(position)


def test_AM_33_it_may_come_home_and_comes_home_without_a_target() -> None:
    position = into_city()
    play_turn(position, "2,0", 90)
    assert position.legal_actions[0] == Pass()
    position.apply(Pass())
    assert position.supply[WAGON] == [1, 1, 1]
    position = into_city(followers=["0 1,0 road.E wagon", "1 0,0 city.N"], hand="base/X")
    play_turn(position, "2,0")
    assert wagon_places(position) == {"2,0 road.N", "2,0 road.E", "2,0 road.S"}


def test_AM_34_its_move_is_no_deployment() -> None:
    position = into_city(player=BLUE)
    events = play_turn(position, "2,0", 90, deploy="monastery")
    assert points(events) == [(RED, 3)]
    assert position.player == RED
    assert wagon_places(position) == {"0,0 city.N"}
    move_wagon(position, "0,0 city.N")
    assert position.player == GREEN


def test_AM_34_a_builder_may_join_a_wagon_or_a_mayor() -> None:
    position = with_builders(tiles=["base/U 0,0"], followers=["0 0,0 road.E wagon"], hand="base/U")
    place_tile(position, "1,0")
    assert legal_segments_for(position, "builder") == {"road.E"}
    position = with_builders(tiles=["base/G 0,0"], followers=["0 0,0 city.E mayor"], hand="base/G")
    place_tile(position, "1,0")
    assert legal_segments_for(position, "builder") == {"city.E"}


def test_AM_35_wherever_a_feature_is_connected_with_the_scored_one() -> None:
    """The road of five tiles ends at a crossing, four tiles away from the wagon."""
    position = abbey_game(tiles=unfinished_road(0, 0, 5), followers=["0 0,0 road.E wagon"], hand="base/W")
    play_turn(position, "4,0", 90)
    assert wagon_places(position) == {"0,0 monastery", "4,0 road.N", "4,0 road.S"}


def test_AM_35_a_road_that_passes_by_a_city_is_not_connected() -> None:
    tiles = ["base/D 0,0", "base/A -1,0 270"]
    position = abbey_game(tiles=tiles, followers=["0 0,0 road.E wagon", "1 -1,0 monastery"], hand="base/A")
    play_turn(position, "1,0", 90, deploy="monastery")
    assert wagon_places(position) == set()


def test_AM_35_from_a_city_to_its_monastery_and_its_roads() -> None:
    tiles = ["bcb/FCFC-b 0,0", "base/E -1,0 90"]
    boxes = (*BCB, "inns-cathedrals", BOX)
    position = arrange(tiles=tiles, followers=["0 0,0 city.E wagon"], hand="ic/CFRF", expansions=boxes)
    assert points(play_turn(position, "1,0", 270)) == [(RED, 6)]
    assert wagon_places(position) == {"0,0 monastery", "1,0 road.E"}


def test_AM_35_abbeys_are_connected_with_what_they_close() -> None:
    position = begin_turn(
        abbey_game(tiles=[*gap(west="base/U 0"), "base/A -2,0 270"], followers=["0 -1,0 road.E wagon"])
    )
    lay_abbey(position)
    assert "0,0 monastery" in wagon_places(position)
    ring = [f"base/B {x},{y}" for x, y in ((-1, -1), (1, -1), (-1, 1))]
    tiles = ["am/abbey 0,0", *gap(north="base/G 90", west="base/U 0"), *ring]
    position = abbey_game(tiles=tiles, followers=["0 0,0 monastery wagon"], hand="base/B")
    play_turn(position, "1,1")
    assert wagon_places(position) == {"0,-1 city.N", "-1,0 road.E"}


def test_AM_36_two_cities_are_not_connected() -> None:
    tiles = ["am/CRRC 0,0"]
    position = abbey_game(tiles=tiles, followers=["0 0,0 city.N wagon"], hand="base/E")
    play_turn(position, "0,-1", 180)
    assert wagon_places(position) == {"0,0 road.E"}
    position = arrange(
        tiles=["ic/CRCR 0,0"], followers=["0 0,0 city.N wagon"], hand="base/E", expansions=("inns-cathedrals", BOX)
    )
    play_turn(position, "0,-1", 180)
    assert wagon_places(position) == {"0,0 road.E", "0,0 road.W"}


def test_IX_12_a_wagon_cannot_cross_a_bazaar() -> None:
    """AM-36."""
    tiles = ["bcb/RFRF-a 0,0"]
    position = with_bridges(tiles=tiles, followers=["0 0,0 road.N wagon"], hand="base/A")
    play_turn(position, "0,-1", deploy="monastery")
    assert position.scores == [2, 0, 0]
    assert wagon_places(position) == set()


SECOND_EDITION = Options(wagon_move="c2")


@pytest.mark.parametrize(("edition", "expected"), [("c1", set()), ("c2", {"1,1 city.S"})])
def test_AM_37_in_the_second_edition_what_lies_around_the_wagon(edition: Any, expected: set[str]) -> None:
    """The empty monastery on 2,0 is too far away."""
    tiles = ["base/U 0,0", "base/A -1,0 270", "base/E 1,1 180", "base/B 2,0"]
    followers = ["0 0,0 road.E wagon", "1 -1,0 monastery"]
    options = Options(wagon_move=edition)
    position = abbey_game(tiles=tiles, followers=followers, hand="base/A", options=options)
    play_turn(position, "1,0", 90, deploy="monastery")
    assert wagon_places(position) == expected


def test_AM_37_presets_of_the_second_edition_play_so() -> None:
    second = {name for name, options in PRESETS.items() if options.mapping().get("wagon_move") == "c2"}
    assert second == {"c2_hig", "c2_zmg"}


def long_road(options: Options | None = None) -> Position:
    """Return the position after a wagon on 4,0 was scored, at a crossing from which a road leads on to the east."""
    tiles = ["base/A 3,0 270", *(f"base/U {x},0" for x in (4, 6, 7, 8))]
    followers = ["0 4,0 road.E wagon", "1 3,0 monastery"]
    position = abbey_game(tiles=tiles, followers=followers, hand="base/W", options=options)
    play_turn(position, "5,0")
    return position


def test_AM_38_the_owner_chooses_the_tile_of_the_target() -> None:
    position = long_road()
    assert wagon_places(position) == {"5,0 road.S", *(f"{x},0 road.E" for x in (5, 6, 7, 8))}
    move_wagon(position, "7,0 road.E")
    assert (RED, "7,0", "road.E") in standing_followers(position)


def test_AM_38_in_the_second_edition_only_within_reach() -> None:
    assert wagon_places(long_road(SECOND_EDITION)) == {"5,0 road.S", "5,0 road.E"}


def two_wagons() -> Position:
    """Return the position after Green has completed a road with wagons of Red and Green, beside one target."""
    tiles = ["base/A -1,0 270", "base/U 0,0"]
    followers = ["0 0,0 road.E wagon", "2 -1,0 road.E wagon"]
    position = abbey_game(tiles=tiles, followers=followers, hand="base/A", player=GREEN)
    play_turn(position, "1,0", 90, deploy="monastery")
    return position


def test_AM_39_the_active_player_decides_first() -> None:
    position = two_wagons()
    assert position.player == GREEN
    assert wagon_places(position) == {"-1,0 monastery"}
    copy = parse_position(format_position(position))
    assert format_position(copy) == format_position(position)
    move_wagon(position, "-1,0 monastery")
    assert position.supply[WAGON] == [1, 1, 0]
    assert not isinstance(position.step, DecideWagon)


def test_AM_39_a_target_that_nobody_took_is_left_to_the_next() -> None:
    position = two_wagons()
    position.apply(Pass())
    assert (position.player, wagon_places(position)) == (RED, {"-1,0 monastery"})
    position.apply(Pass())
    assert position.supply[WAGON] == [1, 1, 1]


def test_AM_40_what_was_completed_in_the_round_is_no_target() -> None:
    position = with_builders(
        tiles=["base/E 0,-1 180", "base/A 1,0 90"], followers=["0 1,0 road.W wagon", "1 1,0 monastery"], hand="tb/CRFF"
    )
    assert points(play_turn(position, "0,0")) == [(RED, 2)]
    assert feature(position, "0,0", "city.N").complete
    assert wagon_places(position) == set()


def test_AM_40_after_castles_and_before_the_bazaar() -> None:
    tiles = ["base/E 0,0 180", "base/E 0,1", "base/A 1,0 270", "base/U 2,0"]
    position = with_bridges(tiles=tiles, castles=["1 0,0 0,1"], followers=["0 2,0 road.E wagon"], hand="bcb/FFRF")
    events = play_turn(position, "3,0", 90)
    assert points(events) == [(RED, 3), (BLUE, 3)]
    assert wagon_places(position) == {"1,0 monastery"}
    position.apply(Pass())
    assert bazaar(position).active == RED


def test_AM_41_also_a_wagon_that_got_no_points() -> None:
    followers = ["0 0,0 road.E wagon", "1 1,0 road.E", "1 2,0 road.E"]
    position = abbey_game(tiles=unfinished_road(0, 0, 5), followers=followers, hand="base/A")
    assert points(play_turn(position, "4,0", 90)) == [(BLUE, 5)]
    assert wagon_places(position) == {"0,0 monastery", "4,0 monastery"}


def test_AM_42_nobody_moves_in_the_final_scoring() -> None:
    position = abbey_game(tiles=unfinished_road(0, 0, 4), followers=["0 0,0 road.E wagon"], hand="base/B", pile=[])
    events = play_turn(position, "0,1")
    assert position.is_over
    assert kinds_and_points(events) == [("road", RED, 3)]


def test_AM_43_no_move_from_a_castle() -> None:
    """IX-10: the wagon stays in the castle and comes home when it scores."""
    tiles = [SOUTH_CAP, *unfinished_road(1, 1, 4)]
    position = with_bridges(tiles=tiles, followers=["0 0,0 city.S wagon"], hand="base/E", pile=["base/A"] * 9)
    play_turn(position, "0,1")
    position.apply(BuildCastle())
    events = play_turn(position, "4,1", 90)
    assert points(events) == [(RED, 4)]
    assert home(events) == [(RED, WAGON)]
    assert wagon_places(position) == set()


def test_IX_10_a_wagon_in_a_town_may_build_a_castle() -> None:
    position = closing_town(WAGON)
    assert (pending_town(position), town_points(position)) == ((RED, {cell("0,0"), cell("0,1")}), 4)
    position.apply(BuildCastle())
    assert lords(position, "0,0") == [RED]
    assert position.supply[WAGON] == [0, 1, 1]


def test_IX_11_a_moving_wagon_enters_no_complete_town() -> None:
    tiles = ["am/CRRC 0,0", "base/E 0,-1 180", "base/U 1,0"]
    position = with_bridges(tiles=tiles, followers=["0 1,0 road.E wagon"], hand="base/A")
    play_turn(position, "2,0", 90, deploy="monastery")
    assert position.scores == [3, 0, 0]
    assert wagon_places(position) == set()


def test_AM_44_a_bridge_is_not_connected_with_what_lies_under_it() -> None:
    description: dict[str, Any] = {
        "tiles": ["base/E 0,-1 180", "base/G 0,0 90"],
        "followers": ["0 0,0 city.N wagon"],
        "bridges": ["0,0 WE"],
        "hand": "base/E",
    }
    position = with_bridges(**description)
    play_turn(position, "0,1")
    assert wagon_places(position) == set()
    position = with_bridges(**description, options=SECOND_EDITION)
    play_turn(position, "0,1")
    assert wagon_places(position) == {"0,0 road.E"}


def test_AM_45_only_an_empty_monastery() -> None:
    tiles = [*gap(west="base/U 0"), "base/A -2,0 270"]
    followers = ["0 -1,0 road.E wagon", "1 -2,0 monastery"]
    position = begin_turn(abbey_game(tiles=tiles, followers=followers), BLUE)
    lay_abbey(position, deploy="monastery")
    assert wagon_places(position) == set()
    position = begin_turn(abbey_game(tiles=tiles, followers=followers), BLUE)
    lay_abbey(position)
    move_wagon(position, "0,0 monastery")
    assert final_scores(position)[-1] == ("monastery", RED, 5)


# -- the barn ----------------------------------------------------------------------------------------------------------

THREE_FIELDS = ["base/B 0,0", "base/B 1,0", "base/B 0,1"]
"""Three tiles of field; ``base/B`` on 1,1 completes the point between them."""


def test_AM_46_a_barn_stays_to_the_end() -> None:
    position = place_tile(abbey_game(tiles=THREE_FIELDS, hand="base/B"), "1,1")
    events = put(position, "NW")
    assert position.supply[BARN] == [0, 1, 1]
    assert events_of(Returned, events) == []
    assert standing_followers(position) == {(RED, "1,1", "field.NL")}
    ended, _ = position.concluded()
    assert ended.supply[BARN] == [0, 1, 1]


def test_AM_47_a_city_closed_by_an_abbey_is_no_town() -> None:
    tiles = [*gap(south="base/G 90"), "base/E 0,2"]
    followers = ["0 0,2 city.N"]
    position = begin_turn(with_bridges(tiles=tiles, followers=followers))
    assert points(lay_abbey(position)) == [(RED, 4)]
    position = begin_turn(
        with_bridges(tiles=tiles, followers=followers, options=Options(castle_town_shape="any_two_tiles"))
    )
    lay_abbey(position)
    assert pending_town(position) == (RED, {cell("0,1"), cell("0,2")})


def test_AM_48_a_barn_stands_where_four_tiles_show_field() -> None:
    position = place_tile(abbey_game(tiles=THREE_FIELDS, hand="base/B"), "1,1")
    assert corners(position) == {"NW"}
    position = place_tile(abbey_game(tiles=[*THREE_FIELDS[:2], "base/E 0,1"], hand="base/B"), "1,1")
    assert corners(position) == set()


@pytest.mark.parametrize(
    ("hand", "rotation", "beside", "expected"),
    [
        ("base/V", 90, ["base/B 0,0", "base/U 1,0 90", "base/U 0,1"], {"NW"}),
        ("base/U", 0, ["base/B 0,0", "base/B 1,0", "base/U 0,1"], {"NW"}),
        ("am/FFFC", 180, ["base/B 0,0", "base/B 1,0", "base/B 0,1"], set()),
    ],
)
def test_AM_48_both_half_sides_at_the_corner_are_one_field(
    hand: str, rotation: int, beside: list[str], expected: set[str]
) -> None:
    """The corner inside a curve is one field, so a barn may stand there; on am/FFFC two fields meet at a corner."""
    position = place_tile(abbey_game(tiles=beside, hand=hand), "1,1", rotation)
    assert corners(position) == expected


def test_AM_48_a_bridge_does_not_cut_the_corner() -> None:
    position = with_bridges(tiles=THREE_FIELDS, bridges=["0,0 NS"], hand="base/B")
    assert corners(place_tile(position, "1,1")) == {"NW"}


def test_AM_49_not_on_a_farm_with_a_barn() -> None:
    tiles = [*THREE_FIELDS, "base/B 1,1", "base/B 2,0"]
    position = abbey_game(tiles=tiles, followers=["1 1,1 field.NL barn"], hand="base/B")
    assert corners(place_tile(position, "2,1")) == set()
    position = abbey_game(tiles=tiles, followers=["1 1,1 field.NL"], hand="base/B")
    assert corners(place_tile(position, "2,1")) == {"NW"}


def test_AM_49_a_table_may_allow_barns_beside_barns() -> None:
    tiles = [*THREE_FIELDS, "base/B 1,1", "base/B 2,0"]
    options = Options(barn_placement="also_beside_barns")
    position = abbey_game(tiles=tiles, followers=["1 1,1 field.NL barn"], hand="base/B", options=options)
    assert corners(place_tile(position, "2,1")) == {"NW"}


FARM = [*TWO_CITIES, "base/B 0,1"]
"""Two completed cities, and one of the two tiles south of them."""


def test_AM_50_the_farm_is_scored_at_once() -> None:
    position = place_tile(abbey_game(tiles=FARM, followers=["1 0,1 field.NL"], hand="base/B"), "1,1")
    events = put(position, "NW")
    assert kinds_and_points(events) == [("field", BLUE, 6)]
    assert not any(event.final for event in events_of(Scored, events))
    assert home(events) == [(BLUE, "follower")]
    assert standing_followers(position) == {(RED, "1,1", "field.NL")}


def test_AM_50_a_castle_brings_four_and_the_barn_itself_nothing() -> None:
    tiles = [*FARM, "base/E 2,-1 180", "base/E 2,0"]
    description: dict[str, Any] = {"tiles": tiles, "castles": ["2 2,-1 2,0 scored"], "hand": "base/B"}
    position = place_tile(with_bridges(**description, followers=["1 0,1 field.NL"]), "1,1")
    assert points(put(position, "NW")) == [(BLUE, 10)]
    position = place_tile(with_bridges(**description), "1,1")
    assert points(put(position, "NW")) == []
    position = place_tile(with_bridges(**description, followers=["0 0,1 field.NL", "1 2,0 field.SL"]), "1,1")
    assert points(put(position, "NW")) == [(RED, 10), (BLUE, 10)]


def test_AM_51_cities_completed_by_the_same_tile_count() -> None:
    tiles = ["base/E 2,-1 180", *FARM, "base/B 1,1", "base/B 2,1"]
    position = place_tile(abbey_game(tiles=tiles, followers=["1 0,1 field.NL"], hand="base/E"), "2,0")
    assert points(put(position, "SW")) == [(BLUE, 9)]


def test_AM_51_a_town_that_becomes_a_castle_in_this_round_counts_as_one() -> None:
    tiles = ["base/E 2,-1 180", *FARM, "base/B 1,1", "base/B 2,1"]
    followers = ["1 0,1 field.NL", "1 2,-1 city.S"]
    position = place_tile(with_bridges(tiles=tiles, followers=followers, hand="base/E"), "2,0")
    put(position, "SW")
    assert points(position.apply(BuildCastle())) == [(BLUE, 10)]


def test_AM_52_all_farmers_and_pigs_go_home() -> None:
    followers = ["1 0,1 field.NL", "1 0,1 field.NL pig", "2 1,0 field.SL"]
    position = place_tile(with_builders(tiles=FARM, followers=followers, hand="base/B"), "1,1")
    events = put(position, "NW")
    assert points(events) == [(BLUE, 8), (GREEN, 6)]
    assert home(events) == [(BLUE, "follower"), (BLUE, "pig"), (GREEN, "follower")]


def test_AM_53_no_farmer_comes_to_a_farm_with_a_barn() -> None:
    position = abbey_game(tiles=[*THREE_FIELDS, "base/B 1,1"], followers=["1 1,1 field.NL barn"], hand="base/B")
    place_tile(position, "2,1")
    assert legal_segments(position) == {"monastery"}


def joined(followers: list[str], *, box: Any = abbey_game, **changes: Any) -> Position:
    """Return the position in which Red has joined a farm with farmers to the barn farm with two cities."""
    tiles = [*FARM, "base/B 1,1", "base/B 3,1"]
    position = box(tiles=tiles, followers=["2 1,1 field.NL barn", *followers], hand="base/B", **changes)
    return place_tile(position, "2,1")


def test_AM_54_farmers_joined_to_a_barn_get_one_point_a_city() -> None:
    events = skip_deployment(joined(["0 3,1 field.NL", "1 3,1 field.NL"]))
    assert points(events) == [(RED, 2), (BLUE, 2)]
    assert home(events) == [(RED, "follower"), (BLUE, "follower")]


def test_AM_54_a_castle_brings_two() -> None:
    tiles = [*FARM, "base/B 1,1", "base/B 3,1"]
    followers = ["2 1,1 field.NL barn", "1 3,1 field.NL"]
    position = with_bridges(tiles=tiles, castles=["2 0,-1 0,0 scored"], followers=followers, hand="base/B")
    assert points(play_turn(position, "2,1")) == [(BLUE, 3)]


def test_AM_54_a_barn_placed_with_the_joining_tile_scores_as_a_new_one() -> None:
    """The farmers and the barn come together on one farm: 3 points a city, and not a fourth."""
    tiles = [*FARM, "base/B 2,0", "base/B 2,1", "base/B 3,1"]
    position = abbey_game(tiles=tiles, followers=["1 3,1 field.NL"], hand="base/B")
    place_tile(position, "1,1")
    assert points(put(position, "NW")) == [(BLUE, 6)]


def test_AM_55_all_cities_of_the_joined_farm_count() -> None:
    tiles = [*FARM, "base/B 1,1", "base/E 3,0 180", "base/E 3,1"]
    followers = ["2 1,1 field.NL barn", "1 3,1 field.SL"]
    position = abbey_game(tiles=tiles, followers=followers, hand="base/B")
    assert points(play_turn(position, "2,1")) == [(BLUE, 3)]


def test_AM_56_a_pig_may_come_at_the_joining() -> None:
    position = joined(["0 3,1 field.NL"], box=with_builders)
    assert legal_segments_for(position, "pig") == {"field.NL"}
    events = position.apply(Deploy("field.NL", "pig"))
    assert points(events) == [(RED, 4)]
    assert home(events) == [(RED, "follower"), (RED, "pig")]


def test_AM_56_a_table_may_forbid_that() -> None:
    options = Options(barn_join_pig=False)
    position = joined(["0 3,1 field.NL"], box=with_builders, options=options)
    assert_illegal(position, Deploy("field.NL", "pig"))
    assert points(skip_deployment(position)) == [(RED, 2)]
    position = joined(["0 3,1 field.NL", "0 3,1 field.NL pig"], box=with_builders, options=options)
    assert points(skip_deployment(position)) == [(RED, 4)]


def test_AM_57_barns_may_come_together() -> None:
    position = joined(["1 3,1 field.NL barn"])
    assert points(skip_deployment(position)) == []
    barns = [figure.player for figure in position.standing_figures() if figure.figure == BARN]
    assert sorted(barns) == [BLUE, GREEN]


def test_AM_58_barns_at_the_end() -> None:
    tiles = [
        *FARM,
        "base/E 2,-1 180",
        "base/E 2,0",
        "base/E 3,-1 180",
        "base/E 3,0",
        "base/B 1,1",
        "base/B 2,1",
        "base/B 3,1",
    ]
    followers = ["0 1,1 field.NL barn", "1 3,1 field.NL barn"]
    position = with_bridges(tiles=tiles, castles=["2 3,-1 3,0 scored"], followers=followers)
    assert final_scores(position) == [("barn", RED, 17), ("barn", BLUE, 17)]


def test_CA_57_with_a_barn_a_castle_is_worth_five() -> None:
    tiles = [*FARM, "base/B 1,1"]
    position = with_bridges(tiles=tiles, castles=["2 1,-1 1,0 scored"], followers=["0 1,1 field.NL barn"])
    assert final_scores(position) == [("barn", RED, 9)]


def test_IX_08_a_castle_is_worth_one_more_than_a_city_to_a_barn() -> None:
    tiles = [*FARM, "base/B 1,1"]
    position = with_bridges(tiles=tiles, castles=["2 1,-1 1,0"], followers=["0 1,1 field.NL barn"])
    (scored,) = (event for event in events_of(Scored, position.concluded()[1]) if event.kind == BARN)
    assert [(term.name, term.count, term.points) for term in scored.terms] == [("cities", 1, 4), ("castles", 1, 5)]


def test_AM_59_pigs_and_herds_bring_a_barn_nothing() -> None:
    """The herd of r2/IFFI is on the field in the north of the tile, as it lies here."""
    tiles = [*TWO_CITIES, "r2/IFFI 0,1 180", "base/B 1,1"]
    followers = ["0 1,1 field.NL barn", "0 0,1 field.NL pig"]
    boxes = ("traders-builders", "river", "river-two", BOX)
    position = arrange(tiles=tiles, followers=followers, expansions=boxes)
    assert feature(position, "0,1", "field.NL") == feature(position, "1,1", "field.NL")
    assert final_scores(position) == [("barn", RED, 8)]


def test_AM_60_each_farm_counts_the_city() -> None:
    """Abbeys close the city at both ends, so that it parts the fields in the north and in the south."""
    tiles = ["base/G 0,0", "am/abbey -1,0", "am/abbey 1,0", "base/B -1,1", "base/B 0,1"]
    position = abbey_game(tiles=tiles, followers=["0 0,1 field.SL barn", "1 0,0 field.NL"])
    assert sorted(final_scores(position)) == [("barn", RED, 4), ("field", BLUE, 3)]


def test_AM_61_a_farm_is_scored_anew_each_time() -> None:
    tiles, followers = [*FARM, "base/B 3,1"], ["1 0,1 field.NL", "1 3,1 field.NL"]
    position = place_tile(abbey_game(tiles=tiles, followers=followers, hand="base/B", pile=["base/B"]), "1,1")
    assert points(put(position, "NW")) == [(BLUE, 6)]
    assert points(play_turn(position, "2,1")) == [(BLUE, 2), (RED, 8)]


# -- further questions -------------------------------------------------------------------------------------------------


def test_without_farmers_no_barn_is_offered() -> None:
    position = place_tile(abbey_game(tiles=THREE_FIELDS, hand="base/B", options=Options(farmers=False)), "1,1")
    assert corners(position) == set()


@pytest.mark.parametrize("text", ["abbey", "barn:NE", "wagon:M12.road.N", "mayor@city.N"])
def test_actions_of_the_box_are_read_back(text: str) -> None:
    assert str(parse_action(text)) == text


def test_hints_count_the_abbeys_that_are_left() -> None:
    position = begin_turn(
        abbey_game(tiles=gap(south="base/E 0"), followers=["0 0,1 city.N"], supply={ABBEY: [1, 1, 0]})
    )
    hints = hints_on(position)
    assert hints.tiles_to_place[tile("am/abbey")] == 2
    (city_feature,) = hints.open_features()
    (only_gap,) = hints.completion(city_feature).gaps
    assert "am/abbey" in {candidate.kind.id for candidate in only_gap.closing}
    position.apply(UseAbbey())
    assert hints_on(position).tiles_to_place[tile("am/abbey")] == 2
    position.apply(Resign(BLUE))
    assert hints_on(position).tiles_to_place[tile("am/abbey")] == 1
    assert not hints_on(position.concluded()[0]).tiles_to_place[tile("am/abbey")]


def test_hints_name_what_barns_score_for_their_farms() -> None:
    position = abbey_game(tiles=[*FARM, "base/B 1,1"], followers=["0 1,1 field.NL barn"])
    (holding,) = hints_on(position).holdings()
    assert holding.points == {RED: 8}


@pytest.mark.parametrize(("orders", "expected"), [({"abbey": "draw"}, Pass()), ({"wagon": "stays"}, None), ({}, None)])
def test_a_player_may_order_to_draw_without_being_asked(orders: dict[str, str], expected: object) -> None:
    position = begin_turn(abbey_game(tiles=gap()))
    assert may_be_ordered(position, position)
    assert ordered_action(position, orders) == expected


@pytest.mark.parametrize(("orders", "expected"), [({"wagon": "stays"}, Pass()), ({"abbey": "draw"}, None), ({}, None)])
def test_a_player_may_order_that_a_wagon_stays_at_home(orders: dict[str, str], expected: object) -> None:
    position = two_wagons()
    assert may_be_ordered(position, position)
    assert ordered_action(position, orders) == expected


def before_the_wagon_scores() -> Position:
    """Return the position in which Green may complete the road of Red's wagon, beside an empty monastery."""
    tiles = ["base/A -1,0 270", "base/U 0,0"]
    return abbey_game(tiles=tiles, followers=["0 0,0 road.E wagon"], hand="base/A", player=GREEN)


def test_AM_33_a_player_may_order_in_another_s_turn_where_their_wagon_goes() -> None:
    """Each place that it would reach now may be ordered; the order answers when it has scored."""
    position = before_the_wagon_scores()
    (order,) = possible_wagon_orders(position, RED)
    assert WagonOrder.parse(str(order)) == order
    assert not possible_wagon_orders(position, GREEN)
    play_turn(position, "1,0", 90)
    assert position.player == RED
    assert ordered_action(position, {"wagon": str(order)}) == order.move
    assert ordered_action(position, {"wagon": str(replace(order, segment="road.N"))}) is None


def test_AM_33_an_order_for_a_place_that_is_out_of_reach_leaves_the_question_to_the_player() -> None:
    position = before_the_wagon_scores()
    (order,) = possible_wagon_orders(position, RED)
    play_turn(position, "1,0", 90)
    elsewhere = replace(order, move=MoveWagon(cell("5,5"), "monastery"))
    assert ordered_action(position, {"wagon": str(elsewhere)}) is None


def test_AM_43_nothing_is_ordered_for_a_wagon_in_a_castle() -> None:
    position = closing_town(WAGON)
    position.apply(BuildCastle())
    assert lords(position, "0,0") == [RED]
    assert not possible_wagon_orders(position, RED)


@pytest.mark.parametrize("text", ["", "always", "M12.road.S", "wagon:M13.monastery", "M12.road.S wagon:M13"])
def test_a_text_that_is_no_order_for_a_wagon_leaves_the_question_to_the_player(text: str) -> None:
    assert ordered_action(two_wagons(), {"wagon": text}) is None


def test_nothing_is_ordered_or_planned_at_other_moments() -> None:
    position = abbey_game()
    assert not may_be_ordered(position, position)
    assert ordered_action(position, {"wagon": "stays", "abbey": "draw"}) is None
    assert not may_plan(position, RED)
    with pytest.raises(NotationError):
        check_plan(position, RED, "wagon")


def test_a_barn_is_put_only_where_four_tiles_show_field() -> None:
    position = place_tile(abbey_game(tiles=THREE_FIELDS, hand="base/B"), "1,1")
    with pytest.raises(IllegalActionError):
        position.perform(RED, PutBarn("SE"))


def test_a_bridge_that_faces_an_abbey_is_closed_there() -> None:
    """It is never built there (BR-07), but a position may be read in which the bridge comes later."""
    position = with_bridges(tiles=["am/abbey 0,0", *gap()], bridges=["1,0 WE"])
    assert feature(position, "1,0", "road.E").open_ends == 1
