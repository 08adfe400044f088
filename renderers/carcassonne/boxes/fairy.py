"""Draw the fairy, a figure that belongs to no player and stands beside a follower or a castle."""

from __future__ import annotations

from typing import Final

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import castles_of
from engine.carcassonne.expansions.fairy import fairy_of
from renderers.boards.sheet import BoardImage
from renderers.caches import cached_sprite
from renderers.canvas import CENTRE, Canvas, ellipse
from renderers.carcassonne.boxes.base import Drawings, PlaceOf
from renderers.carcassonne.boxes.bridges_castles_bazaars import castle_middle
from renderers.drawings import read_drawings
from renderers.pieces import FIGURE_SIZE, paint_piece
from renderers.theme import Theme

_DRAWINGS: Final = read_drawings(__file__)
"""The drawing of the fairy."""


@cached_sprite
def fairy_sprite(theme: Theme, size: int) -> Image.Image:
    """Draw the fairy: a small figure with wings, in no player's colour."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    x, y = FIGURE_SIZE / 2, FIGURE_SIZE / 2
    canvas.shade([ellipse((x + 0.03, y + 0.18), 0.11, 0.04)], 0.35)
    paint_piece(canvas, _DRAWINGS["fairy"], (x, y))
    return canvas.finished()


class FairyDrawings(Drawings):
    """The fairy beside her follower, or beside the castle that the follower stands in."""

    def paint_neutral_pieces(self, image: BoardImage, position: Position, place_of: PlaceOf) -> None:
        """Paint the fairy on the side of the follower that is nearer to the middle of the tile."""
        fairy = fairy_of(position)
        if fairy is None or fairy.cell not in image.view.window:
            return
        places = [castle_middle(castle) for castle in castles_of(position) if castle.cells[0] == fairy.cell]
        places += [
            place_of(figure)
            for figure in position.standing_figures()
            if figure.cell == fairy.cell and figure.player == fairy.follower.player
        ]
        x, y = places[0] if places else CENTRE
        sprite = fairy_sprite(image.theme, image.view.size)
        image.stamp(sprite, fairy.cell, (x + (0.24 if x < 0.6 else -0.24), y - 0.06))
