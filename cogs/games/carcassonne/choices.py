"""The buttons of every decision that is made directly: castles and the bazaar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ButtonStyle

from cogs.games.carcassonne.words import action_words
from cogs.presenting.ids import Op
from cogs.presenting.offers import Offer, act
from cogs.texts import t
from cogs.words.terms import capital
from engine import Pass
from engine.carcassonne import (
    Bid,
    BidOnLot,
    BuildCastle,
    Buy,
    BuyOrSell,
    ChooseCastleSource,
    ChooseLot,
    DecideTown,
    DeployFollower,
    PickLot,
    Position,
    ScoreTown,
    SelectLot,
    Sell,
)

if TYPE_CHECKING:
    from engine.carcassonne import Bazaar

RAISES: Final = (1, 2, 5)
"""By how much the buttons raise a bid."""
OPENINGS: Final = (0, 1, 2, 3)
"""The opening bids that have a button."""
CREDIT: Final = 5
"""By how much the bid of a button may exceed the points of who bids: a bid without points is legal (BZ-21), and nobody
presses his way far below nothing."""
BID: Final = "bid"
"""The argument of ``Op.OTHER`` for a raise; otherwise it is the number of a lot."""


def choice_offers(position: Position) -> list[Offer]:  # noqa: PLR0911 - one return a step
    """The buttons of the decision at hand; none while a tile is to be placed or the game is over."""
    match position.step:
        case DeployFollower():  # the composer decides about it together with the tile
            return [act(action, capital(action_words(position, action))) for action in position.legal_actions]
        case DecideTown(points=points):
            return [
                act(BuildCastle(), t("button.castle"), ButtonStyle.primary),
                act(ScoreTown(), t("button.town", count=points)),
            ]
        case ChooseCastleSource(options=options):
            return [
                act(action, t("button.source", source=capital(action_words(position, action)), count=points))
                for action, points in options
            ]
        case ChooseLot(bazaar=bazaar) as step:
            return _lot_offers(bazaar, picks=step.picks(position))
        case BidOnLot(bazaar=bazaar):
            return _bid_offers(position, bazaar)
        case BuyOrSell(bazaar=bazaar):
            offered = ((Buy(), "button.buy"), (Sell(), "button.sell"))
            return [
                act(action, t(key, count=bazaar.bid), ButtonStyle.primary)
                for action, key in offered
                if action in position.legal_actions
            ]
        case _:
            return []


def _lot_offers(bazaar: Bazaar, *, picks: bool) -> list[Offer]:
    lots = [lot + 1 for lot in bazaar.open_lots]
    if picks:
        return [act(PickLot(lot), t("button.pick", lot=lot), ButtonStyle.primary) for lot in lots]
    return [Offer(Op.LOT, t("button.lot", lot=lot), str(lot), ButtonStyle.primary) for lot in lots]


def _bid_offers(position: Position, bazaar: Bazaar) -> list[Offer]:
    bids = [Bid(bazaar.bid + more) for more in RAISES if bazaar.bid + more <= _affordable(position)]
    offered = [
        act(bid, action_words(position, bid), ButtonStyle.primary) for bid in bids if bid in position.legal_actions
    ]
    other = [Offer(Op.OTHER, t("button.other"), BID)] if len(position.legal_actions) > 1 else []
    return [act(Pass(), t("button.pass")), *offered, *other]


def _affordable(position: Position) -> int:
    """The highest bid that has a button, whatever the rules allow."""
    return max(position.scores[position.player], 0) + CREDIT


def opening_offers(position: Position, lot: int) -> list[Offer]:
    """The opening bids for a lot that the selector has chosen."""
    offered = [
        act(SelectLot(lot, bid), t("button.opening", count=bid), ButtonStyle.primary)
        for bid in OPENINGS
        if SelectLot(lot, bid) in position.legal_actions
    ]
    return [*offered, Offer(Op.OTHER, t("button.other"), str(lot))]
