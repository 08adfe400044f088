"""Games that nobody plays: every decision is drawn at random from the legal ones."""

from __future__ import annotations

from random import Random

from engine.actions import Action
from engine.games import GAMES, begin
from engine.position import Position
from engine.setup import Setup


def random_action(position: Position, random: Random) -> Action:
    """One of the legal actions, made sensible where the game says so; the position must not be over."""
    actions = position.legal_actions
    action = actions[random.randrange(len(actions))]
    return GAMES[position.setup.game].adjust_random_action(position, action, random)


def random_game(setup: Setup, random: Random, *, plies: int | None = None) -> tuple[Position, list[Action]]:
    """Play to the end, or so many actions, through the checked interface; the position and what was done."""
    position = begin(setup)
    log: list[Action] = []
    while position.step is not None and (plies is None or len(log) < plies):
        action = random_action(position, random)
        position.apply(action)
        log.append(action)
    return position, log
