"""Standing orders of this box: to draw without being asked for the abbey, and to leave scored wagons at home.

A player gives them in advance, so that the game need not wait for them. Orders are no part of the rules:
:func:`ordered_action` returns the action that the player would choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.actions import Action, Pass, Seat
from engine.carcassonne.expansions.abbey_mayor.abbeys import DecideAbbey
from engine.carcassonne.expansions.abbey_mayor.wagons import DecideWagon
from engine.carcassonne.table import Tabletop
from engine.errors import NotationError

ABBEY_ORDER: Final = "abbey"
"""The name of the order about the abbey; without it the player is asked."""
DRAW: Final = "draw"
"""The order to draw a tile and keep the abbey."""
WAGON_ORDER: Final = "wagon"
"""The name of the order about the wagon; without it the player is asked."""
STAYS: Final = "stays"
"""The order to leave a scored wagon at home."""


def may_be_ordered(position: Tabletop, _before: Tabletop) -> bool:
    """Return True if a standing order may answer the current step."""
    return isinstance(position.step, DecideAbbey | DecideWagon)


def ordered_action(position: Tabletop, orders: Mapping[str, str]) -> Action | None:
    """Return the action that the standing orders of the player to move imply; None to ask the player."""
    match position.step:
        case DecideAbbey() if orders.get(ABBEY_ORDER) == DRAW:
            return Pass()
        case DecideWagon() if orders.get(WAGON_ORDER) == STAYS:
            return Pass()
        case _:
            return None


def check_plan(_position: Tabletop, _seat: Seat, text: str) -> None:
    """Refuse a plan: this box has none.

    Raises:
        NotationError: always.
    """
    raise NotationError(f"not a plan: {text!r}")


def may_plan(_position: Tabletop, _seat: Seat) -> bool:
    """Return False: this box has no plans."""
    return False
