"""What pictures cost in every theme: a full board composed and encoded, its bytes, sprites, and the whole memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from time import perf_counter

from benchmarks.figures import Figure
from engine.carcassonne import Position, new_setup, tile_set
from renderers import NO_GUIDES, THEMES, Theme, turn_card, warm_up
from renderers.cards import paint_card, views_of
from renderers.gallery import marks_of, tidy
from renderers.scenery import tile_sprite
from renderers.sprites import SPRITES

BOARDS = 8
"""Games that are drawn with their last tile in hand: 83 or 84 tiles lie on the table."""
ROUNDS = 9
SIZE = 128

_WHOLE_PROCESS = """
import resource
import bot
from benchmarks.pictures import full_boards, marks_of
from renderers import THEMES, turn_card, warm_up
for theme in THEMES.values():
    for _ in warm_up(theme):
        pass
    for board in full_boards():
        turn_card(board, marks_of(board), theme=theme)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def figures() -> list[Figure]:
    """All of them, theme by theme, and the memory of a process that has drawn in all."""
    boards = list(full_boards())
    found = [figure for theme in THEMES.values() for figure in _of_theme(theme, boards)]
    return [*found, Figure("pictures, whole process", (_megabytes(),), "MiB", 200.0)]


def full_boards() -> Iterator[Position]:
    """Positions of games for two to five with no tile left to draw."""
    for number in range(BOARDS):
        position = Position(new_setup(players=2 + number % 4, seed=f"picture {number}"))
        dice, last = Random(number), position.copy()
        while position.step is not None:
            if position.hand is not None:
                last = position.copy()
            position.apply(tidy(position, dice))
        yield last


def _of_theme(theme: Theme, boards: Sequence[Position]) -> list[Figure]:
    SPRITES.clear()
    sprites = _sprites(theme)
    warming = _timed(lambda: sum(1 for _ in warm_up(theme)))
    for board in boards:
        turn_card(board, marks_of(board), theme=theme)
    cards = [_timed(lambda board=board: turn_card(board, marks_of(board), theme=theme)) for board in boards * ROUNDS]
    composing = [
        _timed(lambda board=board, view=view: paint_card(board, view, marks_of(board), theme, NO_GUIDES))
        for board in boards * ROUNDS
        for view in views_of(board)
    ]
    return [
        Figure(f"pictures {theme.name}, both", tuple(cards), "ms", 90.0),
        Figure(f"pictures {theme.name}, both", tuple(_kilobytes(board, theme) for board in boards), "KiB", 350.0),
        Figure(f"pictures {theme.name}, composing one", tuple(composing), "ms", 6.0),
        Figure(f"pictures {theme.name}, a sprite", tuple(sprites), "ms", 25.0, aim_for="p95"),
        Figure(f"pictures {theme.name}, warming up", (warming,), "ms"),
    ]


def _sprites(theme: Theme) -> list[float]:
    """Milliseconds of each tile drawn for the first time."""
    kinds = [kind for name in ("base", "bridges-castles-bazaars") for kind in tile_set(name).values()]
    return [
        _timed(lambda kind=kind, rotation=rotation: tile_sprite(theme, kind, rotation, SIZE))
        for kind, rotation in product(kinds, (0, 90, 180, 270))
        if rotation in kind.rotations
    ]


def _kilobytes(board: Position, theme: Theme) -> float:
    card = turn_card(board, marks_of(board), theme=theme)
    return (len(card.focus.data) + len(card.board.data)) / 1024


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000


def _megabytes() -> float:
    """The largest memory of a process with the whole bot in it that has drawn boards in all themes."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", _WHOLE_PROCESS], capture_output=True, text=True, check=True
    )
    return float(done.stdout)
