"""Standing orders of this box: to draw without being asked for the abbey, and where scored wagons go.

A scored wagon stays at home by an order for all wagons, or moves to one place by an order for the wagon where it stands
now. A player gives orders in advance, so that the game need not wait for them. Orders are no part of the rules:
:func:`ordered_action` returns the action that the player would choose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.actions import CELL, SEGMENT, Action, Pass, Seat
from engine.carcassonne.expansions.abbey_mayor.abbeys import DecideAbbey
from engine.carcassonne.expansions.abbey_mayor.wagons import WAGON, DecideWagon, MoveWagon, may_move_on, wagon_targets
from engine.carcassonne.table import Tabletop
from engine.errors import NotationError
from engine.geometry import Cell

ABBEY_ORDER: Final = "abbey"
"""The name of the order about the abbey; without it the player is asked."""
DRAW: Final = "draw"
"""The order to draw a tile and keep the abbey."""
WAGON_ORDER: Final = "wagon"
"""The name of the order about the wagon; without it the player is asked."""
STAYS: Final = "stays"
"""The order to leave a scored wagon at home."""
_FORM: Final = re.compile(rf"{CELL}\.{SEGMENT} wagon:{CELL}\.{SEGMENT}", re.ASCII)
"""The text form of a :class:`WagonOrder`, such as ``M12.road.S wagon:M13.monastery``."""


@dataclass(frozen=True, slots=True)
class WagonOrder:
    """The order to move a wagon to one place when it has scored where it stands now.

    If the place is then out of reach, complete or taken, the player is asked.
    """

    cell: Cell
    segment: str
    move: MoveWagon

    def __str__(self) -> str:
        return f"{self.cell.label}.{self.segment} {self.move}"

    @staticmethod
    def parse(text: str) -> WagonOrder:
        """Read the text form.

        Raises:
            NotationError: the text is no such order.
        """
        match = _FORM.fullmatch(text)
        if match is None:
            raise NotationError(f"not an order for a wagon: {text!r}")
        cell, segment, to_cell, to_segment = match.groups()
        return WagonOrder(Cell.parse(cell), segment, MoveWagon(Cell.parse(to_cell), to_segment))

    def answer(self, position: Tabletop, step: DecideWagon) -> Action | None:
        """Return the move of a scored wagon, if it is the one of the order and can still go there."""
        cell, segment = position.land.part(step.segment)
        is_meant = cell == self.cell and segment.is_named(self.segment)
        return self.move if is_meant and self.move in step.actions(position) else None


def possible_wagon_orders(position: Tabletop, seat: Seat) -> tuple[WagonOrder, ...]:
    """Return the orders that a player can give now for their wagon on the board, by the places that it would reach."""
    standing = (holder for holders in position.land.holders for holder in holders)
    wagon = next((holder for holder in standing if (holder.figure, holder.player) == (WAGON, seat)), None)
    if wagon is None or not may_move_on(position, wagon):
        return ()
    cell, segment = position.land.part(wagon.segment)
    return tuple(WagonOrder(cell, segment.name, move) for move in wagon_targets(position, wagon.segment))


def may_be_ordered(position: Tabletop, _before: Tabletop) -> bool:
    """Return True if a standing order may answer the current step."""
    return isinstance(position.step, DecideAbbey | DecideWagon)


def ordered_action(position: Tabletop, orders: Mapping[str, str]) -> Action | None:
    """Return the action that the standing orders of the player to move imply; None to ask the player."""
    match position.step:
        case DecideAbbey() if orders.get(ABBEY_ORDER) == DRAW:
            return Pass()
        case DecideWagon() as step:
            return _wagon_answer(position, step, orders.get(WAGON_ORDER, ""))
        case _:
            return None


def _wagon_answer(position: Tabletop, step: DecideWagon, order: str) -> Action | None:
    """Return the answer of an order to the question about a scored wagon; None to ask the player."""
    if order == STAYS:
        return Pass()
    try:
        return WagonOrder.parse(order).answer(position, step)
    except NotationError:
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
