"""The opening of a bazaar: tiles that open one (BZ-01 … BZ-06), its lots and first selector (BZ-10, BZ-11, BZ-47).

A bazaar is an auction of tiles, the lots. It opens when a tile with a bazaar on it has been placed; the active player
is the one who placed it. Codes such as BZ-01 are rules of the rule digest; each test is named by the rule that it
shows.
"""

from __future__ import annotations

import pytest

from engine.carcassonne import Decline, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BazaarOpened, BazaarSkipped, ChooseLot, bazaar_of
from engine.carcassonne.steps import PlaceTile
from engine.carcassonne.tiles import tile
from engine.events import Deployed, Scored, TileDiscarded, TileDrawn, TilePlaced
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    events_of,
    feature,
    legal_segments,
    place_tile,
    play_turn,
    standing_followers,
)
from tests.scenarios.vocabulary_castles import bazaar, event_types, points_by_seat, tile_ids


def test_BZ_01_the_tile_is_played_as_usual_before_the_bazaar() -> None:
    position = arrange(tiles=["base/A 0,0 0"], followers=["0 0,0 road.S"], hand="bcb/RFRF-a")
    events = play_turn(position, "0,1", 0, deploy="road.S")
    assert (RED, "0,1", "road.S") in standing_followers(position)
    assert points_by_seat(events) == {RED: 2}
    order = [event_types(events).index(kind) for kind in (TilePlaced, Deployed, Scored, BazaarOpened)]
    assert order == sorted(order)


def test_BZ_01_a_tile_without_a_bazaar_opens_none() -> None:
    position = arrange(hand="base/B")
    events = play_turn(position, "0,1", 0)
    assert events_of(BazaarOpened, events) == []
    assert bazaar_of(position) is None


def test_BZ_02_the_points_of_the_turn_are_there_when_the_bidding_starts() -> None:
    position = arrange(tiles=["base/A 0,-1 0", "base/U 0,0 90"], followers=["0 0,0 road.N"], hand="bcb/RFRF-a")
    events = play_turn(position, "0,1", 0)
    assert event_types(events).index(Scored) < event_types(events).index(BazaarOpened)
    assert isinstance(position.step, ChooseLot)
    assert position.scores == [3, 0, 0]


def test_BZ_03_a_drawn_bazaar_tile_without_a_place_opens_no_bazaar() -> None:
    position = arrange(tiles=["base/X 0,0 0"], hand="base/U", pile=["bcb/CCCC", "base/V", *["base/U"] * 9])
    events = play_turn(position, "1,0", 0)
    assert events_of(TileDiscarded, events) == [TileDiscarded(BLUE, tile("bcb/CCCC"), declined=False)]
    assert events_of(TileDrawn, events) == [TileDrawn(BLUE, tile("bcb/CCCC")), TileDrawn(BLUE, tile("base/V"))]
    assert position.player == BLUE
    events = play_turn(position, "-1,0", 180)
    assert events_of(BazaarOpened, events) == []
    assert position.player == GREEN


def test_BZ_03_a_declined_bazaar_tile_opens_no_bazaar() -> None:
    position = arrange(tiles=["base/X 0,0 0"], hand="bcb/FFFF", pile=["base/U"] * 9)
    events = list(position.apply(Decline()))
    assert events_of(TileDiscarded, events) == [TileDiscarded(RED, tile("bcb/FFFF"), declined=True)]
    events += play_turn(position, "1,0", 0)
    assert events_of(BazaarOpened, events) == []
    assert position.player == BLUE


def test_BZ_03_a_replacement_with_a_bazaar_opens_one() -> None:
    position = arrange(tiles=["base/X 0,0 0"], hand="base/U", pile=["bcb/CCCC", "bcb/RFRF-a", *["base/U"] * 9])
    play_turn(position, "1,0", 0)
    events = play_turn(position, "0,1", 0)
    assert [event.player for event in events_of(BazaarOpened, events)] == [BLUE]


def test_BZ_04_the_bazaar_ends_the_roads_on_its_tile() -> None:
    position = arrange(tiles=["base/A 0,0 0", "base/A 0,2 180", "bcb/RFRF-a 0,1 0"])
    north, south = feature(position, "0,1", "road.N"), feature(position, "0,1", "road.S")
    assert north != south
    assert [(road.complete, len(road.parts)) for road in (north, south)] == [(True, 2), (True, 2)]


def test_BZ_04_a_follower_on_one_road_leaves_the_other_free() -> None:
    position = arrange(tiles=["base/U 0,0 90"], followers=["1 0,0 road.N"], hand="bcb/RFRF-a")
    place_tile(position, "0,1", 0)
    assert {name for name in legal_segments(position) if name.startswith("road")} == {"road.S"}


def test_BZ_05_a_bazaar_takes_no_follower() -> None:
    position = arrange(hand="bcb/FFFF")
    place_tile(position, "0,1", 0)
    assert legal_segments(position) == {"field.NL"}


def place_bazaar_tile(players: int, tiles: int, *, active: int = RED) -> tuple[Position, list[object]]:
    """Place a bazaar tile with so many tiles in the pile; return the position and the events."""
    pile = [f"base/{letter}" for letter in "UVWUVWUVWUVWUVWUVWUVW"[:tiles]]
    position = arrange(players=players, player=active, hand="bcb/FFFF", pile=pile)
    return position, list(play_turn(position, "0,1", 0))


def test_BZ_06_with_fewer_tiles_than_players_there_is_no_bazaar() -> None:
    position, events = place_bazaar_tile(3, 2)
    assert events_of(BazaarSkipped, events) == [BazaarSkipped(RED)]
    assert events_of(BazaarOpened, events) == []
    assert isinstance(position.step, PlaceTile)
    assert position.player == BLUE
    assert position.pile_left == 1


def test_BZ_06_with_as_many_tiles_as_players_there_is_a_bazaar() -> None:
    position, events = place_bazaar_tile(3, 3)
    assert len(events_of(BazaarOpened, events)) == 1
    assert events_of(BazaarSkipped, events) == []
    assert isinstance(position.step, ChooseLot)


def test_BZ_06_on_the_last_tile_the_game_ends() -> None:
    position, _ = place_bazaar_tile(3, 0)
    assert position.step is None


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_BZ_10_as_many_tiles_as_players_are_turned_up(players: int) -> None:
    position, events = place_bazaar_tile(players, 20)
    assert len(bazaar(position).tiles) == players
    assert position.pile_left == 20 - players
    assert events_of(BazaarOpened, events) == [BazaarOpened(RED, bazaar(position).tiles, draft=False)]


@pytest.mark.parametrize(("active", "selector"), [(RED, BLUE), (BLUE, GREEN), (YELLOW, RED)])
def test_BZ_11_the_player_after_the_active_player_selects_first(active: int, selector: int) -> None:
    position, _ = place_bazaar_tile(4, 20, active=active)
    assert isinstance(position.step, ChooseLot)
    assert position.player == selector


def test_BZ_47_the_lots_are_the_next_tiles_of_the_pile() -> None:
    position, _ = place_bazaar_tile(3, 20)
    assert tile_ids(bazaar(position).tiles) == ["base/U", "base/V", "base/W"]
