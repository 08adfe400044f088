"""Costs of the pictures of The Castle in every theme: a full castle composed and encoded, its bytes, and sprites."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter

from benchmarks.figures import Measurement
from engine.the_castle import Position, default_tile_set
from renderers import THEMES, Theme, TurnPictures
from renderers.caches import LARGE_SPRITE_CACHE, SPRITE_CACHE
from renderers.the_castle import turn_card
from renderers.the_castle.gallery import marks_of, played
from renderers.the_castle.scenery import tile_sprite

CASTLES = 4
ALMOST_ALL = 112
"""Plies after which hardly a tile is left to draw."""
ROUNDS = 9
SIZE = 128


def figures() -> list[Measurement]:
    """All of them, theme by theme."""
    castles = list(full_castles())
    return [figure for theme in THEMES.values() for figure in _of_theme(theme, castles)]


def full_castles() -> Iterator[Position]:
    """Positions near the end of a game."""
    for number in range(CASTLES):
        yield played(f"castle picture {number}", ALMOST_ALL)


def _of_theme(theme: Theme, castles: Sequence[Position]) -> list[Measurement]:
    SPRITE_CACHE.clear()
    LARGE_SPRITE_CACHE.clear()
    sprites = [
        _timed(partial(tile_sprite, theme, kind, rotation, SIZE, 0b10011001))
        for kind in default_tile_set().kinds.values()
        for rotation in kind.rotations
    ]
    cards = [partial(turn_card, castle, marks_of(castle), theme=theme) for castle in castles]
    for card in cards:
        card()
    return [
        Measurement(f"castle {theme.name}, both", tuple(map(_timed, cards * ROUNDS)), "ms", 90.0),
        Measurement(f"castle {theme.name}, bytes of both", tuple(_kilobytes(card()) for card in cards), "KiB", 350.0),
        Measurement(f"castle {theme.name}, a sprite", tuple(sprites), "ms", 25.0, aim_for="p95"),
    ]


def _kilobytes(card: TurnPictures) -> float:
    return (len(card.focus.data) + len(card.board.data)) / 1024


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000
