"""Drawings of *King & Robber Baron*: the two markers, round with a crown and square with a masked face.

Whoever completed the largest city holds the King, whoever completed the longest road the Robber Baron. Markers are
shown beside the board, with the badges of their holders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.expansions.king_robber import Marker, holding_of
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, Polyline, ellipse, rectangle, shifted
from renderers.carcassonne.boxes.base import Drawings, Icon, Token
from renderers.pieces import OUTLINE_WIDTH
from renderers.theme import Theme

MARKER_SIZE: Final = 0.95
"""Side of a marker beside the board, in cells."""
_MIDDLE: Final[Point] = (0.5, 0.5)
"""The middle of a marker."""
_CROWN: Final[Polyline] = (
    (-0.26, 0.1),
    (-0.29, -0.15),
    (-0.15, -0.02),
    (0.0, -0.22),
    (0.15, -0.02),
    (0.29, -0.15),
    (0.26, 0.1),
)
"""The outline of the King's crown around the middle of the marker."""
_HAT: Final[Polyline] = ((-0.2, -0.09), (-0.15, -0.25), (-0.04, -0.31), (0.1, -0.28), (0.18, -0.2), (0.2, -0.09))
"""The outline of the Robber Baron's hat, above its brim."""
_FEATHER: Final[Polyline] = ((0.08, -0.14), (0.2, -0.33), (0.36, -0.38), (0.33, -0.24), (0.2, -0.12))
"""The outline of the feather at the hat."""


@cached_sprite
def king(theme: Theme, size: int) -> Image.Image:
    """Draw the marker of the King: a golden crown on a round shield; ``size`` is its width in pixels."""
    canvas = Canvas(size, theme)
    for radius, colour in ((0.49, theme.halo), (0.455, theme.ink), (0.43, theme.shield)):
        canvas.disc(_MIDDLE, radius, colour)
    crown, band = shifted(_CROWN, 0.5, 0.49), shifted(rectangle(-0.26, 0.13, 0.26, 0.23), 0.5, 0.49)
    balls = [ellipse((0.5 + x, 0.49 + y), 0.045, 0.045) for x, y in ((-0.29, -0.17), (0.0, -0.25), (0.29, -0.17))]
    for part in (crown, band, *balls):
        canvas.outline(part, 2 * OUTLINE_WIDTH, theme.ink)
    for part in (crown, band, *balls):
        canvas.polygon(part, theme.shield_mark)
    for x in (-0.15, 0.0, 0.15):
        canvas.disc((0.5 + x, 0.67), 0.035, theme.roofs[0][0])
    return canvas.finished()


@cached_sprite
def robber(theme: Theme, size: int) -> Image.Image:
    """Draw the marker of the Robber Baron: a masked face with a feathered hat on a square shield."""
    canvas = Canvas(size, theme)
    for inset, radius, colour in ((0.03, 0.12, theme.halo), (0.065, 0.1, theme.ink), (0.09, 0.085, theme.stone_dark)):
        canvas.rounded((inset, inset, 1 - inset, 1 - inset), radius, colour)
    face, mask = ellipse((0.5, 0.58), 0.19, 0.23), shifted(rectangle(-0.2, -0.075, 0.2, 0.055), 0.5, 0.55)
    brim, hat, feather = ellipse((0.5, 0.44), 0.33, 0.07), shifted(_HAT, 0.5, 0.5), shifted(_FEATHER, 0.5, 0.5)
    canvas.outline(face, 2 * OUTLINE_WIDTH, theme.ink)
    canvas.polygon(face, theme.plaster)
    canvas.polygon(mask, theme.ink)
    for x in (-0.09, 0.09):
        canvas.disc((0.5 + x, 0.545), 0.035, theme.halo)
    canvas.stroke(((0.42, 0.7), (0.5, 0.72), (0.58, 0.7)), 0.03, theme.ink)
    for part, colour in ((feather, theme.halo), (hat, theme.roofs[0][0]), (brim, theme.roofs[0][1])):
        canvas.outline(part, 2 * OUTLINE_WIDTH, theme.ink)
        canvas.polygon(part, colour)
    return canvas.finished()


SPRITES: Final[Mapping[Marker, Callable[[Theme, int], Image.Image]]] = {Marker.KING: king, Marker.ROBBER: robber}
"""The drawing functions of the markers, for a theme and a width in pixels."""


def _icon(marker: Marker, theme: Theme, _player: int, size: float) -> Image.Image:
    """Draw a marker as the icon of what a player holds."""
    return SPRITES[marker](theme, round(64 * size))


class KingRobberDrawings(Drawings):
    """The markers beside the board, and among the belongings of their holders."""

    icons: Mapping[str, Icon] = MappingProxyType({marker.value: partial(_icon, marker) for marker in Marker})

    def tokens(self, position: Position, theme: Theme, size: int) -> Sequence[Token]:
        """Return both markers, with their holders and the tiles of the feature that won them."""
        side = round(size * MARKER_SIZE)
        return [
            Token(SPRITES[marker](theme, side), *((), 0) if holding is None else (holding.holders, holding.size))
            for marker, holding in ((marker, holding_of(position, marker)) for marker in Marker)
        ]
