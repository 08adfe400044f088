"""Drawings of *The River*: water with its banks, a spring, a lake, and stone bridges where roads cross.

The first half of the module computes the line of a river over a tile, the areas that it covers, and its end; the second
half draws them. Sizes are in units of the tile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.carcassonne.tiles import Face, Segment
from renderers.canvas import (
    CENTRE,
    SHADOW_OFFSET,
    Canvas,
    Point,
    Polyline,
    cubic,
    distance,
    ellipse,
    length,
    point_along,
    rotated_line,
    shifted,
    stroke_polygon,
    swaying_line,
)
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.faces.ground import Tract
from renderers.carcassonne.faces.layout import Layout, trimmed_road
from renderers.carcassonne.faces.lines import ROAD_WIDTH
from renderers.drawings import read_drawings

RIVER: Final[str] = "river"
"""The kind of the segments that are rivers."""
LAKES: Final = frozenset({"river/FFFI"})
"""The tiles with a lake whose segments alone do not tell it from a spring."""
RIVER_WIDTH: Final = 0.18
"""Width of the water."""
_SWAY: Final = -0.03
"""The swing of a straight river from the middle line, in tiles."""
_BANK_WIDTH: Final = 0.03
"""Width of the land on either side of the water that a bridge covers."""
_SPRING_RADIUS: Final = 0.2
"""Radius around a spring that buildings keep free, in tiles."""
_LINE_SAMPLES: Final = 48
"""Points of a line at which it is tested for water."""


class RiverEnd(StrEnum):
    """The end of a river within its tile; an arm ends in another river, a mouth at a city.

    An end other than that of a spring is an attribute of the segment in the data of newer tiles.
    """

    THROUGH = "through"
    SPRING = "spring"
    LAKE = "lake"
    ARM = "arm"
    MOUTH = "mouth"


_POOL_AXES: Final = {RiverEnd.SPRING: (0.11, 0.085), RiverEnd.LAKE: (0.3, 0.25)}
"""Semi-axes of the water in the middle of the tile where a river begins or ends."""


@dataclass(frozen=True, slots=True)
class Water:
    """A river piece: its line from the side of the tile, and the end of the line."""

    segment: int
    line: Polyline
    end: RiverEnd

    @property
    def areas(self) -> tuple[Polyline, ...]:
        """The areas that the water covers."""
        return (stroke_polygon(self.line, RIVER_WIDTH), *self.pool(0.0))

    def pool(self, margin: float) -> tuple[Polyline, ...]:
        """Return the outline of the lake or of the water of a spring, with a margin; empty for other rivers."""
        if self.end not in _POOL_AXES:
            return ()
        radius_x, radius_y = _POOL_AXES[self.end]
        return (ellipse(CENTRE, radius_x + margin, radius_y + margin),)

    @property
    def tract(self) -> Tract:
        """The part of the tile that the water takes; nothing is built at a spring."""
        return Tract(self.segment, self.areas, ((CENTRE, _SPRING_RADIUS),) if self.end is RiverEnd.SPRING else ())


def waters_of(face: Face) -> tuple[Water, ...]:
    """Return all river pieces of a face; a river with three ends is two of them."""
    return tuple(
        water
        for index, segment in enumerate(face.segments)
        if segment.kind == RIVER
        for water in _pieces(face, index, segment)
    )


def _pieces(face: Face, index: int, segment: Segment) -> Iterator[Water]:
    """Yield the pieces of a river: one, or a straight one and the arm that joins it."""
    match segment.places:
        case (_,):
            yield Water(index, *_single(face, segment))
        case (first, second, third):
            straight = (first, second) if (second - first) % 4 == 2 else (first, third)
            straight = straight if (straight[1] - straight[0]) % 4 == 2 else (second, third)
            (side,) = {first, second, third} - {*straight}
            yield Water(index, course(straight), RiverEnd.THROUGH)
            yield Water(index, course((side,)), RiverEnd.ARM)
        case places:
            yield Water(index, course(places), RiverEnd.THROUGH)


def _single(face: Face, segment: Segment) -> tuple[Polyline, RiverEnd]:
    """Return the line of a river with a single end on its tile, and what is at its other end."""
    if segment.shows(RiverEnd.MOUTH) is not None:
        return (*course(segment.places), *rotated_line(((0.5, 0.6), (0.5, 0.8)), segment.places[0])), RiverEnd.MOUTH
    is_lake = face.tile.id in LAKES or segment.shows(RiverEnd.LAKE) is not None
    return course(segment.places), RiverEnd.LAKE if is_lake else RiverEnd.SPRING


def course(places: Sequence[int]) -> Polyline:
    """Return the line of a river that reaches these sides of its tile.

    Raises:
        ValueError: it reaches none, or more than two.
    """
    match tuple(places):
        case (side,):
            return rotated_line(((0.5, 0.0), (0.5, 0.12), (0.49, 0.25), (0.5, 0.4), (0.5, 0.5)), side)
        case (start, end) if (end - start) % 4 == 2:
            return rotated_line(swaying_line(_SWAY), start)
        case (start, end):
            first = start if (end - start) % 4 == 1 else end
            return rotated_line(cubic((0.5, 0.0), (0.5, 0.16), (0.84, 0.5), (1.0, 0.5), steps=20), first)
        case _:
            raise ValueError(f"a river with {len(places)} ends")


def road_over_water(road: Polyline, waters: Collection[Water]) -> Polyline:
    """Return the part of a road over water, with a little of both banks; empty if there is none."""
    samples = [step / _LINE_SAMPLES for step in range(_LINE_SAMPLES + 1)]
    fractions = [sample for sample in samples if _is_over_water(point_along(road, sample), waters)]
    if not fractions:
        return ()
    return tuple(point_along(road, fractions[0] + (fractions[-1] - fractions[0]) * step / 6) for step in range(7))


def _is_over_water(point: Point, waters: Iterable[Water]) -> bool:
    """Return True if a point lies over a river or its banks."""
    courses = (point_along(water.line, step / _LINE_SAMPLES) for water in waters for step in range(_LINE_SAMPLES + 1))
    return any(distance(point, middle) < RIVER_WIDTH / 2 + _BANK_WIDTH for middle in courses)


_BANK_EDGE_WIDTH: Final = 0.024
"""Width of the line along the water."""
_RIPPLE_SPACING: Final = 0.13
"""Distance between ripples along a river."""
_ROCKS: Final = (
    (-0.1, -0.06, 0.035),
    (-0.02, -0.1, 0.042),
    (0.075, -0.075, 0.034),
    (0.11, 0.02, 0.028),
    (-0.12, 0.03, 0.026),
)
"""The rocks around a spring: offsets of their middles from that of the tile, and radii."""
_DRAWINGS: Final = read_drawings(__file__)
"""The drawing of what is on a lake and on its shore."""


def _draw_waters(canvas: Canvas, waters: Collection[Water]) -> None:
    """Draw the banks, the water and the ripples along it."""
    theme = canvas.theme
    for margin, colour in ((_BANK_EDGE_WIDTH, theme.road_edge), (0.0, theme.water)):
        for water in waters:
            canvas.stroke(water.line, RIVER_WIDTH + 2 * margin, colour)
            for pool in water.pool(margin):
                canvas.polygon(pool, colour)
    for water in waters:
        _draw_ripples(canvas, water)


def _draw_ripples(canvas: Canvas, water: Water) -> None:
    """Draw the ripples along a river."""
    count = max(round(length(water.line) / _RIPPLE_SPACING), 1)
    for step in range(count):
        middle = tuple(point_along(water.line, (step + part) / count) for part in (0.2, 0.4, 0.6, 0.8))
        ripple = _shifted_sideways(middle, 0.045 * (-1, 0.2, 1)[step % 3])
        canvas.stroke(ripple, 0.016, canvas.theme.water_light)


def _shifted_sideways(line: Polyline, offset: float) -> Polyline:
    """Return the line moved to one side."""
    outline = stroke_polygon(line, 2 * abs(offset) + 0.001)
    return outline[: len(line)] if offset > 0 else tuple(reversed(outline[len(line) :]))


def _draw_spring(canvas: Canvas) -> None:
    """Draw rocks around the water of a spring."""
    theme = canvas.theme
    for dx, dy, radius in _ROCKS:
        middle = canvas.on_pixel((CENTRE[0] + dx, CENTRE[1] + dy))
        canvas.disc(middle, radius + 0.01, theme.ink, flat=0.85)
        canvas.disc(middle, radius, theme.stone, flat=0.85)
        canvas.disc((middle[0] - radius * 0.25, middle[1] - radius * 0.25), radius * 0.5, theme.stone_light, flat=0.85)


def _draw_bridge(canvas: Canvas, road: Polyline) -> None:
    """Draw a road on a stone arch between two parapets."""
    theme = canvas.theme
    canvas.shade([shifted(stroke_polygon(road, ROAD_WIDTH + 0.06), *SHADOW_OFFSET)], 0.4)
    canvas.stroke(road, ROAD_WIDTH + 0.07, theme.ink)
    canvas.stroke(road, ROAD_WIDTH + 0.052, theme.stone_light)
    canvas.stroke(road, ROAD_WIDTH + 0.006, theme.stone_dark)
    canvas.stroke(road, ROAD_WIDTH - 0.024, theme.road)
    canvas.stroke(road, ROAD_WIDTH * 0.3, theme.road_worn)


class River(Drawings):
    """Rivers and the bridges over them; no figure stands there."""

    def tracts(self, face: Face) -> Iterable[Tract]:
        """Yield the water."""
        return (water.tract for water in waters_of(face))

    def draw_ground_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the water, with its spring or lake."""
        waters = waters_of(layout.features.face)
        _draw_waters(canvas, waters)
        for water in waters:
            if water.end is RiverEnd.SPRING:
                _draw_spring(canvas)
            elif water.end is RiverEnd.LAKE:
                _DRAWINGS["lake"].paint(canvas, CENTRE)

    def draw_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the bridges of roads over the water."""
        waters = waters_of(layout.features.face)
        for road in layout.features.roads:
            road_on_bridge = road_over_water(trimmed_road(road), waters)
            if road_on_bridge:
                _draw_bridge(canvas, road_on_bridge)
