"""Costs of pictures of *The Castle*: the time and the bytes of pictures of a full castle, and the time of a sprite.

A *sprite* is the picture of a single tile, which is drawn once and then cached. All are measured in each theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter

from benchmarks.figures import Measurement
from engine.the_castle import Position, default_tile_set
from gallery.the_castle import marks_of, play_compact_game
from renderers import THEMES, Picture, Theme
from renderers.caches import LARGE_SPRITE_CACHE, SPRITE_CACHE
from renderers.the_castle import turn_card
from renderers.the_castle.scenery import tile_sprite

CASTLE_COUNT = 4
LATE_PLY = 112
"""Ply at which nearly all tiles have been drawn."""
ROUNDS = 9
"""Number of times that each castle is drawn."""
SPRITE_SIZE = 128
"""Pixels of the side of a tile."""
CLOSED_HALF_SIDES = 0b10011001
"""An arbitrary set of half-sides of a tile at which features end, one bit each; sprites have a border there."""


def figures() -> list[Measurement]:
    """Return all measurements, theme by theme."""
    castles = list(full_castles())
    return [figure for theme in THEMES.values() for figure in _theme_figures(theme, castles)]


def full_castles() -> Iterator[Position]:
    """Yield positions near the end of a game."""
    for number in range(CASTLE_COUNT):
        yield play_compact_game(f"castle picture {number}", LATE_PLY)


def _theme_figures(theme: Theme, castles: Sequence[Position]) -> list[Measurement]:
    """Measure the pictures and sprites in a theme."""
    SPRITE_CACHE.clear()
    LARGE_SPRITE_CACHE.clear()
    sprites = [
        _milliseconds(partial(tile_sprite, theme, kind, rotation, SPRITE_SIZE, CLOSED_HALF_SIDES))
        for kind in default_tile_set().kinds.values()
        for rotation in kind.rotations
    ]
    cards = [partial(turn_card, castle, marks_of(castle), theme=theme) for castle in castles]
    for card in cards:
        card()  # fills the caches of sprites
    return [
        Measurement(f"castle {theme.name}, a card", tuple(map(_milliseconds, cards * ROUNDS)), "ms", 90.0),
        Measurement(f"castle {theme.name}, bytes of a card", tuple(_kilobytes(card()) for card in cards), "KiB", 350.0),
        Measurement(f"castle {theme.name}, a sprite", tuple(sprites), "ms", 25.0, aim_for="p95"),
    ]


def _kilobytes(card: Picture) -> float:
    return len(card.data) / 1024


def _milliseconds(work: Callable[[], object]) -> float:
    """Return the milliseconds that a function takes."""
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000
