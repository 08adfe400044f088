"""Figures on their tiles: by the names that the engine has for them, and where each stands.

Tiles are laid out with what all boxes print on them; that is kept, as are the places of figures on each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from PIL import Image, ImageChops

from engine import tiles as base
from engine.actions import FOLLOWER
from engine.caching import thread_safe_lru_cache
from engine.carcassonne import Position
from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.tiles import FeatureKind, TileKind
from engine.geometry import Axis, Cell
from engine.tiles import Segment
from engine.views import StandingFigure
from renderers import masks
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.boxes.base import Trial
from renderers.carcassonne.faces.layout import ACROSS_WIDTH, MONASTERY_ROOM, Layout, laid_out, line_across, low_prints
from renderers.carcassonne.faces.prints import sparing
from renderers.pieces import FigureSprite, follower, sprite_drawer, within_tile
from renderers.shapes import Point, distance
from renderers.theme import Theme
from renderers.values import NumberedPlace

_UPON: Final = (0.5, 0.3, 0.7)
"""How far along what lies across a tile its figure may stand."""


@thread_safe_lru_cache(1024)
def layout_of(tile: TileKind, rotation: int, across: Axis | None = None) -> Layout:
    """The layout of a tile turned clockwise by so many degrees; what stood in the way of what lies across it moves."""
    return laid_out(tile.faces[rotation // 90], across, BOXES.values())


@thread_safe_lru_cache(4096)
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
    free = masks.outside_band(_standing_area(layout, index), line_across(across), ACROSS_WIDTH)
    point, depth = masks.roomiest_point(free)
    return point if depth else layout.anchors[index]


def _standing_area(layout: Layout, index: int) -> Image.Image:
    """The cells of a segment without the landmarks on it, or those of the monastery."""
    if layout.features.face.kinds[index] is FeatureKind.MONASTERY and layout.monastery is not None:
        whole = Image.new("L", (masks.GRID, masks.GRID), 255)
        return ImageChops.subtract(whole, masks.without_disc(whole, layout.monastery, MONASTERY_ROOM))
    return masks.without_discs(sparing(layout.features.ground.area(index), low_prints(layout)), layout.landmarks)


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tile that is only being tried out, with the piece that would be built with it."""

    cell: Cell
    tile: TileKind
    rotation: int
    piece: Trial | None = None

    @property
    def across(self) -> Axis | None:
        """How the piece lies that is built on the ghost itself."""
        return self.piece[1] if self.piece is not None and self.piece[0] == self.cell else None


def place_of(position: Position, figure: StandingFigure, trial: Trial | None = None) -> Point:
    """Where on its tile a figure stands; ``trial`` is a piece not built yet.

    Raises:
        ValueError: there is no such tile.
    """
    tile = position.tile_at(figure.cell)
    if tile is None:
        raise ValueError(f"a figure without a tile: {figure.cell.label}")
    return anchor(tile.tile, tile.rotation, figure.segment, across(tile, trial))


def across(tile: PlacedTile, trial: Trial | None = None) -> Axis | None:
    """How that lies which some box has laid straight across a tile; ``trial`` is a piece not built yet."""
    if trial is not None and trial[0] == tile.cell:
        return trial[1]
    if not tile.added:
        return None
    return next((axis for box in BOXES.values() if (axis := box.lies_across(tile)) is not None), None)


def place_on(ghost: Ghost, choice: NumberedPlace) -> Point:
    """Where on the tile that is being tried out a figure would stand."""
    return anchor(ghost.tile, ghost.rotation, choice.segment, ghost.across)


def lies(segment: Segment) -> bool:
    """Whether a figure there lies, as farmers do."""
    return segment.kind == FeatureKind.FIELD


FIGURES: Final[Mapping[str, FigureSprite]] = MappingProxyType(
    {FOLLOWER: follower} | {name: sprite for box in BOXES.values() for name, sprite in box.figures.items()}
)
"""The follower, and what the boxes bring."""
_REACHES: Final = {name: reach for box in BOXES.values() for name, reach in box.reaches.items()}


def figure(theme: Theme, player: int, size: int, name: str, *, lying: bool = False) -> Image.Image:
    """The figure that the engine calls by this name.

    Raises:
        ValueError: it has no drawing.
    """
    return sprite_drawer(FIGURES, name)(theme, player, size, lying=lying)


def across_sprite(theme: Theme, axis: Axis, size: int) -> Image.Image:
    """What a box lays straight across a tile, for cells of so many pixels.

    Raises:
        ValueError: it has no drawing.
    """
    sprite = next((box.across for box in BOXES.values() if box.across is not None), None)
    if sprite is None:
        raise ValueError("nothing is laid across tiles")
    return sprite(theme, axis, size)


def reach_of(name: str) -> float:
    """How many times as far as a follower a figure reaches."""
    return _REACHES.get(name, 1.0)


def kept_within(place: Point, name: str, *, lying: bool) -> Point:
    """The point moved so that this figure keeps to its tile."""
    return within_tile(place, lying=lying, reach=reach_of(name))
