"""Drawing ahead: the sprites that the first cards after a start would otherwise wait for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from typing import Final

from engine.carcassonne import tile_set
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS
from engine.carcassonne.tiles import BASE_SET, KNOWN_SETS
from engine.geometry import Axis, Cell
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.figures import across_sprite, figure
from renderers.carcassonne.pile import drawn_tile
from renderers.carcassonne.scenery import tile_sprite
from renderers.figures import follower
from renderers.land import PERIOD, flat_meadow
from renderers.marks import PLAYER_MARKS
from renderers.theme import DAY, Theme

SIZES: Final = (96, 80, 112, 72, 64, 56)
"""The sizes of cells on most cards and panels, those used most first."""
CARD: Final = SIZES[0]
"""That of the cells round the newest tile, on all but small tables."""


def warm_up(theme: Theme = DAY, boxes: Collection[str] = DEFAULT_EXPANSIONS) -> Iterator[None]:
    """Draw what most cards show, one sprite at each step, so that pictures that somebody waits for can go between."""
    names = (BASE_SET, *(name for name in BOXES if name in boxes))
    for size in SIZES:
        yield from _everywhere(theme, size)
        for name in names:
            yield from _box(theme, size, name)
        if size == CARD:
            yield from _drawn_tiles(theme, names)


def _everywhere(theme: Theme, size: int) -> Iterator[None]:
    """The meadow, and the figures of every game."""
    for x, y in product(range(PERIOD), repeat=2):
        flat_meadow(theme, Cell(x, y), size)
    yield
    for player in range(len(PLAYER_MARKS)):
        follower(theme, player, size)
        follower(theme, player, size, lying=True)
        yield


def _drawn_tiles(theme: Theme, names: Iterable[str]) -> Iterator[None]:
    """What cards show beside them."""
    for name in names:
        for kind in tile_set(name).values() if name in KNOWN_SETS else ():
            drawn_tile(theme, kind, CARD)
            yield


def _box(theme: Theme, size: int, name: str) -> Iterator[None]:
    """The tiles and figures of a box, or of the base game."""
    for kind in tile_set(name).values() if name in KNOWN_SETS else ():
        for rotation in kind.rotations:
            tile_sprite(theme, kind, rotation, size)
            yield
    if name not in BOXES:
        return
    for axis in Axis if BOXES[name].across is not None else ():
        across_sprite(theme, axis, size)
    for piece, player in product(BOXES[name].figures, range(len(PLAYER_MARKS))):
        figure(theme, player, size, piece)
        yield
