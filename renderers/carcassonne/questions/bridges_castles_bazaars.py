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
from renderers.boards.sheet import SEAL_WIDTH, BoardImage, paint_rim, tile_back
from renderers.boards.view import fitting_view, window_around, window_within
from renderers.canvas import VEIL_STRENGTH
from renderers.carcassonne.board import paint_board
from renderers.carcassonne.inset import tile_picture
from renderers.lettering import fitted, printable, write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

_LOT_SIZE: Final = 256
"""Side of a lot, in pixels."""
_GAP: Final = 28
"""Space between two lots, in pixels."""
_CAPTION: Final = 64
"""Height of the lines above and below a lot, in pixels."""


def castle_question(
    position: Position, cells: Sequence[Cell], fief: Collection[Cell], *, theme: Theme = DAY
) -> Picture:
    """Draw the town that may become a castle, with the fief that it would rule."""
    placed = [tile.cell for tile in position.placed()]
    window = window_within(window_around([*cells, *fief]), window_around([*placed, *fief]))
    view = fitting_view(window, longest=theme.longest)
    image = paint_board(position, view, theme).in_all_colours()
    for cell in window.cells:
        if cell not in fief:
            image.tint(cell, theme.panel, VEIL_STRENGTH)
    _outline(image, fief, 0.055)
    _outline(image, cells, 0.03)
    paint_rim(image)
    return encode_png(image.pixels, theme, "castle", veiled=True)


def _outline(image: BoardImage, cells: Collection[Cell], width: float) -> None:
    """Draw a line around a group of cells."""
    theme, view = image.theme, image.view
    for border, colour in ((2, theme.highlight_dark), (0, theme.highlight)):
        half = max(round(width * view.size / 2), 1) + border
        for cell in cells:
            (left, top), (right, bottom) = view.at(cell), view.at(cell, (1.0, 1.0))
            sides = (
                (0, -1, (left, top, right, top)),
                (1, 0, (right, top, right, bottom)),
                (0, 1, (left, bottom, right, bottom)),
                (-1, 0, (left, top, left, bottom)),
            )
            for dx, dy, (x, y, ex, ey) in sides:
                if Cell(cell.x + dx, cell.y + dy) not in cells:
                    image.draw.rectangle((x - half, y - half, ex + half, ey + half), fill=colour)


def lots(
    tiles: Sequence[TileKind],
    owners: Sequence[int],
    current: int = -1,
    names: Sequence[str] = (),
    *,
    theme: Theme = DAY,
) -> Picture:
    """Draw the tiles of a bazaar, labelled T1 and so on, with the current lot framed.

    Tiles that are taken lie face down, with their owner's mark and a small picture of the face.

    Args:
        tiles: the revealed tiles in order.
        owners: the seat that holds each tile, -1 for none.
        current: index of the current lot, -1 for none.
        names: the players' names by seat.
        theme: the colours.
    """
    columns = len(tiles) if len(tiles) <= 3 else (len(tiles) + 1) // 2
    rows = -(-len(tiles) // max(columns, 1))
    column_width, row_height = _LOT_SIZE + _GAP, _LOT_SIZE + 2 * _CAPTION + _GAP
    image = Image.new("RGB", (_GAP + columns * column_width, _GAP + rows * row_height), theme.panel)
    for index, (tile, owner) in enumerate(zip(tiles, owners, strict=True)):
        corner = (_GAP + index % columns * column_width, _GAP + index // columns * row_height)
        _paint_lot(image, corner, f"T{index + 1}", tile, theme, highlighted=index == current)
        if owner >= 0:
            name = names[owner] if owner < len(names) else ""
            _paint_taken(image, corner, tile, owner, name, theme)
    return encode_png(image, theme, "bazaar", veiled=True)


def _paint_lot(
    image: Image.Image, corner: tuple[int, int], label: str, tile: TileKind, theme: Theme, *, highlighted: bool
) -> None:
    x, y = corner[0], corner[1] + _CAPTION
    if highlighted:
        edge = _GAP // 3
        area = (x - edge, corner[1] - edge, x + _LOT_SIZE + edge, y + _LOT_SIZE + edge)
        image.paste(theme.highlight, area)
    colour = theme.highlight_dark if highlighted else theme.text
    write(image, label, (x + _LOT_SIZE / 2, corner[1] + _CAPTION / 2), 44, colour)
    image.paste(tile_picture(theme, tile, 0, _LOT_SIZE), (x, y))


def _paint_taken(
    image: Image.Image, corner: tuple[int, int], tile: TileKind, owner: int, name: str, theme: Theme
) -> None:
    """Paint the back of the tile, its owner's mark, a small picture of its face, and the name below."""
    x, y = corner[0], corner[1] + _CAPTION
    image.paste(tile_back(theme, _LOT_SIZE), (x, y))
    seal = round(_LOT_SIZE * SEAL_WIDTH)
    badge = pieces.badge(theme, owner, seal)
    image.paste(badge, (x + (_LOT_SIZE - seal) // 2, y + (_LOT_SIZE - seal) // 2), badge)
    small_side = _LOT_SIZE * 3 // 8
    place = x + _LOT_SIZE - small_side - 4, y + _LOT_SIZE - small_side - 4
    image.paste(theme.halo, (place[0] - 4, place[1] - 4, place[0] + small_side + 4, place[1] + small_side + 4))
    image.paste(tile_picture(theme, tile, 0, small_side), place)
    text = fitted(printable(name), 32, _LOT_SIZE)
    write(image, text, (x + _LOT_SIZE / 2, y + _LOT_SIZE + _CAPTION / 2), 32, theme.text)
