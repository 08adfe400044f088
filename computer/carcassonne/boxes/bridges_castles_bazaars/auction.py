"""Bazaars: what a tile is worth to each player, and what may be bid for it.

A bid is worth to the bidder what the tile brings to them more than to whoever gets it else. Payments between players
change both scores, so with two players indifference lies at a quarter of the sum of both edges.

Of the others it is assumed that they value tiles in the same way and play for themselves: each takes the best lot left,
bids as much as makes the selector sell, but never above their own limit, and sells what others pay more for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor
from typing import NamedTuple, assert_never

from computer.candidates import Candidate
from computer.carcassonne.boxes.terms import Question
from engine.actions import NO_SEAT, Action, Pass, Seat
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    Bazaar,
    Bid,
    BidOnLot,
    Buy,
    BuyOrSell,
    ChooseLot,
    PickLot,
    SelectLot,
    Sell,
    highest_bid,
)

Owners = tuple[Seat, ...]
"""The owner of each lot, or -1."""


class _Outcome(NamedTuple):
    """The result of the bidding for a lot: its owner, the price, and who pays it to whom (-1 is the bank)."""

    owner: Seat
    price: int
    payer: Seat
    payee: Seat


class Market:
    """The lots of a bazaar with their worth to each player, and how they are likely to be shared out."""

    def __init__(self, position: Position, bazaar: Bazaar, worth: Callable[[Seat, int], float]) -> None:
        self.bazaar = bazaar
        self.players = [Seat(seat) for seat in range(position.players) if not position.withdrawn[seat]]
        self.worth = {seat: [worth(seat, lot) for lot in range(len(bazaar.tiles))] for seat in self.players}
        """The value of each lot to each player, by seat and lot."""
        self._each = 1 / max(1, len(self.players) - 1)
        self._highest = {seat: highest_bid(position, seat) for seat in self.players}

    # -- what a distribution is worth ---------------------------------------------------------------------------------

    def utility(self, player: Seat, owners: Owners) -> float:
        """Return what a distribution of the lots is worth to a player, after those left were taken."""
        total = 0.0
        for lot, owner in enumerate(self._shared_out(owners)):
            if owner == player:
                total += self.worth[owner][lot]
            elif owner != NO_SEAT:
                total -= self._each * self.worth[owner][lot]
        return total

    def _shared_out(self, owners: Owners) -> Owners:
        """Return the owners after the players without a lot have taken the best for them, in the order of choosing."""
        shared = list(owners)
        for seat in self.unserved(owners):
            free = [lot for lot, owner in enumerate(shared) if owner == NO_SEAT]
            if free:
                shared[max(free, key=lambda lot: self.worth[seat][lot])] = seat
        return tuple(shared)

    def unserved(self, owners: Owners) -> list[Seat]:
        """Return the players without a lot, in the order in which they choose."""
        size, selector = max(self.players) + 1, self.bazaar.selector
        order = sorted(self.players, key=lambda seat: (seat - selector - 1) % size)
        return [seat for seat in order if seat not in owners]

    def given(self, lot: int, seat: Seat) -> Owners:
        """Return the owners after a player got a lot."""
        owners = self.bazaar.owners
        return (*owners[:lot], seat, *owners[lot + 1 :])

    def value(self, player: Seat, lot: int, outcome: _Outcome) -> float:
        """Return what the result of a bidding is worth to a player, in points ahead of the others."""
        points = self._stake(player, outcome.payee) - self._stake(player, outcome.payer)
        return self.utility(player, self.given(lot, outcome.owner)) + outcome.price * points

    def candidate(self, action: Action, player: Seat, lot: int, outcome: _Outcome) -> Candidate:
        """Return an action with the value of the result to which it leads."""
        lots = self.utility(player, self.given(lot, outcome.owner))
        value = self.value(player, lot, outcome)
        return Candidate(action, value, {"lots": lots, "payments": value - lots})

    def _stake(self, player: Seat, other: Seat) -> float:
        if other == NO_SEAT:
            return 0.0
        return 1.0 if other == player else -self._each

    # -- bidding ------------------------------------------------------------------------------------------------------

    def limit(self, player: Seat, lot: int, otherwise: Seat) -> int:
        """Return the highest bid that a lot is worth to a player, if somebody else got it otherwise."""
        edge = self.utility(player, self.given(lot, player)) - self.utility(player, self.given(lot, otherwise))
        # The selector pays the bank, everybody else a rival, which moves the difference twice.
        price = edge if player == self.bazaar.selector else edge / (1 + self._each)
        return min(self._highest[player], max(0, floor(price)))

    def sale(self, lot: int, bid: int, bidder: Seat) -> _Outcome:
        """Return what the selector does with the highest bid."""
        selector = self.bazaar.selector
        if bidder == selector:
            return _Outcome(selector, bid, selector, NO_SEAT)
        buy, sell = self.purchase(bid, bidder)
        affordable = bid <= self._highest[selector]
        return buy if affordable and self.value(selector, lot, buy) > self.value(selector, lot, sell) else sell

    def purchase(self, bid: int, bidder: Seat) -> tuple[_Outcome, _Outcome]:
        """Return the results of buying and of selling."""
        selector = self.bazaar.selector
        return _Outcome(selector, bid, selector, bidder), _Outcome(bidder, bid, bidder, selector)

    def raises(self, player: Seat, lot: int, bid: int, bidder: Seat) -> int:
        """Return the bid with which a player is expected to answer, or 0 for passing."""
        limit = self.limit(player, lot, self.sale(lot, bid, bidder).owner)
        if limit <= bid:
            return 0
        return min(limit, max(bid + 1, self.price_of_selling(player, lot)))

    def price_of_selling(self, player: Seat, lot: int) -> int:
        """Return the bid of a player from which on the selector sells."""
        selector = self.bazaar.selector
        edge = self.utility(selector, self.given(lot, selector)) - self.utility(selector, self.given(lot, player))
        return ceil(edge / (2 * (1 + self._each)))

    def played_out(self, lot: int, bid: int, bidder: Seat, asked: Sequence[Seat]) -> _Outcome:
        """Return the expected result when these players are still asked."""
        for seat in asked:
            raised = self.raises(seat, lot, bid, bidder)
            if raised:
                bid, bidder = raised, seat
        return self.sale(lot, bid, bidder)

    def asked_after(self, player: Seat) -> list[Seat]:
        """Return the players who are asked after a player, up to the selector."""
        order = self.unserved(self.bazaar.owners)
        if self.bazaar.selector in order:
            order.remove(self.bazaar.selector)
        return order[order.index(player) + 1 :] if player in order else order


def auction_candidates(question: Question, step: ChooseLot | BidOnLot | BuyOrSell) -> list[Candidate]:
    """Return the actions of a bazaar with their values; bids above the player's own value are not among them."""
    position, tiles = question.position, step.bazaar.tiles
    if question.cheapest:
        return [Candidate(_cheapest(position, step), 0.0)]
    market = Market(position, step.bazaar, lambda seat, lot: question.tile_worth(tiles[lot], seat))
    match step:
        case ChooseLot():
            return _choices(position, step, market)
        case BidOnLot():
            return _bids(step, market)
        case BuyOrSell():
            return _sales(position, step, market)
        case never:
            assert_never(never)


def _choices(position: Position, step: ChooseLot, market: Market) -> list[Candidate]:
    player = step.player
    if step.picks(position):
        lots = step.bazaar.open_lots
        values = [(lot, market.utility(player, market.given(lot, player))) for lot in lots]
        return [Candidate(PickLot(lot + 1), value, {"lots": value}) for lot, value in values]
    asked = market.asked_after(player)
    found = []
    for lot in step.bazaar.open_lots:
        rivals = {market.limit(seat, lot, player) for seat in asked}
        own = min((market.limit(player, lot, seat) for seat in asked), default=0)
        for bid in sorted({0} | {limit for limit in rivals if limit <= own}):
            outcome = market.played_out(lot, bid, player, asked)
            found.append(market.candidate(SelectLot(lot + 1, bid), player, lot, outcome))
    return found


def _bids(step: BidOnLot, market: Market) -> list[Candidate]:
    player, bazaar = step.player, step.bazaar
    lot, asked = bazaar.lot, market.asked_after(player)
    passed = market.played_out(lot, bazaar.bid, bazaar.bidder, asked)
    limit = market.limit(player, lot, passed.owner) if passed.owner != player else 0
    wanted = {bazaar.bid + 1, market.price_of_selling(player, lot), limit}
    wanted |= {market.limit(seat, lot, player) for seat in asked}
    found = [market.candidate(Pass(), player, lot, passed)]
    for bid in sorted(bid for bid in wanted if bazaar.bid < bid <= limit):
        outcome = market.played_out(lot, bid, player, asked)
        found.append(market.candidate(Bid(bid), player, lot, outcome))
    return found


def _sales(position: Position, step: BuyOrSell, market: Market) -> list[Candidate]:
    bazaar = step.bazaar
    buy, sell = market.purchase(bazaar.bid, bazaar.bidder)
    outcomes: dict[Action, _Outcome] = {Buy(): buy, Sell(): sell}
    actions = step.actions(position)
    return [market.candidate(action, step.player, bazaar.lot, outcomes[action]) for action in actions]


def _cheapest(position: Position, step: ChooseLot | BidOnLot | BuyOrSell) -> Action:
    """Return the lowest bid for the first lot, the lowest raise, or selling: a measure for what bids are worth."""
    match step:
        case ChooseLot():
            return step.actions(position)[0]
        case BidOnLot():
            actions = step.actions(position)
            return actions[min(1, len(actions) - 1)]
        case BuyOrSell():
            return Sell()
        case never:
            assert_never(never)
