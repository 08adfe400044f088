"""Pixels to bytes: a palette PNG of 256 colours that every picture shares.

Finding the best colours of each picture costs more than everything else, and a palette made from the theme is as good:
its own colours, and what they become at an edge or in the shade.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from renderers.marks import PLAYER_MARKS
from renderers.theme import Colour, Theme
from renderers.values import Picture

_COLOURS: Final = 256
_COMPRESSION: Final = 4
"""Of zlib: beyond it, a tenth less size takes twice the time."""
_SHADE: Final[Colour] = (20, 24, 10)


def encoded(image: Image.Image, theme: Theme, name: str) -> Picture:
    """The picture as a PNG file."""
    flat = image.quantize(palette=_palette(theme), dither=Image.Dither.NONE)
    data = BytesIO()
    flat.save(data, "PNG", compress_level=_COMPRESSION)
    return Picture(data.getvalue(), f"{name}.png", image.width, image.height)


@lru_cache(maxsize=8)
def _palette(theme: Theme) -> Image.Image:
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in palette_colours(theme) for channel in colour])
    return palette


def palette_colours(theme: Theme) -> tuple[Colour, ...]:
    """The theme's colours first, then their mixtures, the most needed ones first."""
    own = (*_colours_in(astuple(theme)), *(mark.colour for mark in PLAYER_MARKS))
    meadow = tuple(mixed(theme.meadow_dark, theme.meadow_light, step / 24) for step in range(25))
    mixtures = (
        mixed(colour, other, share)
        for other, share in (
            (theme.ink, 0.5),
            (theme.meadow, 0.5),
            (_SHADE, 0.3),
            (theme.halo, 0.5),
            (theme.street, 0.5),
            (theme.ink, 0.25),
        )
        for colour in own
    )
    distinct = dict.fromkeys((*own, *meadow, *mixtures))
    return tuple(distinct)[:_COLOURS]


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """One colour with a share of another."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return (red, green, blue)


def _colours_in(values: Iterable[object]) -> Iterable[Colour]:
    """All colours in nested tuples."""
    for value in values:
        match value:
            case (int(red), int(green), int(blue)):
                yield (red, green, blue)
            case tuple():
                yield from _colours_in(value)
