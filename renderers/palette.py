"""The colours of a picture's file: about a hundred that all pictures of a theme share.

Finding the best colours of each picture costs more than everything else, and a palette made from the theme is as good:
its own colours, and what they become at an edge or in the shade. Few colours make small files: on a full board, each
edge that is rounded by three steps instead of fifteen saves a quarter of all bytes, and looks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Final

from PIL import Image

from engine.caching import thread_safe_lru_cache
from renderers.canvas import CALM, SHADE, SHADOW_STRENGTH, SOWN, VEIL
from renderers.marks import PLAYER_MARKS
from renderers.theme import Colour, Theme, mixed

_GREENS: Final = 10
"""Shades of the meadow: so many that no step between two of them is seen."""


def flattened(image: Image.Image, theme: Theme, *, veiled: bool = False) -> Image.Image:
    """The image in the theme's palette; one that is in it already is returned as it is."""
    if image.mode == "P":
        return image
    palette = _palette(theme, veiled=veiled)
    flat = image.quantize(palette=palette, dither=Image.Dither.NONE)
    flat.palette = palette.palette  # the one that all have: a copy for each sprite makes four MiB
    return flat


def drawn_over(
    ground: Image.Image, what: Image.Image | Colour, corner: tuple[int, int], mask: Image.Image, theme: Theme
) -> None:
    """Mix something into the few pixels below it of an image in the theme's palette; it may lie beyond its edges.

    A picture has fifty such places, each of a few hundred pixels: what Pillow's core does with them costs a fifth of
    what its images take to ask it for that. So the core is asked, step by step as the images would.
    """
    left, top = corner
    area = (left, top, left + mask.width, top + mask.height)
    pixels = ground.im.crop(area).convert("RGB", 0)
    pixels.paste(what.im if isinstance(what, Image.Image) else what, (0, 0, mask.width, mask.height), mask.im)
    ground.im.paste(pixels.convert("P", Image.Dither.NONE, _palette(theme, veiled=False).im), area)


def drawn_over_each(ground: Image.Image, sprites: Sequence[tuple[Image.Image, tuple[int, int]]], theme: Theme) -> None:
    """Mix sprites that do not touch each other into an image in the theme's palette: the same as one after the other.

    What lies below them is mixed as one picture, in which they stand one below the other: whenever something is brought
    into a palette, Pillow fills half a MiB to look colours up in, which costs more than the pixels of one sprite.
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
    mixed_in = pixels.convert("P", Image.Dither.NONE, _palette(theme, veiled=False).im)
    for area, place in zip(areas, places, strict=True):
        ground.im.paste(mixed_in.crop(place), area)


def laid_flat(
    ground: Image.Image, picture: Image.Image, corner: tuple[int, int], mask: Image.Image | None = None
) -> None:
    """Lay a picture in the theme's palette on another one, all of it or what a mask leaves of it, by Pillow's core."""
    (left, top), core = corner, picture.im
    width, height = core.size
    area = (left, top, left + width, top + height)
    if mask is None:
        ground.im.paste(core, area)
    else:
        ground.im.paste(core, area, mask.im)


def blank(theme: Theme, size: tuple[int, int], colour: Colour) -> Image.Image:
    """An image in the theme's palette, all of one of its colours."""
    image = Image.new("P", size, inks(theme)[colour])
    image.putpalette(_channels(theme))
    return image


@thread_safe_lru_cache(8)
def inks(theme: Theme) -> Mapping[Colour, int]:
    """The number of each colour in the theme's palette."""
    return {colour: number for number, colour in enumerate(palette_colours(theme))}


@thread_safe_lru_cache(64)
def nearest(theme: Theme, colour: Colour) -> int:
    """The number that a colour gets with all others of an image: that of one very much like it at least."""
    return flattened(Image.new("RGB", (1, 1), colour), theme).tobytes()[0]


@thread_safe_lru_cache(8)
def _palette(theme: Theme, *, veiled: bool) -> Image.Image:
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in palette_colours(theme, veiled=veiled) for channel in colour])
    return palette


@thread_safe_lru_cache(8)
def _channels(theme: Theme) -> bytes:
    return bytes(channel for colour in palette_colours(theme) for channel in colour)


def palette_colours(theme: Theme, *, veiled: bool = False) -> tuple[Colour, ...]:
    """The theme's own colours, the players', and what edges and shadows make of them; at most 256."""
    own = (*_colours_in(getattr(theme, part.name) for part in fields(theme)), *_players())
    colours = tuple(dict.fromkeys((*own, *_grounds(theme), *_edges(theme))))
    if not veiled:
        return colours
    return tuple(dict.fromkeys((*colours, *(mixed(colour, theme.panel, VEIL) for colour in colours))))[:256]


def _players() -> Iterator[Colour]:
    for mark in PLAYER_MARKS:
        yield mark.colour
        yield mark.fold


def _grounds(theme: Theme) -> Iterator[Colour]:
    """The meadow in all its shades, and what lies in the shadow of something."""
    for mark in PLAYER_MARKS:
        for grass in (theme.meadow_dark, theme.meadow_light):
            yield mixed(mark.colour, mixed(grass, theme.meadow, CALM), SOWN)
    for step in range(_GREENS):
        yield mixed(mixed(theme.meadow_dark, theme.meadow_light, step / (_GREENS - 1)), theme.meadow, CALM)
    for ground in (theme.meadow, theme.meadow_dark, theme.street, theme.road, theme.square, theme.stone):
        yield mixed(ground, SHADE, SHADOW_STRENGTH)
    for ground in (theme.meadow, theme.road):
        yield mixed(ground, SHADE, 0.4)


def _edges(theme: Theme) -> Iterator[Colour]:
    """Half and half of what often lies side by side."""
    colours = tuple(mark.colour for mark in PLAYER_MARKS)
    for one, others in (
        (theme.halo, (theme.ink, theme.meadow, *colours)),
        (theme.ink, (theme.meadow, theme.street, theme.stone, *colours)),
        (theme.meadow, (theme.road_edge, theme.stone_dark, theme.tree_dark)),
        (theme.stone_dark, (theme.ink, theme.stone)),
        (theme.stone_light, (theme.ink, theme.stone)),
        (theme.rim, (theme.rim_text,)),
        (theme.water, (theme.water_light,)),
        (theme.highlight, (theme.highlight_dark, theme.table)),
    ):
        for other in others:
            yield mixed(one, other, 0.5)


def _colours_in(values: Iterable[object]) -> Iterator[Colour]:
    """All colours in nested tuples; what is neither is left out."""
    for value in values:
        match value:
            case (int(red), int(green), int(blue)):
                yield (red, green, blue)
            case tuple():
                yield from _colours_in(value)
            case _:
                pass
