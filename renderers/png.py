"""PNG files with the palette that all pictures of a theme share (:mod:`renderers.palette`).

A PNG contains one zlib stream, and compressing it used to be most of a picture's cost. ISA-L writes the same format at
an eighth of the cost, so nothing has to be cached from one picture for the next.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, Final

from isal import isal_zlib
from PIL import Image

from renderers.palette import to_palette, with_few_colours
from renderers.theme import Theme
from renderers.values import Picture

COMPRESSION_LEVEL: Final = 2
"""The best level of ISA-L for so few colours: 3 % more bytes than zlib's level 3; higher levels add more."""
COMPACT_LEVEL: Final = 6
"""The level of zlib for compact files: a sixth fewer bytes, for ten times the work."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG file."""
_NO_FILTER: Final = b"\0"
"""The byte before each row of pixels: the row is stored as it is."""
_BAND_BYTES: Final = 256 * 1024
"""Bytes that are compressed at a time."""
_PALETTE_COLOUR_TYPE: Final = 3
"""The PNG colour type of pixels that are palette indices."""


def png_bytes(image: Image.Image, *, compact: bool = False) -> bytes:
    """Return a palette image as the bytes of a PNG file; a ``compact`` one takes longer, and has fewer bytes.

    The same pixels usually give the same bytes. The first stream that ISA-L writes in a process may differ by a few
    bytes; its pixels are the same.
    """
    size = struct.pack(">IIBBBBB", image.width, image.height, 8, _PALETTE_COLOUR_TYPE, 0, 0, 0)
    palette = bytes(image.getpalette("RGB") or ())
    compressor = zlib.compressobj(COMPACT_LEVEL) if compact else isal_zlib.compressobj(COMPRESSION_LEVEL)
    pixels = b"".join(_compressed_rows(image, compressor))
    chunks = [(b"IHDR", size), (b"PLTE", palette), (b"IDAT", pixels), (b"IEND", b"")]
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _compressed_rows(image: Image.Image, compressor: Any) -> Iterator[bytes]:  # noqa: ANN401 - of either library
    """Yield the compressed pixels, with PNG's filter byte before each row.

    The filter is "none", which suits few colours best. Rows are compressed in bands, because buffers of megabytes are
    allocated from the system anew for each picture.
    """
    yield compressor.compress(_NO_FILTER)
    band_rows = max(_BAND_BYTES // (image.width + 1), 1)
    for top in range(0, image.height, band_rows):
        bottom = min(top + band_rows, image.height)
        rows = image.crop((0, top, image.width, bottom)).tobytes("raw", "P", image.width + len(_NO_FILTER), 1)
        yield compressor.compress(rows if bottom < image.height else rows[: -len(_NO_FILTER)])
    yield compressor.flush()


def _chunk(name: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG file: its length, name, data and checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", isal_zlib.crc32(name + data))


def encode_png(image: Image.Image, theme: Theme, name: str, *, veiled: bool = False, compact: bool = False) -> Picture:
    """Return the picture as a PNG file.

    Args:
        image: the pixels, in the theme's palette or to be converted to it.
        theme: the theme of the palette.
        name: the file name without its extension.
        veiled: True if part of the picture is veiled, which needs more colours.
        compact: True to spend more time on fewer bytes, with fewer colours.
    """
    flat = to_palette(image, theme, veiled=veiled)
    data = png_bytes(with_few_colours(flat, theme, veiled=veiled) if compact else flat, compact=compact)
    return Picture(data, f"{name}.png", image.width, image.height)
