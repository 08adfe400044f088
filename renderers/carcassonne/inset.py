"""Draw the tiles beside the board: the drawn tile with the pile, the ghost with its places, and the remaining tiles.

The ghost is the tile that a player is trying out; letters on it name the places for a figure. The strip is the part of
a picture beside the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PIL import Image

from engine.carcassonne import Position, TileKind
from engine.geometry import Axis, Cell
from renderers import pieces
from renderers.boards.sheet import Sheet, paint_figure, paint_letter, tile_back, veil_mask
from renderers.boards.view import PHONE_TYPE, card_width, on_phone
from renderers.caches import cached_sprite
from renderers.canvas import Point
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.boxes.base import Token
from renderers.carcassonne.figures import Ghost, figure, is_lying, place_on, span_sprite, within_figure_tile
from renderers.carcassonne.scenery import fade_idle_prints, flat_tile, lay_tile
from renderers.lettering import TIMES_SIGN, write
from renderers.palette import to_palette
from renderers.pieces import within_tile
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import FigurePlace, Picture


def tile_picture(
    theme: Theme,
    tile: TileKind,
    rotation: int,
    size: int,
    span: Axis | None = None,
    *,
    position: Position | None = None,
) -> Image.Image:
    """Return a tile with its meadow and the piece across it, if there is one.

    With a ``position``, prints that do not count in that game are faded.
    """
    sheet = Sheet((size, size), theme, theme.meadow, flat=False)
    lay_tile(sheet, (0, 0), Cell(0, 0), (tile, rotation, span), size)
    if position is not None:
        fade_idle_prints(sheet, (0, 0), (tile, rotation, span), size, position)
    image = sheet.pixels
    if span is not None:
        sprite = span_sprite(theme, span, size)
        image.paste(sprite, (0, 0), sprite)
    return image


def lettered_inset(
    ghost: Ghost, places: Sequence[FigurePlace], size: int, theme: Theme, position: Position
) -> Image.Image:
    """Return the enlarged ghost in the theme's palette, with a letter at each place, above the player's figures."""
    sheet = Sheet((size, size), theme, theme.meadow, flat=True)
    sheet.put(flat_tile(theme, ghost.tile, ghost.rotation, size, ghost.span), (0, 0))
    fade_idle_prints(sheet, (0, 0), (ghost.tile, ghost.rotation, ghost.span), size, position)
    points: list[Point] = []
    for entry in places:
        place = place_on(ghost, entry, places if entry.figure else ())
        if entry.figure:
            lying = is_lying(entry.segment)
            sprite = figure(theme, position.player, size, entry.figure, lying=lying)
            inside = within_tile if entry.at is not None else partial(within_figure_tile, name=entry.figure)
            place = paint_figure(sheet, sprite, inside(place, lying=lying))
        points.append(place)
    for entry, place in zip(places, points, strict=True):
        if entry.letter:
            paint_letter(sheet, entry.letter, place)
    return sheet.pixels


_TILE_SIDE: Final = 1.6
"""Side of the drawn tile, in cells."""
_PILE_SIDE: Final = 1.0
"""Side of the pile, in cells."""
_MARGIN: Final = 0.26
"""Margin around the drawn tile and the pile, in cells."""
_PILE_STEP: Final = 0.06
"""Offset of each tile in the pile from the one above it, in cells."""
_TOKEN_SIDE: Final = 0.95
"""Side of a piece beside the board, in cells."""
STRIP_WIDTH: Final = _TILE_SIDE + 2 * _MARGIN
"""Width of the strip for which a view leaves room, in cells."""
_MIN_STRIP_WIDTH: Final = 2.0
"""The least width of the strip, in cells."""
_SHEET_LAYOUTS: Final = ((36, 6, 136), (64, 8, 136), (108, 12, 104))
"""Layouts of the remaining tiles: the most kinds of tiles for it, tiles in a row, and pixels of a tile."""
_LEFT_TYPE: Final = 36
"""The least size of the numbers below the remaining tiles, in pixels."""
_LETTER_SIZE: Final = 0.5
"""Height of the number of tiles in the pile, in cells."""
_BADGE_SIZE: Final = 0.56
"""Side of the badge on the drawn tile, in cells."""
_TOKEN_BADGE_SIZE: Final = 0.44
"""Side of the badge of a token's holder, in cells."""


def with_drawn_tile(board: Image.Image, position: Position, theme: Theme, size: int) -> Image.Image:
    """Return the board with the drawn tile to its right, in the width of a card; unchanged without a tile."""
    if position.hand is None:
        return board
    space = max(card_width(board.height) - board.width, round(size * _MIN_STRIP_WIDTH))
    sheet = Sheet((board.width + space, board.height), theme, theme.panel, flat=board.mode == "P")
    sheet.put(board, (0, 0))
    sheet.put(_strip(position, theme, size, (space, board.height)), (board.width, 0))
    return sheet.pixels


def _strip(position: Position, theme: Theme, size: int, area: tuple[int, int]) -> Image.Image:
    """Draw the pile with its number, the tile, and the pieces beside the board, centred in the strip."""
    sheet = Sheet(area, theme, theme.panel, flat=True)
    gap, tiles_left = round(size * _MARGIN), position.pile_left
    back, side, letters = (round(size * part) for part in (_PILE_SIDE, _TILE_SIDE, _LETTER_SIZE))
    count = f"{TIMES_SIGN}{tiles_left}"
    pile = [back, letters] if tiles_left else []
    tokens = [token for name in position.setup.expansions for token in BOXES[name].tokens(position, theme, size)]
    numbers = [letters] if any(token.holders for token in tokens) else []
    parts = (*pile, side, *([round(size * _TOKEN_SIDE), *numbers] if tokens else ()))
    start = (area[1] - sum(parts) - gap * (len(parts) - 1)) // 2
    middles = [start + sum(parts[:number]) + gap * number + part // 2 for number, part in enumerate(parts)]
    points = [(area[0] // 2, along) for along in middles]
    if tiles_left:
        _paint_pile(sheet, min(tiles_left, 3), size, points[0])
        sheet.write(count, points[1], letters, theme.text, ground=theme.panel)
    _paint_hand(sheet, position, size, points[len(pile)])
    for number, token in enumerate(tokens):
        offset = round((number + 0.5) * area[0] / len(tokens))
        _paint_token(sheet, token, size, (offset, middles[len(pile) + 1]))
        if token.holders:
            sheet.write(str(token.number), (offset, middles[-1]), letters, theme.text, ground=theme.panel)
    return sheet.pixels


def _paint_token(sheet: Sheet, token: Token, size: int, at: tuple[int, int]) -> None:
    """Paint a piece beside the board, with the badges of its holders above."""
    theme, sprite, (x, y) = sheet.theme, token.sprite, at
    sheet.lay(sprite, (x - sprite.width // 2, y - sprite.height // 2))
    badge_size = round(size * _TOKEN_BADGE_SIZE)
    step = round(badge_size / max(1, len(token.holders)))
    right = min(x + sprite.width // 2 - 3 * badge_size // 4, sheet.pixels.width - badge_size)
    for number, seat in enumerate(token.holders):
        corner = (right - step * number, y - sprite.height // 2 - badge_size // 8)
        sheet.lay(pieces.badge(theme, seat, badge_size), corner)


def _paint_pile(sheet: Sheet, tiles: int, size: int, at: tuple[int, int]) -> None:
    """Paint a pile of tiles face down."""
    back, step = _flat_back(sheet.theme, round(size * _PILE_SIDE)), round(size * _PILE_STEP)
    for depth in range(tiles - 1, -1, -1):
        sheet.put(back, (at[0] - back.width // 2 + step * depth, at[1] - back.height // 2 - step * (depth - 1)))


@cached_sprite
def _flat_back(theme: Theme, size: int) -> Image.Image:
    """Draw a tile face down, in the theme's palette."""
    return to_palette(tile_back(theme, size).convert("RGB"), theme)


def loose_tile(theme: Theme, position: Position, tile: TileKind, rotation: int, size: int) -> Image.Image:
    """Return a tile that is not on the board, in the theme's palette; prints that do not count are faded."""
    sheet = Sheet((size, size), theme, theme.meadow, flat=True)
    sheet.put(flat_tile(theme, tile, rotation, size, None), (0, 0))
    fade_idle_prints(sheet, (0, 0), (tile, rotation, None), size, position)
    return sheet.pixels


def drawn_tile(theme: Theme, tile: TileKind, size: int) -> Image.Image:
    """Return the tile to be placed, as it is shown beside a board with cells of ``size`` pixels."""
    return flat_tile(theme, tile, 0, round(size * _TILE_SIDE), None)


def _paint_hand(sheet: Sheet, position: Position, size: int, at: tuple[int, int]) -> None:
    """Paint the tile in the frame of a question, with the badge of the player who places it."""
    if position.hand is None:
        return
    theme = sheet.theme
    tile = drawn_tile(theme, position.hand, size)
    x, y, edge = at[0] - tile.width // 2, at[1] - tile.height // 2, max(size // 16, 2)
    sheet.fill((x - edge, y - edge, x + tile.width + edge, y + tile.height + edge), theme.highlight)
    sheet.put(tile, (x, y))
    fade_idle_prints(sheet, (x, y), (position.hand, 0, None), tile.width, position)
    badge = pieces.badge(theme, position.player, round(size * _BADGE_SIZE))
    left = min(x + tile.width - badge.width // 3, sheet.pixels.width - badge.width)
    sheet.lay(badge, (left, y - badge.height // 3))


def remaining(
    counts: Sequence[tuple[TileKind, int]], *, position: Position | None = None, theme: Theme = DAY
) -> Picture:
    """Draw a contact sheet of tiles with the number left of each; tiles of which none is left are dimmed.

    With a ``position``, prints that do not count in that game are faded.
    """
    max_columns, side = next((sheet[1:] for sheet in _SHEET_LAYOUTS if len(counts) <= sheet[0]), _SHEET_LAYOUTS[-1][1:])
    columns = min(max(len(counts), 1), max_columns)
    rows = -(-len(counts) // columns)
    column_width, gap = side + 20, 20
    width = gap + columns * column_width
    letters = max(_LEFT_TYPE, on_phone(PHONE_TYPE, width))
    row_height = side + letters + 18
    image = Image.new("RGB", (width, gap + max(rows, 1) * row_height), theme.panel)
    for index, (tile, count) in enumerate(counts):
        x, y = gap + index % columns * column_width, gap + index // columns * row_height
        image.paste(tile_picture(theme, tile, 0, side, position=position), (x, y))
        if not count:
            image.paste(theme.panel, (x, y), veil_mask(side))
        colour = theme.text if count else theme.muted_text
        write(image, f"{TIMES_SIGN}{count}", (x + side / 2, y + side + letters / 2 + 7), letters, colour)
    return encode_png(image, theme, "tiles", veiled=True)
