"""Speed of the rules: the engine's own benchmark (``python -m engine bench``), and the cost of all expansions together.

A *box* is an expansion as it is sold.
"""

from __future__ import annotations

from random import Random
from typing import cast

from benchmarks.figures import Measurement
from engine.carcassonne import Position
from engine.carcassonne.expansions import OFFERED
from engine.cli.bench import BCB, TARGETS_MS, MeasuredGame, measurements, milliseconds
from engine.games import DEFAULT_GAME
from engine.selfplay import random_game

GAME_COUNT = 100
"""Number of games with all expansions, and number of games with one."""
RATIO_NAME = "a tile with all boxes to one, 4p"
"""The name of the ratio: what a tile costs in games of four players with all boxes, relative to games with one."""
ONE_BOX, ALL_BOXES = (MeasuredGame(RATIO_NAME, 0.0, DEFAULT_GAME, 4, boxes) for boxes in (BCB, OFFERED))


def figures() -> list[Measurement]:
    """Measure games, replays, reading of records, copies and undo; and games with all expansions relative to one."""
    measured = [
        Measurement(f"engine {measure.name}", measure.samples, "ms", TARGETS_MS.get(measure.name))
        for measure in measurements()
    ]
    return [*measured, Measurement(f"engine {RATIO_NAME}", (_cpu_ratio(),), "x", 1.3)]


def _cpu_ratio() -> float:
    """Return the CPU time of a tile in games with all expansions, relative to one in games with one.

    The two kinds alternate, so that other load on the machine affects both alike.
    """
    costs = [(_tile_cpu_ms(ALL_BOXES, number), _tile_cpu_ms(ONE_BOX, number)) for number in range(GAME_COUNT)]
    return sum(cost for cost, _ in costs) / sum(cost for _, cost in costs)


def _tile_cpu_ms(kind: MeasuredGame, number: int) -> float:
    """Return the CPU time of a random game for each tile that was laid, those included that no pile holds."""
    setup, ends = kind.setup(number), list[Position]()
    cost = milliseconds(lambda: ends.append(cast("Position", random_game(setup, Random(number))[0])))
    return cost / len(ends[0].land.order)
