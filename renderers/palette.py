"""The palette of a picture's file: about a hundred colours that all pictures of a theme share.

Computing the best colours of each picture costs more than everything else, and a palette made from the theme is as
good: its own colours, and their mixtures at edges and in the shade. Few colours give small files: on a full board, an
edge in three shades instead of fifteen saves a quarter of all bytes and looks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Final

from PIL import Image

from engine.caching import thread_safe_lru_cache
from renderers.canvas import FIELD_TRANSPARENCY, MEADOW_CALM, SHADOW_COLOUR, SHADOW_STRENGTH, VEIL_STRENGTH
from renderers.marks import PLAYER_MARKS
from renderers.theme import Colour, Theme, mixed

_MEADOW_SHADES: Final = 10
"""Shades of the meadow: so many that no step between two of them is visible."""
_ALIKE: Final = 18
"""Distance of two colours, of 255 for each channel, up to which a small file has only one of them."""


def to_palette(image: Image.Image, theme: Theme, *, veiled: bool = False) -> Image.Image:
    """Return the image in the theme's palette; an image that has a palette is returned unchanged."""
    if image.mode == "P":
        return image
    palette = _palette_image(theme, veiled=veiled)
    flat = image.quantize(palette=palette, dither=Image.Dither.NONE)
    flat.palette = palette.palette  # shared by all sprites: a copy for each takes four MiB
    return flat


def with_few_colours(flat: Image.Image, theme: Theme, *, veiled: bool = False) -> Image.Image:
    """Return an image in the theme's palette in which colours that look alike are one, for a smaller file."""
    return flat.point(_alike_indices(theme, veiled=veiled))


def blend_over(
    ground: Image.Image, source: Image.Image | Colour, corner: tuple[int, int], mask: Image.Image, theme: Theme
) -> None:
    """Blend a sprite or colour through a mask into an image in the theme's palette, cut at the edges of the image.

    A picture needs this at about fifty places, each of a few hundred pixels. Pillow's core takes a fifth of the time of
    its image methods for them, so the steps of those methods call the core directly.
    """
    left, top = corner
    area = (left, top, left + mask.width, top + mask.height)
    pixels = ground.im.crop(area).convert("RGB", 0)
    pixels.paste(source.im if isinstance(source, Image.Image) else source, (0, 0, mask.width, mask.height), mask.im)
    ground.im.paste(pixels.convert("P", Image.Dither.NONE, _palette_image(theme, veiled=False).im), area)


def blend_each_over(ground: Image.Image, sprites: Sequence[tuple[Image.Image, tuple[int, int]]], theme: Theme) -> None:
    """Blend sprites that do not touch each other into an image in the theme's palette, as if one after the other.

    The pixels below them are converted as one picture, stacked vertically: each conversion to a palette makes Pillow
    fill a lookup table of half a MiB, which costs more than the pixels of one sprite.
    """
    areas = [(x, y, x + sprite.width, y + sprite.height) for sprite, (x, y) in sprites]
    places, height = list[tuple[int, int, int, int]](), 0
    for sprite, _ in sprites:
        places.append((0, height, sprite.width, height := height + sprite.height))
    below = ground.im.crop((0, 0, max(sprite.width for sprite, _ in sprites), height))
    for area, place in zip(areas, places, strict=True):
        below.paste(ground.im.crop(area), place)
    pixels = below.convert("RGB", 0)
    for (sprite, _), place in zip(sprites, places, strict=True):
        pixels.paste(sprite.im, place, sprite.im)
    blended = pixels.convert("P", Image.Dither.NONE, _palette_image(theme, veiled=False).im)
    for area, place in zip(areas, places, strict=True):
        ground.im.paste(blended.crop(place), area)


def paste_flat(
    ground: Image.Image, picture: Image.Image, corner: tuple[int, int], mask: Image.Image | None = None
) -> None:
    """Paste a picture in the theme's palette onto another one by Pillow's core; with a mask, only where it is set."""
    (left, top), core = corner, picture.im
    width, height = core.size
    area = (left, top, left + width, top + height)
    if mask is None:
        ground.im.paste(core, area)
    else:
        ground.im.paste(core, area, mask.im)


def blank_palette_image(theme: Theme, size: tuple[int, int], colour: Colour) -> Image.Image:
    """Return an image in the theme's palette, filled with one of its colours."""
    image = Image.new("P", size, colour_indices(theme)[colour])
    image.putpalette(_palette_bytes(theme))
    return image


@thread_safe_lru_cache(8)
def colour_indices(theme: Theme) -> Mapping[Colour, int]:
    """Return the index of each colour in the theme's palette."""
    return {colour: number for number, colour in enumerate(palette_colours(theme))}


@thread_safe_lru_cache(64)
def nearest_colour_index(theme: Theme, colour: Colour) -> int:
    """Return the palette index that a colour gets when an image is converted: that of the colour or a similar one."""
    return to_palette(Image.new("RGB", (1, 1), colour), theme).tobytes()[0]


@thread_safe_lru_cache(8)
def _palette_image(theme: Theme, *, veiled: bool) -> Image.Image:
    """Return an image that has the theme's palette, as Pillow's conversion needs it."""
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in palette_colours(theme, veiled=veiled) for channel in colour])
    return palette


@thread_safe_lru_cache(8)
def _palette_bytes(theme: Theme) -> bytes:
    """Return the theme's palette as bytes."""
    return bytes(channel for colour in palette_colours(theme) for channel in colour)


@thread_safe_lru_cache(8)
def _alike_indices(theme: Theme, *, veiled: bool) -> list[int]:
    """Return for each index of the theme's palette that of the first colour that looks like it."""
    colours, kept = palette_colours(theme, veiled=veiled), list[int]()
    indices = list(range(256))
    for number, colour in enumerate(colours):
        alike = (other for other in kept if _difference(colour, colours[other]) <= _ALIKE**2)
        indices[number] = next(alike, number)
        if indices[number] == number:
            kept.append(number)
    return indices


def _difference(first: Colour, second: Colour) -> int:
    """Return the square of the distance between two colours."""
    return sum((one - other) ** 2 for one, other in zip(first, second, strict=True))


def palette_colours(theme: Theme, *, veiled: bool = False) -> tuple[Colour, ...]:
    """Return the colours of the theme and the players, and their mixtures at edges and in shadows; at most 256."""
    plain_colours = (
        *_colours_in(getattr(theme, part.name) for part in fields(theme)),
        *(colour for mark in PLAYER_MARKS for colour in (mark.colour, mark.fold)),
    )
    colours = tuple(dict.fromkeys((*plain_colours, *_ground_colours(theme), *_edge_colours(theme))))
    if not veiled:
        return colours
    return tuple(dict.fromkeys((*colours, *(mixed(colour, theme.panel, VEIL_STRENGTH) for colour in colours))))[:256]


def _ground_colours(theme: Theme) -> Iterator[Colour]:
    """Yield the shades of the meadow, and the grounds in shadow."""
    for mark in PLAYER_MARKS:
        for grass in (theme.meadow_dark, theme.meadow_light):
            yield mixed(mark.colour, mixed(grass, theme.meadow, MEADOW_CALM), FIELD_TRANSPARENCY)
    for step in range(_MEADOW_SHADES):
        yield mixed(
            mixed(theme.meadow_dark, theme.meadow_light, step / (_MEADOW_SHADES - 1)), theme.meadow, MEADOW_CALM
        )
    for ground in (theme.meadow, theme.meadow_dark, theme.street, theme.road, theme.square, theme.stone):
        yield mixed(ground, SHADOW_COLOUR, SHADOW_STRENGTH)
    for ground in (theme.meadow, theme.road):
        yield mixed(ground, SHADOW_COLOUR, 0.4)


def _edge_colours(theme: Theme) -> Iterator[Colour]:
    """Yield the mixtures, in equal shares, of colours that are often neighbours."""
    player_colours = tuple(mark.colour for mark in PLAYER_MARKS)
    for colour, neighbours in (
        (theme.halo, (theme.ink, theme.meadow, *player_colours)),
        (theme.ink, (theme.meadow, theme.street, theme.stone, *player_colours)),
        (theme.meadow, (theme.road_edge, theme.stone_dark, theme.tree_dark)),
        (theme.stone_dark, (theme.ink, theme.stone)),
        (theme.stone_light, (theme.ink, theme.stone)),
        (theme.rim, (theme.rim_text,)),
        (theme.water, (theme.water_light,)),
        (theme.highlight, (theme.highlight_dark, theme.table)),
    ):
        for neighbour in neighbours:
            yield mixed(colour, neighbour, 0.5)


def _colours_in(values: Iterable[object]) -> Iterator[Colour]:
    """Yield all colours in nested tuples; other values are skipped."""
    for value in values:
        match value:
            case (int(red), int(green), int(blue)):
                yield (red, green, blue)
            case tuple():
                yield from _colours_in(value)
            case _:
                pass
