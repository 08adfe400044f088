"""Bazaars in the text forms: the lots, who holds them, and whose turn it is to bid."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from engine.actions import Seat
from engine.carcassonne.box import Memory
from engine.carcassonne.expansions.bridges_castles_bazaars import auction, bazaars
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import DELAYED
from engine.carcassonne.expansions.bridges_castles_bazaars.lots import BAZAAR, Bazaar, bazaar_of
from engine.carcassonne.segments import TILE
from engine.carcassonne.table import Tabletop
from engine.grammar.words import NUMBER, PLAYER, Word, read_player, read_seat, seat_text

S = TypeVar("S")
"""A step of a bazaar."""


def _write_bazaar(position: Tabletop) -> str:
    """``auction 1 2 3@5/4 base/A=1 base/B``: who opened it, the selector, the lot with its bid and bidder, the lots."""
    bazaar = bazaar_of(position)
    if bazaar is None:
        return ""
    lot = "-" if bazaar.lot < 0 else f"{bazaar.lot + 1}@{bazaar.bid}/{seat_text(bazaar.bidder)}"
    lots = (
        kind.id if owner < 0 else f"{kind.id}={seat_text(owner)}"
        for kind, owner in zip(bazaar.tiles, bazaar.owners, strict=True)
    )
    mode = "draft" if bazaar.draft else "auction"
    return " ".join((mode, seat_text(bazaar.active), seat_text(bazaar.selector), lot, *lots))


_LOT: Final = re.compile(r"-|([1-9]\d?)@(\d{1,4})/([1-9])", re.ASCII)


def _read_bazaar(position: Tabletop, text: str) -> None:
    mode, active, selector, lot, *lots = text.split()
    match = _LOT.fullmatch(lot)
    if mode not in {"auction", "draft"} or match is None:
        raise ValueError(f"not a bazaar: {text!r}")
    sold = [entry.partition("=") for entry in lots]
    number, bid, bidder = match.groups()
    if number and int(number) > len(lots):
        raise ValueError(f"no lot {number!r}")
    position.extra[BAZAAR] = Bazaar(
        active=read_player(position, active),
        tiles=tuple(TILE.read(position, name) for name, _, _ in sold),
        owners=tuple(read_seat(owner or "-", position.players) for _, _, owner in sold),
        draft=mode == "draft",
        selector=read_player(position, selector),
        lot=int(number or 0) - 1,
        bid=int(bid or 0),
        bidder=read_seat(bidder or "-", position.players),
    )


def _write_delayed(position: Tabletop) -> str:
    return " ".join(map(seat_text, position.extra.get(DELAYED, ())))


def _read_delayed(position: Tabletop, text: str) -> None:
    position.extra[DELAYED] = tuple(read_player(position, entry) for entry in text.split())


def _of_bazaar(step: Callable[[Seat, Bazaar], S]) -> Callable[[Tabletop, Seat], S]:
    """Builds a step that knows the bazaar."""

    def build(position: Tabletop, player: Seat) -> S:
        bazaar = bazaar_of(position)
        if bazaar is None:
            raise ValueError("there is no [Bazaar]")
        return step(player, bazaar)

    return build


def _turn_up(position: Tabletop, active: Seat, count: int) -> bazaars.TurnUp:
    """The tiles that come next are those that were set aside; which they are nobody knows."""
    if count > position.pile_left:
        raise ValueError(f"{count} tiles cannot be set aside")
    position.next_tile += count
    return bazaars.TurnUp(active, position.next_tile - count, count)


WORDS: Final = (
    Word("lots", auction.NextLot, {"active": PLAYER}),
    Word("picks", auction.NextPick, {"last": PLAYER}),
    Word("lot", auction.ChooseLot, {"player": PLAYER}, build=_of_bazaar(auction.ChooseLot)),
    Word("bid", auction.BidOnLot, {"player": PLAYER}, build=_of_bazaar(auction.BidOnLot)),
    Word("deal", auction.BuyOrSell, {"player": PLAYER}, build=_of_bazaar(auction.BuyOrSell)),
    Word("bought", auction.PlaceBought, {"player": PLAYER, "tile": TILE}),
    Word("turnup", bazaars.TurnUp, {"active": PLAYER, "count": NUMBER}, build=_turn_up),
    Word("close", bazaars.CloseBazaar, {"active": PLAYER}),
)

MEMORIES: Final = (Memory("Bazaar", _write_bazaar, _read_bazaar), Memory("Delayed", _write_delayed, _read_delayed))
