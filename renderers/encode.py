"""Pixels to bytes: a palette PNG of 256 colours that every picture shares.

Finding the best colours of each picture costs more than everything else, and a palette made from the theme is as good:
its own colours, and what they become at an edge or in the shade.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from renderers.canvas import SHADE, SHADOW_STRENGTH, VEIL
from renderers.marks import PLAYER_MARKS
from renderers.theme import Colour, Theme, mixed
from renderers.values import Picture

_COLOURS: Final = 256
_COMPRESSION: Final = 4
"""Of zlib: beyond it, a tenth less size takes twice the time."""


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
    """The theme's own colours, many greens, and what edges and shadows make of them; at most 256."""
    players = tuple(mark.colour for mark in PLAYER_MARKS)
    meadow = (mixed(theme.meadow_dark, theme.meadow_light, step / 12) for step in range(13))
    distinct = dict.fromkeys((*_colours_in(astuple(theme)), *players, *meadow, *_mixtures(theme, players)))
    return tuple(distinct)[:_COLOURS]


def _mixtures(theme: Theme, players: Iterable[Colour]) -> Iterator[Colour]:
    """Colours between those that lie side by side, the most seen ones first."""
    roofs = tuple(colour for pair in theme.roofs for colour in pair)
    walls = (theme.plaster, theme.plaster_dark, theme.stone, theme.stone_light, theme.stone_dark)
    woods = (theme.timber, theme.timber_dark, theme.timber_light, theme.spire, theme.spire_dark)
    town = (*roofs, *walls, *woods, theme.street, theme.road, theme.road_edge, theme.shield, *theme.awning)
    trees = (theme.tree, theme.tree_dark, theme.tree_light)
    open_ground = (theme.meadow, theme.meadow_dark, theme.meadow_light, theme.street, theme.road, theme.square)
    shaded_street = mixed(theme.street, SHADE, SHADOW_STRENGTH)
    for other, share, colours in (
        (SHADE, SHADOW_STRENGTH, open_ground),
        (theme.street, 0.5, town),
        (theme.plaster, 0.5, roofs),
        (theme.meadow, 0.5, (*trees, *walls, *woods, theme.road, theme.road_edge, theme.ink, theme.halo)),
        (theme.ink, 0.5, (*town, theme.halo, theme.meadow)),
        (theme.halo, 0.5, (*players, theme.ink, theme.shield)),
        (shaded_street, 0.5, (*roofs, theme.plaster, theme.plaster_dark)),
        (theme.panel, VEIL, (*open_ground, *roofs, *walls, *woods, *trees, *players)),
        (theme.street, 0.25, town),
        (theme.street, 0.75, town),
    ):
        yield from (mixed(colour, other, share) for colour in colours)


def _colours_in(values: Iterable[object]) -> Iterable[Colour]:
    """All colours in nested tuples."""
    for value in values:
        match value:
            case (int(red), int(green), int(blue)):
                yield (red, green, blue)
            case tuple():
                yield from _colours_in(value)
