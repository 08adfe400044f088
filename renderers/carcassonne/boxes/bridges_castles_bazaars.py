"""Drawings of *Bridges, Castles & Bazaars*: bridges and castles on the board, bazaars on tiles.

A bridge spans one tile from side to side. A castle covers a town, a city of two tiles. A bazaar is printed on its tile
as market stalls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import copysign, cos, pi, sin
from types import MappingProxyType
from typing import Final

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    Castle,
    axes_over_fields,
    bridge_on,
    castles_of,
    tokens_on,
)
from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.tiles import Face
from engine.geometry import Axis, Cell
from renderers.boards.sheet import BoardImage
from renderers.buildings import market_stalls, tower
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, Polyline, rectangle, shifted, stroke_polygon
from renderers.carcassonne.boxes.base import Drawings, Icon, SpanningSprite, Trial
from renderers.carcassonne.faces.landmarks import square
from renderers.carcassonne.faces.layout import Layout
from renderers.marks import PLAYER_MARKS, PlayerMark
from renderers.pieces import badge, paint_emblem
from renderers.theme import Colour, Theme

CASTLE_ALONG: Final = 1.1
"""Side of the sprite of a castle along the edge between its two tiles, in cells."""
CASTLE_ACROSS: Final = 0.98
"""Side of the sprite of a castle across that edge, in cells."""
_DECK_WIDTH: Final = 0.16
"""Width of the deck of a bridge, in cells."""
_ARCH_HEIGHT: Final = 0.1
"""Height of the arch of a bridge seen from its side, in cells."""
_BULGE: Final = 0.3
"""Share by which the middle of a bridge looks wider when it is seen from its end, since it is nearer to the viewer."""


@cached_sprite
def bridge_sprite(theme: Theme, axis: Axis, size: int) -> Image.Image:
    """Draw a wooden arch over one tile, from side to side."""
    canvas = Canvas(size, theme)
    steps = [step / 24 for step in range(25)]
    if axis is Axis.WE:
        deck: Polyline = tuple((x, 0.5 - _ARCH_HEIGHT * sin(pi * x)) for x in steps)
        canvas.shade([stroke_polygon(tuple((x, 0.56) for x in steps), 0.13)], 0.4)
        _trestles(canvas)
        _planks(canvas, deck, (0.0, 1.0), [0.0] * len(deck))
    else:
        deck = tuple((0.5, y) for y in steps)
        canvas.shade([stroke_polygon(tuple((0.5 + 0.12 * sin(pi * y), y) for y in steps), 0.17)], 0.4)
        _planks(canvas, deck, (1.0, 0.0), [_BULGE * sin(pi * y) ** 2 for y in steps])
    return canvas.finished()


def _trestles(canvas: Canvas) -> None:
    """Draw the posts and struts under a bridge that is seen from its side."""
    theme = canvas.theme
    for x in (0.2, 0.4, 0.6, 0.8):
        top, foot = 0.5 - _ARCH_HEIGHT * sin(pi * x), 0.63 + 0.02 * sin(pi * x)
        canvas.box(x - 0.024, top, x + 0.024, foot, theme.timber_dark)
        canvas.box(x - 0.012, top, x + 0.008, foot - 0.01, theme.timber)


def _planks(canvas: Canvas, deck: Polyline, sideways: Point, bulge: Sequence[float]) -> None:
    """Draw a deck with rails.

    ``sideways`` points across the deck. ``bulge`` widens each of its points, since the middle of the arch is nearer to
    the viewer.
    """
    theme = canvas.theme

    def edge(half: float) -> Polyline:
        return tuple(
            (x + sideways[0] * half * (1 + widening), y + sideways[1] * half * (1 + widening))
            for (x, y), widening in zip(deck, bulge, strict=True)
        )

    def floor(half: float, first: int, last: int, fill: Colour) -> None:
        canvas.polygon((*edge(-half)[first : last + 1], *reversed(edge(half)[first : last + 1])), fill)

    end = len(deck) - 1
    if sideways[1]:
        canvas.stroke(shifted(deck, 0, 0.035), _DECK_WIDTH, theme.timber_dark)
    floor(_DECK_WIDTH / 2 + 0.01, 0, end, theme.timber_dark)
    floor(_DECK_WIDTH / 2 - 0.006, 0, end, theme.timber)
    for step in range(0, end, 2):
        floor(_DECK_WIDTH / 2 - 0.025, step, step + 1, theme.timber_light)
    for side in (-1, 1):
        rail = edge((_DECK_WIDTH / 2 - 0.008) * side)
        canvas.stroke(rail, 0.034, theme.timber_dark)
        canvas.stroke(rail, 0.014, theme.timber_light)
        for point in rail[3:-1:6]:
            canvas.disc(point, 0.026, theme.timber_dark)
            canvas.disc((point[0] - 0.004, point[1] - 0.006), 0.016, theme.timber_light)


@cached_sprite
def castle_sprite(theme: Theme, player: int, axis: Axis, size: int, *, scored: bool) -> Image.Image:
    """Draw a keep that covers a town; ``axis`` is the line of its two tiles; a flag flies until it has scored."""
    upright = axis is Axis.NS
    width, height = (CASTLE_ALONG, CASTLE_ACROSS) if upright else (CASTLE_ACROSS, CASTLE_ALONG)
    canvas = Canvas(size, theme, width, height)
    middle = (width / 2, height / 2)
    radius_x, radius_y = (0.48, 0.4) if upright else (0.4, 0.48)
    canvas.shade([shifted(_mound(middle, radius_x, radius_y), 0.025, 0.035)], 0.4)
    for inset, colour in (
        (-0.012, theme.ink),
        (0.0, theme.stone_dark),
        (0.014, theme.stone),
        (0.04, theme.stone_dark),
        (0.052, theme.square),
    ):
        canvas.polygon(_mound(middle, radius_x - inset, radius_y - inset), colour)
    mark = PLAYER_MARKS[player]
    towers = (0.37, 0.12) if upright else (0.24, 0.4)
    _keep(canvas, (middle[0], middle[1] + (0.03 if upright else -0.06)), mark, scored=scored)
    for side in (-1, 1):
        tower(canvas, (middle[0] + side * towers[0], middle[1] + towers[1]), 0.055, 0.11)
    if not upright:
        _block(canvas, (middle[0] - 0.2, middle[1] + 0.32, middle[0] + 0.2, middle[1] + 0.42))
        _door(canvas, (middle[0], middle[1] + 0.42), 0.042)
    return canvas.finished()


def _mound(middle: Point, radius_x: float, radius_y: float) -> Polyline:
    """Return the ground of a castle: an oval with full corners, so that it covers the walls of its town."""
    angles = (2 * pi * step / 56 for step in range(56))
    return tuple(
        (middle[0] + radius_x * _rounded(cos(angle)), middle[1] + radius_y * _rounded(sin(angle))) for angle in angles
    )


def _rounded(value: float) -> float:
    """Return a coordinate of a circle moved outwards, which gives the oval full corners."""
    return copysign(abs(value) ** 0.75, value)


def _door(canvas: Canvas, foot: Point, half: float) -> None:
    """Draw a door with a round top."""
    x, y = foot
    canvas.disc((x, y - half * 1.5), half, canvas.theme.ink)
    canvas.box(x - half, y - half * 1.5, x + half, y, canvas.theme.ink)


def _keep(canvas: Canvas, middle: Point, mark: PlayerMark, *, scored: bool) -> None:
    """Draw the keep of a castle with its owner's mark, and a flag until it has scored."""
    x, y = middle
    theme = canvas.theme
    foot = y + 0.25
    canvas.shade([rectangle(x - 0.2, foot - 0.1, x + 0.31, foot + 0.035)], 0.3)
    _block(canvas, (x - 0.15, y - 0.26, x + 0.15, foot - 0.06))
    _block(canvas, (x - 0.26, y - 0.04, x + 0.26, foot))
    for side in (-1, 1):
        _block(canvas, (x + side * 0.24 - 0.065, y - 0.13, x + side * 0.24 + 0.065, foot + 0.02))
    _door(canvas, (x, foot), 0.05)
    if not scored:
        canvas.box(x - 0.009, y - 0.43, x + 0.009, y - 0.26, theme.ink)
        flag = ((x + 0.009, y - 0.43), (x + 0.2, y - 0.375), (x + 0.009, y - 0.315))
        canvas.outline(flag, 0.026, theme.ink)
        canvas.polygon(flag, mark.colour)
    paint_emblem(canvas, (x, y - 0.075), mark, 0.1)


def _block(canvas: Canvas, area: tuple[float, float, float, float]) -> None:
    """Draw a stone wall with battlements, lit from the left."""
    left, top, right, bottom = area
    theme, ink = canvas.theme, 0.012
    canvas.box(left - ink, top - ink, right + ink, bottom + ink, theme.ink)
    count = max(round((right - left) / 0.07), 2)
    step = (right - left) / (count * 2 - 1)
    for number in range(count):
        start = left + 2 * number * step
        canvas.box(start - ink, top - 0.045, start + step + ink, top, theme.ink)
    canvas.box(left, top, right, bottom, theme.stone)
    canvas.box(left, top, left + (right - left) * 0.3, bottom, theme.stone_light)
    canvas.box(right - (right - left) * 0.18, top, right, bottom, theme.stone_dark)
    for number in range(count):
        start = left + 2 * number * step
        canvas.box(start, top - 0.033, start + step, top + 0.01, theme.stone_light)


def castle_middle(castle: Castle) -> Point:
    """Return the middle of the castle's two cells, relative to the first of them."""
    first, second = castle.cells
    return (0.5 + (second.x - first.x) / 2, 0.5 + (second.y - first.y) / 2)


def _paint_castle(image: BoardImage, castle: Castle, tokens: int) -> None:
    """Paint a castle, its further tokens behind it, and the badges of other players with followers in it."""
    theme, size = image.theme, image.view.size
    first, second = castle.cells
    axis = Axis.NS if first.x == second.x else Axis.WE
    sprite = castle_sprite(theme, castle.player, axis, size, scored=castle.scored)
    x, y = castle_middle(castle)
    for behind in reversed(range(tokens)):
        image.stamp(sprite, first, (x + 0.05 * behind, y - 0.05 * behind))
    guests = sorted({follower.player for follower in castle.followers} - {castle.player})
    for number, player in enumerate(guests):
        sprite = badge(theme, player, max(round(size * 0.3), 8))
        image.stamp(sprite, first, (x + 0.3 * (number - (len(guests) - 1) / 2), y + 0.3))


def _bridge_icon(theme: Theme, _player: int, size: float) -> Image.Image:
    """Draw the icon of the supply of bridges."""
    side = round(84 * size)
    return bridge_sprite(theme, Axis.WE, side).crop((0, side * 2 // 7, side, side * 5 // 7))


def _castle_icon(theme: Theme, player: int, size: float) -> Image.Image:
    """Draw the icon of the supply of castles."""
    return castle_sprite(theme, player, Axis.NS, round(76 * size), scored=True)


class BridgesCastlesBazaars(Drawings):
    """The bridges over tiles, the castles on them, and the stalls of bazaars printed on them."""

    icons: Mapping[str, Icon] = MappingProxyType({"bridge": _bridge_icon, "castle": _castle_icon})
    spanning_sprite: SpanningSprite | None = staticmethod(bridge_sprite)

    def spannable_axes(self, face: Face) -> Iterable[Axis]:
        """Return the directions in which a bridge rests on fields."""
        return axes_over_fields(face)

    def spanning_axis(self, tile: PlacedTile) -> Axis | None:
        """Return the direction of a bridge."""
        return bridge_on(tile)

    def fills_middle(self, face: Face) -> bool:
        """Return True for a bazaar."""
        return "bazaar" in face.tile.flags

    def draw_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw a bazaar, on a square of its own unless roads end in it."""
        if layout.middle is not None and self.fills_middle(layout.features.face):
            if layout.features.hub is None:
                square(canvas, layout.middle)
            market_stalls(canvas, layout.middle)

    def paint_flat_pieces(
        self, image: BoardImage, position: Position, tiles: Mapping[Cell, PlacedTile], trial: Trial | None
    ) -> None:
        """Paint the castles, and above them the bridges."""
        for castle in castles_of(position):
            _paint_castle(image, castle, tokens_on(position, castle).shown)
        for cell, tile in tiles.items():
            bridge = trial[1] if trial is not None and trial[0] == cell else bridge_on(tile)
            if bridge is not None:
                image.lay(bridge_sprite(image.theme, bridge, image.view.size), image.view.at(cell))
