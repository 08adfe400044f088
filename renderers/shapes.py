"""Plane geometry in units of a tile: the tile is the square from (0, 0) to (1, 1), y grows south."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise
from math import cos, hypot, pi, sin
from operator import add
from typing import Final

from engine.caching import thread_safe_lru_cache

Point = tuple[float, float]
Polyline = tuple[Point, ...]
"""An open line of straight pieces; as a polygon it is closed from its last point to its first."""
CENTRE: Final[Point] = (0.5, 0.5)


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
    """Return a cubic Bézier curve as ``steps`` straight pieces."""
    return tuple(_bezier(start, pull, push, end, step / steps) for step in range(steps + 1))


def _bezier(start: Point, pull: Point, push: Point, end: Point, t: float) -> Point:
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


def distance(one: Point, other: Point) -> float:
    """Return the distance between two points."""
    return hypot(one[0] - other[0], one[1] - other[1])


def length(line: Sequence[Point]) -> float:
    """Return the length of a line."""
    return _portable_sum(distance(one, other) for one, other in pairwise(line))


def _portable_sum(lengths: Iterable[float]) -> float:
    """Return the sum, rounded after each addition.

    Until Python 3.11 ``sum`` does the same; later versions round less, and a figure could move to another of two
    equally good places.
    """
    return reduce(add, lengths, 0.0)


@thread_safe_lru_cache(32)
def _step_lengths(line: Polyline) -> tuple[float, ...]:
    """Return the lengths of a line's pieces; cached because callers ask for many points of the same line in turn."""
    return tuple(distance(one, other) for one, other in pairwise(line))


def point_along(line: Sequence[Point], fraction: float) -> Point:
    """Return the point at a fraction of the line's length."""
    steps = _step_lengths(tuple(line))
    left = _portable_sum(steps) * fraction
    for (one, other), step in zip(pairwise(line), steps, strict=True):
        if left <= step and step:
            part = left / step
            return (one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part)
        left -= step
    return line[-1]


def stroke_polygon(line: Sequence[Point], width: float) -> Polyline:
    """Return the polygon that a stroke of this width covers, with square ends."""
    left: list[Point] = []
    right: list[Point] = []
    for index, point in enumerate(line):
        before, after = line[max(index - 1, 0)], line[min(index + 1, len(line) - 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        size = hypot(dx, dy) or 1.0
        across = (-dy / size * width / 2, dx / size * width / 2)
        left.append((point[0] + across[0], point[1] + across[1]))
        right.append((point[0] - across[0], point[1] - across[1]))
    return (*left, *reversed(right))


def is_inside(point: Point, polygon: Sequence[Point]) -> bool:
    """Return whether the point lies in the polygon."""
    x, y = point
    within = False
    for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            within = not within
    return within


def arc(centre: Point, radius: float, start: float, end: float, steps: int = 16) -> Polyline:
    """Return an arc of a circle; angles in turns, 0 is east, growing clockwise."""
    angles = (2 * pi * (start + (end - start) * step / steps) for step in range(steps + 1))
    return tuple((centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles)


def ellipse(centre: Point, across: float, down: float, steps: int = 24) -> Polyline:
    """Return an ellipse with these semi-axes as a polygon."""
    circle = arc((0.0, 0.0), 1.0, 0.0, 1.0, steps)
    return tuple((centre[0] + x * across, centre[1] + y * down) for x, y in circle)


def octagon(reach: float, cut: float) -> Polyline:
    """Return an octagon about the middle of the tile; ``cut`` is half the length of its straight sides."""
    edge = ((0.5 - cut, 0.5 - reach), (0.5 + cut, 0.5 - reach))
    return tuple(point for side in range(4) for point in rotated_line(edge, side))


def rectangle(left: float, top: float, right: float, bottom: float) -> Polyline:
    """Return a rectangle as a polygon."""
    return ((left, top), (right, top), (right, bottom), (left, bottom))
