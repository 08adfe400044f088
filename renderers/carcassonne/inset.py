"""A tile on its own, large: the drawn one, a lot, or the ghost with the places for a figure."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engine.carcassonne import TileKind
from engine.geometry import Axis, Cell
from renderers.boards.inset import paint_figure, paint_number
from renderers.boards.sheet import Sheet
from renderers.carcassonne.figure_places import lies, place_on
from renderers.carcassonne.figures import across_sprite, figure, kept_within
from renderers.carcassonne.scenery import flat_tile, lay_tile
from renderers.carcassonne.values import Ghost
from renderers.shapes import Point
from renderers.theme import Theme
from renderers.values import NumberedPlace


def tile_picture(theme: Theme, tile: TileKind, rotation: int, size: int, across: Axis | None = None) -> Image.Image:
    """A tile with its meadow and, if there is something, what lies across it."""
    sheet = Sheet((size, size), theme, theme.meadow, flat=False)
    lay_tile(sheet, (0, 0), Cell(0, 0), (tile, rotation, across), size)
    image = sheet.pixels
    if across is not None:
        sprite = across_sprite(theme, across, size)
        image.paste(sprite, (0, 0), sprite)
    return image


def numbered_inset(
    ghost: Ghost, numbers: Sequence[NumberedPlace], size: int, theme: Theme, player: int = 0
) -> Image.Image:
    """The ghost tile enlarged, with what lies across it, and over all figures of this player a number at each place.

    It is in the theme's palette.
    """
    sheet = Sheet((size, size), theme, theme.meadow, flat=True)
    sheet.put(flat_tile(theme, ghost.tile, ghost.rotation, size, ghost.across), (0, 0))
    places: list[Point] = []
    for entry in numbers:
        place = place_on(ghost, entry)
        if entry.figure:
            lying = lies(entry.segment)
            sprite = figure(theme, player, size, entry.figure, lying=lying)
            place = paint_figure(sheet, sprite, kept_within(place, entry.figure, lying=lying))
        places.append(place)
    for entry, place in zip(numbers, places, strict=True):
        paint_number(sheet, entry.number, place)
    return sheet.pixels
