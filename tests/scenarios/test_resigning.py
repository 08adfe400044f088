"""Resigning, a house rule: the seat is skipped, its figures stay on the board, and the others play on.

House rules are the project's own. Positions are arranged from texts: ``"base/D 1,0 90"`` is tile D of the base game,
with its cell (x grows east, y south) and rotation, ``"0 1,0 road.E"`` a follower by seat, cell and segment.
"""

from __future__ import annotations

import pytest

from engine import IllegalActionError, Resign, parse_action
from engine.carcassonne import PlaceTile
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BazaarOpened,
    BidOnLot,
    BuyOrSell,
    ChooseCastleSource,
    ChooseLot,
    LotSold,
)
from engine.carcassonne.tiles import tile
from engine.events import GameOver, Resigned, Scored, TileDiscarded
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, GREEN, RED, play_turn
from tests.scenarios.vocabulary_castles import TOWN


def test_a_resigned_seat_is_skipped() -> None:
    position = arrange(players=3, hand="base/U", pile=["base/V", "base/W", "base/U"])
    position.apply(Resign(BLUE))

    play_turn(position, "1,0")

    assert position.player == GREEN


def test_resigning_on_turn_removes_the_tile_in_hand() -> None:
    position = arrange(players=3, hand="base/U", pile=["base/V", "base/W"])

    events = position.apply(Resign(RED))

    assert events[:2] == (Resigned(RED), TileDiscarded(RED, tile("base/U"), declined=False, forfeited=True))
    assert (position.player, position.hand) == (BLUE, tile("base/V"))


def test_the_game_ends_with_one_player_left_and_resigned_players_rank_last() -> None:
    position = arrange(players=2, scores=[50, 3], hand="base/U")

    events = position.apply(Resign(RED))

    assert events[-1] == GameOver((50, 3))
    assert position.is_over
    assert position.ranking() == ((BLUE,), (RED,))


def test_figures_stay_and_still_score() -> None:
    position = arrange(
        players=3, tiles=["base/D 0,0 0"], followers=["1 0,0 city.N"], hand="base/E", pile=["base/U", "base/U"]
    )
    position.apply(Resign(BLUE))

    play_turn(position, "0,-1", 180)

    assert position.scores == [0, 4, 0]


def test_resigning_twice_or_after_the_end_is_refused() -> None:
    position = arrange(players=3)
    position.apply(Resign(BLUE))

    with pytest.raises(IllegalActionError, match="resign:2"):
        position.apply(Resign(BLUE))
    position.apply(Resign(RED))
    with pytest.raises(IllegalActionError, match="resign:3"):
        position.apply(Resign(GREEN))


def test_a_bazaar_has_a_lot_for_each_remaining_player() -> None:
    position = arrange(players=3, hand="bcb/FFFF", tiles=["base/B 0,0"], pile=["base/U"] * 9)
    position.apply(Resign(BLUE))

    events = play_turn(position, "1,0")

    assert BazaarOpened(RED, (tile("base/U"),) * 2, draft=False) in events
    assert isinstance(position.step, ChooseLot)
    assert position.player == GREEN


def test_a_bidder_who_resigns_passes() -> None:
    position = arrange(players=3, hand="bcb/FFFF", tiles=["base/B 0,0"], pile=["base/U"] * 9)
    play_turn(position, "1,0")
    position.apply(parse_action("lot:1@2"))
    assert isinstance(position.step, BidOnLot)

    position.apply(Resign(GREEN))

    assert isinstance(position.step, BidOnLot)
    assert position.player == RED


def test_a_bought_tile_of_a_resigned_player_leaves_the_game() -> None:
    position = arrange(players=3, hand="bcb/FFFF", tiles=["base/D 0,0"], pile=["base/U", "base/V", "base/W", "base/U"])
    play_turn(position, "0,1")
    for text in ("lot:1@0", "pass", "pass", "lot:2@0", "pass"):
        position.apply(parse_action(text))
    assert isinstance(position.step, PlaceTile)
    assert position.player == BLUE

    events = position.apply(Resign(BLUE))

    assert TileDiscarded(BLUE, tile("base/U"), declined=False, forfeited=True) in events
    assert (position.player, position.hand) == (GREEN, tile("base/V"))


def test_an_outbid_selector_who_resigns_sells() -> None:
    position = arrange(players=3, scores=[9, 9, 9], hand="bcb/FFFF", tiles=["base/B 0,0"], pile=["base/U"] * 9)
    play_turn(position, "1,0")
    for text in ("lot:1@2", "bid:5", "pass"):
        position.apply(parse_action(text))
    assert isinstance(position.step, BuyOrSell)

    events = position.apply(Resign(BLUE))

    assert LotSold(1, GREEN, 5, payer=GREEN, payee=BLUE) in events
    assert position.scores == [9, 14, 4]


@pytest.mark.parametrize(
    ("tiles", "worth"),
    [
        (["base/A 1,0 0", "base/A 1,2 180", "base/F 2,1", "base/G 3,1", "base/E 4,1 270"], 10),
        (["base/A 1,0 0", *(f"base/U 1,{y} 90" for y in range(2, 5)), "base/A 1,5 180", "base/E 2,1 270"], 6),
    ],
    ids=["city", "road"],
)
def test_a_player_who_resigns_while_choosing_a_source_takes_the_most(tiles: list[str], worth: int) -> None:
    position = arrange(tiles=[*TOWN, *tiles], castles=["1 0,0 0,1"], hand="base/D")
    play_turn(position, "1,1", 90)
    assert isinstance(position.step, ChooseCastleSource)

    events = position.apply(Resign(BLUE))

    assert [(event.player, event.points) for event in events if isinstance(event, Scored)] == [(BLUE, worth)]
