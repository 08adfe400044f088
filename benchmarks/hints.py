"""Duration of hints for players, such as the tiles that would complete a city.

They are computed without a cache in the middle, late and at the end of random games of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.figures import Measurement
from engine import GAMES, GameKind, Position, hints_on
from engine.hints import Hints
from engine.selfplay import random_game

GAME_COUNT = 40
"""Number of random games, and of samples."""
TARGET_MS = 5.0
"""Target for one hint."""
PLAYED_SHARES = {"middle": 0.5, "late": 0.85, "full": 1.0}
"""The share of a game's actions that have been played, by stage; at the stage "full" only the last one is missing."""


def _first_completion(hints: Hints[Any, Any]) -> object:
    """Compute the tiles that would complete the first open feature."""
    return [hints.completion(feature) for feature in hints.open_features()[:1]]


HINTS: Mapping[str, Callable[[Hints[Any, Any]], object]] = {
    "tiles": lambda hints: hints.remaining(),
    "cells": lambda hints: hints.dead_cells(),
    "completion": _first_completion,
    "projection": lambda hints: hints.projection(),
    "fields": lambda hints: hints.holdings(),
}


def figures() -> list[Measurement]:
    """Measure each kind of hint at each stage of each game."""
    return [figure for game in GAMES.values() for stage in PLAYED_SHARES for figure in _figures(game, stage)]


def _figures(game: GameKind, stage: str) -> Iterator[Measurement]:
    """Yield the measurements of all hints of a game at a stage."""
    positions = [_play(game, number, PLAYED_SHARES[stage]) for number in range(GAME_COUNT)]
    for name, compute in HINTS.items():
        yield Measurement(
            f"hints {game.name} {stage} {name}",
            tuple(_milliseconds(position, compute) for position in positions),
            "ms",
            TARGET_MS,
        )


def _milliseconds(position: Position, compute: Callable[[Hints[Any, Any]], object]) -> float:
    """Return the milliseconds that a hint takes."""
    start = perf_counter()
    compute(hints_on(position))
    return (perf_counter() - start) * 1000


def _play(game: GameKind, number: int, share: float) -> Position:
    """Play a random game up to this share of its actions."""
    setup = game.new_setup(players=max(game.players), seed=f"hints {number}", expansions=game.expansions[:1])
    _, log = random_game(setup, Random(number))
    return random_game(setup, Random(number), plies=min(int(len(log) * share), len(log) - 1))[0]
