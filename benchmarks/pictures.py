"""Costs of pictures of Carcassonne: the time and the bytes of a full board, the time of a sprite, and memory.

A *sprite* is the picture of a single tile, which is drawn once and then cached. All are measured in each theme, which
is a set of colours.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.figures import Measurement
from engine.carcassonne import Position, new_setup, tile_set
from gallery.carcassonne import compact_action, marks_of
from renderers import DAY, NO_GUIDES, THEMES, Picture, Theme
from renderers.boards.view import fitting_view
from renderers.caches import LARGE_SPRITE_CACHE, SPRITE_CACHE
from renderers.carcassonne import turn_card, warm_up
from renderers.carcassonne.cards import focus_view, paint_card, whole_window
from renderers.carcassonne.scenery import tile_sprite
from tests.renderers.carcassonne.boards import wide_board

BOARD_COUNT = 8
"""Number of games; each is drawn with its last tile in hand, when 83 or 84 tiles are on the board."""
ROUNDS = 9
"""Number of times that each board is drawn."""
SPRITE_SIZE = 128
"""Pixels of the side of a tile."""

_MEMORY_SCRIPT = """
import resource
import bot
from benchmarks.pictures import full_boards, marks_of
from renderers import THEMES
from renderers.boards.view import fitting_view
from renderers.carcassonne import turn_card, warm_up
for theme in THEMES.values():
    for _ in warm_up(theme):
        pass
    for board in full_boards():
        turn_card(board, marks_of(board), theme=theme)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def figures() -> list[Measurement]:
    """Return the measurements of each theme, of the effect of the board's size, and of the memory of a whole bot."""
    boards = list(full_boards())
    measurements = [figure for theme in THEMES.values() for figure in _theme_figures(theme, boards)]
    return [
        *measurements,
        Measurement("pictures, 361 tiles to 81", (_cost_ratio(),), "x", 1.5),
        Measurement("pictures, whole process", (_peak_memory_mib(),), "MiB", 200.0),
    ]


def full_boards() -> Iterator[Position]:
    """Yield positions of games of two to five players in which no tile is left to draw."""
    for number in range(BOARD_COUNT):
        position = Position(new_setup(players=2 + number % 4, seed=f"picture {number}"))
        rng, last = Random(number), position.copy()
        while position.step is not None:
            if position.hand is not None:
                last = position.copy()
            position.apply(compact_action(position, rng))
        yield last


def _theme_figures(theme: Theme, boards: Sequence[Position]) -> list[Measurement]:
    """Measure the pictures and sprites in a theme."""
    SPRITE_CACHE.clear()
    LARGE_SPRITE_CACHE.clear()
    sprites = _sprite_times(theme)
    warming = _milliseconds(lambda: list(warm_up(theme)))
    cards = [partial(turn_card, board, marks_of(board), theme=theme) for board in boards]
    painted = [
        partial(paint_card, board, view, marks_of(board), theme, NO_GUIDES)
        for board in boards
        for view in (focus_view(board), fitting_view(whole_window(board)))
    ]
    for card in cards:
        card()  # fills the caches of sprites
    return [
        Measurement(f"pictures {theme.name}, a card", tuple(map(_milliseconds, cards * ROUNDS)), "ms", 90.0),
        Measurement(f"pictures {theme.name}, card bytes", tuple(_kilobytes(card()) for card in cards), "KiB", 400.0),
        Measurement(f"pictures {theme.name}, composing one", tuple(map(_milliseconds, painted * ROUNDS)), "ms", 6.0),
        Measurement(f"pictures {theme.name}, a sprite", tuple(sprites), "ms", 25.0, aim_for="p95"),
        Measurement(f"pictures {theme.name}, warming up", (warming,), "ms"),
    ]


def _sprite_times(theme: Theme) -> list[float]:
    """Return the milliseconds of drawing each tile for the first time."""
    kinds = [kind for name in ("base", "bridges-castles-bazaars") for kind in tile_set(name).values()]
    return [
        _milliseconds(partial(tile_sprite, theme, kind, rotation, SPRITE_SIZE))
        for kind in kinds
        for rotation in kind.rotations
    ]


def _kilobytes(card: Picture) -> float:
    return len(card.data) / 1024


def _milliseconds(work: Callable[[], object]) -> float:
    """Return the milliseconds that a function takes."""
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000


def _cost_ratio() -> float:
    """Return the cost of a picture of a move's surroundings on a huge board, relative to a board of just their size."""
    times = []
    for side in (19, 9):
        board = wide_board(side, side)
        view = focus_view(board)
        times.append(
            median(
                _milliseconds(partial(paint_card, board, view, (), DAY, NO_GUIDES)) for _ in range(ROUNDS * BOARD_COUNT)
            )
        )
    return times[0] / times[1]


def _peak_memory_mib() -> float:
    """Return the peak memory of a process that has imported the whole bot and drawn boards in all themes."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", _MEMORY_SCRIPT], capture_output=True, text=True, check=True
    )
    return float(done.stdout)
