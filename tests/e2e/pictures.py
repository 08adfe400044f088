"""Games without drawing, or with little: a test's way to see whole games in seconds."""

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
from renderers.values import Picture, TurnPictures

_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)
PIXEL = Picture(_PIXEL, "pixel.png", 1, 1)
"""What is given instead of any other picture than that of a card."""
MIN_DRAWN_BYTES = 1000
"""Bytes that any picture has that was drawn."""


def stub_pictures(patch: pytest.MonkeyPatch) -> None:
    """Let every renderer give one pixel; which pictures there are and their alt texts stay as they are."""
    draw_every_nth(patch, every=0)


def draw_every_nth(patch: pytest.MonkeyPatch, every: int) -> None:
    """Let every renderer draw each so many times, from the first on, and else give one pixel; never with 0."""
    boxes = [module for name, module in sys.modules.items() if name.startswith(f"{carcassonne_boxes.__name__}.")]
    for module in (pictures, carcassonne, the_castle, *boxes):
        for name, value in tuple(vars(module).items()):
            if isinstance(value, FunctionType) and value.__module__.startswith("renderers"):
                patch.setattr(
                    module, name, _stubbed(value, stub_turn_pictures if name == "turn_card" else _stub_picture, every)
                )


def _stubbed(draw: Callable[..., Any], instead: Callable[..., Any], every: int) -> Callable[..., Any]:
    calls = count()

    def drawn(*arguments: object, **options: object) -> Any:
        chosen = every and next(calls) % every == 0
        return (draw if chosen else instead)(*arguments, **options)

    return drawn


def is_stub_size(size: int) -> bool:
    """Whether a file of this size is what is given instead of a picture."""
    return size == len(_PIXEL)


def _stub_picture(*_: object, **__: object) -> Picture:
    return PIXEL


def stub_turn_pictures(*_: object, **__: object) -> TurnPictures:
    return TurnPictures(_picture("focus.png"), _picture("board.png"))


def _picture(filename: str) -> Picture:
    return Picture(bytes(bytearray(_PIXEL)), filename, 1, 1)
