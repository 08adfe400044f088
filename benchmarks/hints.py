"""Duration of hints, each computed anew: in the middle of a game and on a full board, of every game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.figures import Measurement
from engine import GAMES, GameKind, Position, hints_on
from engine.hints import Hints
from engine.selfplay import random_game

TABLES = 40
"""Random games, and as many samples."""
AIM = 5.0
"""Milliseconds of one hint."""
PARTS = {"middle": 0.5, "late": 0.85, "full": 1.0}
"""Shares of a game that have been played; at most all but its last action."""


def _one_completion(hints: Hints[Any]) -> object:
    """Return the tiles that would complete the first open feature."""
    return [hints.completion(feature) for feature in hints.open_features()[:1]]


QUESTIONS: Mapping[str, Callable[[Hints[Any]], object]] = {
    "tiles": lambda hints: hints.remaining(),
    "cells": lambda hints: hints.dead_cells(),
    "completion": _one_completion,
    "projection": lambda hints: hints.projection(),
    "fields": lambda hints: hints.holdings(),
}


def figures() -> list[Measurement]:
    """Each kind of hint at each time of each game."""
    return [figure for game in GAMES.values() for part in PARTS for figure in _figures(game, part)]


def _figures(game: GameKind, part: str) -> Iterator[Measurement]:
    tables = [_table(game, number, PARTS[part]) for number in range(TABLES)]
    for name, ask in QUESTIONS.items():
        yield Measurement(
            f"hints {game.name} {part} {name}", tuple(_milliseconds(table, ask) for table in tables), "ms", AIM
        )


def _milliseconds(position: Position, ask: Callable[[Hints[Any]], object]) -> float:
    start = perf_counter()
    ask(hints_on(position))
    return (perf_counter() - start) * 1000


def _table(game: GameKind, number: int, part: float) -> Position:
    setup = game.new_setup(players=max(game.players), seed=f"hints {number}", expansions=game.expansions[:1])
    _, log = random_game(setup, Random(number))
    return random_game(setup, Random(number), plies=min(int(len(log) * part), len(log) - 1))[0]
