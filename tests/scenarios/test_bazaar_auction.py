"""The auction of a bazaar (BZ-12 … BZ-29): a selector opens a lot, the others bid once, the selector buys or sells.

A bazaar is an auction of tiles, the lots; each player gets one. The selector chooses the lot that comes up. Decisions
are written as texts: ``"1@0"`` puts up lot 1 with an opening bid of 0, ``"7"`` raises to 7 points; there are also
``"pass"``, ``"buy"``, ``"sell"`` and ``"pick 1"``. Codes such as BZ-12 are rules of the rule digest; each test is named
by the rule that it shows.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import Action, Pass
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BANK,
    Bid,
    BidOnLot,
    Buy,
    BuyOrSell,
    ChooseLot,
    LotSold,
    SelectLot,
    Sell,
)
from engine.carcassonne.options import PRESETS, Options
from engine.carcassonne.steps import PlaceTile
from engine.events import Event
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    assert_illegal,
    events_of,
    play_turn,
    standing_followers,
)
from tests.scenarios.vocabulary_castles import bazaar, place_anywhere, play_bazaar, tile_ids, tile_to_place


def auction(
    players: int = 3,
    *decisions: str,
    active: int = RED,
    scores: list[int] | None = None,
    options: Options | None = None,
) -> Position:
    """Open a bazaar and apply the first decisions of its auction; by default all scores are 10."""
    position = arrange(
        players=players,
        scores=scores or [10] * players,
        player=active,
        hand="bcb/FFFF",
        pile=["base/U", "base/V", "base/W", "base/D", "base/E", "base/X", *["base/B"] * 9],
        options=options,
    )
    play_turn(position, "0,1", 0)
    play_bazaar(position, *decisions)
    return position


def up_for_auction(position: Position) -> tuple[int, int, int]:
    """Return the lot up for auction, the bid and the bidder; each is -1 if there is none."""
    running = bazaar(position)
    return running.lot, running.bid, running.bidder


def test_BZ_12_a_lot_is_up_for_auction_from_its_choice_to_its_sale() -> None:
    position = auction()
    assert up_for_auction(position) == (-1, 0, -1)
    play_bazaar(position, "2@4")
    assert up_for_auction(position) == (1, 4, BLUE)
    play_bazaar(position, "pass", "pass")
    assert up_for_auction(position) == (-1, 0, -1)
    assert [bazaar(position).lot_of(seat) for seat in (RED, BLUE, GREEN)] == [-1, 1, -1]


def test_BZ_12_the_selector_opens_with_any_bid_even_nothing() -> None:
    position = auction()
    assert SelectLot(2, 0) in position.legal_actions
    assert SelectLot(3, 7) in position.legal_actions
    play_bazaar(position, "2@0")
    assert up_for_auction(position) == (1, 0, BLUE)


@pytest.mark.parametrize("action", [SelectLot(2, -1), SelectLot(0, 0), SelectLot(4, 0), Pass(), Bid(1), Buy(), Sell()])
def test_BZ_12_the_selector_must_choose_a_lot_and_name_a_bid(action: SelectLot | Pass | Bid | Buy | Sell) -> None:
    assert_illegal(auction(), action)


def test_BZ_13_the_others_act_once_each_in_playing_order_then_the_selector_decides() -> None:
    position, bidders = auction(4, "1@0"), []
    for decision in ("1", "2", "3"):
        assert isinstance(position.step, BidOnLot)
        bidders.append(position.player)
        play_bazaar(position, decision)
    assert bidders == [GREEN, YELLOW, RED]
    assert isinstance(position.step, BuyOrSell)
    assert position.player == BLUE


def test_BZ_13_an_outbid_player_is_not_asked_again() -> None:
    position = auction(4, "1@0", "1", "pass", "2")
    assert isinstance(position.step, BuyOrSell)
    assert (bazaar(position).bidder, bazaar(position).bid) == (RED, 2)


def test_BZ_14_a_raise_must_be_strictly_higher() -> None:
    position = auction(3, "1@2")
    assert_illegal(position, Bid(2))
    assert_illegal(position, Bid(1))
    assert Bid(3) in position.legal_actions
    play_bazaar(position, "5")
    assert_illegal(position, Bid(5))
    assert Bid(6) in position.legal_actions


def test_BZ_15_a_player_with_a_tile_does_not_bid() -> None:
    position = auction(3, "1@1", "pass", "pass")
    assert bazaar(position).owners == (BLUE, -1, -1)
    assert position.player == GREEN
    play_bazaar(position, "2@0")
    assert isinstance(position.step, BidOnLot)
    assert position.player == RED
    play_bazaar(position, "1")
    assert isinstance(position.step, BuyOrSell)
    assert position.player == GREEN


def test_BZ_15_a_lot_that_has_an_owner_cannot_be_selected() -> None:
    position = auction(3, "1@1", "pass", "pass")
    assert_illegal(position, SelectLot(1, 0))
    assert {action.lot for action in position.legal_actions if isinstance(action, SelectLot)} == {2, 3}


def test_BZ_16_the_selector_buys_from_the_highest_bidder() -> None:
    position = auction(3, "1@0", "pass", "3")
    events = play_bazaar(position, "buy")
    assert position.scores == [13, 7, 10]
    assert bazaar(position).owners == (BLUE, -1, -1)
    assert events_of(LotSold, events) == [LotSold(1, BLUE, 3, payer=BLUE, payee=RED)]


def test_BZ_17_the_selector_sells_to_the_highest_bidder() -> None:
    position = auction(3, "1@0", "pass", "pass", "2@1", "3", scores=[13, 7, 10])
    assert position.player == GREEN
    events = play_bazaar(position, "sell")
    assert position.scores == [10, 7, 13]
    assert events_of(LotSold, events)[0] == LotSold(2, RED, 3, payer=RED, payee=GREEN)


@pytest.mark.parametrize("decision", ["buy", "sell"])
def test_BZ_18_the_points_move_at_once_and_their_sum_stays(decision: str) -> None:
    position = auction(4, "1@0", "2", "pass", "4")
    assert position.scores == [10, 10, 10, 10]
    play_bazaar(position, decision)
    assert isinstance(position.step, ChooseLot)
    assert position.scores == ([14, 6, 10, 10] if decision == "buy" else [6, 14, 10, 10])
    assert sum(position.scores) == 40


def test_BZ_19_the_only_bidder_pays_the_bank_and_takes_the_tile_without_a_choice() -> None:
    position = auction()
    events = play_bazaar(position, "1@4", "pass", "pass")
    assert position.scores == [10, 6, 10]
    assert bazaar(position).owners == (BLUE, -1, -1)
    assert events_of(LotSold, events) == [LotSold(1, BLUE, 4, payer=BLUE, payee=BANK)]
    assert isinstance(position.step, ChooseLot)


def test_BZ_20_an_opening_of_zero_without_a_raise_is_a_free_tile() -> None:
    position = auction(3, "3@0", "pass", "pass")
    assert position.scores == [10, 10, 10]
    assert bazaar(position).owners == (-1, -1, BLUE)


def test_BZ_21_scores_may_go_below_zero_and_come_back() -> None:
    position = arrange(
        tiles=["base/A -1,0 0", "base/A 5,0 270", *(f"base/U {x},0" for x in (6, 7, 8, 9))],
        followers=["1 6,0 road.W"],
        scores=[0, 1, 0],
        hand="bcb/FFFF",
        pile=["base/A", *["base/B"] * 9],
    )
    play_turn(position, "-2,0", 0)
    play_bazaar(position, "1@5", "pass", "pass")
    assert position.scores == [0, -4, 0]
    play_bazaar(position, "2@0", "pass")
    play_turn(position, "10,0", 90)
    assert position.scores == [0, 2, 0]


def test_BZ_21_a_raise_may_exceed_the_bidders_points() -> None:
    position = auction(3, "1@0", "pass", scores=[1, 0, 0])
    play_bazaar(position, "8", "sell")
    assert position.scores == [-7, 8, 0]


def test_BZ_24_the_next_player_without_a_tile_selects_next() -> None:
    position = auction(3, "1@0", "pass", "2", "buy")
    assert isinstance(position.step, ChooseLot)
    assert position.player == GREEN


def test_BZ_24_the_next_selector_is_counted_from_the_last_selector_not_the_buyer() -> None:
    position = auction(4, "1@0", "pass", "3", "pass", "sell")
    assert bazaar(position).owners[0] == YELLOW
    assert position.player == GREEN


def test_BZ_25_a_selector_who_sold_selects_again_in_a_later_round() -> None:
    position = auction(4, "1@0", "2", "pass", "pass", "sell")
    assert bazaar(position).owners[0] == GREEN
    assert position.player == YELLOW
    play_bazaar(position, "2@0", "4", "pass", "sell")
    assert bazaar(position).owners[1] == RED
    assert isinstance(position.step, ChooseLot)
    assert position.player == BLUE


def test_BZ_26_the_last_tile_is_free_and_assigned_without_a_decision() -> None:
    position = auction(3, "1@4", "pass", "pass", "2@1", "3")
    events = play_bazaar(position, "sell")
    last = events_of(LotSold, events)[-1]
    assert (last.lot, last.player, last.price) == (3, GREEN, 0)
    assert position.scores == [7, 6, 13]
    assert isinstance(position.step, PlaceTile)


@given(data=st.data(), players=st.integers(2, 6))
def test_BZ_27_every_player_ends_with_exactly_one_tile(data: st.DataObject, players: int) -> None:
    position = auction(players)
    events: list[Event] = []
    tiles = bazaar(position).tiles
    total = sum(position.scores)
    while not isinstance(position.step, PlaceTile):
        match position.step:
            case ChooseLot():
                lots = {action.lot for action in position.legal_actions if isinstance(action, SelectLot)}
                action: Action = SelectLot(data.draw(st.sampled_from(sorted(lots))), data.draw(st.integers(0, 5)))
            case BidOnLot():
                action = Bid(bazaar(position).bid + 1) if data.draw(st.booleans()) else Pass()
            case _:
                action = Buy() if data.draw(st.booleans()) else Sell()
        events += position.apply(action)
    assert sorted(sold.player for sold in events_of(LotSold, events)) == list(range(players))
    assert sorted(sold.lot for sold in events_of(LotSold, events)) == list(range(1, players + 1))
    assert sorted(bazaar(position).owners) == list(range(players))
    assert bazaar(position).tiles == tiles
    paid_to_bank = [sold.price for sold in events_of(LotSold, events) if sold.payee == BANK]
    assert sum(position.scores) == total - sum(paid_to_bank)


def test_BZ_28_two_players_auction_one_tile_and_the_other_is_free() -> None:
    position = auction(2, "1@0", "4")
    play_bazaar(position, "sell")
    assert position.scores == [6, 14]
    assert bazaar(position).owners == (RED, BLUE)
    assert isinstance(position.step, PlaceTile)
    assert tile_to_place(position) == (BLUE, "base/V")


@pytest.mark.parametrize("preset", PRESETS)
def test_BZ_29_the_worked_example_with_every_preset(preset: str) -> None:
    position = arrange(
        scores=[10, 10, 10],
        hand="bcb/FFFF",
        pile=["base/U", "base/V", "base/W", *["base/B"] * 9],
        options=PRESETS[preset],
    )
    play_turn(position, "0,1", 0, deploy="field.NL")
    assert (RED, "0,1", "field.NL") in standing_followers(position)
    assert tile_ids(bazaar(position).tiles) == ["base/U", "base/V", "base/W"]
    assert position.player == BLUE
    play_bazaar(position, "1@2", "pass", "3", "buy")
    assert position.scores == [13, 7, 10]
    assert position.player == GREEN
    play_bazaar(position, "2@2", "3", "sell")
    assert position.scores == [10, 7, 13]
    order = []
    for _ in range(3):
        order.append(tile_to_place(position))
        place_anywhere(position)
    assert order == [(BLUE, "base/U"), (GREEN, "base/W"), (RED, "base/V")]
    assert position.scores == [10, 7, 13]
