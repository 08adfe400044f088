"""The map from points of a tile to segments, and the features of a face before any building is placed.

A face is a tile in one rotation; a segment is the part of a feature (road, city, field …) on it. The tile is painted
segment by segment on a small map; fields are filled from the half-sides that they reach. The hub is the village or
market square in which roads end. ``span`` is the axis of a piece that spans the tile, None without one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from engine.carcassonne.tiles import Face, FeatureKind
from engine.geometry import Axis
from renderers.canvas import Point, Polyline, rotated, stroke_polygon
from renderers.carcassonne.faces.lines import (
    CORNERS,
    HUB_RADIUS,
    ROAD_WIDTH,
    CityOutline,
    RoadPath,
    alleys_from,
    city_outlines,
    hub,
    road_paths,
)
from renderers.masks import GRID, cell_containing, roomiest_point

FREE: Final = 0
"""The value of the map where no segment has been painted yet."""
TAKEN: Final = 255
"""The value of the map where a village or an alley lies, which belongs to no segment."""
_SEED_INSET: Final = 0.02
"""Distance from the edge of the tile at which the filling of a field starts."""


@dataclass(frozen=True, slots=True)
class Tract:
    """A feature of a kind that only an expansion has, such as water, below the roads and cities of a face."""

    segment: int
    areas: tuple[Polyline, ...]
    discs: tuple[tuple[Point, float], ...] = ()
    """The discs that the feature keeps free of buildings."""


class Ground:
    """The map of a tile: each cell holds the index of its segment plus 1."""

    def __init__(
        self,
        face: Face,
        cities: Iterable[CityOutline],
        roads: Iterable[RoadPath],
        centre: Point | None,
        alleys: Iterable[Polyline] = (),
        tracts: Iterable[Tract] = (),
    ) -> None:
        self.map = Image.new("L", (GRID, GRID), FREE)
        self._draw = ImageDraw.Draw(self.map)
        covered = [(area, tract.segment + 1) for tract in tracts for area in tract.areas]
        covered += [(stroke_polygon(road.line, ROAD_WIDTH), road.segment + 1) for road in roads]
        covered += [(stroke_polygon(alley, ROAD_WIDTH), TAKEN) for alley in alleys]
        covered += [(city.ground, city.segment + 1) for city in cities]
        for area, value in covered:
            self._draw.polygon([cell_containing(point) for point in area], fill=value)
        if centre is not None:
            self._disc(centre, HUB_RADIUS, TAKEN)
        for index, segment in enumerate(face.segments):
            if segment.kind is FeatureKind.FIELD:
                for half in segment.places:
                    self._fill(cell_containing(half_point(half)), index + 1)
        for index, segment in enumerate(face.segments):
            if segment.kind is FeatureKind.FIELD and not segment.places:
                self._fill_enclosed(index + 1, segment.corner)
        self._values = self.map.tobytes()

    def _disc(self, centre: Point, radius: float, value: int) -> None:
        """Fill a disc of the map with a value."""
        x, y = cell_containing(centre)
        reach = radius * GRID
        self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=value)

    def _fill_enclosed(self, value: int, corner: int) -> None:
        """Fill the roomiest free part with an enclosed field; at its corner of the tile, if it has one."""
        free = self.map.point(lambda mapped: 255 * (mapped == FREE))
        if corner >= 0:
            x, y = (round(GRID * along / 2) for along in CORNERS[corner])
            quarter = Image.new("L", (GRID, GRID), 0)
            area = (x, y, x + GRID // 2, y + GRID // 2)
            quarter.paste(free.crop(area), area)
            free = quarter
        middle, _ = roomiest_point(free)
        self._fill(cell_containing(middle), value)

    def _fill(self, seed: tuple[int, int], value: int) -> None:
        """Fill the free cells connected to a seed with a segment; ten times as fast as Pillow's flood fill."""
        cells = bytearray(self.map.tobytes())
        waiting = [seed[1] * GRID + seed[0]]
        while waiting:
            cell = waiting.pop()
            if cells[cell] != FREE:
                continue
            cells[cell] = value
            column = cell % GRID
            waiting += [cell - GRID] * (cell >= GRID) + [cell + GRID] * (cell < GRID * (GRID - 1))
            waiting += [cell - 1] * (column > 0) + [cell + 1] * (column < GRID - 1)
        self.map.frombytes(bytes(cells))

    def owner(self, point: Point) -> int:
        """Return the index of the segment at a point; -1 if there is none."""
        x, y = cell_containing(point)
        value = self._values[y * GRID + x]
        return value - 1 if value != TAKEN else -1

    def area(self, segment: int) -> Image.Image:
        """Return the cells of one segment as a mask."""
        chosen = bytearray(256)
        chosen[segment + 1] = 255
        return Image.frombytes("L", (GRID, GRID), self._values.translate(chosen))


def half_point(half: int) -> Point:
    """Return a point just inside the tile at a half-side."""
    side, second = divmod(half, 2)
    return rotated((0.75 if second else 0.25, _SEED_INSET), side)


@dataclass(frozen=True, slots=True)
class Features:
    """The cities, roads and other features of a face, in units of the tile."""

    face: Face
    ground: Ground
    cities: tuple[CityOutline, ...]
    roads: tuple[RoadPath, ...]
    tracts: tuple[Tract, ...]
    hub: Point | None
    alleys: tuple[Polyline, ...]
    """The alleys from the village to the cities that it keeps apart."""
    overpass: int
    """The road that crosses another one on a bridge; -1 for none."""
    span: Axis | None = None
    """The axis of a piece across the tile; None without one."""


def features_of(face: Face, span: Axis | None, tracts: Iterable[Tract]) -> Features:
    """Return the features of a face; villages and road ends that a piece across it would cover are moved beside it."""
    cities, all_tracts = city_outlines(face), tuple(tracts)
    roads = road_paths(face, cities, span)
    centre = hub(face, roads, span)
    alleys = alleys_from(face, cities, centre)
    land = Ground(face, cities, roads, centre, alleys, all_tracts)
    places = [segment.places if segment.kind is FeatureKind.ROAD else () for segment in face.segments]
    overpass = places.index((1, 3)) if {(0, 2), (1, 3)} <= set(places) else -1  # from east to west over another one
    return Features(face, land, cities, roads, all_tracts, centre, alleys, overpass, span)
