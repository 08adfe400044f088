"""The lots of a bazaar and their auction (BZ-10 to BZ-29) or draft (HV-01), after which the tiles are placed.

A lot is a tile that was turned up for sale. The selector is the player who chooses the next lot and opens the bidding;
every other player without a lot bids once. Then the selector buys the lot from the highest bidder, or sells it. Each
player gets one lot. The active player is the one who drew the bazaar tile. The codes HV are house variants in the rule
digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Final

from engine.actions import NO_SEAT, Action, Pass, Seat
from engine.agenda import Step, Task
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import Bid, Buy, PickLot, SelectLot, Sell
from engine.carcassonne.expansions.bridges_castles_bazaars.events import BANK, BidMade, BidPassed, LotChosen, LotSold
from engine.carcassonne.expansions.bridges_castles_bazaars.options import options_of
from engine.carcassonne.steps import Draw, offer_tile
from engine.carcassonne.table import Tabletop
from engine.carcassonne.tiles import TileKind
from engine.lazy_actions import LazyActions

BAZAAR: Final = "bazaar"
"""The flag of bazaar tiles, and the key in ``position.extra`` of the bazaar in progress."""
HIGHEST_RAISE: Final = 3
"""The highest raise by random players."""
MAX_BID: Final = 999
"""The highest possible bid. The rules have no limit (BZ-21); this one guards against typing errors."""


LAST_PLAYER_CHOOSES_SINCE: Final = 2
"""The first rules version in which the last player without a lot chooses among the remaining lots."""


@dataclass(frozen=True, slots=True)
class Bazaar:
    """A bazaar in progress; lots count from 0 here, and -1 means no lot or no player."""

    active: Seat
    tiles: tuple[TileKind, ...]
    owners: tuple[Seat, ...]
    draft: bool
    selector: Seat
    lot: int = -1
    bid: int = 0
    bidder: Seat = NO_SEAT

    @property
    def open_lots(self) -> tuple[int, ...]:
        """The lots without an owner."""
        return tuple(lot for lot, owner in enumerate(self.owners) if owner < 0)

    def lot_of(self, player: Seat) -> int:
        """Return the lot of a player, or -1."""
        return self.owners.index(player) if player in self.owners else -1

    def with_owner(self, lot: int, player: Seat) -> Bazaar:
        """Return the bazaar after a lot was given to a player."""
        owners = (*self.owners[:lot], player, *self.owners[lot + 1 :])
        return replace(self, owners=owners, lot=-1, bid=0, bidder=NO_SEAT)


def bazaar_of(position: Tabletop) -> Bazaar | None:
    """Return the bazaar in progress, which lasts until its last tile is placed; None without one."""
    bazaar: Bazaar | None = position.extra.get(BAZAAR)
    return bazaar


def running_bazaar(position: Tabletop) -> Bazaar:
    """Return the bazaar in progress.

    Raises:
        LookupError: no bazaar is in progress.
    """
    bazaar = bazaar_of(position)
    if bazaar is None:
        raise LookupError("no bazaar is in progress")
    return bazaar


def _players_without_lot(position: Tabletop, bazaar: Bazaar) -> list[Seat]:
    """Return the players without a lot, in playing order after the last selector."""
    return [
        seat
        for seat in position.seats_after(bazaar.selector)
        if bazaar.lot_of(seat) < 0 and not position.withdrawn[seat]
    ]


@dataclass(frozen=True, slots=True)
class NextLot(Task[Tabletop]):
    """The next stage of an auction: a selector chooses, the last lot is free, or tiles are placed (BZ-24 to BZ-30)."""

    active: Seat

    def run(self, position: Tabletop) -> None:
        """Continue the auction."""
        bazaar = running_bazaar(position)
        players = _players_without_lot(position, bazaar)
        lots = bazaar.open_lots
        if not lots or not players:
            position.agenda.extend(_purchases(position, bazaar))
            return
        position.agenda.append(self)
        if len(players) == 1 and (len(lots) == 1 or position.setup.rules < LAST_PLAYER_CHOOSES_SINCE):
            _give_lot(position, bazaar, lots[0], players[0])
            return
        keeps_selector = options_of(position).bazaar_next_selector == "same_until_served"
        has_begun = len(lots) < len(bazaar.tiles)
        selector = bazaar.selector if keeps_selector and has_begun and bazaar.selector in players else players[0]
        position.extra[BAZAAR] = replace(bazaar, selector=selector)
        position.agenda.append(ChooseLot(selector, running_bazaar(position)))


def _purchases(position: Tabletop, bazaar: Bazaar) -> list[Task[Tabletop]]:
    """Return the tasks of placing, in stack order: the player after the active one places first (BZ-30)."""
    order = position.seats_after(bazaar.active)
    # The agenda is a stack: the player who places first is pushed last.
    return [PlaceBought(seat, bazaar.tiles[lot]) for seat in reversed(order) if (lot := bazaar.lot_of(seat)) >= 0]


@dataclass(frozen=True, slots=True)
class NextPick(Task[Tabletop]):
    """The next pick of a draft: each player picks a tile and places it at once (HV-01); the last one is given."""

    last: Seat

    def run(self, position: Tabletop) -> None:
        """Let the next player pick."""
        bazaar = replace(running_bazaar(position), selector=self.last)
        players = _players_without_lot(position, bazaar)
        lots = bazaar.open_lots
        if not lots or not players:
            return
        position.extra[BAZAAR] = replace(bazaar, selector=players[0])
        if len(lots) == 1:
            take_pick(position, players[0], lots[0])
        else:
            position.agenda.append(ChooseLot(players[0], running_bazaar(position)))


def take_pick(position: Tabletop, player: Seat, lot: int) -> None:
    """Give a player a lot of a draft; they place it before the next player picks."""
    bazaar = running_bazaar(position)
    _give_lot(position, bazaar, lot, player, picked=True)
    position.agenda.append(NextPick(player))
    position.agenda.append(PlaceBought(player, bazaar.tiles[lot]))


def _give_lot(position: Tabletop, bazaar: Bazaar, lot: int, player: Seat, *, picked: bool = False) -> None:
    """Give a player a lot for 0 points."""
    position.extra[BAZAAR] = bazaar.with_owner(lot, player)
    position.emit(LotSold(lot + 1, player, 0, player, BANK, picked=picked))


@dataclass(frozen=True, slots=True)
class ChooseLot(Step[Tabletop]):
    """Put a lot up for auction with an opening bid (BZ-12), or pick a lot, as in a draft."""

    out_of_turn: ClassVar[bool] = True
    player: Seat
    bazaar: Bazaar

    def picks(self, position: Tabletop) -> bool:
        """Return True if a lot is picked without bidding: in a draft, or because no other player can bid any more."""
        return self.bazaar.draft or (
            position.setup.rules >= LAST_PLAYER_CHOOSES_SINCE
            and _players_without_lot(position, self.bazaar) == [self.player]
        )

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return every open lot, with every opening bid."""
        lots = self.bazaar.open_lots
        if self.picks(position):
            return tuple(PickLot(lot + 1) for lot in lots)
        return OpeningBids(lots, highest_bid(position, self.player))

    def apply(self, position: Tabletop, action: SelectLot | PickLot) -> None:
        """Open the bidding, or give the lot to the player."""
        if isinstance(action, SelectLot):
            self._open(position, action.lot - 1, action.bid)
        elif self.bazaar.draft:
            take_pick(position, self.player, action.lot - 1)
        else:
            _give_lot(position, self.bazaar, action.lot - 1, self.player, picked=True)

    def forfeit(self, position: Tabletop) -> None:
        """Open the first lot with a bid of 0 if others can bid; in a draft, let the next player pick."""
        if self.bazaar.draft:
            position.agenda.append(NextPick(self.player))
        elif position.setup.rules < LAST_PLAYER_CHOOSES_SINCE or len(_players_without_lot(position, self.bazaar)) > 1:
            self._open(position, self.bazaar.open_lots[0], 0)

    def _open(self, position: Tabletop, lot: int, bid: int) -> None:
        """Put a lot up for auction and ask the first bidder."""
        position.extra[BAZAAR] = replace(self.bazaar, lot=lot, bid=bid, bidder=self.player)
        position.emit(LotChosen(self.player, lot + 1, bid))
        _ask_next(position, self.player)


def highest_bid(position: Tabletop, player: Seat) -> int:
    """Return the highest bid that a player may make (BZ-21, BZ-22)."""
    if options_of(position).bazaar_bid_limit == "unlimited":
        return MAX_BID
    return max(0, min(MAX_BID, position.scores[player]))


class OpeningBids(LazyActions):
    """Every lot with every bid from 0, created on demand."""

    __slots__ = ("_bids", "_lots")

    def __init__(self, lots: tuple[int, ...], highest: int) -> None:
        self._lots = lots
        self._bids = highest + 1

    def __len__(self) -> int:
        return len(self._lots) * self._bids

    def action(self, index: int) -> Action:
        """Return the opening with this number."""
        lot, bid = divmod(index, self._bids)
        return SelectLot(self._lots[lot] + 1, bid)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, SelectLot) and action.lot - 1 in self._lots and 0 <= action.bid < self._bids


def _ask_next(position: Tabletop, after: Seat) -> None:
    """Ask the next player without a lot; after all others, let the selector decide (BZ-13, BZ-15)."""
    bazaar = running_bazaar(position)
    seats = position.seats_after(after)
    for seat in seats[: seats.index(bazaar.selector)]:
        if bazaar.lot_of(seat) < 0 and not position.withdrawn[seat]:
            position.agenda.append(BidOnLot(seat, bazaar))
            return
    if bazaar.bidder == bazaar.selector:
        _sell(position, bazaar, bazaar.selector, payer=bazaar.selector, payee=BANK)
    else:
        position.agenda.append(BuyOrSell(bazaar.selector, bazaar))


@dataclass(frozen=True, slots=True)
class BidOnLot(Step[Tabletop]):
    """Raise the bid or pass; each player is asked once (BZ-13, BZ-14)."""

    out_of_turn: ClassVar[bool] = True
    player: Seat
    bazaar: Bazaar

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return passing and every higher bid."""
        return Raises(self.bazaar.bid + 1, highest_bid(position, self.player))

    def apply(self, position: Tabletop, action: Bid | Pass) -> None:
        """Bid or pass, and ask the next player."""
        if isinstance(action, Bid):
            position.extra[BAZAAR] = replace(self.bazaar, bid=action.amount, bidder=self.player)
            position.emit(BidMade(self.player, action.amount))
        else:
            position.emit(BidPassed(self.player))
        _ask_next(position, self.player)

    def forfeit(self, position: Tabletop) -> None:
        """Pass."""
        self.apply(position, Pass())


class Raises(LazyActions):
    """Passing, then every bid in a range, created on demand."""

    __slots__ = ("_bids",)

    def __init__(self, lowest: int, highest: int) -> None:
        self._bids = range(lowest, highest + 1)

    def __len__(self) -> int:
        return len(self._bids) + 1

    def action(self, index: int) -> Action:
        """Return the answer with this number."""
        return Bid(self._bids[index - 1]) if index else Pass()

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Pass) or (isinstance(action, Bid) and action.amount in self._bids)


@dataclass(frozen=True, slots=True)
class BuyOrSell(Step[Tabletop]):
    """Pay the highest bidder and keep the lot, or sell it for the bid (BZ-16, BZ-17)."""

    out_of_turn: ClassVar[bool] = True
    player: Seat
    bazaar: Bazaar

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return buying and selling, or only selling if the selector cannot pay (BZ-22)."""
        return (Buy(), Sell()) if self.bazaar.bid <= highest_bid(position, self.player) else (Sell(),)

    def default_action(self, position: Tabletop) -> Action:
        """Return selling."""
        return Sell()

    def apply(self, position: Tabletop, action: Action) -> None:
        """Move the points and the lot (BZ-18)."""
        bidder = self.bazaar.bidder
        if isinstance(action, Buy):
            _sell(position, self.bazaar, self.player, payer=self.player, payee=bidder)
        else:
            _sell(position, self.bazaar, bidder, payer=bidder, payee=self.player)

    def forfeit(self, position: Tabletop) -> None:
        """Sell the lot."""
        self.apply(position, Sell())


def _sell(position: Tabletop, bazaar: Bazaar, player: Seat, *, payer: Seat, payee: Seat) -> None:
    """Give the lot to a player, and let the payer pay the bid to the payee."""
    position.scores[payer] -= bazaar.bid
    if payee != BANK:
        position.scores[payee] += bazaar.bid
    position.extra[BAZAAR] = bazaar.with_owner(bazaar.lot, player)
    position.emit(LotSold(bazaar.lot + 1, player, bazaar.bid, payer, payee))


@dataclass(frozen=True, slots=True)
class PlaceBought(Task[Tabletop]):
    """A player places the tile that they bought (BZ-31)."""

    player: Seat
    tile: TileKind

    def run(self, position: Tabletop) -> None:
        """Offer the tile; replace it or lose it if it fits nowhere (BZ-32)."""
        if not offer_tile(position, self.player, self.tile, drawn=False):
            replace_tile(position, self.player)


def replace_tile(position: Tabletop, player: Seat) -> None:
    """Let a player draw another tile for a bought one that was lost, by option (BZ-32)."""
    if options_of(position).auctioned_tile_unplaceable == "discard_and_redraw":
        position.agenda.append(Draw(player))


def limit_random_bid(position: Tabletop, action: Action, rng: Random) -> Action:
    """Replace a random bid, which may be as high as :data:`MAX_BID`, by a realistic one; keep other actions."""
    match action:
        case Bid() if isinstance(position.step, BidOnLot):
            return Bid(min(action.amount, position.step.bazaar.bid + HIGHEST_RAISE))
        case SelectLot():
            return SelectLot(action.lot, min(action.bid, rng.randrange(HIGHEST_RAISE + 1)))
        case _:
            return action
