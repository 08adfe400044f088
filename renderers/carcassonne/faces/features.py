"""The features of a face laid out, before anything stands beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.carcassonne.tiles import Face, FeatureKind
from engine.geometry import Axis
from renderers.carcassonne.faces.ground import Ground, Tract
from renderers.carcassonne.faces.outline import CityOutline, city_outlines
from renderers.carcassonne.faces.paths import RoadPath, alleys_to, hub, road_paths
from renderers.shapes import Point, Polyline


@dataclass(frozen=True, slots=True)
class Features:
    """Cities, roads and what else runs over a face, in units of the tile."""

    face: Face
    ground: Ground
    cities: tuple[CityOutline, ...]
    roads: tuple[RoadPath, ...]
    tracts: tuple[Tract, ...]
    hub: Point | None
    alleys: tuple[Polyline, ...]
    """From the village to the cities that it keeps apart."""
    overpass: int
    """The road that crosses another one high above it, -1 for none."""


def features_of(face: Face, across: Axis | None, tracts: Iterable[Tract]) -> Features:
    """The features of a face; what stood in the way of something laid across it stands beside that."""
    cities, runs = city_outlines(face), tuple(tracts)
    roads = road_paths(face, cities, across)
    centre = hub(face, roads, across)
    alleys = alleys_to(face, cities, centre)
    land = Ground(face, cities, roads, centre, alleys, runs)
    return Features(face, land, cities, roads, runs, centre, alleys, _overpass(face))


def _overpass(face: Face) -> int:
    """The road from east to west where another one runs from north to south."""
    roads = [segment.places if segment.kind is FeatureKind.ROAD else () for segment in face.segments]
    return roads.index((1, 3)) if {(0, 2), (1, 3)} <= set(roads) else -1
