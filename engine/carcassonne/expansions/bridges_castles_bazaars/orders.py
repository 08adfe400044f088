"""Standing orders of this box: whether to build castles on all towns or on none, and a plan for a bazaar.

A player gives them in advance, so that the game need not wait for them. Orders are no part of the rules:
:func:`ordered_action` returns the action that the player would choose. A town is a completed city of two tiles; in a
bazaar, tiles (lots) are auctioned, and the selector chooses the lot that comes up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.actions import Action, Pass, Seat
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import (
    Bid,
    BuildCastle,
    Buy,
    PickLot,
    ScoreTown,
    SelectLot,
    Sell,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.auction import (
    Bazaar,
    BidOnLot,
    BuyOrSell,
    ChooseLot,
    bazaar_of,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.towns import DecideTown
from engine.carcassonne.table import Tabletop
from engine.errors import IllegalActionError, NotationError

TOWNS: Final = "towns"
"""The name of the order about castles; without it the player is asked."""
ALWAYS: Final = "always"
"""The order to build a castle on every town."""
NEVER: Final = "never"
"""The order to score every town."""
PLAN: Final = "plan"
"""The name of the order that is a plan for a bazaar."""
_TOWNS: Final[Mapping[str, Action]] = {ALWAYS: BuildCastle(), NEVER: ScoreTown()}
"""The action that each order about castles stands for."""
_AUCTION: Final = (ChooseLot, BidOnLot, BuyOrSell)
"""The decisions of a bazaar that a plan can answer."""
_FORM: Final = re.compile(
    r"of:(?P<bazaar>\d{1,3})"
    r"(?P<openings>(?: lot:[1-9]@\d{1,3})*)"
    r"(?P<limits>(?: most:[1-9]@\d{1,3})*)"
    r"(?P<leap> leap)?"
    r"(?: buy:(?P<buy>\d{1,3}))?"
    r"(?P<passes> pass)?",
    re.ASCII,
)
"""The text form of a plan, such as ``of:40 lot:2@3 most:1@9 leap buy:5 pass``; see :class:`BazaarPlan`."""
_PAIR: Final = re.compile(r"([1-9])@(\d{1,3})", re.ASCII)
"""A lot and an amount of points, such as ``2@3``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BazaarPlan:
    """A player's plan for one bazaar; lots count from 1, as in actions.

    An entry that is not legal any more is skipped.
    """

    bazaar: int
    """The number of the bazaar (:func:`bazaar_number`)."""
    openings: tuple[SelectLot, ...] = ()
    """The lots to choose as the selector, in order of preference, with their opening bids."""
    limits: tuple[tuple[int, int], ...] = ()
    """Pairs of a lot and the highest bid for it, each lot at most once."""
    leap: bool = False
    """True to bid the limit at once, instead of just enough to lead."""
    buy: int | None = None
    """The highest price at which the selector buys a lot after being outbid; at a higher price they sell it."""
    passes: bool = False
    """True to pass, sell or open the first lot with 0 where no entry applies; otherwise the player is asked."""

    def __str__(self) -> str:
        limits = [f"most:{lot}@{amount}" for lot, amount in self.limits]
        buy = [] if self.buy is None else [f"buy:{self.buy}"]
        leap, passes = ["leap"] * self.leap, ["pass"] * self.passes
        return " ".join([f"of:{self.bazaar}", *map(str, self.openings), *limits, *leap, *buy, *passes])

    @staticmethod
    def parse(text: str) -> BazaarPlan:
        """Read the text form.

        Raises:
            NotationError: the text is not a plan.
        """
        match = _FORM.fullmatch(text)
        if match is None:
            raise NotationError(f"not a plan: {text!r}")
        limits = _pairs(match["limits"])
        if len(dict(limits)) < len(limits):
            raise NotationError(f"two limits for one lot: {text!r}")
        return BazaarPlan(
            bazaar=int(match["bazaar"]),
            openings=tuple(SelectLot(lot, bid) for lot, bid in _pairs(match["openings"])),
            limits=limits,
            leap=match["leap"] is not None,
            buy=None if match["buy"] is None else int(match["buy"]),
            passes=match["passes"] is not None,
        )

    def answer(self, position: Tabletop) -> Action | None:
        """Return the planned action for the current step; None to ask the player."""
        match position.step:
            case ChooseLot() as step:
                return self._choice(position, step)
            case BidOnLot(bazaar=bazaar):
                return self._bid(position, bazaar)
            case BuyOrSell(bazaar=bazaar):
                return self._price(position, bazaar)
            case _:
                return None

    def _choice(self, position: Tabletop, step: ChooseLot) -> Action | None:
        """Return the first planned lot that may be chosen; else the first of all, or None to ask the player."""
        offered, picks = position.legal_actions, step.picks(position)
        planned: list[Action] = [PickLot(entry.lot) if picks else entry for entry in self.openings]
        first = step.bazaar.open_lots[0] + 1
        default_action: Action = PickLot(first) if picks else SelectLot(first, 0)
        return next((action for action in planned if action in offered), default_action if self.passes else None)

    def _bid(self, position: Tabletop, bazaar: Bazaar) -> Action | None:
        """Return the planned bid; else passing, or None to ask the player."""
        limit = dict(self.limits).get(bazaar.lot + 1, -1)
        bid = Bid(limit if self.leap else bazaar.bid + 1)
        if bid.amount <= limit and bid in position.legal_actions:
            return bid
        return Pass() if self.passes else None

    def _price(self, position: Tabletop, bazaar: Bazaar) -> Action | None:
        """Return the planned answer to the highest bid: buying or selling, or None to ask the player."""
        if self.buy is None:
            return Sell() if self.passes else None
        return Buy() if bazaar.bid <= self.buy and Buy() in position.legal_actions else Sell()


def _pairs(text: str) -> tuple[tuple[int, int], ...]:
    """Read the pairs of a lot and an amount of points in a text."""
    return tuple((int(lot), int(amount)) for lot, amount in _PAIR.findall(text))


def bazaar_number(position: Tabletop) -> int:
    """Return a number that identifies a bazaar within its game: the tiles left, which every bazaar reduces."""
    return position.pile_left


def bazaar_to_plan(position: Tabletop, seat: Seat) -> Bazaar | None:
    """Return the bazaar in which the player of a seat still has to decide something, or None."""
    step = position.step
    if not isinstance(step, _AUCTION) or position.withdrawn[seat]:
        return None
    return step.bazaar if step.bazaar.lot_of(seat) < 0 else None


def may_plan(position: Tabletop, seat: Seat) -> bool:
    """Return True if the player of a seat still has to decide something in a bazaar."""
    return bazaar_to_plan(position, seat) is not None


def lots_not_on_offer(bazaar: Bazaar, plan: BazaarPlan) -> list[int]:
    """Return the lots of a plan that are not on offer."""
    offered = {lot + 1 for lot in bazaar.open_lots}
    planned = [entry.lot for entry in plan.openings] + [lot for lot, _ in plan.limits]
    return sorted(set(planned) - offered)


def check_plan(position: Tabletop, seat: Seat, text: str) -> None:
    """Make sure that the player of a seat can make this plan now.

    Raises:
        NotationError: the text is not a plan.
        IllegalActionError: the player has nothing to decide in this bazaar, or a lot is not on offer.
    """
    plan, bazaar = BazaarPlan.parse(text), bazaar_to_plan(position, seat)
    if bazaar is None or plan.bazaar != bazaar_number(position):
        raise IllegalActionError(f"no bazaar to plan: {text!r}")
    if lots := lots_not_on_offer(bazaar, plan):
        raise IllegalActionError(f"lots that are not on offer: {lots}")


def may_be_ordered(position: Tabletop, before: Tabletop) -> bool:
    """Return True if a standing order may answer the current step; in a bazaar only if it was open before the move."""
    return isinstance(position.step, DecideTown) or (
        isinstance(position.step, _AUCTION) and bazaar_of(before) is not None
    )


def ordered_action(position: Tabletop, orders: Mapping[str, str]) -> Action | None:
    """Return the action that the standing orders of the player to move imply; None to ask the player.

    An unreadable plan, or one for another bazaar, is ignored.
    """
    if isinstance(position.step, DecideTown):
        return _TOWNS.get(orders.get(TOWNS, ""))
    try:
        plan = BazaarPlan.parse(orders.get(PLAN, ""))
    except NotationError:
        return None
    return plan.answer(position) if plan.bazaar == bazaar_number(position) else None
