"""Random games for the property tests: every option, every number of players, lively play.

Uniformly random play hardly ever closes a town, nor passes when it may bid a thousand points. So tiles are laid where
many neighbours lie, towns mostly become castles, and bids are often passed; all else is drawn from what is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine import Action, Pass, Place, Resign
from engine.carcassonne import (
    BidOnLot,
    BuildCastle,
    DecideTown,
    Options,
    PlaceTile,
    Position,
    ScoreTown,
    Setup,
    new_setup,
)
from engine.carcassonne.expansions import BCB
from engine.events import Event
from engine.geometry import AROUND
from engine.selfplay import random_action

LONGEST = 700
"""More actions than a game has."""
CROWD = ("base/E", "base/E", "base/H", "base/I", "base/D", "base/L", "base/X", "base/U", "base/A", "base/B")
"""Tiles that make for many towns, short roads and bridges."""
CROWD_BAZAARS = ("bcb/FFFF", "bcb/CFRF", "bcb/CCRC")
"""The same, of the expansion."""


def options() -> st.SearchStrategy[Options]:
    """Any combination of all options."""
    return st.builds(Options, **{name: st.sampled_from(values) for name, values in Options.values().items()})


def setups(
    *, expansions: st.SearchStrategy[tuple[str, ...]] | None = None, rules: st.SearchStrategy[Options] | None = None
) -> st.SearchStrategy[Setup]:
    """Games of 2 to 6 players, with and without Bridges, Castles & Bazaars, some full of towns and roads."""
    whole = st.builds(
        new_setup,
        players=st.integers(2, 6),
        seed=st.integers(0, 2**32).map(str),
        options=options() if rules is None else rules,
        expansions=st.sampled_from([(BCB,), (BCB,), ()]) if expansions is None else expansions,
    )
    return st.one_of(whole, st.builds(_crowded, whole))


def _crowded(setup: Setup) -> Setup:
    """The same game with a pile in which towns are closed and roads are bridged all the time."""
    random = Random(setup.seed)
    bazaars = CROWD_BAZAARS if setup.expansions else ()
    pile = tuple(random.choice((*CROWD, *bazaars)) for _ in range(random.randint(0, 80)))
    return replace(setup, pile=pile)


def luck() -> st.SearchStrategy[int]:
    """The seed of the decisions."""
    return st.integers(0, 2**32)


def lengths() -> st.SearchStrategy[int]:
    """How many actions are played: some, or all."""
    return st.one_of(st.just(LONGEST), st.integers(0, 300))


def lively_action(position: Position, random: Random) -> Action:
    """A legal action, chosen so that features close and castles are built."""
    match position.step:
        case PlaceTile():
            actions = position.legal_actions
            return max((random.choice(actions) for _ in range(4)), key=lambda action: _company(position, action))
        case DecideTown():
            return BuildCastle() if random.random() < 0.8 else ScoreTown()
        case BidOnLot() if random.random() < 0.4:
            return Pass()
        case _:
            return random_action(position, random)


def _company(position: Position, action: Action) -> int:
    """How many tiles lie around the place."""
    if not isinstance(action, Place):
        return 0
    return sum(action.cell.position + step in position.land.placed for step in AROUND)


def moves(
    setup: Setup, seed: int, *, plies: int = LONGEST, resigning: bool = False
) -> Iterator[tuple[Position, Action, tuple[Event, ...]]]:
    """Play; after each action the position (always the same object), the action and what happened."""
    position, random = Position(setup), Random(seed)
    for _ in range(plies):
        if position.step is None:
            return
        action = lively_action(position, random)
        if resigning and random.random() < 0.01:
            action = Resign(position.player)
        yield position, action, position.apply(action)


def play(setup: Setup, seed: int, *, plies: int = LONGEST, resigning: bool = False) -> tuple[Position, list[Action]]:
    """Play so many actions, or to the end; the position and the log."""
    position, log = Position(setup), []
    for position, action, _ in moves(setup, seed, plies=plies, resigning=resigning):  # noqa: B007
        log.append(action)
    return position, log
