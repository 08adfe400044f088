"""A castle tile on its own, large: the drawn one, or the ghost with the places for a figure."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engine.geometry import Cell
from engine.the_castle.tiles import FeatureKind, TileKind
from renderers.boards.inset import paint_figure, paint_number
from renderers.boards.sheet import Sheet
from renderers.land import meadow
from renderers.palette import flattened
from renderers.shapes import Point
from renderers.sprites import kept
from renderers.the_castle.faces.layout import anchor
from renderers.the_castle.figures import figure, within_tile
from renderers.the_castle.scenery import tile_sprite
from renderers.the_castle.values import Ghost
from renderers.theme import Theme
from renderers.values import NumberedPlace


@kept
def tile_picture(theme: Theme, tile: TileKind, rotation: int, size: int) -> Image.Image:
    """A tile with its grass, in the palette."""
    image = meadow(theme, Cell(0, 0), size).copy()
    sprite = tile_sprite(theme, tile, rotation, size, 0)
    image.paste(sprite, (0, 0), sprite)
    return flattened(image, theme)


def numbered_inset(
    ghost: Ghost, numbers: Sequence[NumberedPlace], size: int, theme: Theme, player: int = 0
) -> Image.Image:
    """The ghost tile enlarged, with a number at each place for a figure of this player."""
    sheet = Sheet((size, size), theme, theme.meadow, flat=False)
    sheet.put(tile_picture(theme, ghost.tile, ghost.rotation, size), (0, 0))
    for entry in numbers:
        place = anchor(ghost.tile, ghost.rotation, entry.segment)
        if entry.figure:
            sprite, place = chosen(theme, player, ghost, entry, size)
            place = paint_figure(sheet, sprite, place)
        paint_number(sheet, entry.number, place)
    return sheet.pixels


def chosen(theme: Theme, player: int, ghost: Ghost, entry: NumberedPlace, size: int) -> tuple[Image.Image, Point]:
    """The figure that will stand on the ghost, and where."""
    kind = FeatureKind(entry.segment.kind)
    sprite = figure(theme, player, size, entry.figure, kind)
    return sprite, within_tile(anchor(ghost.tile, ghost.rotation, entry.segment), kind)
