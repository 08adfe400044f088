"""How many taps a move takes from the card, with pictures, by the shortest way: to compare other ways with."""

from collections.abc import Sequence
from typing import Any

from cogs.games.presenters import presenter_of
from cogs.panels.composer import compose
from cogs.presenting.ids import Op
from cogs.presenting.turn import Plan
from engine import Action, Place, Position
from host import Preferences
from tests.cogs.positions import game_of

CAREFUL = Preferences(confirm=True)


def taps_with_pictures(position: Position, actions: Sequence[Action]) -> int:
    """From [Play] to the tap that makes the move with which these actions begin; one and its confirmation each else."""
    laid = actions[0]
    if not isinstance(laid, Place):
        return 2 * len(actions)
    presenter, game = presenter_of(position), game_of(position)
    written = [str(action) for action in actions]
    shown, seen, taps = [""], {""}, 1
    while shown:
        taps += 1
        offers = [
            offer for plan in shown for row in compose(presenter, game, position, plan, CAREFUL).offers for offer in row
        ]
        if any(offer.op is Op.GO and _makes(offer.argument, written) for offer in offers):
            return taps
        further = {offer.argument for offer in offers if offer.op is Op.PLAN and _leads(offer.argument, laid)} - seen
        seen |= further
        shown = sorted(further)
    raise LookupError(written)


def _makes(argument: str, written: Sequence[str]) -> bool:
    """Whether a button does what was done, tile and figure at least."""
    done = argument.split()
    return len(done) > 1 and done == [*written[: len(done)]]


def _leads(argument: str, laid: Place) -> bool:
    """Whether a plan is one of a page of spots, or of a tile on this cell."""
    plan: Any = Plan.parse(argument)
    return plan.place is None or plan.place.cell == laid.cell
