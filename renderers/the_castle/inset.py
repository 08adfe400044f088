"""Single castle tiles: the drawn tile, the ghost with numbered places, and the remaining tiles.

It also draws the wall tiles that players have taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from engine.geometry import Cell
from engine.the_castle.tiles import FeatureKind, TileKind
from engine.the_castle.wall import WallTile
from renderers import pieces
from renderers.boards.sheet import Sheet, paint_figure, paint_number, veil_mask
from renderers.caches import cached_sprite
from renderers.land import meadow
from renderers.lettering import fitted, printable, write
from renderers.palette import to_palette
from renderers.png import encode_png
from renderers.shapes import Point
from renderers.the_castle import tokens
from renderers.the_castle.board import Ghost
from renderers.the_castle.faces.layout import anchor
from renderers.the_castle.scenery import tile_sprite
from renderers.the_castle.tokens import figure, within_tile
from renderers.theme import DAY, Theme
from renderers.values import NumberedPlace, Picture


@cached_sprite
def tile_picture(theme: Theme, tile: TileKind, rotation: int, size: int) -> Image.Image:
    """Draw a tile on its meadow, in the palette."""
    image = meadow(theme, Cell(0, 0), size).copy()
    sprite = tile_sprite(theme, tile, rotation, size, 0)
    image.paste(sprite, (0, 0), sprite)
    return to_palette(image, theme)


def numbered_inset(
    ghost: Ghost, numbers: Sequence[NumberedPlace], size: int, theme: Theme, player: int = 0
) -> Image.Image:
    """Return the enlarged ghost tile, with a number at each place for a figure of this player."""
    sheet = Sheet((size, size), theme, theme.meadow, flat=False)
    sheet.put(tile_picture(theme, ghost.tile, ghost.rotation, size), (0, 0))
    for entry in numbers:
        place = anchor(ghost.tile, ghost.rotation, entry.segment)
        if entry.figure:
            sprite, place = chosen_figure(theme, player, ghost, entry, size)
            place = paint_figure(sheet, sprite, place)
        paint_number(sheet, entry.number, place)
    return sheet.pixels


def chosen_figure(
    theme: Theme, player: int, ghost: Ghost, entry: NumberedPlace, size: int
) -> tuple[Image.Image, Point]:
    """Return the sprite and the place of the figure chosen for the ghost."""
    kind = FeatureKind(entry.segment.kind)
    sprite = figure(theme, player, size, entry.figure, kind)
    return sprite, within_tile(anchor(ghost.tile, ghost.rotation, entry.segment), kind)


_GAP: Final = 20
_WALL_TILE_SIZE: Final = 150
_WALL_TILES_PER_ROW: Final = 6
"""Wall tiles in one row."""
_NAME_HEIGHT: Final = 76
_TILE_SIZE: Final = 126
_TILES_PER_ROW: Final = 8
"""Castle tiles in one row."""


def wall_tiles(held: Sequence[Sequence[WallTile]], names: Sequence[str] = (), *, theme: Theme = DAY) -> Picture:
    """Draw the wall tiles that lie face up before each player, large enough to read.

    Args:
        held: the tiles by seat.
        names: the players by seat.
        theme: the colours.
    """
    step = _WALL_TILE_SIZE + _GAP
    heights = [_NAME_HEIGHT + -(-len(kinds) // _WALL_TILES_PER_ROW) * step for kinds in held]
    image = Image.new("RGB", (_GAP + _WALL_TILES_PER_ROW * step, _GAP + sum(heights)), theme.panel)
    top = _GAP
    for seat, (kinds, height) in enumerate(zip(held, heights, strict=True)):
        mark = pieces.shape_sprite(theme, seat, _NAME_HEIGHT - 16)
        image.paste(mark, (_GAP, top), mark)
        name = fitted(printable(names[seat]), 36, image.width - 130) if seat < len(names) else ""
        write(image, name, (_GAP + _NAME_HEIGHT, top + mark.height / 2), 36, theme.text, anchor=(0.0, 0.5))
        if not kinds:
            right = image.width - 2 * _GAP
            write(image, tokens.NONE_SIGN, (right, top + mark.height / 2), 48, theme.muted_text, anchor=(1.0, 0.5))
        for number, kind in enumerate(kinds):
            sprite = tokens.wall_tile(theme, kind, _WALL_TILE_SIZE)
            place = (
                _GAP + number % _WALL_TILES_PER_ROW * step,
                top + _NAME_HEIGHT + number // _WALL_TILES_PER_ROW * step,
            )
            image.paste(sprite, place, sprite)
        top += height
    return encode_png(image, theme, "wall-tiles")


def remaining(tiles: Sequence[tuple[TileKind, int]], *, theme: Theme = DAY) -> Picture:
    """Draw a contact sheet of the castle tiles, each of which exists once; those not in the pile are dimmed."""
    step = _TILE_SIZE + _GAP
    rows = max(-(-len(tiles) // _TILES_PER_ROW), 1)
    image = Image.new("RGB", (_GAP + _TILES_PER_ROW * step, _GAP + rows * step), theme.panel)
    for index, (tile, count) in enumerate(tiles):
        place = (_GAP + index % _TILES_PER_ROW * step, _GAP + index // _TILES_PER_ROW * step)
        image.paste(tile_picture(theme, tile, 0, _TILE_SIZE), place)
        if not count:
            image.paste(theme.panel, place, veil_mask(_TILE_SIZE))
            image.paste(theme.panel, place, veil_mask(_TILE_SIZE))
    return encode_png(image, theme, "tiles", veiled=True)
