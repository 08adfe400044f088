"""Figures on their tiles: the sprite of each figure, by its name in the engine, and the places where figures stand.

A segment is the part of a feature on one tile; its anchor is the place of a figure there. The layout of a tile includes
the prints of all expansions. A piece of a box can span a tile from side to side, which moves the anchors below it;
``span`` is its axis, None without one. Layouts and anchors are cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
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
from renderers.canvas import Point, distance
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.boxes.base import Trial
from renderers.carcassonne.faces.layout import MONASTERY_RADIUS, SPAN_WIDTH, Layout, lay_out, low_prints, span_line
from renderers.carcassonne.faces.prints import without_prints
from renderers.pieces import FigureSprite, follower, sprite_drawer, within_tile
from renderers.theme import Theme
from renderers.values import FigurePlace

_SPACING: Final = 0.36
"""Distance that figures on one tile keep, in tiles, where there is room."""
_STEPPING_ASIDE: Final[Mapping[str, int]] = MappingProxyType({FeatureKind.ROAD: 1, FeatureKind.FIELD: 2})
"""The order in which figures step aside, by the kinds of their segments; all others stay."""
_PLACES_ALONG: Final = (0.5, 0.3, 0.7)
"""Positions for a figure on a piece that lies across a tile, as fractions of its length."""


@thread_safe_lru_cache(1024)
def layout_of(tile: TileKind, rotation: int, span: Axis | None = None) -> Layout:
    """Return the layout of a tile rotated clockwise by ``rotation`` degrees, beside a piece across it."""
    return lay_out(tile.faces[rotation // 90], span, BOXES.values())


@thread_safe_lru_cache(4096)
def anchor(tile: TileKind, rotation: int, segment: base.Segment, span: Axis | None = None) -> Point:
    """Return the place of the follower on a segment (board oriented).

    If a piece lies across the tile, the place is beside it, or on it for the segment that it adds.

    Raises:
        ValueError: neither the face nor the piece across it has the segment.
    """
    layout = layout_of(tile, rotation, span)
    index = segment_index(tile, rotation, segment)
    if index >= 0:
        return layout.anchors[index] if span is None else _place_beside_piece(layout, index, span)
    if span is None or segment.kind != FeatureKind.ROAD:
        raise ValueError(f"no {segment.name} on {tile.id}")
    return _place_on_piece(layout, span)


def segment_index(tile: TileKind, rotation: int, segment: base.Segment) -> int:
    """Return the index of a segment (board oriented) on its face; -1 if it is not printed there."""
    printed = enumerate(tile.faces[rotation // 90].segments)
    return next((n for n, other in printed if other.name == segment.name and other.places == segment.places), -1)


def _place_on_piece(layout: Layout, span: Axis) -> Point:
    """Return the place on the piece across a tile that is farthest from all places beside the piece."""
    occupied = [_place_beside_piece(layout, index, span) for index in range(len(layout.anchors))]
    places = [(part, 0.43) if span is Axis.WE else (0.5, part) for part in _PLACES_ALONG]
    return max(places, key=lambda place: min(distance(place, neighbour) for neighbour in occupied))


def _place_beside_piece(layout: Layout, index: int, span: Axis) -> Point:
    """Return the place of a follower on a segment beside a piece across the tile, or the usual one if none is left."""
    free = masks.outside_band(_standing_area(layout, index), span_line(span), SPAN_WIDTH)
    point, depth = masks.roomiest_point(free)
    return point if depth else layout.anchors[index]


def _standing_area(layout: Layout, index: int) -> Image.Image:
    """Return the cells of a segment without the landmarks on it, or those of the monastery or print that it is."""
    if layout.features.face.kinds[index] is FeatureKind.MONASTERY and layout.monastery is not None:
        whole = Image.new("L", (masks.GRID, masks.GRID), 255)
        return ImageChops.subtract(whole, masks.without_disc(whole, layout.monastery, MONASTERY_RADIUS))
    own = [disc for print_ in layout.prints if print_.segment == index for disc in print_.discs]
    if own:
        whole = Image.new("L", (masks.GRID, masks.GRID), 255)
        return ImageChops.subtract(whole, masks.without_discs(whole, own))
    return masks.without_discs(without_prints(layout.features.ground.area(index), low_prints(layout)), layout.landmarks)


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tile that is only being tried out, with the piece that would be built with it."""

    cell: Cell
    tile: TileKind
    rotation: int
    piece: Trial | None = None

    @property
    def span(self) -> Axis | None:
        """The direction of a piece that is built on the ghost itself; None if there is none."""
        return self.piece[1] if self.piece is not None and self.piece[0] == self.cell else None


def place_of(
    position: Position, figure: StandingFigure, trial: Trial | None = None, standing: Sequence[StandingFigure] = ()
) -> Point:
    """Return the place of a figure on its tile, beside the others there; ``trial`` is a piece that is not built yet.

    ``standing`` are all figures, for those who ask for many places; by default they are looked up.

    Raises:
        ValueError: there is no such tile.
    """
    tile = position.tile_at(figure.cell)
    if tile is None:
        raise ValueError(f"a figure without a tile: {figure.cell.label}")
    if figure.figure in CORNER_FIGURES:
        return CORNER_FIGURES[figure.figure]
    beside = [
        other.segment
        for other in standing or position.standing_figures()
        if other.cell == figure.cell and other.figure not in CORNER_FIGURES
    ]
    return place_among(tile.tile, tile.rotation, _up_to(figure.segment, beside), span_of(tile, trial))


def _up_to(segment: base.Segment, standing: Iterable[base.Segment]) -> tuple[base.Segment, ...]:
    """Return the segments with figures that stay where they are, and at the end the one whose figure steps aside.

    Roads and fields have most room, so that figures there step aside from those in cities and monasteries.
    """
    placed = sorted(standing, key=lambda other: (_STEPPING_ASIDE.get(other.kind, 0), other.name))
    return (*takewhile(lambda other: other != segment, placed), segment)


@thread_safe_lru_cache(4096)
def place_among(tile: TileKind, rotation: int, segments: tuple[base.Segment, ...], span: Axis | None = None) -> Point:
    """Return the place of the figure on the last of these segments, on each of which one stands.

    It steps aside from the others if it would hide too much of them. Beside a piece across the tile it stays, since the
    places there are far from each other already.
    """
    usual = anchor(tile, rotation, segments[-1], span)
    others = (
        [place_among(tile, rotation, segments[:count]) for count in range(1, len(segments))] if span is None else []
    )
    nearest = min((distance(usual, other) for other in others), default=1.0)
    if nearest >= _SPACING:
        return usual
    layout, index = layout_of(tile, rotation), segment_index(tile, rotation, segments[-1])
    free = masks.without_discs(_standing_area(layout, index), [(other, _SPACING) for other in others])
    point, depth = masks.roomiest_point(free)
    return point if depth else usual


def span_of(tile: PlacedTile, trial: Trial | None = None) -> Axis | None:
    """Return the direction of the piece across a tile, None if there is none; ``trial`` is a piece not built yet."""
    if trial is not None and trial[0] == tile.cell:
        return trial[1]
    if not tile.added:
        return None
    return next((axis for box in BOXES.values() if (axis := box.spanning_axis(tile)) is not None), None)


def place_on(ghost: Ghost, choice: FigurePlace, chosen: Iterable[FigurePlace]) -> Point:
    """Return the place of a figure on the tile that is being tried out; ``chosen`` are the places of those chosen."""
    if choice.at is not None:
        return choice.at
    standing = [place.segment for place in chosen if place.figure and place.at is None]
    return place_among(ghost.tile, ghost.rotation, _up_to(choice.segment, standing), ghost.span)


def is_lying(segment: Segment) -> bool:
    """Return True if a figure on the segment lies, as farmers do."""
    return segment.kind == FeatureKind.FIELD


FIGURES: Final[Mapping[str, FigureSprite]] = MappingProxyType(
    {FOLLOWER: follower} | {name: sprite for box in BOXES.values() for name, sprite in box.figures.items()}
)
"""The follower, and the figures of all expansions."""
CORNER_FIGURES: Final[Mapping[str, Point]] = MappingProxyType(
    {name: at for box in BOXES.values() for name, at in box.corner_figures.items()}
)
"""The figures that stand over the edges of tiles, with their points on the cells of their segments."""
_REACHES: Final = {name: reach for box in BOXES.values() for name, reach in box.reaches.items()}
"""The reach of the larger figures, from their middle to their edge, as multiples of a follower's."""


def figure(theme: Theme, player: int, size: int, name: str, *, lying: bool = False) -> Image.Image:
    """Draw the figure with this name in the engine.

    Raises:
        ValueError: it has no drawing.
    """
    return sprite_drawer(FIGURES, name)(theme, player, size, lying=lying)


def span_sprite(theme: Theme, axis: Axis, size: int) -> Image.Image:
    """Draw the piece that an expansion lays across a tile, for cells of ``size`` pixels.

    Raises:
        ValueError: no expansion has one.
    """
    sprite = next((box.spanning_sprite for box in BOXES.values() if box.spanning_sprite is not None), None)
    if sprite is None:
        raise ValueError("nothing is laid across tiles")
    return sprite(theme, axis, size)


def reach_of(name: str) -> float:
    """Return the reach of a figure as a multiple of a follower's."""
    return _REACHES.get(name, 1.0)


def within_figure_tile(place: Point, name: str, *, lying: bool) -> Point:
    """Return the point moved so that this figure stays on its tile, unless it stands over the edges of tiles."""
    return place if name in CORNER_FIGURES else within_tile(place, lying=lying, reach=reach_of(name))
