"""Speed of the rules, measured by the engine itself, as ``python -m engine bench`` does, and the sum over boxes."""

from __future__ import annotations

from random import Random

from benchmarks.figures import Measurement
from engine.carcassonne.expansions import OFFERED
from engine.cli.bench import BCB, TARGETS_MS, MeasuredGame, measurements, milliseconds
from engine.games import DEFAULT_GAME
from engine.selfplay import random_game

GAMES = 100
"""Games with all boxes that a table may choose, and as many with one."""
RATIO = "all boxes to one, 4p"
ONE, ALL = (MeasuredGame(RATIO, 0.0, DEFAULT_GAME, 4, boxes) for boxes in (BCB, OFFERED))


def figures() -> list[Measurement]:
    """Games; replaying and reading a record, copy and undo; a game with all boxes to one with one."""
    measured = [
        Measurement(f"engine {measure.name}", measure.samples, "ms", TARGETS_MS.get(measure.name))
        for measure in measurements()
    ]
    return [*measured, Measurement(f"engine {RATIO}", (_ratio(),), "x", 1.9)]


def _ratio() -> float:
    """CPU of all games; the two kinds by turns, so that whatever else the machine does hits both."""
    costs = [(_played(ALL, number), _played(ONE, number)) for number in range(GAMES)]
    return sum(cost for cost, _ in costs) / sum(cost for _, cost in costs)


def _played(kind: MeasuredGame, number: int) -> float:
    setup = kind.setup(number)
    return milliseconds(lambda: random_game(setup, Random(number)))
