"""Random games of whatever the engine plays, for tests that name no game.

How a game is set up and played so that something happens, a module of its own says: of the game ``the-castle`` it is
``the_castle_games.py``, with the functions ``setups`` and ``lively_action``.
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

LONGEST = 800
"""More actions than a game has."""
LIVELY = {name: import_module(f"tests.engine.{name.replace('-', '_')}_games") for name in GAMES}
"""The module that plays each game, by its name."""


def options(game: GameKind) -> st.SearchStrategy[Options]:
    """A preset, or any combination of all options."""
    values = {name: st.sampled_from(choices) for name, choices in game.options.values().items()}
    return st.one_of(st.sampled_from(list(game.presets.values())), st.builds(game.options, **values))


def dealt_setups_of(game: GameKind) -> st.SearchStrategy[Setup]:
    """Games as they are dealt: with any number of players, any rules, any expansions."""
    names = st.lists(st.sampled_from(game.expansions), unique=True) if game.expansions else st.just([])
    return st.builds(
        game.new_setup,
        players=st.sampled_from(list(game.players)),
        seed=st.integers(0, 2**32).map(str),
        options=options(game),
        expansions=names.map(tuple),
    )


def dealt_setups() -> st.SearchStrategy[Setup]:
    """The same of any game."""
    return st.sampled_from(list(GAMES.values())).flatmap(dealt_setups_of)


def setups() -> st.SearchStrategy[Setup]:
    """Games as they are dealt, and games with other piles, in which more happens."""
    return st.sampled_from(list(GAMES.values())).flatmap(
        lambda game: st.one_of(dealt_setups_of(game), LIVELY[game.name].setups())
    )


def luck() -> st.SearchStrategy[int]:
    """The seed of the decisions."""
    return st.integers(0, 2**32)


def lengths() -> st.SearchStrategy[int]:
    """The number of actions to play: some, or all."""
    return st.one_of(st.just(LONGEST), st.integers(0, 250))


def moves(
    setup: Setup, seed: int, plies: int = LONGEST, *, resigning: bool = False
) -> Iterator[tuple[Any, Action, tuple[Event, ...]]]:
    """Play; after each action the position (always the same object), the action and what happened.

    One game in three is played without sense. ``resigning``: now and then somebody leaves.
    """
    position, random = begin(setup), Random(seed)
    choose: Callable[[Position, Random], Action] = LIVELY[setup.game].lively_action if seed % 3 else random_action
    for _ in range(plies):
        if position.step is None:
            return
        action = choose(position, random)
        if resigning and random.random() < 0.01:
            action = Resign(position.player)
        yield position, action, position.apply(action)


def play(setup: Setup, seed: int, plies: int = LONGEST, *, resigning: bool = False) -> tuple[Any, list[Action]]:
    """Play so many actions, or to the end; the position and the log."""
    position, log = begin(setup), []
    for position, action, _ in moves(setup, seed, plies, resigning=resigning):  # noqa: B007
        log.append(action)
    return position, log
