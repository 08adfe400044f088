"""A whole game of The Castle as one animated picture."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engine.the_castle.position import Position
from renderers.animation import Painter, animated
from renderers.boards.pointers import paint_rim
from renderers.boards.view import SIZES, View
from renderers.the_castle.board import paint_castle, paint_markers, paint_pieces
from renderers.the_castle.cards import whole
from renderers.theme import DAY, Theme
from renderers.values import Picture


def replay(positions: Sequence[Position], names: Sequence[str], *, theme: Theme = DAY) -> Picture:
    """The game through these positions of it, first to last.

    Args:
        positions: in order.
        names: the players by seat.
        theme: the colours.
    """

    def painter(longest: int) -> Painter[Position]:
        views = [View(whole(), size) for size in SIZES]
        view = next((view for view in views if max(view.width, view.height) <= longest), views[-1])

        def paint(position: Position) -> Image.Image:
            image = paint_castle(position, view, theme)
            paint_pieces(image, position)
            paint_markers(image, position)
            paint_rim(image)
            return image.pixels

        return paint

    return animated(positions, [position.scores for position in positions], names, painter, theme)
