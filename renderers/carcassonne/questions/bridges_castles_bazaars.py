"""Pictures of the questions of *Bridges, Castles & Bazaars*: the choice to build a castle, and the lots of a bazaar.

A lot is a tile for sale in a bazaar, an auction of tiles. The fief of a castle is the block of six cells for whose
structures it scores.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from PIL import Image

from engine.carcassonne import Position, TileKind
from engine.geometry import Cell
from renderers import pieces
from renderers.boards.sheet import SEAL_WIDTH, paint_cuts, paint_outline, paint_rim, tile_back
from renderers.boards.view import (
    CARD_RATIO,
    LOW_CARD_RATIO,
    card_view,
    common_size_below,
    fitting_view,
    on_phone,
    widened,
    window_around,
    window_within,
)
from renderers.canvas import VEIL_STRENGTH
from renderers.carcassonne.board import paint_board
from renderers.carcassonne.cards import PANEL_PICTURES, newest_cell, paint_card, whole_window
from renderers.carcassonne.inset import tile_picture
from renderers.lettering import write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import NO_GUIDES, Mark, Picture

_FEW_LOTS: Final = 4
"""The most tiles of a bazaar that are shown in the larger layout."""
_FEW_LOTS_LAYOUT: Final = (5, 2.8, 1.37)
"""Rows of the board, height of the tiles above it with their labels, in cells, and width of the picture to its height,
for few tiles: two fifths of such a card on a phone."""
_LOTS_LAYOUT: Final = (5, 2.5, CARD_RATIO)
"""The same for more tiles, whose cards have more text."""
_LOTS_LONGEST: Final = 620
"""The longest side of the picture, in pixels: every bid uploads one, so its file has to be small."""
_GAP_SHARE: Final = 0.06
"""Half the gap between two of these tiles, as a share of that height."""
_LABEL_SIZE: Final = 13
"""Size of the labels on a phone, in CSS pixels."""


def castle_question(
    position: Position, cells: Sequence[Cell], fief: Collection[Cell], *, theme: Theme = DAY
) -> Picture:
    """Draw the town that may become a castle, with the fief that it would rule."""
    placed = [tile.cell for tile in position.placed()]
    window = widened(window_within(window_around([*cells, *fief]), window_around([*placed, *fief])))
    view = fitting_view(window, longest=theme.longest)
    image = paint_board(position, view, theme).in_all_colours()
    for cell in window.cells:
        if cell not in fief:
            image.tint(cell, theme.panel, VEIL_STRENGTH)
    paint_cuts(image, placed)
    paint_outline(image, fief, 0.055)
    paint_outline(image, cells, 0.03)
    paint_rim(image)
    return encode_png(image.pixels, theme, "castle", veiled=True)


def lots(
    position: Position,
    tiles: Sequence[TileKind],
    owners: Sequence[int],
    current: int = -1,
    marks: Sequence[Mark] = (),
    *,
    theme: Theme = DAY,
    state: str = "",
    low: bool = False,
) -> Picture:
    """Draw the tiles of a bazaar, labelled T1 and so on, above the board for which they are sold.

    The current lot is framed. Tiles that are taken lie face down, with their owner's mark and a small picture of the
    face.

    Args:
        position: the game.
        tiles: the revealed tiles in order.
        owners: the seat that holds each tile, -1 for none.
        current: index of the current lot, -1 for none.
        marks: the last tile of each player.
        theme: the colours.
        state: a digest unique to the position; with it, the file is cached for the panels that follow the card.
        low: whether many tiles are shown in a lower picture.
    """
    key = ("bazaar", state, theme, low)
    cached = PANEL_PICTURES.get(key) if state else None
    if cached is not None:
        return cached
    rows, height, ratio = _FEW_LOTS_LAYOUT if len(tiles) <= _FEW_LOTS else _LOTS_LAYOUT
    if low and len(tiles) > _FEW_LOTS:
        ratio = LOW_CARD_RATIO
    whole = whole_window(position)
    if whole.rows > rows:  # then tiles count more than the empty cells around them
        whole = whole.grown(-1)
    longest = min(_LOTS_LONGEST, theme.longest)
    view = card_view(whole, newest_cell(position), above=height, rows=(rows,), ratio=ratio, longest=longest)
    board = paint_card(position, view, marks, theme, NO_GUIDES).in_all_colours().pixels
    above = max(round(view.size * height), round(board.width / ratio) - board.height)
    image = Image.new("RGB", (board.width, board.height + above), theme.panel)
    image.paste(board, (0, above))
    gap, letters = round(above * _GAP_SHARE), on_phone(_LABEL_SIZE, image.width)
    caption = letters + gap
    room = image.width // len(tiles)
    side = common_size_below(min(above - caption - gap // 2, room - gap))
    step = min(side + 2 * gap, room)
    left = (image.width - len(tiles) * step + step - side) // 2
    for index, (tile, owner) in enumerate(zip(tiles, owners, strict=True)):
        corner = (left + index * step, (above - caption - side) // 2)
        if index == current:
            area = (corner[0] - gap // 2, corner[1], corner[0] + side + gap // 2, corner[1] + caption + side + gap // 2)
            image.paste(theme.highlight, area)
        colour = theme.highlight_dark if index == current else theme.text
        write(image, f"T{index + 1}", (corner[0] + side / 2, corner[1] + caption / 2), letters, colour)
        _paint_lot(image, (corner[0], corner[1] + caption), position, tile, owner, side, theme)
    picture = encode_png(image, theme, "bazaar", veiled=True, compact=True)
    return PANEL_PICTURES.put(key, picture) if state else picture


def _paint_lot(
    image: Image.Image, corner: tuple[int, int], position: Position, tile: TileKind, owner: int, side: int, theme: Theme
) -> None:
    """Paint a tile; of one that is taken the back, its owner's mark and a small picture of its face."""
    if owner < 0:
        image.paste(tile_picture(theme, tile, 0, side, position=position), corner)
        return
    (x, y), seal, small, edge = corner, round(side * SEAL_WIDTH), common_size_below(side * 3 // 8), max(side // 64, 2)
    image.paste(tile_back(theme, side), corner)
    badge = pieces.badge(theme, owner, seal)
    image.paste(badge, (x + (side - seal) // 2, y + (side - seal) // 2), badge)
    left, top = x + side - small - edge, y + side - small - edge
    image.paste(theme.halo, (left - edge, top - edge, left + small + edge, top + small + edge))
    image.paste(tile_picture(theme, tile, 0, small, position=position), (left, top))
