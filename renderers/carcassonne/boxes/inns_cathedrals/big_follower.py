"""The big follower."""

from __future__ import annotations

from typing import Final

from PIL import Image

from renderers.canvas import Canvas
from renderers.figures import FIGURE, dressed, outlined, posed
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.shapes import Polyline, ellipse
from renderers.sprites import kept
from renderers.theme import Theme

BIG: Final = 1.3
"""How many times as large as an ordinary follower the big one is."""
ROOM: Final = 1.4
"""How many times as far he reaches, since he is broader too."""
_SIDE: Final = FIGURE * BIG
_SHOULDER: Final[Polyline] = ((0.09, 0.0), (0.125, 0.025), (0.14, 0.07), (0.182, 0.19), (0.182, 0.212), (0.17, 0.222))
"""The outline of the cloak over the shoulder to the hem."""
_CLOAK: Final[Polyline] = (
    *((-x, y) for x, y in reversed(_SHOULDER)),
    (-0.035, -0.01),
    (0.035, -0.01),
    *_SHOULDER,
    (0.0, 0.234),
)
_FOLD: Final[Polyline] = (*_SHOULDER, (0.075, 0.23), (0.085, 0.12), (0.06, 0.04))
_BANDS: Final[tuple[Polyline, ...]] = (
    ((-0.144, 0.093), (0.144, 0.093), (0.155, 0.125), (-0.155, 0.125)),
    ((-0.165, 0.152), (0.165, 0.152), (0.176, 0.184), (-0.176, 0.184)),
)
"""Two bands across the cloak, for a figure that counts for two."""


def big_follower(theme: Theme, player: int, size: int, *, lying: bool) -> Image.Image:
    """A large wanderer with broad shoulders and two bands across the cloak; as a farmer he lies on one side."""
    return _big_follower(theme, player, size, lying=lying)


@kept
def _big_follower(theme: Theme, player: int, size: int, *, lying: bool) -> Image.Image:
    canvas = Canvas(size, theme, _SIDE, _SIDE)
    mark, middle = PLAYER_MARKS[player], (_SIDE / 2, _SIDE / 2)

    def part(line: Polyline) -> Polyline:
        return posed(line, middle, lying=lying, size=BIG)

    cloak, head = part(_CLOAK), part(shape_polygon(mark.shape, (0.0, -0.1), 0.13))
    fold = part(tuple((-x, y) for x, y in _FOLD) if lying else _FOLD)
    canvas.shade([ellipse((middle[0] + 0.04, middle[1] + (0.14 if lying else 0.26)), 0.27, 0.09)], 0.35)
    outlined(canvas, (cloak, head))
    dressed(canvas, mark, cloak, fold, head, (part(band) for band in _BANDS))
    return canvas.finished()
