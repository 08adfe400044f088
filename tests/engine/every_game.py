"""Random games of whatever the engine plays, for tests that name no game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from engine import GAMES, Action, Game, Position, Resign, Setup, begin
from engine.options import Options
from engine.selfplay import random_action

LONGEST = 800
"""More actions than a game has."""


def options(game: Game) -> st.SearchStrategy[Options]:
    """A preset, or any combination of all options."""
    values = {name: st.sampled_from(choices) for name, choices in game.options.values().items()}
    return st.one_of(st.sampled_from(list(game.presets.values())), st.builds(game.options, **values))


def setups_of(game: Game) -> st.SearchStrategy[Setup]:
    """Games with any number of players, any rules, any expansions."""
    names = st.lists(st.sampled_from(game.expansions), unique=True) if game.expansions else st.just([])
    return st.builds(
        game.new_setup,
        players=st.sampled_from(list(game.players)),
        seed=st.integers(0, 2**32).map(str),
        options=options(game),
        expansions=names.map(tuple),
    )


def setups() -> st.SearchStrategy[Setup]:
    """The same of any game."""
    return st.sampled_from(list(GAMES.values())).flatmap(setups_of)


def luck() -> st.SearchStrategy[int]:
    """The seed of the decisions."""
    return st.integers(0, 2**32)


def lengths() -> st.SearchStrategy[int]:
    """How many actions are played: some, or all."""
    return st.one_of(st.just(LONGEST), st.integers(0, 250))


def moves(setup: Setup, seed: int, plies: int) -> Iterator[tuple[Position, Action]]:
    """Play; after each action the position (always the same object) and the action. Now and then somebody leaves."""
    position, random = begin(setup), Random(seed)
    for _ in range(plies):
        if position.step is None:
            return
        action = random_action(position, random)
        if random.random() < 0.005:
            action = Resign(position.player)
        position.apply(action)
        yield position, action


def play(setup: Setup, seed: int, plies: int) -> tuple[Position, list[Action]]:
    """Play so many actions, or to the end; the position and the log."""
    log = [action for _, action in moves(setup, seed, plies)]
    position = begin(setup)
    for action in log:
        position.apply(action)
    return position, log
