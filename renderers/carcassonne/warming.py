"""Drawing ahead: the sprites that the first cards after a start would otherwise wait for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from engine.carcassonne import tile_set
from engine.geometry import Axis, Cell
from renderers.carcassonne.boxes.bridges_castles_bazaars import bridge_sprite
from renderers.carcassonne.scenery import tile_sprite
from renderers.figures import follower
from renderers.land import PERIOD, meadow
from renderers.marks import PLAYER_MARKS
from renderers.theme import DAY, Theme

SIZES: Final = (128, 96, 112, 80)
"""The sizes of cells on most cards, those used most first."""
SETS: Final = ("base", "bridges-castles-bazaars")


def warm_up(theme: Theme = DAY) -> Iterator[None]:
    """Draw what most cards show, one sprite at each step, so that pictures that somebody waits for can go between."""
    for size in SIZES:
        for x, y in product(range(PERIOD), repeat=2):
            meadow(theme, Cell(x, y), size)
        yield
        for name in SETS:
            for kind, rotation in product(tile_set(name).values(), (0, 90, 180, 270)):
                tile_sprite(theme, kind, rotation, size)
                yield
        for axis in Axis:
            bridge_sprite(theme, axis, size)
        for player in range(len(PLAYER_MARKS)):
            follower(theme, player, size)
            follower(theme, player, size, lying=True)
            yield
