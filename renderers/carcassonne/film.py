"""A whole game of Carcassonne as one animated picture."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engine.carcassonne import Position
from renderers.animation import Painter, animated
from renderers.boards.pointers import paint_rim
from renderers.boards.view import SIZES, View, around
from renderers.carcassonne.board import paint_board
from renderers.theme import DAY, Theme
from renderers.values import Picture


def replay(positions: Sequence[Position], names: Sequence[str], *, theme: Theme = DAY) -> Picture:
    """The game through these positions of it, first to last.

    Args:
        positions: in order; the last one says how large the board becomes.
        names: the players by seat.
        theme: the colours.
    """
    window = around(tile.cell for tile in positions[-1].placed())

    def painter(longest: int) -> Painter[Position]:
        views = [View(window, size) for size in SIZES]
        view = next((view for view in views if max(view.width, view.height) <= longest), views[-1])

        def paint(position: Position) -> Image.Image:
            image = paint_board(position, view, theme)
            paint_rim(image)
            return image.pixels

        return paint

    scores = [position.scores for position in positions]
    return animated(positions, scores, names, painter, theme)
