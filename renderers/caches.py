"""Caches limited by weight in bytes, and the cache of finished sprites that all pictures share.

The entry that was used least recently is evicted first. Any thread may use a cache. A cache that evicts entries soon
after they were used is too small, and logs a warning.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from time import monotonic
from typing import Final, Generic, ParamSpec, TypeVar

from isal import isal_zlib
from PIL import Image

log = logging.getLogger(__name__)

P = ParamSpec("P")
"""The parameters of a function that draws a sprite."""
V = TypeVar("V")
"""The type of the cached values."""

REUSE_SECONDS: Final = 600.0
"""Seconds within which a value is expected to be used again: a cache that evicts it sooner is too small."""
WARNING_INTERVAL_SECONDS: Final = 3600.0
"""Seconds between two warnings of one cache."""


@dataclass(slots=True)
class _Entry(Generic[V]):
    """A cached value and the monotonic time at which it was last used."""

    value: V
    used_at: float


class SizedCache(Generic[V]):
    """A least-recently-used cache limited by the weight of its values in bytes.

    Args:
        limit: bytes of all values together.
        weigh: returns the bytes of one value.
        name: the name of the cache in the log.
        reuse_seconds: time after its last use within which a value is expected to be used again.
    """

    def __init__(
        self, limit: int, weigh: Callable[[V], int], name: str, *, reuse_seconds: float = REUSE_SECONDS
    ) -> None:
        self._limit = limit
        self._weigh = weigh
        self._name = name
        self._reuse_seconds = reuse_seconds
        self._lock = Lock()
        self._entries: OrderedDict[Hashable, _Entry[V]] = OrderedDict()
        self._weight = 0
        self._warned_at = -WARNING_INTERVAL_SECONDS

    def __len__(self) -> int:
        """Return the number of cached values."""
        return len(self._entries)

    def __contains__(self, key: Hashable) -> bool:
        """Return True if a value is cached, without marking it as used."""
        return key in self._entries

    @property
    def weight(self) -> int:
        """Bytes of all cached values."""
        return self._weight

    def get(self, key: Hashable) -> V | None:
        """Return a cached value and mark it as used; None if it is not cached."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            entry.used_at = monotonic()
            self._entries.move_to_end(key)
            return entry.value

    def put(self, key: Hashable, value: V) -> V:
        """Cache a value and return it; evict the least recently used others until all fit into the limit."""
        now, evicted = monotonic(), list[float]()
        with self._lock:
            self._remove(key)
            self._entries[key] = _Entry(value, now)
            self._weight += self._weigh(value)
            while self._weight > self._limit and len(self._entries) > 1:
                _, oldest = self._entries.popitem(last=False)
                self._weight -= self._weigh(oldest.value)
                evicted.append(oldest.used_at)
        if evicted:
            self._warn_if_too_small(evicted[-1], now)
        return value

    def pop(self, key: Hashable) -> V | None:
        """Remove a value from the cache and return it; None if it is not cached."""
        with self._lock:
            return self._remove(key)

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._entries.clear()
            self._weight = 0

    def _remove(self, key: Hashable) -> V | None:
        """Remove an entry and its weight; None if there is none."""
        entry = self._entries.pop(key, None)
        if entry is None:
            return None
        self._weight -= self._weigh(entry.value)
        return entry.value

    def _warn_if_too_small(self, used_at: float, now: float) -> None:
        """Log, at most once an hour, that a value was evicted soon after it was used."""
        if now - used_at > self._reuse_seconds or now - self._warned_at < WARNING_INTERVAL_SECONDS:
            return
        self._warned_at = now
        details = {"store": self._name, "kept": len(self._entries), "kib": self._limit // 1024}
        log.warning("a cache is too small: values in use are evicted and made again", extra=details)


SPRITE_CACHE_BYTES: Final = 32 * 2**20
"""The limit of the sprite cache: the cards of one theme need 11 MiB, and those with all boxes 28."""
LARGE_SPRITE_CACHE_BYTES: Final = 8 * 2**20
"""The limit of the cache of enlarged tiles: compressed, those of one theme need 3 MiB."""
_LARGE_SPRITE_PIXELS: Final = 160 * 160
"""Area from which a sprite counts as enlarged: no sprite on a board has as many pixels."""
_PACKING_LEVEL: Final = 1
"""The level at which large sprites are compressed: a higher one saves nothing."""
_TRIMMED_KEY: Final = "trimmed"
"""Key of the trimmed copy of a sprite in its ``info``."""
MASK_KEY: Final = "mask"
"""Key of the mask of a sprite in its ``info``, for sprites that have one."""


def _sprite_weight(sprite: Image.Image) -> int:
    """Return the bytes that a sprite takes: its pixels, its mask, and for soft edges the copy made by `trimmed`."""
    return sprite.width * sprite.height * (1 + (MASK_KEY in sprite.info) if len(sprite.getbands()) == 1 else 6)


class SpriteCache(SizedCache[Image.Image]):
    """A cache of sprites, with the function that drew them and its arguments as the key."""

    def __init__(self, limit: int, name: str = "sprites") -> None:
        super().__init__(limit, _sprite_weight, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PackedSprite:
    """A sprite whose pixels are compressed."""

    mode: str
    size: tuple[int, int]
    pixels: bytes
    palette: bytes | None
    """Red, green and blue of each colour; None for a sprite without a palette."""
    info: Mapping[str | tuple[int, int], object]

    @classmethod
    def of(cls, sprite: Image.Image) -> _PackedSprite:
        """Compress a sprite."""
        return cls(
            mode=sprite.mode,
            size=sprite.size,
            pixels=isal_zlib.compress(sprite.tobytes(), _PACKING_LEVEL),
            palette=sprite.palette.tobytes() if sprite.palette is not None else None,
            info=dict(sprite.info),
        )

    def unpacked(self) -> Image.Image:
        """Return the sprite."""
        sprite = Image.frombytes(self.mode, self.size, isal_zlib.decompress(self.pixels))
        if self.palette is not None:
            sprite.putpalette(self.palette)
        sprite.info.update(self.info)
        return sprite

    @property
    def weight(self) -> int:
        """Bytes of its pixels and of its mask."""
        return len(self.pixels) + (self.size[0] * self.size[1] if MASK_KEY in self.info else 0)


class LargeSpriteCache:
    """A cache of compressed sprites.

    An enlarged tile takes a fourteenth of its pixels that way, and is unpacked in a fiftieth of the time in which it is
    drawn.
    """

    def __init__(self, limit: int) -> None:
        self._packed = SizedCache[_PackedSprite](limit, lambda sprite: sprite.weight, "enlarged tiles")

    @property
    def weight(self) -> int:
        """Bytes of all cached sprites."""
        return self._packed.weight

    def get(self, key: Hashable) -> Image.Image | None:
        """Return a copy of a cached sprite; None if it is not cached."""
        packed = self._packed.get(key)
        return None if packed is None else packed.unpacked()

    def put(self, key: Hashable, sprite: Image.Image) -> Image.Image:
        """Cache a sprite and return it."""
        self._packed.put(key, _PackedSprite.of(sprite))
        return sprite

    def clear(self) -> None:
        """Remove all sprites."""
        self._packed.clear()


SPRITE_CACHE: Final = SpriteCache(SPRITE_CACHE_BYTES)
"""The sprites of all themes, sizes and games; one cache keeps the process small however many of them it draws."""
LARGE_SPRITE_CACHE: Final = LargeSpriteCache(LARGE_SPRITE_CACHE_BYTES)
"""Large sprites for one player's panel: in the other cache they would evict sprites that every card shows."""


def trimmed(sprite: Image.Image) -> tuple[Image.Image, tuple[int, int]]:
    """Return a sprite without its empty margin and the upper left of the rest; both are cached with the sprite."""
    cached: tuple[Image.Image, tuple[int, int]] | None = sprite.info.get(_TRIMMED_KEY)
    if cached is None:
        box = sprite.getbbox() or (0, 0, 1, 1)
        cached = sprite.info[_TRIMMED_KEY] = sprite.crop(box), (box[0], box[1])
    return cached


def cached_sprite(draw: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
    """Decorate a function that draws a sprite, so that each sprite is drawn once and then taken from the cache.

    The arguments must be hashable, and no caller may paint on the result. Such a function has no defaults: an omitted
    argument would give another key than the same value passed explicitly.
    """

    @wraps(draw)
    def cached(*args: P.args, **kwargs: P.kwargs) -> Image.Image:
        key = (draw, args, tuple(kwargs.items()))
        sprite = SPRITE_CACHE.get(key) or LARGE_SPRITE_CACHE.get(key)
        if sprite is None:
            sprite = draw(*args, **kwargs)
            large = sprite.width * sprite.height > _LARGE_SPRITE_PIXELS
            (LARGE_SPRITE_CACHE if large else SPRITE_CACHE).put(key, sprite)
        return sprite

    return cached
