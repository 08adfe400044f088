"""Which part of a castle tile belongs to which segment.

Towers, houses and courts share out the eight wedges between the half-sides and the middle of the tile; paths, wells and
squares lie over them.
"""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image, ImageDraw

from engine.the_castle.tiles import Face, FeatureKind
from renderers.shapes import CENTRE, Point, Polyline, band, ellipse, rectangle, turned_line
from renderers.the_castle.faces.ways import PATH_WIDTH, WELL_ROOM, PathLine, Ways, bend, square_outline

_NOBODY = 255
"""What a square is labelled with, which is part of no segment."""


class LabelMap:
    """A map of a tile and of a margin round it; each point holds the number of its segment plus 1.

    Args:
        face: the tile.
        ways: its paths.
        scale: pixels of the tile.
        margin: pixels round it, in which the half-sides go on that are not closed.
        closed: one bit for each half-side at which the feature is known to end.
    """

    def __init__(self, face: Face, ways: Ways, scale: int, margin: int = 0, closed: int = 0) -> None:
        self.scale, self.margin = scale, margin
        self._face, self._owners = face, half_owners(face)
        side = scale + 2 * margin
        self.image = Image.new("L", (side, side))
        self._draw = ImageDraw.Draw(self.image)
        self._paint_wedges(closed)
        self._paint_bends(ways.bends)
        self._paint_paths(ways.paths)
        for segment, at in ways.wells:
            self._paint(ellipse(at, WELL_ROOM, WELL_ROOM), segment)
        if ways.square:
            self._paint(square_outline(), _NOBODY - 1)

    def area(self, segment: int) -> Image.Image:
        """The points of a segment as a mask."""
        return self.image.point([255 if value == segment + 1 else 0 for value in range(256)])

    def owner(self, point: Point) -> int:
        """The index of the segment at a point of the tile, -1 where there is none."""
        x, y = (min(max(int(value * self.scale), 0), self.scale - 1) + self.margin for value in point)
        value = self.image.getpixel((x, y))
        return int(value) - 1 if isinstance(value, (int, float)) and value != _NOBODY else -1

    def _paint(self, points: Polyline, segment: int) -> None:
        scaled = [(x * self.scale + self.margin, y * self.scale + self.margin) for x, y in points]
        self._draw.polygon(scaled, fill=segment + 1)

    def _paint_wedges(self, closed: int) -> None:
        for half, owner in enumerate(self._owners):
            self._paint(_wedge(half), owner)
            if self.margin and not closed >> half & 1:
                self._paint(_beyond(half, self.margin / self.scale), owner)
        if self.margin:
            self._paint_corners(closed)

    def _paint_corners(self, closed: int) -> None:
        """The margin beyond a corner of the tile, where the feature goes on round it."""
        wide = self.margin / self.scale
        for corner, (x, y) in enumerate(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))):
            before, after = (corner * 2 + 7) % 8, corner * 2
            if self._owners[before] == self._owners[after] and not (closed >> before | closed >> after) & 1:
                left, top = (x - wide if x == 0.0 else x), (y - wide if y == 0.0 else y)
                self._paint(rectangle(left, top, left + wide, top + wide), self._owners[after])

    def _paint_bends(self, bends: Iterable[int]) -> None:
        """What lies between a bend and the middle belongs to the ground around it, rather not to a tower."""
        for side in bends:
            first, second = side * 2 + 1, (side * 2 + 2) % 8
            before, after = self._owners[side * 2], self._owners[(side * 2 + 3) % 8]
            inner = after if self._face.kinds[before] is FeatureKind.TOWER else before
            self._paint(_wedge(first), inner)
            self._paint(_wedge(second), inner)
            line, corner = bend(side), turned_line(((1.0, 0.0),), side)
            half = len(line) // 2
            self._paint((*line[: half + 1], *corner), self._owners[first])
            self._paint((*line[half:], *corner), self._owners[second])

    def _paint_paths(self, paths: Iterable[PathLine]) -> None:
        for path in paths:
            self._paint(band(_prolonged(path.line), PATH_WIDTH), path.segment)


def half_owners(face: Face) -> tuple[int, ...]:
    """The index of the tower, house or court at each half-side; -1 where a start space has none."""
    return tuple(owner_at(face, half) for half in range(8))


def owner_at(face: Face, half: int) -> int:
    """The index of the tower, house or court at one half-side."""
    return face.ports[half // 2 * 3 + half % 2 * 2]


def _wedge(half: int) -> Polyline:
    """The triangle between a half-side and the middle of the tile."""
    side, second = divmod(half, 2)
    return turned_line(((0.5 * second, 0.0), (0.5 * second + 0.5, 0.0), CENTRE), side)


def _beyond(half: int, margin: float) -> Polyline:
    """The margin outside a half-side."""
    side, second = divmod(half, 2)
    return turned_line(rectangle(0.5 * second, -margin, 0.5 * second + 0.5, 0.0), side)


def _prolonged(line: Polyline) -> Polyline:
    """The line of a path, with its ends at the sides of the tile drawn out into the margin."""
    first, last = line[0], line[-1]
    return (_outward(first), *line, _outward(last)) if _on_side(last) else (_outward(first), *line)


def _outward(point: Point) -> Point:
    return (point[0] + (point[0] - 0.5) * 0.5, point[1] + (point[1] - 0.5) * 0.5)


def _on_side(point: Point) -> bool:
    return min(*point, 1 - point[0], 1 - point[1]) < 1e-6
