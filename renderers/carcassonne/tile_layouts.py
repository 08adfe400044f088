"""Tiles laid out with what all boxes print on them, and where figures stand on each, kept."""

from __future__ import annotations

from typing import Final

from PIL import Image, ImageChops

from engine import tiles as base
from engine.carcassonne.tiles import FeatureKind, TileKind
from engine.geometry import Axis
from engine.once import recent
from renderers import masks
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.faces.layout import ACROSS_WIDTH, MONASTERY_ROOM, Layout, laid_out, line_across, low_prints
from renderers.carcassonne.faces.prints import sparing
from renderers.shapes import Point, distance

_UPON: Final = (0.5, 0.3, 0.7)
"""How far along what lies across a tile its figure may stand."""


@recent(1024)
def layout_of(tile: TileKind, rotation: int, across: Axis | None = None) -> Layout:
    """The layout of a tile turned clockwise by so many degrees; what stood in the way of what lies across it moves."""
    return laid_out(tile.faces[rotation // 90], across, BOXES.values())


@recent(4096)
def anchor(tile: TileKind, rotation: int, segment: base.Segment, across: Axis | None = None) -> Point:
    """Where the follower on a segment (board oriented) stands; beside what lies across the tile, unless upon that.

    Raises:
        ValueError: neither the face nor what lies across it has the segment.
    """
    layout = layout_of(tile, rotation, across)
    index = segment_index(tile, rotation, segment)
    if index >= 0:
        return layout.anchors[index] if across is None else _beside(layout, index, across)
    if across is None or segment.kind != FeatureKind.ROAD:
        raise ValueError(f"no {segment.name} on {tile.id}")
    return _upon(layout, across)


def segment_index(tile: TileKind, rotation: int, segment: base.Segment) -> int:
    """The index of a segment (board oriented) on its face, -1 for one that is not printed there."""
    printed = enumerate(tile.faces[rotation // 90].segments)
    return next((n for n, other in printed if other.kind == segment.kind and other.places == segment.places), -1)


def _upon(layout: Layout, across: Axis) -> Point:
    """The place upon it with most room between it and the places of the tile."""
    others = [_beside(layout, index, across) for index in range(len(layout.anchors))]
    places = [(part, 0.43) if across is Axis.WE else (0.5, part) for part in _UPON]
    return max(places, key=lambda place: min(distance(place, other) for other in others))


def _beside(layout: Layout, index: int, across: Axis) -> Point:
    free = masks.without_band(_standing_area(layout, index), line_across(across), ACROSS_WIDTH)
    point, depth = masks.heart(free)
    return point if depth else layout.anchors[index]


def _standing_area(layout: Layout, index: int) -> Image.Image:
    """The cells of a segment without the landmarks on it, or those of the monastery."""
    if layout.face.kinds[index] is FeatureKind.MONASTERY and layout.monastery is not None:
        whole = Image.new("L", (masks.GRID, masks.GRID), 255)
        return ImageChops.subtract(whole, masks.without_disc(whole, layout.monastery, MONASTERY_ROOM))
    return masks.without_discs(sparing(layout.ground.area(index), low_prints(layout)), layout.landmarks)
