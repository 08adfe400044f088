"""Finished sprites, kept for the next picture: as many as fit into a fixed memory, the longest unused go first.

All themes, sizes and games share the one store, so that a process stays small however many of them it shows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec

from PIL import Image

from renderers.stores import WeightedStore

P = ParamSpec("P")

LIMIT: Final = 32 * 2**20
"""Bytes of pixels that are kept: what cards of one theme show is 11 MiB, and all boxes 28."""
LARGE_LIMIT: Final = 8 * 2**20
"""Bytes of enlarged tiles that are kept beside them: those of a dozen panels."""
_LARGE: Final = 160 * 160
"""More pixels than any sprite on a board has."""
_TRIMMED: Final = "trimmed"
MASK: Final = "mask"
"""Where a sprite's mask stands among its ``info``, if it has one."""


def _weight(sprite: Image.Image) -> int:
    """Bytes of its pixels, and of its mask; what is soft is kept a second time without the room round it."""
    return sprite.width * sprite.height * (1 + (MASK in sprite.info) if len(sprite.getbands()) == 1 else 6)


class SpriteStore(WeightedStore[Image.Image]):
    """Sprites by what they were drawn from, up to a weight in bytes."""

    def __init__(self, limit: int, name: str = "sprites") -> None:
        super().__init__(limit, _weight, name)


SPRITES: Final = SpriteStore(LIMIT)
"""The store of this process."""
LARGE: Final = SpriteStore(LARGE_LIMIT, "enlarged tiles")
"""What is drawn larger than a board shows it, once for somebody's panel: it would push out what every card shows."""


def trimmed(sprite: Image.Image) -> tuple[Image.Image, tuple[int, int]]:
    """What there is of a sprite without the empty room round it, and where that begins; kept with the sprite."""
    found: tuple[Image.Image, tuple[int, int]] | None = sprite.info.get(_TRIMMED)
    if found is None:
        box = sprite.getbbox() or (0, 0, 1, 1)
        found = sprite.info[_TRIMMED] = sprite.crop(box), (box[0], box[1])
    return found


def kept(draw: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
    """Draw each sprite once and keep it; its arguments must be hashable, and nobody may paint on the result.

    Such a function has no defaults: an argument left out would count as another than the same one given.
    """

    @wraps(draw)
    def found(*args: P.args, **kwargs: P.kwargs) -> Image.Image:
        key = (draw, args, tuple(kwargs.items()))
        sprite = SPRITES.find(key) or LARGE.find(key)
        if sprite is None:
            sprite = draw(*args, **kwargs)
            (LARGE if sprite.width * sprite.height > _LARGE else SPRITES).keep(key, sprite)
        return sprite

    return found
