"""Growth of costs: a ply late in a game against an early one, and on a huge board against a usual one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import mean
from time import perf_counter

from benchmarks.figures import Measurement
from engine.carcassonne import Position, Setup, new_setup
from engine.carcassonne.expansions import BCB
from engine.carcassonne.setup import START_TILE, box
from engine.selfplay import random_action
from engine.setup import shuffled

GAMES = 120
HUGE_GAMES = 30
COPIES = 5
"""Base sets in one game."""
EARLY, LATE, HUGE_LATE = range(5, 16), range(74, 84), range(340, 356)
"""Tiles around the tenth, the eightieth and the last ones; several, for a ply alone is too short to be timed well."""


def _huge_setup(number: int) -> Setup:
    """Five copies of the base set: 360 tiles."""
    setup = new_setup(players=2, seed=f"huge {number}", expansions=())
    ids = [kind.id for kind in box(())] * COPIES + [START_TILE] * (COPIES - 1)
    return replace(setup, pile=shuffled(ids, setup.seed))


def _setup(number: int) -> Setup:
    return new_setup(players=2, seed=f"ply {number}", expansions=())


def _full_setup(number: int) -> Setup:
    return new_setup(players=4, seed=f"ply {number}", expansions=(BCB,))


def _plies(make: Callable[[int], Setup], games: int) -> dict[int, list[float]]:
    """Microseconds of each decision, listed, drawn and applied, by the tile that was up."""
    found: dict[int, list[float]] = {}
    for number in range(-3, games):  # the first ones warm up
        position, random = Position(make(number)), Random(number)
        while position.step is not None:
            turn, start = position.turn, perf_counter()
            position.apply(random_action(position, random))
            if number >= 0:
                found.setdefault(turn, []).append((perf_counter() - start) * 1e6)
    return found


def _cost(plies: dict[int, list[float]], turns: range) -> float:
    return mean(sample for turn in turns for sample in plies.get(turn, ()))


def figures() -> list[Measurement]:
    """Ratios: late to early, and huge to usual."""
    usual, full, huge = _plies(_setup, GAMES), _plies(_full_setup, GAMES), _plies(_huge_setup, HUGE_GAMES)
    everywhere = _cost(huge, range(1, COPIES * 72)) / _cost(usual, range(1, 72))
    return [
        Measurement("engine ply, tile 80 to 10", (_cost(full, LATE) / _cost(full, EARLY),), "x", 1.5),
        Measurement("engine ply, 360 tiles to 72", (everywhere,), "x", 2.0),
        Measurement("engine ply, tile 350 to 10", (_cost(huge, HUGE_LATE) / _cost(huge, EARLY),), "x", 2.0),
    ]
