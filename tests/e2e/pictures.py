"""Stubs for renderers: without drawing, tests play whole games in seconds.

Each picture becomes one transparent pixel with the file name and alt text of the real one.
"""

import sys
from collections.abc import Callable
from itertools import count
from types import FunctionType
from typing import Any

import pytest

from cogs.games.carcassonne import boxes as carcassonne_boxes
from cogs.games.carcassonne import presenter as carcassonne
from cogs.games.the_castle import presenter as the_castle
from cogs.panels import cards as pictures
from renderers.values import Picture

_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)
"""A PNG file of one pixel."""
PIXEL = Picture(_PIXEL, "pixel.png", 1, 1)
"""The stub for every picture."""
MIN_DRAWN_BYTES = 1000
"""Lower bound of the size of any drawn picture."""


def stub_pictures(patch: pytest.MonkeyPatch) -> None:
    """Replace each picture by one pixel; the number of pictures and their alt texts stay the same."""
    draw_every_nth(patch, every=0)


def draw_every_nth(patch: pytest.MonkeyPatch, every: int) -> None:
    """Draw the first and then every n-th picture of each renderer; the others become one pixel. 0 draws none."""
    boxes = [module for name, module in sys.modules.items() if name.startswith(f"{carcassonne_boxes.__name__}.")]
    for module in (pictures, carcassonne, the_castle, *boxes):
        for name, value in tuple(vars(module).items()):
            if isinstance(value, FunctionType) and value.__module__.startswith("renderers"):
                patch.setattr(module, name, _stubbed(value, _stub_picture, every))


def _stubbed(draw: Callable[..., Any], stub: Callable[..., Any], every: int) -> Callable[..., Any]:
    """Return a renderer that draws only every n-th time."""
    calls = count()

    def wrapper(*arguments: object, **options: object) -> Any:
        due = every and next(calls) % every == 0
        return (draw if due else stub)(*arguments, **options)

    return wrapper


def is_stub_size(size: int) -> bool:
    """Return whether a file of this size is a stub."""
    return size == len(_PIXEL)


def _stub_picture(*_: object, **__: object) -> Picture:
    """Return the stub instead of drawing."""
    return PIXEL
