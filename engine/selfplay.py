"""Play random games for tests and measurements: every decision is drawn at random from the legal actions."""

from __future__ import annotations

from random import Random

from engine.actions import Action
from engine.games import GAMES, begin
from engine.position import Position
from engine.setup import Setup


def random_action(position: Position, rng: Random) -> Action:
    """Return one of the legal actions, adjusted by the game; the position must not be over."""
    actions = position.legal_actions
    action = actions[rng.randrange(len(actions))]
    return GAMES[position.setup.game].adjust_random_action(position, action, rng)


def random_game(setup: Setup, rng: Random, *, plies: int | None = None) -> tuple[Position, list[Action]]:
    """Play to the end, or at most ``plies`` actions, and check each one; return the position and the actions."""
    position = begin(setup)
    log: list[Action] = []
    while position.step is not None and (plies is None or len(log) < plies):
        action = random_action(position, rng)
        position.apply(action)
        log.append(action)
    return position, log
