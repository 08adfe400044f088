"""The buttons of every decision that is made directly: castles and the bazaar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle

from cogs.texts import t
from cogs.ui.ids import Op
from cogs.ui.press import Press, button
from cogs.ui.words import action_words, capital
from engine import Action, Pass
from engine.carcassonne import (
    Bid,
    BidOnLot,
    BuildCastle,
    Buy,
    BuyOrSell,
    ChooseCastleSource,
    ChooseLot,
    DecideTown,
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
BID: Final = "bid"
"""The argument of ``Op.OTHER`` for a raise; otherwise it is the number of a lot."""


def choice_buttons(code: str, position: Position) -> list[Press]:
    """The buttons of the decision at hand; none while a tile is to be placed or the game is over."""
    ply = position.ply
    match position.step:
        case DecideTown(points=points):
            return [
                act(code, ply, BuildCastle(), t("button.castle"), ButtonStyle.primary),
                act(code, ply, ScoreTown(), t("button.town", count=points)),
            ]
        case ChooseCastleSource(options=options):
            return [
                act(code, ply, action, t("button.source", source=capital(action_words(position, action)), count=points))
                for action, points in options
            ]
        case ChooseLot(bazaar=bazaar):
            return _lot_buttons(code, ply, bazaar)
        case BidOnLot(bazaar=bazaar):
            return _bid_buttons(code, position, bazaar)
        case BuyOrSell(bazaar=bazaar):
            offered = ((Buy(), "button.buy"), (Sell(), "button.sell"))
            return [
                act(code, ply, action, t(key, count=bazaar.bid), ButtonStyle.primary)
                for action, key in offered
                if action in position.legal_actions
            ]
        case _:
            return []


def act(code: str, ply: int, action: Action, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    """A button that does one action."""
    return button(Op.ACT, code, ply, label, argument=str(action), style=style)


def _lot_buttons(code: str, ply: int, bazaar: Bazaar) -> list[Press]:
    lots = [lot + 1 for lot in bazaar.open_lots]
    if bazaar.draft:
        return [act(code, ply, PickLot(lot), t("button.pick", lot=lot), ButtonStyle.primary) for lot in lots]
    return [
        button(Op.LOT, code, ply, t("button.lot", lot=lot), argument=str(lot), style=ButtonStyle.primary)
        for lot in lots
    ]


def _bid_buttons(code: str, position: Position, bazaar: Bazaar) -> list[Press]:
    ply = position.ply
    bids: Sequence[Action] = [Bid(bazaar.bid + more) for more in RAISES]
    offered = [
        act(code, ply, bid, action_words(position, bid), ButtonStyle.primary)
        for bid in bids
        if bid in position.legal_actions
    ]
    other = [button(Op.OTHER, code, ply, t("button.other"), argument=BID)] if offered else []
    return [act(code, ply, Pass(), t("button.pass")), *offered, *other]


def opening_buttons(code: str, position: Position, lot: int) -> list[Press]:
    """The opening bids for a lot that the selector has chosen."""
    offered = [
        act(code, position.ply, SelectLot(lot, bid), t("button.opening", count=bid), ButtonStyle.primary)
        for bid in OPENINGS
        if SelectLot(lot, bid) in position.legal_actions
    ]
    return [*offered, button(Op.OTHER, code, position.ply, t("button.other"), argument=str(lot))]
