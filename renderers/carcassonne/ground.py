"""Which part of a tile belongs to which segment, and the points at which figures, shields and trees may stand.

The tile is painted segment by segment on a small map; fields are filled from the half-sides that they reach. Distances
are then counted by wearing the areas away one step at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from engine.carcassonne.tiles import Face, FeatureKind
from renderers.carcassonne.outline import CityOutline
from renderers.carcassonne.paths import HUB_RADIUS, ROAD_WIDTH, RoadPath
from renderers.shapes import Line, Point, band, distance

GRID: Final = 48
"""Cells of the map along one side of the tile."""
FREE: Final = 0
TAKEN: Final = 255
_NEAR: Final = 0.02
"""How far within the tile the filling of a field starts."""


class Ground:
    """The map of a tile: each cell holds the index of its segment plus 1."""

    def __init__(
        self, face: Face, cities: Iterable[CityOutline], roads: Iterable[RoadPath], centre: Point | None
    ) -> None:
        self.map = Image.new("L", (GRID, GRID), FREE)
        self._draw = ImageDraw.Draw(self.map)
        for road in roads:
            self._polygon(band(road.line, ROAD_WIDTH), road.segment + 1)
        for city in cities:
            self._polygon(city.ground, city.segment + 1)
        if centre is not None:
            self._disc(centre, HUB_RADIUS, TAKEN)
        for index, segment in enumerate(face.segments):
            if segment.kind is FeatureKind.FIELD:
                self._flood(segment.places, index + 1)
        for index, segment in enumerate(face.segments):
            if segment.kind is FeatureKind.FIELD and not segment.places:
                self._fill_enclosed(index + 1)
        self._values = self.map.tobytes()

    def _polygon(self, points: Line, value: int) -> None:
        self._draw.polygon([_pixel(point) for point in points], fill=value)

    def _disc(self, centre: Point, radius: float, value: int) -> None:
        x, y = _pixel(centre)
        reach = radius * GRID
        self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=value)

    def _flood(self, halves: Iterable[int], value: int) -> None:
        for half in halves:
            self._fill(_pixel(half_point(half)), value)

    def _fill_enclosed(self, value: int) -> None:
        """Give the roomiest part that no field reaches from the rim to one that lies enclosed."""
        free = self.map.point(lambda mapped: 255 * (mapped == FREE))
        middle, _ = heart(free)
        self._fill(_pixel(middle), value)

    def _fill(self, seed: tuple[int, int], value: int) -> None:
        """Give all that is free round a cell to a segment; Pillow's own filling takes ten times as long."""
        cells = bytearray(self.map.tobytes())
        waiting = [seed[1] * GRID + seed[0]]
        while waiting:
            at = waiting.pop()
            if cells[at] != FREE:
                continue
            cells[at] = value
            column = at % GRID
            waiting += [at - GRID] * (at >= GRID) + [at + GRID] * (at < GRID * (GRID - 1))
            waiting += [at - 1] * (column > 0) + [at + 1] * (column < GRID - 1)
        self.map.frombytes(bytes(cells))

    def owner(self, point: Point) -> int:
        """The index of the segment at a point, -1 where there is none."""
        x, y = _pixel(point)
        value = self._values[y * GRID + x]
        return value - 1 if value != TAKEN else -1

    def area(self, segment: int) -> Image.Image:
        """The cells of one segment as a mask."""
        return self.map.point(lambda value: 255 * (value == segment + 1))


def half_point(half: int) -> Point:
    """A point just within the tile at a half-side."""
    side, second = divmod(half, 2)
    along_side = 0.75 if second else 0.25
    match side:
        case 0:
            return (along_side, _NEAR)
        case 1:
            return (1 - _NEAR, along_side)
        case 2:
            return (1 - along_side, 1 - _NEAR)
        case _:
            return (_NEAR, 1 - along_side)


def without_disc(area: Image.Image, centre: Point, radius: float) -> Image.Image:
    """The mask less a round part."""
    return without_discs(area, ((centre, radius),))


def without_discs(area: Image.Image, discs: Iterable[tuple[Point, float]]) -> Image.Image:
    """The mask less several round parts."""
    rest = area.copy()
    draw = ImageDraw.Draw(rest)
    for centre, radius in discs:
        (x, y), reach = _pixel(centre), radius * GRID
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=0)
    return rest


def only(area: Image.Image, line: Line) -> Image.Image:
    """The part of the mask within an outline."""
    kept = Image.new("L", area.size, 0)
    ImageDraw.Draw(kept).polygon([_pixel(point) for point in line], fill=255)
    return ImageChops.multiply(area, kept)


def without(area: Image.Image, line: Line) -> Image.Image:
    """The mask less the part within an outline."""
    rest = area.copy()
    ImageDraw.Draw(rest).polygon([_pixel(point) for point in line], fill=0)
    return rest


def grown(area: Image.Image, by: float) -> Image.Image:
    """The mask and all that is as near to it as this."""
    wide = area
    for _ in range(round(by * GRID)):
        wide = wide.filter(ImageFilter.MaxFilter(3))
    return wide


def without_band(area: Image.Image, line: Line, width: float) -> Image.Image:
    """The mask less a strip."""
    return without(area, band(line, width))


def shrunk(area: Image.Image, by: float) -> Image.Image:
    """The points of the mask that lie at least so far within it and within the tile."""
    worn = ImageOps.expand(area, 1, 0)
    for _ in range(round(by * GRID)):
        worn = worn.filter(ImageFilter.MinFilter(3))
    return worn.crop((1, 1, GRID + 1, GRID + 1))


def heart(area: Image.Image) -> tuple[Point, float]:
    """The roomiest point of a mask and how far it is from the rim; the middle of the tile if the mask is empty."""
    worn, last, depth = ImageOps.expand(area, 1, 0), None, 0
    while worn.getbbox() is not None:
        last, depth = worn, depth + 1
        worn = worn.filter(ImageFilter.MinFilter(3))
    if last is None:
        return (0.5, 0.5), 0.0
    cells = cells_of(last.crop((1, 1, GRID + 1, GRID + 1)))
    middle = (sum(x for x, _ in cells) / len(cells), sum(y for _, y in cells) / len(cells))
    return min(cells, key=lambda cell: (round(distance(cell, middle), 6), cell)), depth / GRID


def cells_of(area: Image.Image) -> list[Point]:
    """The middles of all cells of a mask, row by row."""
    data = area.tobytes()
    return [((i % GRID + 0.5) / GRID, (i // GRID + 0.5) / GRID) for i, value in enumerate(data) if value]


def _pixel(point: Point) -> tuple[int, int]:
    return (_clamped(point[0]), _clamped(point[1]))


def _clamped(value: float) -> int:
    return min(max(int(value * GRID), 0), GRID - 1)
