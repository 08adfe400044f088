"""PNG files, with the palette that all pictures of a theme share (:mod:`renderers.palette`).

A PNG is one stream of zlib, and most of what a picture used to cost was spent on it. ISA-L writes the same format at an
eighth of the cost, so that nothing has to be kept from one picture for the next.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from isal import isal_zlib
from PIL import Image

from renderers.palette import flattened
from renderers.theme import Theme
from renderers.values import Picture

LEVEL: Final = 2
"""The best of ISA-L for so few colours: a thirtieth more bytes than at zlib's level 3; above, they are more."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_NO_FILTER: Final = b"\0"
_BAND: Final = 256 * 1024
"""Bytes that are compressed at a time."""
_PALETTE: Final = 3
"""The type of a PNG whose pixels are numbers of colours."""


def png(image: Image.Image) -> bytes:
    """A palette image as a file.

    The same pixels give the same bytes, but not always: of ISA-L's streams, the first of a process is now and then
    another one, a few bytes longer or shorter, of the same pixels.
    """
    size = struct.pack(">IIBBBBB", image.width, image.height, 8, _PALETTE, 0, 0, 0)
    palette = bytes(image.getpalette("RGB") or ())
    chunks = [(b"IHDR", size), (b"PLTE", palette), (b"IDAT", b"".join(_stream(image))), (b"IEND", b"")]
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _stream(image: Image.Image) -> Iterator[bytes]:
    """The pixels as PNG wants them: before each row the number of its filter, none, which suits few colours best.

    Some rows at a time: what has megabytes is asked of the system anew for each picture.
    """
    compressor = isal_zlib.compressobj(LEVEL)
    yield compressor.compress(_NO_FILTER)
    most = max(_BAND // (image.width + 1), 1)
    for top in range(0, image.height, most):
        bottom = min(top + most, image.height)
        rows = image.crop((0, top, image.width, bottom)).tobytes("raw", "P", image.width + len(_NO_FILTER), 1)
        yield compressor.compress(rows if bottom < image.height else rows[: -len(_NO_FILTER)])
    yield compressor.flush()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", isal_zlib.crc32(name + data))


def encoded(image: Image.Image, theme: Theme, name: str, *, veiled: bool = False) -> Picture:
    """The picture as a PNG file.

    Args:
        image: its pixels, in the theme's palette or to be brought into it.
        theme: whose colours they become.
        name: of the file.
        veiled: part of it lies behind the veil, for which there are more colours.
    """
    return Picture(png(flattened(image, theme, veiled=veiled)), f"{name}.png", image.width, image.height)
