"""Drawings of *Traders & Builders*: builders and pigs as figures, and goods as signs in cities.

The kinds of goods are wine, grain and cloth. The sign of a city's goods stays clear of its follower and of shields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from PIL import Image

from engine.carcassonne.expansions.traders_builders import Goods, goods_on
from engine.carcassonne.tiles import FeatureKind, Segment
from renderers import masks
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, ellipse, rectangle
from renderers.carcassonne.boxes.base import Drawings, Icon
from renderers.carcassonne.faces.ground import Features
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.prints import Bounds, Disc, Print
from renderers.drawings import read_drawings
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.pieces import (
    FIGURE_SIZE,
    LYING_REACH,
    OUTLINE_WIDTH,
    STANDING_REACH,
    FigureSprite,
    paint_outlines,
    paint_piece,
    paint_wanderer,
    wanderer_outlines,
    within_tile,
    without_pose,
)
from renderers.theme import Theme

GOODS_RADIUS: Final = 0.128
"""Radius of the sign that shows the goods of a city."""
_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of goods by their kinds, of the hammer and of the pig."""
_SIGN_MARGIN: Final = 0.14
"""Minimum distance of the sign's middle from the sides of its tile."""
_SIGN_SHARE: Final = 0.7
"""Share of the sign's radius that stays clear of followers on other segments."""
_SIGN_ROOM: Final = 0.04
"""Desired distance of the sign from the boundary of its place."""


@dataclass(frozen=True, slots=True)
class GoodsSign(Print):
    """The sign of a city's goods."""

    kind: Goods

    @property
    def bounds(self) -> Bounds:
        """The bounds of the sign."""
        x, y = self.at
        return (x - GOODS_RADIUS, y - GOODS_RADIUS, x + GOODS_RADIUS, y + GOODS_RADIUS)


def goods_signs(
    features: Features, occupied: Sequence[Disc], anchors: Sequence[Point], shields: Sequence[Point]
) -> Iterator[GoodsSign]:
    """Yield the signs of goods, where neither the city's follower nor a shield hides them; over the wall if need be.

    In a large city the followers on other segments do not hide them, either.
    """
    within = rectangle(_SIGN_MARGIN, _SIGN_MARGIN, 1 - _SIGN_MARGIN, 1 - _SIGN_MARGIN)
    obstacles = [*occupied, *((point, 0.17) for point in shields)]
    for index, segment in enumerate(features.face.segments):
        kind = goods_on(segment)
        if kind is None:
            continue
        x, y = within_tile(anchors[index], lying=False)
        city = masks.inside_outline(features.ground.area(index), within)
        beside = _beside_followers(city, features, index, anchors)
        over_wall = masks.inside_outline(masks.dilated(city, 0.12), within)
        places: list[tuple[Point, float]] = []
        for area, margin in ((beside, 0.05), (city, 0.09), (city, 0.05), (over_wall, 0.09)):
            reach_x, reach_y = STANDING_REACH[0] + margin, STANDING_REACH[1] + margin
            clear = masks.outside_outline(area, rectangle(x - reach_x, y - reach_y, x + reach_x, y + reach_y))
            places.append(masks.roomiest_point(masks.without_discs(clear, obstacles)))
        place, _ = next((candidate for candidate in places if candidate[1] >= _SIGN_ROOM), places[-1])
        yield GoodsSign(place, kind)


def _beside_followers(city: Image.Image, features: Features, index: int, anchors: Sequence[Point]) -> Image.Image:
    """Return the part of a city in which no follower on another segment hides a sign."""
    for number, anchor in enumerate(anchors):
        if number != index:
            lying = features.face.kinds[number] is FeatureKind.FIELD
            (x, y), reaches = within_tile(anchor, lying=lying), LYING_REACH if lying else STANDING_REACH
            reach_x, reach_y = (reach + GOODS_RADIUS * _SIGN_SHARE for reach in reaches)
            city = masks.outside_outline(city, rectangle(x - reach_x, y - reach_y, x + reach_x, y + reach_y))
    return city


def paint_goods(canvas: Canvas, at: Point, kind: Goods) -> None:
    """Draw a round sign with goods: grapes, a sheaf, or a bale of cloth."""
    _DRAWINGS[kind].paint(canvas, canvas.on_pixel(at))


@cached_sprite
def goods_sprite(theme: Theme, kind: Goods, size: int) -> Image.Image:
    """Draw a kind of goods as tiles show it; ``size`` is its width in pixels."""
    side = 2 * GOODS_RADIUS
    canvas = Canvas(round(size / side), theme, side, side)
    paint_goods(canvas, (GOODS_RADIUS, GOODS_RADIUS), kind)
    return canvas.finished()


@cached_sprite
def builder(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a wanderer with a hammer on the shoulder."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    mark = PLAYER_MARKS[player]
    middle = (FIGURE_SIZE / 2 - 0.04, FIGURE_SIZE / 2)
    cloak, fold, head = wanderer_outlines(mark, middle, lying=False)
    canvas.shade([ellipse((middle[0] + 0.03, middle[1] + 0.2), 0.2, 0.07)], 0.35)
    paint_outlines(canvas, (cloak, head, *_DRAWINGS["hammer"].outlines(middle)))
    paint_wanderer(canvas, mark, cloak, fold, head)
    _DRAWINGS["hammer"].paint(canvas, middle)
    return canvas.finished()


@cached_sprite
def pig(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a pig in the player's colour, with the player's shape on its flank."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    mark = PLAYER_MARKS[player]
    x, y = FIGURE_SIZE / 2 + 0.01, FIGURE_SIZE / 2 + 0.03
    canvas.shade([ellipse((x + 0.03, y + 0.16), 0.19, 0.05)], 0.35)
    paint_piece(canvas, _DRAWINGS["pig"], (x, y), mark)
    shape = shape_polygon(mark.shape, (x + 0.045, y - 0.005), 0.075)
    canvas.outline(shape, 1.6 * OUTLINE_WIDTH, theme.ink)
    canvas.polygon(shape, theme.halo)
    return canvas.finished()


def _goods_icon(kind: Goods, theme: Theme, _player: int, size: float) -> Image.Image:
    """Draw the icon of a player's goods of one kind."""
    return goods_sprite(theme, kind, round(60 * size))


class TradersBuilders(Drawings):
    """Builders and pigs, and the goods in cities."""

    figures: Mapping[str, FigureSprite] = MappingProxyType({"builder": without_pose(builder), "pig": without_pose(pig)})
    icons: Mapping[str, Icon] = MappingProxyType({kind.value: partial(_goods_icon, kind) for kind in Goods})

    def signs(
        self, features: Features, occupied: Sequence[Disc], anchors: Sequence[Point], shields: Sequence[Point]
    ) -> Iterable[Print]:
        """Yield the signs of goods."""
        return goods_signs(features, occupied, anchors, shields)

    def words(self, segment: Segment) -> Iterable[tuple[int, str]]:
        """Yield the word for a city's goods, which comes after all other words of the segment."""
        yield 6, f"goods={goods_on(segment)!r}"

    def draw_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the signs of goods."""
        for sign in layout.printed(GoodsSign):
            paint_goods(canvas, sign.at, sign.kind)
