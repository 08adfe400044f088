"""Bazaars: lots and bids in words, their buttons, what a decision costs, and what waits to be laid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle

from cogs.games.carcassonne.box import Actions, EventWords, Question, Questions
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.operations import LOT, OTHER
from cogs.games.carcassonne.words import tile_words
from cogs.presenting.presenter import Offer, Shown, act
from cogs.texts import t
from cogs.words.alt_texts import LONGEST
from cogs.words.names import pictured_names, plain_names
from cogs.words.story import fitting, lines_within, units, without_marks
from engine import Action, Pass
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BANK,
    Bazaar,
    BazaarDelayed,
    BazaarOpened,
    BazaarSkipped,
    Bid,
    BidMade,
    BidOnLot,
    BidPassed,
    Buy,
    BuyOrSell,
    ChooseLot,
    LotChosen,
    LotLost,
    LotSold,
    LotsSetAside,
    PickLot,
    SelectLot,
    Sell,
    bazaar_of,
    still_to_lay,
)
from renderers import Theme
from renderers.carcassonne.questions.bridges_castles_bazaars import lots

if TYPE_CHECKING:
    from engine.events import Event
    from host import Game

RAISES: Final = (1, 2, 5)
"""By how much the buttons raise a bid."""
OPENINGS: Final = (0, 1, 2, 3)
"""The opening bids that have a button."""
CREDIT: Final = 5
"""By how much the bid of a button may exceed the points of who bids: a bid without points is legal (BZ-21), and nobody
presses his way far below nothing."""
BID: Final = "bid"
"""The argument of ``OTHER`` for a raise; otherwise it is the number of a lot."""
TO_LAY: Final = 600
"""Characters of a message given to the tiles that wait: six lots of players with long names take no more space."""


# -- what it is about --------------------------------------------------------------------------------------------------


def bazaar_words(names: Sequence[str], position: Position) -> str:
    """The lots while they are handed out; then who has still to lay which."""
    match position.step:
        case ChooseLot(bazaar=bazaar) | BidOnLot(bazaar=bazaar) | BuyOrSell(bazaar=bazaar):
            return _lots_words(names, bazaar)
        case _:
            return _to_lay_words(names, position)


def _to_lay_words(names: Sequence[str], position: Position) -> str:
    """One line with the bought tiles that wait to be laid; empty when there are none."""
    waiting = [t("lots.of", player=names[seat], tile=tile_words(kind)) for seat, kind in still_to_lay(position)]
    room = TO_LAY - units(t("lots.to_lay", tiles=""))
    return t("lots.to_lay", tiles=lines_within(waiting, room, " · ")) if waiting else ""


def _lots_words(names: Sequence[str], bazaar: Bazaar) -> str:
    """One line a lot: number, what is drawn on it, who has it."""
    lines: list[str] = []
    for lot, (kind, owner) in enumerate(zip(bazaar.tiles, bazaar.owners, strict=True)):
        key = "lots.sold" if owner >= 0 else "lots.up" if lot == bazaar.lot else "lots.open"
        owner_name = names[owner] if owner >= 0 else ""
        lines.append(t(key, lot=lot + 1, tile=tile_words(kind), owner=owner_name))
    return "\n".join(lines)


def _pictures(game: Game, _: Position, step: ChooseLot | BidOnLot | BuyOrSell, theme: Theme) -> list[Shown]:
    bazaar = step.bazaar
    words = without_marks(_lots_words(plain_names(game), bazaar)).splitlines()
    picture = lots(bazaar.tiles, bazaar.owners, bazaar.lot, pictured_names(game), theme=theme)
    room = LONGEST - units(t("alt.lots", lots=""))
    return [Shown(picture, t("alt.lots", lots=fitting(words, room, "; ")))]


# -- choosing a lot ----------------------------------------------------------------------------------------------------


def _lot_headline(_: Sequence[str], position: Position, step: ChooseLot, player: str) -> str:
    return t("headline.pick" if step.picks(position) else "headline.lot", player=player)


def _lot_offers(position: Position, step: ChooseLot) -> list[Offer]:
    numbers = [lot + 1 for lot in step.bazaar.open_lots]
    if step.picks(position):
        return [act(PickLot(lot), t("button.pick", lot=lot), ButtonStyle.primary) for lot in numbers]
    return [Offer(LOT, t("button.lot", lot=lot), str(lot), ButtonStyle.primary) for lot in numbers]


def opening_offers(position: Position, lot: int) -> list[Offer]:
    """The opening bids for a lot that the selector has chosen."""
    offered = [
        act(SelectLot(lot, bid), t("button.opening", count=bid), ButtonStyle.primary)
        for bid in OPENINGS
        if SelectLot(lot, bid) in position.legal_actions
    ]
    return [*offered, Offer(OTHER, t("button.other"), str(lot))]


def _lot_prospect(_: Sequence[str], position: Position, __: ChooseLot, action: Action) -> str:
    match action:
        case SelectLot(lot=lot, bid=bid):
            return t("prospect.open", lot=lot, count=bid, left=_left(position, -bid))
        case PickLot(lot=lot):
            return t("prospect.pick", lot=lot)
        case _:
            return ""


# -- bidding -----------------------------------------------------------------------------------------------------------


def _bid_headline(names: Sequence[str], _: Position, step: BidOnLot, player: str) -> str:
    bazaar = step.bazaar
    return t("headline.bid", player=player, lot=bazaar.lot + 1, bid=bazaar.bid, bidder=names[bazaar.bidder])


def _bid_offers(position: Position, step: BidOnLot) -> list[Offer]:
    bids = [Bid(step.bazaar.bid + more) for more in RAISES if step.bazaar.bid + more <= _affordable(position)]
    offered = [
        act(bid, t("action.bid", count=bid.amount), ButtonStyle.primary)
        for bid in bids
        if bid in position.legal_actions
    ]
    other = [Offer(OTHER, t("button.other"), BID)] if len(position.legal_actions) > 1 else []
    return [act(Pass(), t("button.pass")), *offered, *other]


def _affordable(position: Position) -> int:
    """The highest bid that has a button, whatever the rules allow."""
    return max(position.scores[position.player], 0) + CREDIT


def _bid_prospect(names: Sequence[str], position: Position, step: BidOnLot, action: Action) -> str:
    bazaar = step.bazaar
    lot = bazaar.lot + 1
    match action:
        case Bid(amount=amount):
            seller = names[bazaar.selector]
            return t("prospect.bid", lot=lot, player=seller, count=amount, left=_left(position, -amount))
        case Pass():
            return t("prospect.pass", lot=lot, left=_left(position, 0))
        case _:
            return ""


# -- buying and selling ------------------------------------------------------------------------------------------------


def _buy_headline(names: Sequence[str], _: Position, step: BuyOrSell, player: str) -> str:
    bazaar = step.bazaar
    return t("headline.buy", player=player, lot=bazaar.lot + 1, count=bazaar.bid, bidder=names[bazaar.bidder])


def _buy_offers(position: Position, step: BuyOrSell) -> list[Offer]:
    offered = ((Buy(), "button.buy"), (Sell(), "button.sell"))
    return [
        act(action, t(key, count=step.bazaar.bid), ButtonStyle.primary)
        for action, key in offered
        if action in position.legal_actions
    ]


def _buy_prospect(names: Sequence[str], position: Position, step: BuyOrSell, action: Action) -> str:
    bazaar = step.bazaar
    lot, bid, bidder = bazaar.lot + 1, bazaar.bid, names[bazaar.bidder]
    match action:
        case Buy():
            return t("prospect.buy", lot=lot, player=bidder, count=bid, left=_left(position, -bid))
        case Sell():
            return t("prospect.sell", lot=lot, player=bidder, count=bid, left=_left(position, bid))
        case _:
            return ""


def _left(position: Position, gain: int) -> int:
    return position.scores[position.player] + gain


# -- what happened -----------------------------------------------------------------------------------------------------


def _opened(names: Sequence[str], event: BazaarOpened) -> str:
    key = "story.draft_opened" if event.draft else "story.bazaar_opened"
    return t(key, player=names[event.player], count=len(event.tiles))


def _sold(names: Sequence[str], event: LotSold) -> str:
    name = names[event.player]
    if event.picked:
        return t("story.lot_picked", player=name, lot=event.lot)
    if not event.price:
        return t("story.lot_free", player=name, lot=event.lot)
    if event.payee == BANK:
        return t("story.lot_bank", player=name, lot=event.lot, count=event.price)
    payer, payee = names[event.payer], names[event.payee]
    return t("story.lot_sold", player=name, lot=event.lot, count=event.price, payer=payer, payee=payee)


def gains(event: Event) -> Iterator[tuple[int, str, int]]:
    """What was won or paid."""
    if isinstance(event, LotSold) and event.price:
        yield event.payer, "bazaar", -event.price
        if event.payee != BANK:
            yield event.payee, "bazaar", event.price


def out_of_turn(position: Position, seat: int) -> str:
    """Who has a lot does not bid any more (BZ-15)."""
    bazaar = bazaar_of(position)
    return "has_a_lot" if bazaar is not None and bazaar.active >= 0 and seat in bazaar.owners else ""


ACTIONS: Final[Actions] = {
    SelectLot: lambda _, action: t("action.select", lot=action.lot, bid=action.bid),
    Bid: lambda _, action: t("action.bid", count=action.amount),
    PickLot: lambda _, action: t("action.pick", lot=action.lot),
    Buy: lambda *_: t("action.Buy"),
    Sell: lambda *_: t("action.Sell"),
}
EVENTS: Final[EventWords] = {
    BazaarOpened: _opened,
    BazaarSkipped: lambda *_: t("story.bazaar_skipped"),
    BazaarDelayed: lambda *_: t("story.bazaar_delayed"),
    LotsSetAside: lambda _, event: t("story.lots_set_aside", count=event.count),
    LotChosen: lambda names, event: t("story.lot_chosen", player=names[event.player], lot=event.lot, bid=event.bid),
    BidMade: lambda names, event: t("story.bid", player=names[event.player], count=event.amount),
    BidPassed: lambda names, event: t("story.passed", player=names[event.player]),
    LotSold: _sold,
    LotLost: lambda _, event: t("story.lot_lost", lot=event.lot, tile=tile_words(event.tile)),
}
QUESTIONS: Final[Questions] = {
    ChooseLot: Question(headline=_lot_headline, offers=_lot_offers, prospect=_lot_prospect, pictures=_pictures),
    BidOnLot: Question(
        headline=_bid_headline, offers=_bid_offers, prospect=_bid_prospect, pictures=_pictures, passing="action.no_bid"
    ),
    BuyOrSell: Question(headline=_buy_headline, offers=_buy_offers, prospect=_buy_prospect, pictures=_pictures),
}
