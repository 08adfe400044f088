"""Pictures of single tiles in every game: their backs, numbered places, and the inset beside a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from engine.geometry import Cell
from renderers import pieces
from renderers.boards.sheet import Sheet
from renderers.boards.view import (
    NEAR_LONGEST_SIDE,
    View,
    Window,
    fitting_view,
    window_around,
    window_near,
    window_within,
)
from renderers.buildings import tower
from renderers.caches import cached_sprite
from renderers.canvas import VEIL_STRENGTH, Canvas
from renderers.shapes import Point, rectangle, rotated
from renderers.theme import Theme
from renderers.values import Spot

MARGIN: Final = 0.06
"""Margin around a tile in a panel, in tiles."""
_NUMBER_DISC_WIDTH: Final = 0.165
"""Width of the disc with a number, in tiles: few places on a tile are nearer to each other."""
_NUMBER_OFFSET: Final = 0.28
"""Distance from the middle of a figure to the middle of its number, in tiles."""


SEAL_WIDTH: Final = 0.54
"""Width of the round seal in the middle of a tile's back, in tiles."""


@cached_sprite
def tile_back(theme: Theme, size: int) -> Image.Image:
    """Draw a tile face down: a tower on a lattice."""
    canvas = Canvas(size, theme)
    canvas.box(0.0, 0.0, 1.0, 1.0, theme.timber_dark)
    canvas.box(0.03, 0.03, 0.97, 0.97, theme.spire_dark)
    for step in range(1, 12):
        reach = step / 6
        start, end = (max(0.0, reach - 1), min(1.0, reach)), (min(1.0, reach), max(0.0, reach - 1))
        canvas.stroke((start, end), 0.012, theme.spire)
        canvas.stroke(((1 - start[0], start[1]), (1 - end[0], end[1])), 0.012, theme.spire)
    for inset, colour in ((0.0, theme.timber_dark), (0.012, theme.timber), (0.045, theme.timber_dark)):
        for side in range(4):
            canvas.polygon(tuple(rotated(p, side) for p in rectangle(inset, inset, 1 - inset, 0.06)), colour)
    canvas.disc((0.5, 0.5), SEAL_WIDTH / 2, theme.timber_dark)
    canvas.disc((0.5, 0.5), SEAL_WIDTH / 2 - 0.02, theme.square)
    tower(canvas, (0.5, 0.66), 0.1, 0.16)
    return canvas.finished()


def composer_view(
    whole: Window, spots: Sequence[Spot], ghost: Cell | None, *, cells: int, panel: float, longest: int
) -> View:
    """Return the view of a composer's board, with room for a panel beside it.

    Args:
        whole: the window of the whole board.
        spots: the lettered cells; all of them are in the view.
        ghost: the cell of the tile being tried out; with it, the view shows only its surroundings.
        cells: the most cells each way around a ghost, and the fewest around spots.
        panel: side of the tile in the panel, in cells.
        longest: the theme's longest side of a picture, in pixels.
    """
    window = whole
    if ghost is not None:
        window = window_near(whole, ghost, cells)
    elif spots:
        window = window_within(window_around([spot.cell for spot in spots], least=cells), whole)
    return fitting_view(window, beside=panel * (1 + 2 * MARGIN), longest=min(NEAR_LONGEST_SIDE, longest))


def veil_mask(size: int) -> Image.Image:
    """Return the mask for veiling a tile that no longer counts with the colour of its surroundings."""
    return Image.new("L", (size, size), round(255 * VEIL_STRENGTH))


def paint_figure(sheet: Sheet, figure: Image.Image, place: Point) -> Point:
    """Paint a figure entirely on an enlarged tile, and return the point beside it for its number."""
    (x, y), size = place, sheet.pixels.width
    left, top, right, bottom = figure.getbbox() or (0, 0, *figure.size)
    corner = (
        min(max(round(x * size - figure.width / 2), -left), size - right),
        min(max(round(y * size - figure.height / 2), -top), size - bottom),
    )
    sheet.lay(figure, corner)
    reach = _NUMBER_OFFSET if x < 0.5 else -_NUMBER_OFFSET
    return (x + reach, y)


def paint_number(sheet: Sheet, number: int, place: Point) -> None:
    """Paint the number of a place for a figure on an enlarged tile, as on its button."""
    theme, size = sheet.theme, sheet.pixels.width
    across = round(size * _NUMBER_DISC_WIDTH)
    disc = pieces.disc(theme, across, theme.halo, theme.ink)
    x, y = place[0] * size, place[1] * size
    sheet.lay(disc, (round(x - across / 2), round(y - across / 2)))
    sheet.write(str(number), (x, y), round(across * (0.76 if number < 10 else 0.6)), theme.ink)


def with_inset(board: Image.Image, inset: Image.Image, theme: Theme) -> Image.Image:
    """Return the board with a framed tile on its shorter side: below a wide board, to the right of a tall one."""
    margin = round(inset.width * MARGIN)
    room = inset.width + 2 * margin
    below = board.width >= board.height
    size = (board.width, board.height + room) if below else (board.width + room, board.height)
    if below:
        corner = ((board.width - inset.width) // 2, board.height + margin)
    else:
        corner = (board.width + margin, (board.height - inset.height) // 2)
    sheet = Sheet(size, theme, theme.panel, flat=board.mode == "P")
    sheet.put(board, (0, 0))
    edge = max(margin // 3, 2)
    frame = (corner[0] - edge, corner[1] - edge, corner[0] + inset.width + edge, corner[1] + inset.height + edge)
    sheet.fill(frame, theme.highlight)
    sheet.put(inset, corner)
    return sheet.pixels
