"""Palette PNGs, written in strips of rows that are compressed apart: those of the last picture are there already.

A PNG is one stream of zlib, and most of what a picture costs is spent on it. The stream may be cut where its past is
forgotten (a full flush): then each strip becomes the same bytes whatever stands above it, and one that was compressed
before is taken from memory. On the board of the next move all but a few strips are those of this one, and on the next
page of somebody's panel half of them.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Final

from PIL import Image

from renderers.stores import IN_USE, WeightedStore

STRIP: Final = 32
"""Rows of pixels of a strip: fewer cost bytes, more are changed by one tile."""
KEPT: Final = 36 * 2**20
"""Bytes of strips of boards that are kept: those of two hundred games."""
PANELS_KEPT: Final = 4 * 2**20
"""Bytes of strips of panels that are kept: those of the dozen that somebody is looking at."""
LASTING: Final = 3
"""zlib's level for boards: at 6 they are a sixth smaller, which takes two and a half times as long."""
PASSING: Final = 2
"""zlib's level for all else: a tenth quicker for a twentieth more bytes."""
_MEMORY: Final = 8
"""How much memory zlib takes: more, which is quicker to get, is slower to go through."""
_BASE: Final = 65521
"""What Adler's checksum is counted modulo."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEAD: Final = b"\x78\x9c"
"""Of a stream of zlib with a window of 32 KiB."""
_END: Final = b"\x03\x00"
"""An empty last block."""
_PALETTE: Final = 3
"""The type of a PNG whose pixels are numbers of colours."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of a stream: its bytes, and Adler's checksum of what they were before, with their number."""

    data: bytes
    checksum: int
    length: int


class Strips(WeightedStore[Strip]):
    """Compressed strips by what is in them, up to a weight in bytes; safe to use from several threads."""

    def __init__(
        self, limit: int, level: int = LASTING, name: str = "strips of boards", *, in_use: float = IN_USE
    ) -> None:
        super().__init__(limit, lambda strip: len(strip.data), name, in_use=in_use)
        self._level = level

    def compressed(self, rows: memoryview) -> Strip:
        """The rows as a part of a stream, from memory if they were compressed before."""
        checksum = zlib.adler32(rows)
        key = checksum, hash(rows), len(rows)
        return self.find(key) or self.keep(key, _compressed(rows, self._level, checksum))


STRIPS: Final = Strips(KEPT)
"""Those of the boards of this process."""
PANELS: Final = Strips(PANELS_KEPT, PASSING, "strips of panels", in_use=5.0)
"""Those of private panels, of which the next page shows much again."""


def png(image: Image.Image, *, lasting: bool, panel: bool = False) -> bytes:
    """A palette image as a file.

    The same pixels give the same bytes, whatever has been drawn before.

    Args:
        image: its pixels.
        lasting: much of it will be in the next picture of the game, too.
        panel: much of it will be in the next picture of somebody's panel.
    """
    pixels = memoryview(_filtered(image))
    length = STRIP * (image.width + 1)
    rows = (pixels[start : start + length] for start in range(0, len(pixels), length))
    if lasting or panel:
        strips = list(map((STRIPS if lasting else PANELS).compressed, rows))
    else:
        strips = [_compressed(part, PASSING, zlib.adler32(part)) for part in rows]
    end = struct.pack(">I", _checksum(strips))
    stream = b"".join([_HEAD, *(strip.data for strip in strips), _END, end])
    size = struct.pack(">IIBBBBB", image.width, image.height, 8, _PALETTE, 0, 0, 0)
    palette = bytes(image.getpalette("RGB") or ())
    chunks = [(b"IHDR", size), (b"PLTE", palette), (b"IDAT", stream), (b"IEND", b"")]
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _checksum(strips: list[Strip]) -> int:
    """Adler's checksum of all strips together: a sum of bytes plus one, and the sum of these sums."""
    low, high = 1, 0
    for strip in strips:
        high = (high + (strip.checksum >> 16) + strip.length * (low - 1)) % _BASE
        low = (low + (strip.checksum & 0xFFFF) - 1) % _BASE
    return high << 16 | low


def _filtered(image: Image.Image) -> bytes:
    """The pixels as PNG wants them: before each row the number of its filter, none, which suits few colours best."""
    rows = Image.new("P", (image.width + 1, image.height))
    rows.paste(image, (1, 0))
    return rows.tobytes()


def _compressed(rows: memoryview, level: int, checksum: int) -> Strip:
    squeeze = zlib.compressobj(level, wbits=-zlib.MAX_WBITS, memLevel=_MEMORY)
    return Strip(squeeze.compress(rows) + squeeze.flush(zlib.Z_FULL_FLUSH), checksum, len(rows))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
