"""What a decision about a castle or in a bazaar would cost, and what it would leave: told before it is confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cogs.texts import t
from engine import Action, Pass
from engine.carcassonne import (
    Bid,
    BidOnLot,
    BuildCastle,
    Buy,
    BuyOrSell,
    ChooseCastleSource,
    DecideTown,
    PickLot,
    Position,
    ScoreTown,
    SelectLot,
    Sell,
)

if TYPE_CHECKING:
    from engine.carcassonne import Bazaar


def prospect(names: Sequence[str], position: Position, action: Action) -> str:  # noqa: PLR0911 - one return a kind
    """One line; empty where nothing is to be said."""
    match position.step, action:
        case BuyOrSell() | BidOnLot(), _:
            return _bidding(names, position, action)
        case _, SelectLot(lot=lot, bid=bid):
            return t("prospect.open", lot=lot, count=bid, left=_left(position, -bid))
        case _, PickLot(lot=lot):
            return t("prospect.pick", lot=lot)
        case DecideTown(), BuildCastle():
            return t("prospect.castle", count=position.supply["castle"][position.player])
        case DecideTown(points=points), ScoreTown():
            return t("prospect.gain", count=points, left=_left(position, points))
        case ChooseCastleSource(options=options), _:
            points = next((points for source, points in options if source == action), 0)
            return t("prospect.gain", count=points, left=_left(position, points))
        case _:
            return ""


def _bidding(names: Sequence[str], position: Position, action: Action) -> str:
    step = position.step
    bazaar: Bazaar | None = getattr(step, "bazaar", None)
    if bazaar is None:
        return ""
    lot, bid = bazaar.lot + 1, bazaar.bid
    match action:
        case Bid(amount=amount):
            seller = names[bazaar.selector]
            return t("prospect.bid", lot=lot, player=seller, count=amount, left=_left(position, -amount))
        case Pass():
            return t("prospect.pass", lot=lot, left=_left(position, 0))
        case Buy():
            return t("prospect.buy", lot=lot, player=names[bazaar.bidder], count=bid, left=_left(position, -bid))
        case Sell():
            return t("prospect.sell", lot=lot, player=names[bazaar.bidder], count=bid, left=_left(position, bid))
        case _:
            return ""


def _left(position: Position, gain: int) -> int:
    return position.scores[position.player] + gain
