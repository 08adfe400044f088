"""Hypothesis strategies and random play for tests that run with every registered game.

Each game has a module, such as ``the_castle_games.py`` for ``the-castle``. Its ``setups`` draws a game, and its
``lively_action`` chooses moves that lead to many events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine import GAMES, Action, GameKind, Position, Resign, Setup, begin
from engine.events import Event
from engine.options import Options
from engine.selfplay import random_action

MAX_ACTIONS = 800
"""An upper bound that no game reaches."""
RANDOM_GAMES = {name: import_module(f"tests.engine.{name.replace('-', '_')}_games") for name in GAMES}
"""The module of each game, by its name."""


def options(game: GameKind) -> st.SearchStrategy[Options]:
    """Draw a preset, or any combination of all options."""
    values = {name: st.sampled_from(choices) for name, choices in game.options.values().items()}
    return st.one_of(st.sampled_from(list(game.presets.values())), st.builds(game.options, **values))


def dealt_setups_of(game: GameKind) -> st.SearchStrategy[Setup]:
    """Draw setups with the regular pile and any number of players, any options, any expansions."""
    names = st.lists(st.sampled_from(game.expansions), unique=True) if game.expansions else st.just([])
    return st.builds(
        game.new_setup,
        players=st.sampled_from(list(game.players)),
        seed=st.integers(0, 2**32).map(str),
        options=options(game),
        expansions=names.map(tuple),
    )


def dealt_setups() -> st.SearchStrategy[Setup]:
    """Draw setups of any game with the regular pile."""
    return st.sampled_from(list(GAMES.values())).flatmap(dealt_setups_of)


def setups() -> st.SearchStrategy[Setup]:
    """Draw setups with the regular pile, and setups whose pile makes more happen."""
    return st.sampled_from(list(GAMES.values())).flatmap(
        lambda game: st.one_of(dealt_setups_of(game), RANDOM_GAMES[game.name].setups())
    )


def seeds() -> st.SearchStrategy[int]:
    """Draw the seed of the players' decisions."""
    return st.integers(0, 2**32)


def action_counts() -> st.SearchStrategy[int]:
    """Draw the number of actions to play: some, or all of a game."""
    return st.one_of(st.just(MAX_ACTIONS), st.integers(0, 250))


def play_moves(
    setup: Setup, seed: int, plies: int = MAX_ACTIONS, *, resigning: bool = False
) -> Iterator[tuple[Any, Action, tuple[Event, ...]]]:
    """Play a random game; yield the position (always the same object), the action and its events after each action.

    One seed in three chooses uniformly among the legal actions, the others by the game's ``lively_action``. With
    ``resigning`` a player resigns now and then.
    """
    position, rng = begin(setup), Random(seed)
    choose: Callable[[Position, Random], Action] = RANDOM_GAMES[setup.game].lively_action if seed % 3 else random_action
    for _ in range(plies):
        if position.step is None:
            return
        action = choose(position, rng)
        if resigning and rng.random() < 0.01:
            action = Resign(position.player)
        yield position, action, position.apply(action)


def play_random_game(
    setup: Setup, seed: int, plies: int = MAX_ACTIONS, *, resigning: bool = False
) -> tuple[Any, list[Action]]:
    """Play so many actions of a random game, or all; return the position and the log."""
    position, log = begin(setup), []
    for position, action, _ in play_moves(setup, seed, plies, resigning=resigning):  # noqa: B007
        log.append(action)
    return position, log
