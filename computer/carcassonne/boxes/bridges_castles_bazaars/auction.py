"""Choose lots and bids in a bazaar, the auction of tiles of *Bridges, Castles & Bazaars*.

The selector puts a tile (a lot) up for auction; each player without a lot may bid once. The selector then buys the lot
by paying the highest bidder, or sells it for that bid. A selector who holds the highest bid pays the bank.

A bid may be as high as the gain from getting the lot oneself instead of a rival's getting it. Payments between players
change both scores, so with two players the selector is indifferent at a quarter of the sum of both gains.

Rivals are assumed to value tiles in the same way and to play for themselves: each takes the best remaining lot, bids
just enough to make the selector sell, never above their own limit, and sells when that brings more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor
from typing import NamedTuple, assert_never

from computer.candidates import Candidate, comparable
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
"""The owner of each lot, by number of the lot; -1 for a lot that nobody has yet."""


class _Outcome(NamedTuple):
    """The result of bidding for a lot: its new owner, the price, and who pays it to whom (-1 is the bank)."""

    owner: Seat
    price: int
    payer: Seat
    payee: Seat


class Market:
    """Predicts who gets which lot of a bazaar for how much, from the worth of each lot to each player."""

    def __init__(self, position: Position, bazaar: Bazaar, worth: Callable[[Seat, int], float]) -> None:
        self.bazaar = bazaar
        self.players = [Seat(seat) for seat in range(position.players) if not position.withdrawn[seat]]
        self.worth = {seat: [worth(seat, lot) for lot in range(len(bazaar.tiles))] for seat in self.players}
        """The value of each lot to each player, by seat and lot."""
        self._rival_stake = 1 / max(1, len(self.players) - 1)
        self._highest = {seat: highest_bid(position, seat) for seat in self.players}

    # -- the value of a distribution of lots --------------------------------------------------------------------------

    def utility(self, player: Seat, owners: Owners) -> float:
        """Return the value of a distribution to a player, once the remaining lots have been taken as expected."""
        total = 0.0
        for lot, owner in enumerate(self._with_remaining_lots(owners)):
            if owner == player:
                total += self.worth[owner][lot]
            elif owner != NO_SEAT:
                total -= self._rival_stake * self.worth[owner][lot]
        return total

    def _with_remaining_lots(self, owners: Owners) -> Owners:
        """Return the owners after each player without a lot, in order, has taken the best one for themselves."""
        completed = list(owners)
        for seat in self.players_without_lot(owners):
            open_lots = [lot for lot, owner in enumerate(completed) if owner == NO_SEAT]
            if open_lots:
                completed[max(open_lots, key=lambda lot: comparable(self.worth[seat][lot]))] = seat
        return tuple(completed)

    def players_without_lot(self, owners: Owners) -> list[Seat]:
        """Return the players without a lot, clockwise from the selector's left; the selector comes last."""
        size, selector = max(self.players) + 1, self.bazaar.selector
        order = sorted(self.players, key=lambda seat: (seat - selector - 1) % size)
        return [seat for seat in order if seat not in owners]

    def owners_with(self, lot: int, seat: Seat) -> Owners:
        """Return the owners of all lots if a player got this one."""
        owners = self.bazaar.owners
        return (*owners[:lot], seat, *owners[lot + 1 :])

    def value(self, player: Seat, lot: int, outcome: _Outcome) -> float:
        """Return the value of an outcome to a player, in points ahead of the others."""
        payment_stake = self._stake(player, outcome.payee) - self._stake(player, outcome.payer)
        return self.utility(player, self.owners_with(lot, outcome.owner)) + outcome.price * payment_stake

    def candidate(self, action: Action, player: Seat, lot: int, outcome: _Outcome) -> Candidate:
        """Return an action as a candidate with the value of the outcome that it leads to."""
        lots = self.utility(player, self.owners_with(lot, outcome.owner))
        value = self.value(player, lot, outcome)
        return Candidate(action, value, {"lots": lots, "payments": value - lots})

    def _stake(self, player: Seat, other: Seat) -> float:
        """Return what a point for ``other`` is worth to ``player``; points of the bank are worth nothing."""
        if other == NO_SEAT:
            return 0.0
        return 1.0 if other == player else -self._rival_stake

    # -- bidding ------------------------------------------------------------------------------------------------------

    def bid_limit(self, player: Seat, lot: int, rival: Seat) -> int:
        """Return the highest bid worth making for a lot that ``rival`` would get without it."""
        gain = self.utility(player, self.owners_with(lot, player)) - self.utility(player, self.owners_with(lot, rival))
        # The selector pays the bank. Everybody else pays a rival, so a point changes the difference by two.
        price = gain if player == self.bazaar.selector else gain / (1 + self._rival_stake)
        return min(self._highest[player], max(0, floor(comparable(price))))

    def expected_sale(self, lot: int, bid: int, bidder: Seat) -> _Outcome:
        """Return the outcome of the highest bid: the selector buys or sells, whichever is worth more to them."""
        selector = self.bazaar.selector
        if bidder == selector:
            return _Outcome(selector, bid, selector, NO_SEAT)
        buy, sell = self.buying_and_selling(bid, bidder)
        affordable = bid <= self._highest[selector]
        ahead = self.value(selector, lot, buy) - self.value(selector, lot, sell)
        return buy if affordable and comparable(ahead) > 0 else sell

    def buying_and_selling(self, bid: int, bidder: Seat) -> tuple[_Outcome, _Outcome]:
        """Return the outcomes of the selector's buying the lot and of selling it."""
        selector = self.bazaar.selector
        return _Outcome(selector, bid, selector, bidder), _Outcome(bidder, bid, bidder, selector)

    def expected_raise(self, player: Seat, lot: int, bid: int, bidder: Seat) -> int:
        """Return the bid that a player is expected to make over the current one; 0 for passing."""
        limit = self.bid_limit(player, lot, self.expected_sale(lot, bid, bidder).owner)
        if limit <= bid:
            return 0
        return min(limit, max(bid + 1, self.selling_price(player, lot)))

    def selling_price(self, player: Seat, lot: int) -> int:
        """Return the lowest bid of a player for which the selector would sell the lot to them."""
        selector = self.bazaar.selector
        buying = self.utility(selector, self.owners_with(lot, selector))
        loss = buying - self.utility(selector, self.owners_with(lot, player))
        return ceil(comparable(loss / (2 * (1 + self._rival_stake))))

    def expected_outcome(self, lot: int, bid: int, bidder: Seat, bidders: Sequence[Seat]) -> _Outcome:
        """Return the expected outcome of the current bid when these bidders still follow, in this order."""
        for seat in bidders:
            new_bid = self.expected_raise(seat, lot, bid, bidder)
            if new_bid:
                bid, bidder = new_bid, seat
        return self.expected_sale(lot, bid, bidder)

    def bidders_after(self, player: Seat) -> list[Seat]:
        """Return the players who bid after a player, up to the selector, who does not bid on their own lot."""
        order = self.players_without_lot(self.bazaar.owners)
        if self.bazaar.selector in order:
            order.remove(self.bazaar.selector)
        return order[order.index(player) + 1 :] if player in order else order


def auction_candidates(question: Question, step: ChooseLot | BidOnLot | BuyOrSell) -> list[Candidate]:
    """Return the candidates of a decision in a bazaar; bids above the lot's value to the player are left out."""
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
    """Return each lot with the opening bids that are worth considering; in a draft, each lot that may be picked."""
    player = step.player
    if step.picks(position):
        lots = step.bazaar.open_lots
        values = [(lot, market.utility(player, market.owners_with(lot, player))) for lot in lots]
        return [Candidate(PickLot(lot + 1), value, {"lots": value}) for lot, value in values]
    bidders = market.bidders_after(player)
    candidates = []
    for lot in step.bazaar.open_lots:
        rival_limits = {market.bid_limit(seat, lot, player) for seat in bidders}
        own_limit = min((market.bid_limit(player, lot, seat) for seat in bidders), default=0)
        for bid in sorted({0} | {limit for limit in rival_limits if limit <= own_limit}):
            outcome = market.expected_outcome(lot, bid, player, bidders)
            candidates.append(market.candidate(SelectLot(lot + 1, bid), player, lot, outcome))
    return candidates


def _bids(step: BidOnLot, market: Market) -> list[Candidate]:
    """Return passing, and the bids worth considering: the least, the limits, and where the selector would sell.

    Just below that price the selector buys, and pays the bid to the bidder.
    """
    player, bazaar = step.player, step.bazaar
    lot, bidders = bazaar.lot, market.bidders_after(player)
    outcome_of_passing = market.expected_outcome(lot, bazaar.bid, bazaar.bidder, bidders)
    limit = market.bid_limit(player, lot, outcome_of_passing.owner) if outcome_of_passing.owner != player else 0
    selling_price = market.selling_price(player, lot)
    bids = {bazaar.bid + 1, selling_price - 1, selling_price, limit}
    bids |= {market.bid_limit(seat, lot, player) for seat in bidders}
    candidates = [market.candidate(Pass(), player, lot, outcome_of_passing)]
    for bid in sorted(bid for bid in bids if bazaar.bid < bid <= limit):
        outcome = market.expected_outcome(lot, bid, player, bidders)
        candidates.append(market.candidate(Bid(bid), player, lot, outcome))
    return candidates


def _sales(position: Position, step: BuyOrSell, market: Market) -> list[Candidate]:
    """Return buying the lot for oneself, and selling it to the highest bidder."""
    bazaar = step.bazaar
    buy, sell = market.buying_and_selling(bazaar.bid, bazaar.bidder)
    outcomes: dict[Action, _Outcome] = {Buy(): buy, Sell(): sell}
    actions = step.actions(position)
    return [market.candidate(action, step.player, bazaar.lot, outcomes[action]) for action in actions]


def _cheapest(position: Position, step: ChooseLot | BidOnLot | BuyOrSell) -> Action:
    """Return the cheapest action: the first lot with no bid, the lowest raise, or selling.

    Matches against a player who decides like this measure the benefit of real bids.
    """
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
