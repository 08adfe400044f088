"""Standing orders and plans: decisions that players make in advance, and that the boxes in play understand.

A standing order answers a question of a box in the same way each time; a plan answers a sequence of questions. They are
no part of the rules: they yield the action that the player would choose, which is applied like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.actions import Action, Seat
from engine.carcassonne.box import StandingOrders
from engine.carcassonne.expansions import REGISTRY
from engine.carcassonne.table import Tabletop
from engine.errors import EngineError, IllegalActionError, NotationError


def may_be_ordered(position: Tabletop, before: Tabletop) -> bool:
    """Return True if a standing order may answer the current step; ``before`` is the position before the last move."""
    return any(box.may_be_ordered(position, before) for box in _in_play(position))


def ordered_action(position: Tabletop, orders: Mapping[str, str]) -> Action | None:
    """Return the action that the standing orders (by name) of the player to move imply; None to ask the player."""
    answers = (box.ordered_action(position, orders) for box in _in_play(position))
    return next((answer for answer in answers if answer is not None), None)


def check_plan(position: Tabletop, seat: Seat, text: str) -> None:
    """Make sure that a text is a plan of one of the boxes, and that the player can make it now.

    Raises:
        NotationError: the text is not a plan.
        IllegalActionError: the plan is impossible now, or the game has no plans.
    """
    refused: EngineError = IllegalActionError(f"nothing can be planned in this game: {text!r} by seat {seat}")
    for box in _in_play(position):
        try:
            return box.check_plan(position, seat, text)
        except NotationError as error:
            refused = error
    raise refused


def may_plan(position: Tabletop, seat: Seat) -> bool:
    """Return True if the player of a seat can make a plan now."""
    return any(box.may_plan(position, seat) for box in _in_play(position))


def _in_play(position: Tabletop) -> Iterator[StandingOrders]:
    """Yield the standing orders of the boxes in play."""
    boxes = (REGISTRY[name].standing_orders for name in position.setup.expansions)
    return (box for box in boxes if box is not None)
