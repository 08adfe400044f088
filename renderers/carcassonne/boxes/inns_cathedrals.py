"""Inns & Cathedrals, drawn: the two on tiles, of whatever box these are, and the big follower."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from PIL import Image

from renderers.buildings import house, house_shadow
from renderers.canvas import Canvas
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.layout import Layout
from renderers.carcassonne.printed import Inn
from renderers.figures import FIGURE, FigureSprite, dressed, outlined, posed
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.shapes import Line, Point, ellipse, rectangle, shifted
from renderers.sprites import kept
from renderers.theme import Colour, Theme

Shape = Callable[..., None]
"""Fills, with a colour, a polygon given from the middle of a building's foot."""

BIG: Final = 1.3
"""How many times as large as an ordinary follower the big one is."""
_ROOM: Final = 1.4
"""How many times as far he reaches, since he is broader too."""
_SIDE: Final = FIGURE * BIG
_SHOULDER: Final[Line] = ((0.09, 0.0), (0.125, 0.025), (0.14, 0.07), (0.182, 0.19), (0.182, 0.212), (0.17, 0.222))
"""The outline of the cloak over the shoulder to the hem."""
_CLOAK: Final[Line] = (
    *((-x, y) for x, y in reversed(_SHOULDER)),
    (-0.035, -0.01),
    (0.035, -0.01),
    *_SHOULDER,
    (0.0, 0.234),
)
_FOLD: Final[Line] = (*_SHOULDER, (0.075, 0.23), (0.085, 0.12), (0.06, 0.04))
_BANDS: Final[tuple[Line, ...]] = (
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

    def part(line: Line) -> Line:
        return posed(line, middle, lying=lying, size=BIG)

    cloak, head = part(_CLOAK), part(shape_polygon(mark.shape, (0.0, -0.1), 0.13))
    fold = part(tuple((-x, y) for x, y in _FOLD) if lying else _FOLD)
    canvas.shade([ellipse((middle[0] + 0.04, middle[1] + (0.14 if lying else 0.26)), 0.27, 0.09)], 0.35)
    outlined(canvas, (cloak, head))
    dressed(canvas, mark, cloak, fold, head, (part(band) for band in _BANDS))
    return canvas.finished()


def _inn(canvas: Canvas, inn: Inn) -> None:
    """A house with a sign by a pond."""
    (x, y), size = inn.at, inn.size
    theme = canvas.theme
    pond = (x + 0.02 * size, y + 0.07 * size)
    canvas.polygon(ellipse(pond, 0.15 * size, 0.085 * size), theme.road_edge)
    canvas.polygon(ellipse(pond, 0.135 * size, 0.072 * size), theme.water)
    canvas.polygon(
        ellipse((pond[0] - 0.03 * size, pond[1] - 0.015 * size), 0.07 * size, 0.026 * size), theme.water_light
    )
    canvas.polygon(ellipse((pond[0] - 0.02 * size, pond[1] - 0.006 * size), 0.07 * size, 0.026 * size), theme.water)
    door = (x - 0.02 * size, y + 0.01 * size)
    canvas.shade([house_shadow(door, 1.3 * size)], 0.3)
    house(canvas, door, 4, 1.3 * size)
    canvas.box(x + 0.075 * size, y - 0.1 * size, x + 0.087 * size, y + 0.01 * size, theme.timber_dark)
    canvas.box(x + 0.087 * size, y - 0.1 * size, x + 0.14 * size, y - 0.055 * size, theme.highlight)


def _cathedral(canvas: Canvas, at: Point) -> None:
    """A church of stone on a square of its own, twice as high as a monastery: a rose window between two towers."""
    foot, theme = canvas.on_pixel(at), canvas.theme
    canvas.rounded((foot[0] - 0.32, foot[1] - 0.1, foot[0] + 0.32, foot[1] + 0.055), 0.05, theme.road_edge)
    canvas.rounded((foot[0] - 0.306, foot[1] - 0.086, foot[0] + 0.306, foot[1] + 0.041), 0.04, theme.square)
    canvas.shade([shifted(((-0.27, 0.0), (0.3, 0.0), (0.35, -0.05), (0.35, -0.2), (0.2, -0.2)), *foot)], 0.32)

    def shape(fill: Colour, *points: Point) -> None:
        canvas.polygon(shifted(points, *foot), fill)

    _nave(shape, theme)
    for side in (-1, 1):
        _steeple(shape, theme, 0.155 * side)
    shape(
        theme.window,
        (-0.035, 0.0),
        (-0.035, -0.065),
        (-0.02, -0.093),
        (0.0, -0.103),
        (0.02, -0.093),
        (0.035, -0.065),
        (0.035, 0.0),
    )


def _nave(shape: Shape, theme: Theme) -> None:
    """The aisles with their roofs, and the gable with the rose window."""
    shape(theme.ink, (-0.282, 0.01), (-0.282, -0.13), (-0.2, -0.235), (0.2, -0.235), (0.282, -0.13), (0.282, 0.01))
    shape(theme.stone_light, *rectangle(-0.27, -0.125, 0.0, 0.0))
    shape(theme.stone, *rectangle(0.0, -0.125, 0.27, 0.0))
    shape(theme.spire, (-0.27, -0.125), (-0.195, -0.223), (0.0, -0.223), (0.0, -0.125))
    shape(theme.spire_dark, (0.27, -0.125), (0.195, -0.223), (0.0, -0.223), (0.0, -0.125))
    for x in (-0.245, 0.245):
        shape(theme.window, *ellipse((x, -0.065), 0.012, 0.03))
    shape(theme.ink, (-0.1, 0.0), (-0.1, -0.27), (0.0, -0.385), (0.1, -0.27), (0.1, 0.0))
    shape(theme.stone_light, (-0.09, 0.0), (-0.09, -0.265), (0.0, -0.368), (0.09, -0.265), (0.09, 0.0))
    shape(theme.ink, *ellipse((0.0, -0.2), 0.066, 0.066))
    shape(theme.window, *ellipse((0.0, -0.2), 0.054, 0.054))
    for spoke in ((-0.054, -0.006, 0.054, 0.006), (-0.006, -0.054, 0.006, 0.054)):
        shape(theme.stone_light, *shifted(rectangle(*spoke), 0.0, -0.2))


def _steeple(shape: Shape, theme: Theme, x: float) -> None:
    """One of the towers at the front, lit from the left."""
    shape(theme.ink, *rectangle(x - 0.078, -0.39, x + 0.078, 0.01))
    shape(theme.stone, *rectangle(x - 0.067, -0.38, x + 0.067, 0.0))
    shape(theme.stone_light, *rectangle(x - 0.067, -0.38, x + 0.02, 0.0))
    for top in (-0.265, -0.14):
        shape(theme.stone_dark, *rectangle(x - 0.067, top, x + 0.067, top + 0.014))
    for window in (-0.32, -0.19):
        shape(theme.window, *ellipse((x, window), 0.018, 0.038))
    shape(theme.ink, (x, -0.63), (x + 0.094, -0.37), (x - 0.094, -0.37))
    shape(theme.spire_dark, (x, -0.6), (x + 0.077, -0.381), (x - 0.077, -0.381))
    shape(theme.spire, (x, -0.6), (x + 0.01, -0.381), (x - 0.077, -0.381))


class InnsCathedrals(Drawings):
    """The big follower, inns by their roads, and cathedrals."""

    figures: Mapping[str, FigureSprite] = MappingProxyType({"big-follower": big_follower})
    reaches: Mapping[str, float] = MappingProxyType({"big-follower": _ROOM})

    def print_on(self, canvas: Canvas, layout: Layout) -> None:
        """Draw inns and cathedrals."""
        for at in layout.cathedrals:
            _cathedral(canvas, at)
        for inn in layout.inns:
            _inn(canvas, inn)
