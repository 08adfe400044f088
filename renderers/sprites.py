"""Finished sprites, kept for the next picture: as many as fit into a fixed memory, the longest unused go first.

All themes, sizes and games share the one store, so that a process stays small however many of them it shows.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Final, ParamSpec

from PIL import Image

P = ParamSpec("P")

LIMIT: Final = 48 * 2**20
"""Bytes of pixels that are kept: all that cards of one theme show is about 25 MiB."""


class Store:
    """Sprites by what they were drawn from, up to a weight in bytes; safe to use from several threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = Lock()
        self._sprites: OrderedDict[Hashable, Image.Image] = OrderedDict()
        self._weight = 0

    @property
    def weight(self) -> int:
        """Bytes of all that is kept."""
        return self._weight

    def find(self, key: Hashable) -> Image.Image | None:
        """The sprite, if it is still there; it counts as used."""
        with self._lock:
            sprite = self._sprites.get(key)
            if sprite is not None:
                self._sprites.move_to_end(key)
            return sprite

    def keep(self, key: Hashable, sprite: Image.Image) -> None:
        """Keep a sprite, and let go what has not been used for longest."""
        with self._lock:
            replaced = self._sprites.pop(key, None)
            self._sprites[key] = sprite
            self._weight += _weight(sprite) - (0 if replaced is None else _weight(replaced))
            while self._weight > self._limit and len(self._sprites) > 1:
                _, oldest = self._sprites.popitem(last=False)
                self._weight -= _weight(oldest)

    def clear(self) -> None:
        """Let go everything, as after a start."""
        with self._lock:
            self._sprites.clear()
            self._weight = 0


SPRITES: Final = Store(LIMIT)
"""The store of this process."""


def kept(draw: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
    """Draw each sprite once and keep it; its arguments must be hashable, and nobody may paint on the result.

    Such a function has no defaults: an argument left out would count as another than the same one given.
    """

    @wraps(draw)
    def found(*args: P.args, **kwargs: P.kwargs) -> Image.Image:
        key = (draw, args, tuple(kwargs.items()))
        sprite = SPRITES.find(key)
        if sprite is None:
            sprite = draw(*args, **kwargs)
            SPRITES.keep(key, sprite)
        return sprite

    return found


def _weight(sprite: Image.Image) -> int:
    return sprite.width * sprite.height * (1 if len(sprite.getbands()) == 1 else 4)
