"""What players have decided before they are asked: each box in play says what it takes, and how it answers then.

None of it is a rule: it says what a player would answer now, and that is an action like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.actions import Action, Seat
from engine.carcassonne.box import StandingOrders
from engine.carcassonne.expansions import REGISTRY
from engine.carcassonne.table import Tabletop
from engine.errors import EngineError, IllegalActionError, NotationError


def may_be_ordered(position: Tabletop, before: Tabletop) -> bool:
    """Whether the decision at hand may have been taken before the move that leads from one position to the other."""
    return any(box.may_be_ordered(position, before) for box in _in_play(position))


def ordered_action(position: Tabletop, orders: Mapping[str, str]) -> Action | None:
    """What the player who has to decide has ordered, by the names of the orders; None to ask him."""
    answers = (box.ordered_action(position, orders) for box in _in_play(position))
    return next((answer for answer in answers if answer is not None), None)


def check_plan(position: Tabletop, seat: Seat, text: str) -> None:
    """Make sure that somebody can plan this now: that it is a plan of one of the boxes, and one that can be.

    Raises:
        NotationError: it is no plan.
        IllegalActionError: it cannot be planned now, or nothing can in this game.
    """
    refused: EngineError = IllegalActionError(f"nothing can be planned in this game: {text!r} by seat {seat}")
    for box in _in_play(position):
        try:
            return box.check_plan(position, seat, text)
        except NotationError as error:
            refused = error
    raise refused


def may_plan(position: Tabletop, seat: Seat) -> bool:
    """Whether the player of a seat still has anything to decide that can be planned now."""
    return any(box.may_plan(position, seat) for box in _in_play(position))


def _in_play(position: Tabletop) -> Iterator[StandingOrders]:
    """The boxes that take orders."""
    boxes = (REGISTRY[name].standing_orders for name in position.setup.expansions)
    return (box for box in boxes if box is not None)
