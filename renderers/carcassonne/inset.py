"""Tiles beside the board: the drawn one, a lot, or the ghost with the places for a figure; the pile; what is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from engine.carcassonne import Position, TileKind
from engine.geometry import Axis, Cell
from renderers import pieces
from renderers.boards.inset import paint_figure, paint_number, tile_back, veil_mask
from renderers.boards.sheet import Sheet
from renderers.caches import cached_sprite
from renderers.carcassonne.figures import Ghost, across_sprite, figure, kept_within, lies, place_on
from renderers.carcassonne.scenery import flat_tile, lay_tile
from renderers.lettering import TIMES_SIGN, text_mask, write
from renderers.palette import to_palette
from renderers.png import encode_png
from renderers.shapes import Point
from renderers.theme import DAY, Theme
from renderers.values import NumberedPlace, Picture


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


_TILE: Final = 1.6
_BACK: Final = 1.0
_MARGIN: Final = 0.26
_STEP: Final = 0.06
"""Sides of the drawn tile and of the pile, what is left free round them, and how far the pile leans, in cells."""
ROOM: Final = _TILE + 2 * _MARGIN
"""Breadth of the strip."""
_SHEETS: Final = ((36, 6, 136), (64, 8, 136), (108, 12, 104))
"""Up to so many kinds of tiles that are left: how many stand in a row, and the pixels of each."""
_LETTERS: Final = 0.5
_BADGE: Final = 0.56


def with_drawn(board: Image.Image, position: Position, theme: Theme, size: int) -> Image.Image:
    """The board with the drawn tile below it, or at its right where it is tall; unchanged when there is none to lay."""
    if position.hand is None:
        return board
    room = round(size * ROOM)
    wide = board.width >= board.height
    strip = _strip(position, theme, size, (board.width, room) if wide else (room, board.height))
    whole = (board.width, board.height + room) if wide else (board.width + room, board.height)
    sheet = Sheet(whole, theme, theme.panel, flat=board.mode == "P")
    sheet.put(board, (0, 0))
    sheet.put(strip, (0, board.height) if wide else (board.width, 0))
    return sheet.pixels


def _strip(position: Position, theme: Theme, size: int, area: tuple[int, int]) -> Image.Image:
    """The pile with its number and the tile, one after the other in the middle of the strip."""
    sheet = Sheet(area, theme, theme.panel, flat=True)
    lying, gap, left = area[0] >= area[1], round(size * _MARGIN), position.pile_left
    back, side, letters = (round(size * part) for part in (_BACK, _TILE, _LETTERS))
    count = f"{TIMES_SIGN}{left}"
    pile = [back, text_mask(count, letters).width if lying else letters] if left else []
    start = (max(area) - sum((*pile, side)) - gap * len(pile)) // 2
    middles = [start + sum(pile[:number]) + gap * number + part // 2 for number, part in enumerate((*pile, side))]
    points = [(along, min(area) // 2) if lying else (min(area) // 2, along) for along in middles]
    if left:
        _paint_pile(sheet, min(left, 3), size, points[0])
        sheet.write(count, points[1], letters, theme.text, ground=theme.panel)
    _paint_hand(sheet, position, size, points[-1])
    return sheet.pixels


def _paint_pile(sheet: Sheet, tiles: int, size: int, at: tuple[int, int]) -> None:
    """Tiles face down, one upon the other."""
    back, step = _flat_back(sheet.theme, round(size * _BACK)), round(size * _STEP)
    for depth in range(tiles - 1, -1, -1):
        sheet.put(back, (at[0] - back.width // 2 + step * depth, at[1] - back.height // 2 - step * (depth - 1)))


@cached_sprite
def _flat_back(theme: Theme, size: int) -> Image.Image:
    return to_palette(tile_back(theme, size).convert("RGB"), theme)


def drawn_tile(theme: Theme, tile: TileKind, size: int) -> Image.Image:
    """The tile that has to be laid, as it stands beside a board with cells of so many pixels."""
    return flat_tile(theme, tile, 0, round(size * _TILE), None)


def _paint_hand(sheet: Sheet, position: Position, size: int, at: tuple[int, int]) -> None:
    """The tile, framed like all that asks for something, with the mark of the player who lays it."""
    if position.hand is None:
        return
    theme = sheet.theme
    tile = drawn_tile(theme, position.hand, size)
    x, y, edge = at[0] - tile.width // 2, at[1] - tile.height // 2, max(size // 16, 2)
    sheet.fill((x - edge, y - edge, x + tile.width + edge, y + tile.height + edge), theme.highlight)
    sheet.put(tile, (x, y))
    badge = pieces.badge(theme, position.player, round(size * _BADGE))
    sheet.lay(badge, (x + tile.width - badge.width // 3, y - badge.height // 3))


def remaining(counts: Sequence[tuple[TileKind, int]], *, theme: Theme = DAY) -> Picture:
    """A contact sheet of tiles with the number left of each; those of which none is left are dimmed."""
    most, side = next((sheet[1:] for sheet in _SHEETS if len(counts) <= sheet[0]), _SHEETS[-1][1:])
    columns = min(max(len(counts), 1), most)
    rows = -(-len(counts) // columns)
    across, down, gap = side + 20, side + 54, 20
    image = Image.new("RGB", (gap + columns * across, gap + max(rows, 1) * down), theme.panel)
    for index, (tile, count) in enumerate(counts):
        x, y = gap + index % columns * across, gap + index // columns * down
        image.paste(tile_picture(theme, tile, 0, side), (x, y))
        if not count:
            image.paste(theme.panel, (x, y), veil_mask(side))
        colour = theme.text if count else theme.muted_text
        write(image, f"{TIMES_SIGN}{count}", (x + side / 2, y + side + 25), 36, colour)
    return encode_png(image, theme, "tiles", veiled=True)
