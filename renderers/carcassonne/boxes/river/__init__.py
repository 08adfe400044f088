"""The River, drawn: water with its banks, a spring, a lake, and bridges of stone where roads cross."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from engine.carcassonne.tiles import Face
from renderers.canvas import SHADOW, Canvas
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.boxes.river.waters import LAKE, RIVER_WIDTH, SPRING, RiverEnd, Water, crossed, waters_of
from renderers.carcassonne.faces.ground import Tract
from renderers.carcassonne.faces.layout import Layout, trimmed_road
from renderers.carcassonne.faces.paths import ROAD_WIDTH
from renderers.shapes import CENTRE, Polyline, along, band, ellipse, length, shifted
from renderers.theme import Colour

_RIM: Final = 0.024
_RIPPLE: Final = 0.13
"""How far apart ripples are along a river."""
_ROCKS: Final = (
    (-0.1, -0.06, 0.035),
    (-0.02, -0.1, 0.042),
    (0.075, -0.075, 0.034),
    (0.11, 0.02, 0.028),
    (-0.12, 0.03, 0.026),
)
_REEDS: Final = ((-0.25, -0.06), (-0.225, -0.09), (0.2, 0.13), (0.23, 0.1), (0.255, 0.07))


def _water(canvas: Canvas, water: Water) -> None:
    """The bank, the water and the ripples upon it, which run with it."""
    theme = canvas.theme
    for more, colour in ((_RIM, theme.road_edge), (0.0, theme.water)):
        canvas.stroke(water.line, RIVER_WIDTH + 2 * more, colour)
        _pool(canvas, water, more, colour)
    count = max(round(length(water.line) / _RIPPLE), 1)
    for step in range(count):
        aside = 0.045 * (-1, 0.2, 1)[step % 3]
        ripple = _beside(tuple(along(water.line, (step + part) / count) for part in (0.2, 0.4, 0.6, 0.8)), aside)
        canvas.stroke(ripple, 0.016, theme.water_light)


def _pool(canvas: Canvas, water: Water, more: float, colour: Colour) -> None:
    if water.end is not RiverEnd.THROUGH:
        across, down = LAKE if water.end is RiverEnd.LAKE else SPRING
        canvas.polygon(ellipse(CENTRE, across + more, down + more), colour)


def _beside(line: Polyline, aside: float) -> Polyline:
    """The line moved to one side."""
    both = band(line, 2 * abs(aside) + 0.001)
    return both[: len(line)] if aside > 0 else tuple(reversed(both[len(line) :]))


def _lake(canvas: Canvas) -> None:
    """Ripples on a lake, and reeds on its shore."""
    x, y = CENTRE
    theme = canvas.theme
    for dx, dy, half in ((-0.1, -0.11, 0.06), (0.09, -0.04, 0.08), (-0.06, 0.06, 0.07), (0.06, 0.14, 0.05)):
        canvas.stroke(
            ((x + dx - half, y + dy), (x + dx, y + dy - 0.012), (x + dx + half, y + dy)), 0.016, theme.water_light
        )
    for dx, dy in _REEDS:
        for lean in (-0.014, 0.0, 0.014):
            canvas.stroke(((x + dx, y + dy), (x + dx + lean, y + dy - 0.07)), 0.012, theme.tree_dark)


def _spring(canvas: Canvas) -> None:
    """Rocks round the water that comes out between them."""
    theme = canvas.theme
    for dx, dy, radius in _ROCKS:
        at = canvas.on_pixel((CENTRE[0] + dx, CENTRE[1] + dy))
        canvas.disc(at, radius + 0.01, theme.ink, flat=0.85)
        canvas.disc(at, radius, theme.stone, flat=0.85)
        canvas.disc((at[0] - radius * 0.25, at[1] - radius * 0.25), radius * 0.5, theme.stone_light, flat=0.85)


def _bridge(canvas: Canvas, road: Polyline) -> None:
    """A road on an arch of stone between two parapets."""
    theme = canvas.theme
    canvas.shade([shifted(band(road, ROAD_WIDTH + 0.06), *SHADOW)], 0.4)
    canvas.stroke(road, ROAD_WIDTH + 0.07, theme.ink)
    canvas.stroke(road, ROAD_WIDTH + 0.052, theme.stone_light)
    canvas.stroke(road, ROAD_WIDTH + 0.006, theme.stone_dark)
    canvas.stroke(road, ROAD_WIDTH - 0.024, theme.road)
    canvas.stroke(road, ROAD_WIDTH * 0.3, theme.road_worn)


class River(Drawings):
    """Rivers and what crosses them; no figure stands there."""

    def tracts(self, face: Face) -> Iterable[Tract]:
        """The water."""
        return (water.tract for water in waters_of(face))

    def print_under(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the water, with its spring or lake."""
        for water in waters_of(layout.face):
            _water(canvas, water)
            match water.end:
                case RiverEnd.SPRING:
                    _spring(canvas)
                case RiverEnd.LAKE:
                    _lake(canvas)
                case RiverEnd.THROUGH:
                    pass
                case never:
                    assert_never(never)

    def print_on(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the bridges of roads over the water."""
        waters = waters_of(layout.face)
        for road in layout.roads:
            over = crossed(trimmed_road(road), waters)
            if over:
                _bridge(canvas, over)
