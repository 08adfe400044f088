"""The picture of the question that only *Abbey & Mayor* asks: where a wagon goes that has scored."""

from __future__ import annotations

from collections.abc import Collection

from engine.carcassonne import Position
from engine.geometry import Cell
from renderers.boards.sheet import paint_cuts, paint_outline, paint_rim
from renderers.boards.view import fitting_view, widened, window_around, window_within
from renderers.canvas import VEIL_STRENGTH
from renderers.carcassonne.board import paint_board
from renderers.carcassonne.cards import covered_cells
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture


def wagon_question(position: Position, stood: Cell, targets: Collection[Cell], *, theme: Theme = DAY) -> Picture:
    """Draw the surroundings of a wagon that has scored, with a frame around each tile to which it may move."""
    placed = [tile.cell for tile in position.placed()]
    window = widened(window_within(window_around([stood, *targets]), window_around(placed)))
    image = paint_board(position, fitting_view(window, longest=theme.longest), theme).in_all_colours()
    for cell in window.cells:
        if cell != stood and cell not in targets:
            image.tint(cell, theme.panel, VEIL_STRENGTH)
    paint_cuts(image, covered_cells(position))
    for cell in targets:
        paint_outline(image, [cell], 0.055)
    paint_rim(image)
    return encode_png(image.pixels, theme, "wagon", veiled=True)
