"""A canvas to draw sprites on, in units of a cell, and functions for the shapes drawn there.

``(0.5, 0.5)`` is the middle of a cell at any size in pixels. The canvas has several times the sprite's size and is
reduced once at the end, which gives smooth edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise
from math import cos, hypot, pi, sin
from operator import add
from typing import Final

from PIL import Image, ImageDraw

from engine.caching import thread_safe_lru_cache
from renderers.theme import Colour, Theme

Point = tuple[float, float]
"""A point of a drawing: x to the right and y downwards, in sides of a cell."""
Polyline = tuple[Point, ...]
"""An open line of straight pieces; as a polygon it is closed from its last point to its first."""
CENTRE: Final[Point] = (0.5, 0.5)
"""The middle of a cell."""


def rotated(point: Point, quarters: int, about: Point = CENTRE) -> Point:
    """Return the point rotated clockwise by this many quarter turns."""
    x, y = point[0] - about[0], point[1] - about[1]
    for _ in range(quarters % 4):
        x, y = -y, x
    return (x + about[0], y + about[1])


def rotated_line(line: Iterable[Point], quarters: int) -> Polyline:
    """Return all points of a line rotated clockwise about the middle of the tile."""
    return tuple(rotated(point, quarters) for point in line)


def shifted(line: Iterable[Point], dx: float, dy: float) -> Polyline:
    """Return the line moved by an offset."""
    return tuple((x + dx, y + dy) for x, y in line)


def mirrored(line: Sequence[Point]) -> Polyline:
    """Return the line reflected top to bottom and reversed, so that it continues the original."""
    return tuple((x, 1 - y) for x, y in reversed(line))


def cubic(start: Point, pull: Point, push: Point, end: Point, steps: int = 12) -> Polyline:
    """Return a cubic Bézier curve as ``steps`` straight pieces; ``pull`` and ``push`` are its control points."""
    return tuple(_bezier(start, pull, push, end, step / steps) for step in range(steps + 1))


def _bezier(start: Point, pull: Point, push: Point, end: Point, t: float) -> Point:
    """Return the point of a cubic curve at ``t``, from 0 at the start to 1 at the end."""
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    return (
        a * start[0] + b * pull[0] + c * push[0] + d * end[0],
        a * start[1] + b * pull[1] + c * push[1] + d * end[1],
    )


def swaying_line(sway: float) -> Polyline:
    """Return a line from north to south that swings by ``sway`` about the middle, its ends square to the sides.

    It does not swing in the very middle, where another line may cross it.
    """
    steps = [step / 24 for step in range(25)]
    return tuple((0.5 + sway * sin(2 * pi * y) * sin(pi * y) ** 2, y) for y in steps)


def distance(first: Point, second: Point) -> float:
    """Return the distance between two points."""
    return hypot(first[0] - second[0], first[1] - second[1])


def length(line: Sequence[Point]) -> float:
    """Return the length of a line."""
    return _portable_sum(distance(start, end) for start, end in pairwise(line))


def _portable_sum(lengths: Iterable[float]) -> float:
    """Return the sum, rounded after each addition.

    Until Python 3.11 ``sum`` does the same; later versions round less, and a figure could move to another of two
    equally good places.
    """
    return reduce(add, lengths, 0.0)


@thread_safe_lru_cache(32)
def _step_lengths(line: Polyline) -> tuple[float, ...]:
    """Return the lengths of a line's pieces; cached because callers ask for many points of the same line in turn."""
    return tuple(distance(start, end) for start, end in pairwise(line))


def point_along(line: Sequence[Point], fraction: float) -> Point:
    """Return the point at a fraction of the line's length."""
    steps = _step_lengths(tuple(line))
    remaining = _portable_sum(steps) * fraction
    for (start, end), step in zip(pairwise(line), steps, strict=True):
        if remaining <= step and step:
            share = remaining / step
            return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
        remaining -= step
    return line[-1]


def stroke_polygon(line: Sequence[Point], width: float) -> Polyline:
    """Return the polygon that a stroke of this width covers, with square ends."""
    left: list[Point] = []
    right: list[Point] = []
    for index, point in enumerate(line):
        before, after = line[max(index - 1, 0)], line[min(index + 1, len(line) - 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        size = hypot(dx, dy) or 1.0
        offset = (-dy / size * width / 2, dx / size * width / 2)
        left.append((point[0] + offset[0], point[1] + offset[1]))
        right.append((point[0] - offset[0], point[1] - offset[1]))
    return (*left, *reversed(right))


def is_inside(point: Point, polygon: Sequence[Point]) -> bool:
    """Return True if the point lies in the polygon.

    If it does, a ray from it to the east crosses the boundary an odd number of times.
    """
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def arc(centre: Point, radius: float, start: float, end: float, steps: int = 16) -> Polyline:
    """Return an arc of a circle; angles in turns, 0 is east, growing clockwise."""
    angles = (2 * pi * (start + (end - start) * step / steps) for step in range(steps + 1))
    return tuple((centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles)


def ellipse(centre: Point, radius_x: float, radius_y: float, steps: int = 24) -> Polyline:
    """Return an ellipse, given by its semi-axes, as a polygon."""
    circle = arc((0.0, 0.0), 1.0, 0.0, 1.0, steps)
    return tuple((centre[0] + x * radius_x, centre[1] + y * radius_y) for x, y in circle)


def octagon(reach: float, cut: float) -> Polyline:
    """Return an octagon about the middle of the tile; ``cut`` is half the length of its straight sides."""
    edge = ((0.5 - cut, 0.5 - reach), (0.5 + cut, 0.5 - reach))
    return tuple(point for side in range(4) for point in rotated_line(edge, side))


def rectangle(left: float, top: float, right: float, bottom: float) -> Polyline:
    """Return a rectangle as a polygon."""
    return ((left, top), (right, top), (right, bottom), (left, bottom))


SUPERSAMPLING: Final = 4
"""Pixels of the canvas along one pixel of the finished sprite."""
LARGE_SUPERSAMPLING: Final = 2
"""The same for large sprites, for which fewer are enough."""
_LARGE_PIXELS: Final = 200
"""Pixels of a cell from which twice the size is enough for smooth edges."""
SHADOW_OFFSET: Final[Point] = (0.022, 0.03)
"""Direction and distance of shadows, in cells: the light comes from the north-west, however a tile is rotated."""


SHADOW_COLOUR: Final[Colour] = (20, 24, 10)
"""The colour of shadows on the land."""
SHADOW_STRENGTH: Final = 0.28
"""The opacity of shadows, from 0 to 1."""

MEADOW_CALM: Final = 0.45
"""Share of the meadow's main colour that is mixed into its lightest and darkest parts."""

VEIL_STRENGTH: Final = 0.5
"""Opacity of the panel's colour over tiles that are taken, used up or not part of the question."""

FIELD_TRANSPARENCY: Final = 0.64
"""Share of the meadow that shows through the colour of a field's owners."""


class Canvas:
    """Draws in units of a cell, on a transparent ground or on one colour, which takes a third less time.

    Args:
        size: pixels of one cell in the finished sprite.
        theme: the colours.
        width: cells from left to right.
        height: cells from top to bottom.
        large: pixels of a cell from which twice the size is enough for smooth edges.
        ground: the colour of the ground; without it the ground is transparent.
    """

    def __init__(
        self,
        size: int,
        theme: Theme,
        width: float = 1.0,
        height: float = 1.0,
        *,
        large: int = _LARGE_PIXELS,
        ground: Colour | None = None,
    ) -> None:
        self.theme = theme
        factor = SUPERSAMPLING if size < large else LARGE_SUPERSAMPLING
        self.scale = size * factor
        self._size, self._factor = size, factor
        pixels = (max(round(size * width), 1), max(round(size * height), 1))
        area = (pixels[0] * factor, pixels[1] * factor)
        self.image = Image.new("RGBA", area) if ground is None else Image.new("RGB", area, ground)
        self._draw = ImageDraw.Draw(self.image)

    def on_pixel(self, at: Point) -> Point:
        """Return the point moved to the nearest boundary between two pixels.

        This keeps upright lines crisp, and files small: the same roof gives the same bytes wherever it stands.
        """
        return (round(at[0] * self._size) / self._size, round(at[1] * self._size) / self._size)

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon(self._scaled(points), fill=fill)

    def stroke(self, line: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw an open line as a polygon, which stays smooth in curves."""
        self.polygon(stroke_polygon(line, width), fill)

    def outline(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw a line around a polygon, half of it outside, with round corners."""
        closed = (*points, points[0])
        pixels = max(round(width * self.scale), 1)
        self._draw.line(self._scaled(closed), fill=fill, width=pixels)
        for point in points:
            self.disc(point, (pixels - 1) / 2 / self.scale, fill)

    def disc(self, centre: Point, radius: float, fill: Colour, *, flat: float = 1.0) -> None:
        """Fill a circle, or an ellipse that is ``flat`` times as high as wide."""
        (x, y), reach = (centre[0] * self.scale, centre[1] * self.scale), radius * self.scale
        self._draw.ellipse((x - reach, y - reach * flat, x + reach, y + reach * flat), fill=fill)

    def box(self, left: float, top: float, right: float, bottom: float, fill: Colour) -> None:
        """Fill a rectangle."""
        self.polygon(rectangle(left, top, right, bottom), fill)

    def rounded(self, area: tuple[float, float, float, float], radius: float, fill: Colour) -> None:
        """Fill a rectangle (left, top, right, bottom) with round corners."""
        scaled = tuple(value * self.scale for value in area)
        self._draw.rounded_rectangle(scaled, radius * self.scale, fill=fill)

    def shade(self, polygons: Iterable[Sequence[Point]], strength: float) -> None:
        """Darken the union of polygons; overlaps get no darker. ``strength`` is the opacity from 0 to 1."""
        scaled = [self._scaled(polygon) for polygon in polygons]
        left, top = (max(int(min(point[axis] for line in scaled for point in line)), 0) for axis in (0, 1))
        right, bottom = (
            min(int(max(point[axis] for line in scaled for point in line)) + 1, self.image.size[axis])
            for axis in (0, 1)
        )
        if left >= right or top >= bottom:
            return
        opaque = self.image.mode == "RGB"
        mask = Image.new("1" if opaque else "L", (right - left, bottom - top))
        draw = ImageDraw.Draw(mask)
        for line in scaled:
            draw.polygon([(x - left, y - top) for x, y in line], fill=255 if opaque else round(255 * strength))
        if opaque:
            # A table and a hard mask give the same pixels as blending each of them, in half the time.
            area = (left, top, right, bottom)
            self.image.paste(self.image.crop(area).point(_shadow_table(strength)), area, mask)
            return
        shadow = Image.new("RGBA", mask.size, (*SHADOW_COLOUR, 0))
        shadow.putalpha(mask)
        self.image.alpha_composite(shadow, (left, top))

    def finished(self) -> Image.Image:
        """Return the sprite at its size.

        It averages the pixels: sharper filters leave a seam of further colours along each edge.
        """
        return self.image.reduce(self._factor)

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        """Return points of the drawing in pixels of the canvas."""
        return [(x * self.scale, y * self.scale) for x, y in points]


@thread_safe_lru_cache(16)
def _shadow_table(strength: float) -> list[int]:
    """Return what each value of red, green and blue becomes in a shadow, rounded as Pillow rounds."""
    opacity = round(255 * strength)
    sums = (value * (255 - opacity) + shadow * opacity + 128 for shadow in SHADOW_COLOUR for value in range(256))
    return [((total >> 8) + total) >> 8 for total in sums]
