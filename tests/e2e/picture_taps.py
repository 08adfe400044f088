"""The smallest number of taps for a move in the composer with pictures, a measure for other ways of moving.

The composer is the private panel in which a player puts a move together; a tap is one press in it. A *plan* is the
state of the composer, which the custom ids of its buttons contain.
"""

from collections.abc import Sequence
from typing import Any

from cogs.games.presenters import presenter_of
from cogs.panels.composer import compose
from cogs.presenting.ids import Op
from cogs.presenting.turn import Plan
from engine import Action, Place, Position
from host import Preferences
from tests.cogs.positions import game_of

CONFIRMING = Preferences(confirm=True)
"""Preferences of a player who confirms each move."""


def taps_with_pictures(position: Position, actions: Sequence[Action]) -> int:
    """Count the taps from [Play] to the first move of these actions; an action outside a turn counts as two.

    The shortest way is found by breadth-first search over the plans that the buttons lead to. Raises `LookupError`.
    """
    placement = actions[0]
    if not isinstance(placement, Place):
        return 2 * len(actions)
    presenter, game = presenter_of(position), game_of(position)
    written = [str(action) for action in actions]
    plans, seen, taps = [""], {""}, 1
    while plans:
        taps += 1
        offers = [
            offer
            for plan in plans
            for row in compose(presenter, game, position, plan, CONFIRMING).offers
            for offer in row
        ]
        if any(offer.op is Op.GO and _completes(offer.argument, written) for offer in offers):
            return taps
        further = {
            offer.argument for offer in offers if offer.op is Op.PLAN and _leads_to(offer.argument, placement)
        } - seen
        seen |= further
        plans = sorted(further)
    raise LookupError(written)


def _completes(argument: str, written: Sequence[str]) -> bool:
    """Return whether a button's actions are the first of the move: at least tile and figure."""
    chosen = argument.split()
    return len(chosen) > 1 and chosen == [*written[: len(chosen)]]


def _leads_to(argument: str, placement: Place) -> bool:
    """Return whether a plan is a page of spots, or places the tile on this cell."""
    plan: Any = Plan.parse(argument)
    cell = plan.spot if plan.place is None else plan.place.cell
    return cell is None or cell == placement.cell
