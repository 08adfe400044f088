"""Games that nobody plays: every decision is drawn at random from the legal ones.

Bids are kept small, so that auctions look like auctions.
"""

from __future__ import annotations

from random import Random

from engine.actions import Action, Bid, SelectLot
from engine.expansions.bazaars import BidOnLot
from engine.position import Position
from engine.setup import Setup

HIGHEST_RAISE = 3


def random_action(position: Position, random: Random) -> Action:
    """One of the legal actions; the position must not be over."""
    actions = position.legal_actions
    action = actions[random.randrange(len(actions))]
    match action:
        case Bid() if isinstance(position.step, BidOnLot):
            return Bid(min(action.amount, position.step.bazaar.bid + HIGHEST_RAISE))
        case SelectLot():
            return SelectLot(action.lot, min(action.bid, random.randrange(HIGHEST_RAISE + 1)))
        case _:
            return action


def random_game(setup: Setup, random: Random, *, plies: int | None = None) -> tuple[Position, list[Action]]:
    """Play to the end, or so many actions, through the checked interface; the position and what was done."""
    position = Position(setup)
    log: list[Action] = []
    while position.step is not None and (plies is None or len(log) < plies):
        action = random_action(position, random)
        position.apply(action)
        log.append(action)
    return position, log
