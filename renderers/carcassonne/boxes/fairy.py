"""Draw the fairy, a figure that belongs to no player and stands beside a follower or a castle."""

from __future__ import annotations

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import castles_of
from engine.carcassonne.expansions.fairy import fairy_of
from renderers.boards.sheet import BoardImage
from renderers.caches import cached_sprite
from renderers.canvas import CENTRE, Canvas, ellipse, shifted
from renderers.carcassonne.boxes.base import Drawings, PlaceOf
from renderers.carcassonne.boxes.bridges_castles_bazaars import castle_middle
from renderers.pieces import FIGURE_SIZE, OUTLINE_WIDTH, paint_outlines
from renderers.theme import Theme


@cached_sprite
def fairy_sprite(theme: Theme, size: int) -> Image.Image:
    """Draw the fairy: a small figure with wings, in no player's colour."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    x, y = FIGURE_SIZE / 2, FIGURE_SIZE / 2
    wings = tuple(
        tuple(
            (x + side * dx, y + dy)
            for dx, dy in ((0.02, 0.0), (0.1, -0.13), (0.2, -0.11), (0.16, 0.0), (0.17, 0.09), (0.08, 0.08))
        )
        for side in (-1, 1)
    )
    gown = shifted(((-0.035, -0.02), (0.035, -0.02), (0.085, 0.18), (-0.085, 0.18)), x, y)
    head = ellipse((x, y - 0.07), 0.06, 0.06)
    canvas.shade([ellipse((x + 0.03, y + 0.18), 0.11, 0.04)], 0.35)
    paint_outlines(canvas, (*wings, gown, head))
    for part, colour in (
        *((wing, theme.water_light) for wing in wings),
        (gown, theme.categories[2]),
        (head, theme.plaster),
    ):
        canvas.outline(part, 1.4 * OUTLINE_WIDTH, theme.ink)
        canvas.polygon(part, colour)
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
