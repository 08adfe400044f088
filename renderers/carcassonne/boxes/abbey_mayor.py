"""Drawings of *Abbey & Mayor*: wagon, mayor and barn, the abbey in its walls, and what is special on two tiles.

A barn stands on the point where four tiles meet, and so over the edges of all of them. A road that forks has a well
beside it. On one tile a bridge of stone leads from a city over another one to the field behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from PIL import Image

from engine.carcassonne.expansions.abbey_mayor import ABBEY, ABBEY_TILE, BARN, MAYOR, WAGON, WELL
from engine.carcassonne.tiles import FeatureKind
from renderers.caches import cached_sprite
from renderers.canvas import CENTRE, Canvas, Point, ellipse, rotated, rotated_line, shifted, stroke_polygon
from renderers.carcassonne.boxes.base import Drawings, Icon
from renderers.carcassonne.faces.ground import Features
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.prints import Bounds, LowPrint
from renderers.drawings import read_drawings
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.pieces import FIGURE_SIZE, OUTLINE_WIDTH, FigureSprite, paint_outlines, paint_piece, without_pose
from renderers.theme import Theme

_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of the figures, of the abbey and of the well."""
_BRIDGE_TILE: Final = "am/CCFC"
"""The tile on which one city reaches the field behind another one over a bridge (AM-04)."""
TOWERS: Final = ((0.08, 0.2), (0.92, 0.2), (0.08, 0.93), (0.92, 0.93))
"""The feet of the towers of an abbey's wall, in the north so far inside that their roofs are on the tile."""
_WELL_DISTANCE: Final = 0.21
"""Distance of a well from the fork of its road, on the side without a road, in tiles."""


@cached_sprite
def wagon(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a covered wagon, with the player's shape on the cover."""
    return _with_shape(theme, player, size, "wagon", (0.0, -0.07), 0.085)


@cached_sprite
def barn(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a barn, with the player's shape above the gate."""
    return _with_shape(theme, player, size, "barn", (0.0, -0.055), 0.08)


def _with_shape(theme: Theme, player: int, size: int, name: str, at: Point, radius: float) -> Image.Image:
    """Draw a piece in the player's colour, with the player's shape at a point of it."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    mark, (x, y) = PLAYER_MARKS[player], (FIGURE_SIZE / 2, FIGURE_SIZE / 2)
    canvas.shade([ellipse((x + 0.03, y + 0.215), 0.22, 0.05)], 0.35)
    paint_piece(canvas, _DRAWINGS[name], (x, y), mark)
    shape = shape_polygon(mark.shape, (x + at[0], y + at[1]), radius)
    canvas.outline(shape, 1.6 * OUTLINE_WIDTH, theme.ink)
    canvas.polygon(shape, theme.halo)
    return canvas.finished()


@cached_sprite
def mayor(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a head above a shield with the chevron of the pennants, by which a mayor counts."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    mark, (x, y) = PLAYER_MARKS[player], (FIGURE_SIZE / 2, FIGURE_SIZE / 2)
    head = shape_polygon(mark.shape, (x, y - 0.125), 0.12)
    canvas.shade([ellipse((x + 0.03, y + 0.2), 0.17, 0.06)], 0.35)
    paint_outlines(canvas, (head, *_DRAWINGS["mayor"].outlines((x, y))))
    canvas.polygon(head, mark.colour)
    shield, *_ = _DRAWINGS["mayor"].outlines((x, y))
    canvas.outline(shield, 2 * OUTLINE_WIDTH, mark.fold if mark.is_dark else theme.ink)
    _DRAWINGS["mayor"].paint(canvas, (x, y), colours={"player": mark.colour, "fold": mark.fold, "sign": mark.ink})
    return canvas.finished()


@cached_sprite
def abbey_sprite(theme: Theme, size: int) -> Image.Image:
    """Draw the abbey of a player who has not laid it: its walls as the tile shows them, without the church."""
    canvas = Canvas(size, theme)
    _paint_grounds(canvas)
    _DRAWINGS["chapel"].paint(canvas, CENTRE)
    return canvas.finished()


def _abbey_icon(theme: Theme, _player: int, size: float) -> Image.Image:
    """Draw the icon of a player's abbey."""
    return abbey_sprite(theme, round(64 * size))


def _paint_grounds(canvas: Canvas) -> None:
    """Draw the walled grounds of an abbey over a whole tile, with a door in each side."""
    _DRAWINGS["grounds"].paint(canvas, CENTRE)
    for at in ((0.5, 0.06), (0.5, 0.95)):
        _DRAWINGS["door"].paint(canvas, at)
    for x in (0.0, 0.95):
        canvas.box(x, 0.44, x + 0.05, 0.56, canvas.theme.window)
    for at in TOWERS:
        _DRAWINGS["tower"].paint(canvas, at)


@dataclass(frozen=True, slots=True)
class Well(LowPrint):
    """A well: the middle of its foot."""

    @property
    def radius(self) -> float:
        """The radius of the disc that covers it."""
        return 0.12

    @property
    def bounds(self) -> Bounds:
        """The bounds of the stones and the roof."""
        x, y = self.at
        return (x - 0.115, y - 0.2, x + 0.115, y + 0.055)


def wells(features: Features) -> Iterable[Well]:
    """Yield the well beside a fork, in the field on the side without a road."""
    for segment in features.face.segments:
        if segment.kind is FeatureKind.ROAD and segment.shows(WELL) is not None:
            side = next(side for side in range(4) if side not in segment.places)
            x, y = rotated((0.5, 0.5 - _WELL_DISTANCE), side)
            yield Well((x, y + 0.06))


class AbbeyMayor(Drawings):
    """The figures, the abbey, the well of a fork, and the bridge of a city."""

    figures: Mapping[str, FigureSprite] = MappingProxyType(
        {MAYOR: without_pose(mayor), WAGON: without_pose(wagon), BARN: without_pose(barn)}
    )
    corner_figures: Mapping[str, Point] = MappingProxyType({BARN: (0.0, 0.0)})
    icons: Mapping[str, Icon] = MappingProxyType({ABBEY: _abbey_icon})

    def low(self, features: Features, standing: Sequence[Point] | None) -> Iterable[LowPrint]:  # noqa: ARG002
        """Yield the wells."""
        return wells(features)

    def draw_ground_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the grounds of an abbey."""
        if layout.features.face.tile.id == ABBEY_TILE:
            _paint_grounds(canvas)

    def draw_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the wells, and the bridge from one city over another."""
        for well in layout.printed(Well):
            _DRAWINGS["well"].paint(canvas, canvas.on_pixel(well.at))
        if layout.features.face.tile.id == _BRIDGE_TILE:
            _paint_bridge(canvas, layout.features.face.rotation // 90)


def _paint_bridge(canvas: Canvas, quarters: int) -> None:
    """Draw the bridge of stone, with a tower on the wall at its end."""
    theme, line = canvas.theme, rotated_line(((0.5, 0.2), (0.5, 0.48), (0.5, 0.76)), quarters)
    canvas.shade([shifted(stroke_polygon(line, 0.15), 0.03, 0.03)], 0.4)
    layers = ((0.15, theme.ink), (0.136, theme.stone_dark), (0.11, theme.stone_light), (0.075, theme.street))
    for width, colour in layers:
        canvas.stroke(line, width, colour)
    _DRAWINGS["tower"].paint(canvas, canvas.on_pixel(line[-1]))
