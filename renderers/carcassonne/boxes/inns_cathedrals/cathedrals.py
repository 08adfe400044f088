"""Cathedrals: where they stand in their cities, and how they look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from engine.carcassonne.expansions.inns_cathedrals import has_cathedral
from renderers import masks
from renderers.canvas import Canvas
from renderers.carcassonne.faces.features import Features
from renderers.carcassonne.faces.prints import Print, Room
from renderers.shapes import Point, ellipse, rectangle, shifted
from renderers.theme import Colour, Theme

Brush = Callable[..., None]
"""Fills, with a colour, a polygon given from the middle of a building's foot."""

CATHEDRAL: Final = (-0.32, -0.63, 0.32, 0.055)
"""What a cathedral covers from the middle of its foot: left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Cathedral(Print):
    """A cathedral: the middle of its foot."""

    @property
    def rooms(self) -> tuple[Room, ...]:
        """The discs that it takes."""
        x, y = self.at
        return tuple(((x + dx, y + dy), 0.17) for dx, dy in product((-0.16, 0.0, 0.16), (-0.08, -0.22, -0.36)))


def cathedrals(features: Features) -> Iterator[Cathedral]:
    """Each so that its city's follower finds room on its right."""
    for index, segment in enumerate(features.face.segments):
        if has_cathedral(segment):
            (x, y), _ = masks.heart(features.ground.area(index))
            left, top, right, bottom = CATHEDRAL
            yield Cathedral((min(max(x - 0.14, -left), 1 - right), min(max(y + 0.26, -top), 1 - bottom)))


def paint_cathedral(canvas: Canvas, at: Point) -> None:
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


def _nave(shape: Brush, theme: Theme) -> None:
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


def _steeple(shape: Brush, theme: Theme, x: float) -> None:
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
