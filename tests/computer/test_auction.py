"""The computer's decisions in a bazaar (an auction of tiles): bidding for a lot, and selling at a price.

``worth`` is the value of each lot to each player, by seat and lot. An edge is the gain from getting one lot rather than
the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from computer.candidates import best
from computer.carcassonne.boxes.bridges_castles_bazaars.auction import Market, auction_candidates
from computer.carcassonne.boxes.terms import Question
from engine.actions import NO_SEAT, Pass, Seat
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BCB,
    Bazaar,
    Bid,
    BidOnLot,
    Buy,
    BuyOrSell,
    ChooseLot,
    SelectLot,
    Sell,
)
from tests.computer.positions import random_positions

ME, RIVAL = Seat(0), Seat(1)
"""The player who decides, and their opponent."""
Worth = Sequence[Sequence[float]]
"""The worth of each lot to each player, in points: rows by seat, columns by lot."""


@pytest.fixture(scope="module")
def opened() -> Position:
    """A bazaar of two players in which no lot is up for auction yet."""
    positions = random_positions("carcassonne", 2, (BCB,), "", seed=6)
    return next(position.copy() for position in positions if isinstance(position.step, ChooseLot))


def bazaar_of(position: Position, selector: Seat, *, bid: int = 0, bidder: Seat = NO_SEAT) -> Bazaar:
    """Return the bazaar of a position with another selector, bid and bidder."""
    lot = 0 if bid or bidder >= 0 else -1
    return replace(position.step.bazaar, selector=selector, active=selector, lot=lot, bid=bid, bidder=bidder)


def answer(position: Position, step: ChooseLot | BidOnLot | BuyOrSell, worth: Worth) -> object:
    """Return the action that is chosen if the lots have these worths."""
    question = Question(
        position=position,
        weights={},
        urgency=1.0,
        outlook=lambda root: pytest.fail(f"asked about {root}"),
        price=lambda *_: 0.0,
        tile_worth=lambda kind, seat: worth[seat][step.bazaar.tiles.index(kind)],
        with_figures=lambda *_: pytest.fail("asked about figures"),
        figure_parts=lambda *_: pytest.fail("asked about a figure"),
        cheapest=False,
    )
    return best(auction_candidates(question, step)).action


@pytest.mark.parametrize(("mine", "theirs"), [((10, 2), (6, 2)), ((9, 0), (3, 0)), ((4, 4), (8, 0))])
def test_two_players_are_indifferent_at_a_quarter_of_both_edges(
    opened: Position, mine: Sequence[float], theirs: Sequence[float]
) -> None:
    """A payment moves the difference twice, once for buying and once for selling."""
    quarter = (mine[0] - mine[1] + theirs[0] - theirs[1]) / 4
    assert quarter == int(quarter)
    worth = mine, theirs
    for bid, expected in ((int(quarter) - 1, Buy()), (int(quarter) + 1, Sell())):
        step = BuyOrSell(ME, bazaar_of(opened, ME, bid=bid, bidder=RIVAL))
        assert answer(opened, step, worth) == expected
    market = Market(opened, bazaar_of(opened, ME), lambda seat, lot: worth[seat][lot])
    assert market.selling_price(RIVAL, 0) == quarter


def test_a_bid_is_just_what_makes_the_selector_sell(opened: Position) -> None:
    """The edge is twelve, half of it the most that a bid is worth, a quarter what the selector sells for."""
    step = BidOnLot(ME, bazaar_of(opened, RIVAL, bidder=RIVAL))
    assert answer(opened, step, ((10, 2), (6, 2))) == Bid(3)
    assert answer(opened, BidOnLot(ME, bazaar_of(opened, RIVAL, bid=6, bidder=RIVAL)), ((10, 2), (6, 2))) == Pass()


@pytest.mark.parametrize("hair", [-1e-12, 0.0, 1e-12])
def test_a_hair_more_or_less_changes_no_price(opened: Position, hair: float) -> None:
    """Machines differ in the last bits of a worth; the edge is twelve for all of them."""
    worth = (10 + hair, 2), (6, 2)
    market = Market(opened, bazaar_of(opened, RIVAL), lambda seat, lot: worth[seat][lot])
    assert (market.bid_limit(ME, 0, RIVAL), market.selling_price(ME, 0)) == (6, 3)


def test_nothing_is_bid_for_a_lot_that_is_worth_less(opened: Position) -> None:
    step = BidOnLot(ME, bazaar_of(opened, RIVAL, bidder=RIVAL))
    assert answer(opened, step, ((1, 8), (2, 7))) == Pass()


def test_the_selector_opens_the_lot_that_is_worth_most(opened: Position) -> None:
    step = ChooseLot(ME, bazaar_of(opened, ME))
    chosen = answer(opened, step, ((1, 9), (2, 3)))
    assert isinstance(chosen, SelectLot)
    assert chosen.lot == 2


def test_with_four_players_a_bid_is_limited_by_what_the_payment_brings_each_rival() -> None:
    """The edge is fourteen, and a point paid to one of three rivals costs the player one and a third."""
    positions = random_positions("carcassonne", 4, (BCB,), "", seed=6)
    position = next(position.copy() for position in positions if isinstance(position.step, ChooseLot))
    worth = ((16, 2, 2, 2), *3 * ((2, 2, 2, 2),))
    bazaar = bazaar_of(position, RIVAL, bidder=RIVAL)
    market = Market(position, bazaar, lambda seat, lot: worth[seat][lot])
    assert market.bid_limit(ME, 0, RIVAL) == 14 * 3 // 4
    # The selector sells from 1.75 on: a third of 14, divided by 8/3.
    assert answer(position, BidOnLot(ME, bazaar), worth) == Bid(2)
    for amount in (10, 12):
        taken = bazaar_of(position, RIVAL, bid=amount, bidder=Seat(3))
        assert answer(position, BidOnLot(ME, taken), worth) == Pass()


def test_a_lot_is_worth_bidding_for_only_by_what_it_brings_above_the_other_lots() -> None:
    """With four players who all value their lots alike, nobody pays for one."""
    positions = random_positions("carcassonne", 4, (BCB,), "", seed=6)
    position = next(position.copy() for position in positions if isinstance(position.step, ChooseLot))
    worth = 4 * ((9, 9, 9, 9),)
    assert answer(position, BidOnLot(ME, bazaar_of(position, RIVAL, bidder=RIVAL)), worth) == Pass()
    chosen = answer(position, ChooseLot(ME, bazaar_of(position, ME)), worth)
    assert isinstance(chosen, SelectLot)
    assert chosen.bid == 0
