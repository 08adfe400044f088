"""Growth of the cost of a ply (one action): late in a game relative to early, and on a huge board to a normal one.

The ratios show that the engine's work for an action hardly depends on the number of tiles on the board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import mean
from time import perf_counter

from benchmarks.figures import Measurement
from engine.carcassonne import Position, Setup, new_setup
from engine.carcassonne.expansions import BCB
from engine.carcassonne.setup import START_TILE, tiles_in_play
from engine.selfplay import random_action
from engine.setup import shuffled

GAME_COUNT = 120
HUGE_GAME_COUNT = 30
BASE_SET_COPIES = 5
"""Number of base sets in a huge game."""
WARM_UP_GAMES = 3
EARLY_TURNS, LATE_TURNS, HUGE_LATE_TURNS = range(5, 16), range(74, 84), range(340, 356)
"""Turns around the 10th, the 80th and the 350th tile; several, because a single ply is too short to time."""


def _huge_setup(number: int) -> Setup:
    """Return a setup with five copies of the base set, 360 tiles."""
    setup = new_setup(players=2, seed=f"huge {number}", expansions=())
    ids = [kind.id for kind in tiles_in_play(())] * BASE_SET_COPIES + [START_TILE] * (BASE_SET_COPIES - 1)
    return replace(setup, pile=shuffled(ids, setup.seed))


def _setup(number: int) -> Setup:
    """Return a setup of two players with the base game."""
    return new_setup(players=2, seed=f"ply {number}", expansions=())


def _full_setup(number: int) -> Setup:
    """Return a setup of four players with *Bridges, Castles & Bazaars*."""
    return new_setup(players=4, seed=f"ply {number}", expansions=(BCB,))


def _measure_plies(make: Callable[[int], Setup], games: int) -> dict[int, list[float]]:
    """Play random games; return by turn the microseconds of each decision: listing, choosing and applying it."""
    costs_by_turn: dict[int, list[float]] = {}
    for number in range(-WARM_UP_GAMES, games):  # negative numbers warm up and are not measured
        position, random = Position(make(number)), Random(number)
        while position.step is not None:
            turn, start = position.turn, perf_counter()
            position.apply(random_action(position, random))
            if number >= 0:
                costs_by_turn.setdefault(turn, []).append((perf_counter() - start) * 1e6)
    return costs_by_turn


def _mean_cost(plies: dict[int, list[float]], turns: range) -> float:
    """Return the mean of all samples of these turns."""
    return mean(sample for turn in turns for sample in plies.get(turn, ()))


def figures() -> list[Measurement]:
    """Measure the ratios: late to early, and huge to normal."""
    normal, full, huge = (
        _measure_plies(_setup, GAME_COUNT),
        _measure_plies(_full_setup, GAME_COUNT),
        _measure_plies(_huge_setup, HUGE_GAME_COUNT),
    )
    average_ratio = _mean_cost(huge, range(1, BASE_SET_COPIES * 72)) / _mean_cost(normal, range(1, 72))
    return [
        Measurement(
            "engine ply, tile 80 to 10", (_mean_cost(full, LATE_TURNS) / _mean_cost(full, EARLY_TURNS),), "x", 1.5
        ),
        Measurement("engine ply, 360 tiles to 72", (average_ratio,), "x", 2.0),
        Measurement(
            "engine ply, tile 350 to 10", (_mean_cost(huge, HUGE_LATE_TURNS) / _mean_cost(huge, EARLY_TURNS),), "x", 2.0
        ),
    ]
