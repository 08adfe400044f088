"""Palette PNGs, written in strips of rows that are compressed apart: those of the last picture are there already.

A PNG is one stream of zlib, and most of what a picture costs is spent on it. The stream may be cut where its past is
forgotten (a full flush): then each strip becomes the same bytes whatever stands above it, and one that was compressed
before is taken from memory. On the board of the next move all but a few strips are those of this one.
"""

from __future__ import annotations

import struct
import zlib
from collections import OrderedDict
from hashlib import blake2b
from threading import Lock
from typing import Final

from PIL import Image

STRIP: Final = 48
"""Rows of pixels of a strip: fewer cost bytes, more are changed by one tile."""
KEPT: Final = 24 * 2**20
"""Bytes of strips that are kept: the boards of some hundred and fifty games."""
LASTING: Final = 6
"""zlib's level for what is kept: one below it files are a tenth larger, two above it takes five times as long."""
PASSING: Final = 2
"""zlib's level for what is shown once: a third of the time for a quarter more bytes."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEAD: Final = b"\x78\x9c"
"""Of a stream of zlib with a window of 32 KiB."""
_END: Final = b"\x03\x00"
"""An empty last block."""
_PALETTE: Final = 3
"""The type of a PNG whose pixels are numbers of colours."""


class Strips:
    """Compressed strips by what is in them, up to a weight in bytes; safe to use from several threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = Lock()
        self._strips: OrderedDict[bytes, bytes] = OrderedDict()
        self._weight = 0

    @property
    def weight(self) -> int:
        """Bytes of all that is kept."""
        return self._weight

    def compressed(self, rows: memoryview) -> bytes:
        """The rows as a part of a stream, from memory if they were compressed before."""
        key = blake2b(rows, digest_size=16).digest()
        with self._lock:
            found = self._strips.get(key)
            if found is not None:
                self._strips.move_to_end(key)
                return found
        made = _compressed(rows, LASTING)
        self._keep(key, made)
        return made

    def clear(self) -> None:
        """Let go everything, as after a start."""
        with self._lock:
            self._strips.clear()
            self._weight = 0

    def _keep(self, key: bytes, strip: bytes) -> None:
        with self._lock:
            if key in self._strips:
                return  # another thread was quicker
            self._strips[key] = strip
            self._weight += len(strip)
            while self._weight > self._limit and len(self._strips) > 1:
                _, oldest = self._strips.popitem(last=False)
                self._weight -= len(oldest)


STRIPS: Final = Strips(KEPT)
"""Those of this process."""


def png(image: Image.Image, *, lasting: bool) -> bytes:
    """A palette image as a file; ``lasting`` when much of it will be in the next picture, too.

    The same pixels give the same bytes, whatever has been drawn before.
    """
    pixels = memoryview(_filtered(image))
    length = STRIP * (image.width + 1)
    strips = (pixels[start : start + length] for start in range(0, len(pixels), length))
    compressed = STRIPS.compressed if lasting else lambda rows: _compressed(rows, PASSING)
    stream = b"".join([_HEAD, *map(compressed, strips), _END, struct.pack(">I", zlib.adler32(pixels))])
    size = struct.pack(">IIBBBBB", image.width, image.height, 8, _PALETTE, 0, 0, 0)
    palette = bytes(image.getpalette("RGB") or ())
    chunks = [(b"IHDR", size), (b"PLTE", palette), (b"IDAT", stream), (b"IEND", b"")]
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _filtered(image: Image.Image) -> bytes:
    """The pixels as PNG wants them: before each row the number of its filter, none, which suits few colours best."""
    rows = Image.new("P", (image.width + 1, image.height))
    rows.paste(image, (1, 0))
    return rows.tobytes()


def _compressed(rows: memoryview, level: int) -> bytes:
    squeeze = zlib.compressobj(level, wbits=-zlib.MAX_WBITS, memLevel=9)
    return squeeze.compress(rows) + squeeze.flush(zlib.Z_FULL_FLUSH)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
