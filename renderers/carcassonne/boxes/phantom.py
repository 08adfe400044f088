"""Drawings of *The Phantom*: the figure, a sheet with two eyes and the player's shape on it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PIL import Image

from renderers.caches import cached_sprite
from renderers.canvas import Canvas, ellipse
from renderers.carcassonne.boxes.base import Drawings
from renderers.drawings import read_drawings
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.pieces import FIGURE_SIZE, OUTLINE_WIDTH, FigureSprite, paint_outlines, posed
from renderers.theme import Theme

_DRAWINGS: Final = read_drawings(__file__)
"""The drawing of the sheet and its eyes."""


@cached_sprite
def phantom(theme: Theme, player: int, size: int, *, lying: bool) -> Image.Image:
    """Draw a sheet with a ragged hem, its eyes, and the player's shape below them; as a farmer it lies on one side."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    mark, middle = PLAYER_MARKS[player], (FIGURE_SIZE / 2, FIGURE_SIZE / 2)
    whole, shaded, *eyes = (shape.points for shape in _DRAWINGS["phantom"].shapes)
    # The light does not turn with a lying figure.
    fold = tuple((-x, y) for x, y in shaded) if lying else shaded
    sheet = posed(whole, middle, lying=lying)
    canvas.shade([ellipse((middle[0] + 0.03, middle[1] + (0.13 if lying else 0.21)), 0.2, 0.06)], 0.35)
    paint_outlines(canvas, (sheet,))
    canvas.polygon(sheet, mark.colour)
    canvas.polygon(posed(fold, middle, lying=lying), mark.fold)
    for eye in eyes:
        canvas.polygon(posed(eye, middle, lying=lying), mark.ink)
    (centre,) = posed(((0.0, 0.035),), middle, lying=lying)
    shape = shape_polygon(mark.shape, centre, 0.078)
    canvas.outline(shape, 1.6 * OUTLINE_WIDTH, theme.ink)
    canvas.polygon(shape, theme.halo)
    return canvas.finished()


class PhantomDrawings(Drawings):
    """The figure."""

    figures: Mapping[str, FigureSprite] = MappingProxyType({"phantom": phantom})
