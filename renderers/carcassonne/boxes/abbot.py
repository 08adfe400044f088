"""Drawings of *The Abbot*: the abbot with his crosier, and the gardens on tiles of any box.

A garden lies in a field, where a farmer still finds room beside it. The abbot stands in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from PIL import Image

from engine.carcassonne.expansions.abbot import ABBOT, GARDEN
from engine.carcassonne.tiles import FeatureKind
from renderers import masks
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, distance, ellipse
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.faces.ground import Features
from renderers.carcassonne.faces.layout import SPAN_WIDTH, Layout, span_line, standing
from renderers.carcassonne.faces.prints import Bounds, Disc, Print
from renderers.drawings import read_drawings
from renderers.marks import PLAYER_MARKS
from renderers.pieces import FIGURE_SIZE, FigureSprite, paint_outlines, paint_wanderer, wanderer_outlines, without_pose
from renderers.theme import Theme

_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of the crosier, the cross and the garden."""
_SIZES: Final = (1.0, 0.85, 0.7, 0.55)
"""The scales of a garden that are tried, the largest first."""
_HALF_SIDE: Final = 0.165
"""Half the side of a garden, in tiles."""
_MARGIN: Final = 0.02
"""Distance of a garden from the boundary of its field, in tiles."""
_FIGURE_ROOM: Final = 0.2
"""Desired distance of a garden from the places of followers on roads and in cities, in tiles."""
_CANDIDATES: Final = 40
"""The places that are compared in each field."""


@cached_sprite
def abbot(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a wanderer with a cross on the cloak and a crosier."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    mark = PLAYER_MARKS[player]
    middle = (FIGURE_SIZE / 2 - 0.05, FIGURE_SIZE / 2)
    cloak, fold, head = wanderer_outlines(mark, middle, lying=False)
    canvas.shade([ellipse((middle[0] + 0.03, middle[1] + 0.2), 0.2, 0.07)], 0.35)
    paint_outlines(canvas, (cloak, head, *_DRAWINGS["crosier"].outlines(middle)))
    paint_wanderer(canvas, mark, cloak, fold, head)
    _DRAWINGS["cross"].paint(canvas, middle, colours={"sign": mark.ink})
    _DRAWINGS["crosier"].paint(canvas, middle)
    return canvas.finished()


@dataclass(frozen=True, slots=True)
class Garden(Print):
    """A garden: its middle, the index of its segment, and its scale."""

    index: int
    size: float

    @property
    def segment(self) -> int:
        """The segment of the garden, where an abbot stands."""
        return self.index

    @property
    def place(self) -> Point:
        """The place of the abbot, a little to the north, so that the garden is seen in front of him."""
        return (self.at[0], self.at[1] - _HALF_SIDE * self.size / 2)

    @property
    def discs(self) -> tuple[Disc, ...]:
        """The disc that covers it."""
        return ((self.at, 1.1 * _HALF_SIDE * self.size),)

    @property
    def bounds(self) -> Bounds:
        """The bounds of the hedge."""
        (x, y), half = self.at, _HALF_SIDE * self.size
        return (x - half, y - half, x + half, y + half)


def gardens(features: Features) -> Iterator[Garden]:
    """Yield the garden of a face, in the largest size that fits into a field."""
    for index, kind in enumerate(features.face.kinds):
        if kind == GARDEN.name:
            yield _garden(features, index)


def _garden(features: Features, index: int) -> Garden:
    """Return the garden where its field leaves most room for a farmer, away from roads, cities and a bridge."""
    taken = [disc for tract in features.tracts for disc in tract.discs]
    figures = standing(features, taken)
    for size in _SIZES:
        candidates = [
            place
            for number, kind in enumerate(features.face.kinds)
            if kind is FeatureKind.FIELD
            for place in _places(features, number, taken, figures, size)
        ]
        if candidates:
            return Garden(max(candidates)[1], index, size)
    fields = [number for number, kind in enumerate(features.face.kinds) if kind is FeatureKind.FIELD]
    rooms = (masks.roomiest_point(masks.without_discs(features.ground.area(number), taken)) for number in fields)
    return Garden(max(rooms, key=lambda room: room[1])[0], index, _SIZES[-1])


def _places(
    features: Features, field: int, taken: Iterable[Disc], figures: Iterable[Point], size: float
) -> Iterator[tuple[float, Point]]:
    """Yield places for a garden in a field, each with how good it is: the room for a farmer, and for the others."""
    area = masks.without_discs(features.ground.area(field), taken)
    if features.span is not None:
        area = masks.outside_band(area, span_line(features.span), SPAN_WIDTH)
    half = _HALF_SIDE * size
    cells = masks.cell_centres(masks.eroded(area, half + _MARGIN))
    for x, y in cells[:: max(len(cells) // _CANDIDATES, 1)]:
        room = masks.roomiest_point(masks.without_disc(area, (x, y), 1.1 * half))[1]
        aside = min((distance((x, y), figure) for figure in figures), default=1.0)
        yield round(min(room, 0.2) + 0.5 * min(aside - _FIGURE_ROOM - half, 0.0), 6), (x, y)


class AbbotDrawings(Drawings):
    """The abbot, and the gardens."""

    figures: Mapping[str, FigureSprite] = MappingProxyType({ABBOT: without_pose(abbot)})

    def upright(self, features: Features) -> Iterable[Print]:
        """Yield the garden, beside which figures stand."""
        return gardens(features)

    def draw_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the garden."""
        for garden in layout.printed(Garden):
            _DRAWINGS["garden"].paint(canvas, garden.at, scale=garden.size)
