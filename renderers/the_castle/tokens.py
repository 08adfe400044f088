"""Draw the sprites of the pieces on the castle: figures by their names in the engine, keeps and wall tiles.

A keep is the piece that marks a player's largest house. Wall tiles, with numbers from 1 to 9, are bonuses that players
take from the wall; each shows its number, its subject and its effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Final, assert_never

from PIL import Image

from engine.actions import FOLLOWER
from engine.the_castle.tiles import FeatureKind
from engine.the_castle.wall import WallTile
from renderers import buildings
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, Polyline, arc, rectangle
from renderers.lettering import TIMES_SIGN, write, write_right
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.pieces import FigureSprite, follower, paint_outlines, sprite_drawer
from renderers.the_castle.faces import structures
from renderers.theme import Theme

FIGURES: Final[Mapping[str, FigureSprite]] = {FOLLOWER: follower}
"""The function that draws each figure, by the figure's name in the engine."""
FIGURE_SCALE: Final = 0.94
"""The scale of figures: towers and houses are often narrow."""


def figure(theme: Theme, player: int, size: int, name: str, kind: FeatureKind) -> Image.Image:
    """Draw the figure with this name in the engine, on a feature of this kind.

    Raises:
        ValueError: it has no drawing.
    """
    return sprite_drawer(FIGURES, name)(theme, player, round(size * FIGURE_SCALE), lying=kind is FeatureKind.COURT)


def within_tile(place: Point, kind: FeatureKind) -> Point:
    """Return the point moved so that a figure hardly reaches over its tile, and a herald's feet stay on the path."""
    match kind:
        case FeatureKind.COURT:
            reach_x, reach_up, reach_down = 0.23, 0.14, 0.14
        case FeatureKind.PATH:
            reach_x, reach_up, reach_down = 0.16, 0.1, 0.24
        case FeatureKind.TOWER | FeatureKind.HOUSE:
            reach_x, reach_up, reach_down = 0.16, 0.22, 0.24
        case never:
            assert_never(never)
    return (min(max(place[0], reach_x), 1 - reach_x), min(max(place[1], reach_up), 1 - reach_down))


KEEP_SIZE: Final = 0.66
"""Side of the square sprite of a keep, in cells."""
_BUILDING_SCALE: Final = 2.0
"""Scale of the buildings on wall tiles, relative to castle tiles."""
_LONE_NUMBER_SIZE: Final = 0.6
"""Height of the type of a wall tile's number without a picture, in sides of the tile."""
NONE_SIGN: Final = "\N{EN DASH}"
"""Written where a player has no keep or no wall tile."""
_EFFECTS: Final = {
    WallTile.EXTRA_TURN: "+1",
    WallTile.DOUBLE_TOWER: f"{TIMES_SIGN}2",
    WallTile.DOUBLE_HOUSE: f"{TIMES_SIGN}2",
    WallTile.MARKETS: f"{TIMES_SIGN}4",
    WallTile.LARGER_KEEP: "+2",
    WallTile.FIVE_POINTS: "+5",
}
"""The effects of wall tiles as short texts.

A wall tile without a text scores at the end of the game. It shows a chequered flag instead.
"""


@cached_sprite
def keep(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a keep in its player's colour, with battlements and the player's shape upon it."""
    canvas = Canvas(size, theme, KEEP_SIZE, KEEP_SIZE)
    mark = PLAYER_MARKS[player]
    x, y = KEEP_SIZE / 2, KEEP_SIZE / 2
    body = _battlements(x, y)
    canvas.shade([rectangle(x - 0.15, y + 0.17, x + 0.27, y + 0.26)], 0.35)
    paint_outlines(canvas, (body,))
    canvas.polygon(body, mark.colour)
    canvas.polygon(rectangle(x + 0.1, y - 0.11, x + 0.17, y + 0.24), mark.fold)
    canvas.disc((x, y + 0.06), 0.125, theme.ink)
    canvas.disc((x, y + 0.06), 0.11, theme.halo)
    shape = shape_polygon(mark.shape, (x, y + 0.06), 0.072)
    canvas.outline(shape, 0.02, theme.ink)
    canvas.polygon(shape, mark.colour)
    return canvas.finished()


def _battlements(x: float, y: float) -> Polyline:
    """Return the outline of a keep: a broad foot, and three teeth on top."""
    half, top, notch = 0.19, y - 0.24, y - 0.17
    teeth: list[Point] = []
    for left, right in ((-1.0, -0.52), (-0.24, 0.24), (0.52, 1.0)):
        teeth += [(x + left * half, notch), (x + left * half, top), (x + right * half, top), (x + right * half, notch)]
    return (
        *teeth,
        (x + half, y - 0.09),
        (x + 0.165, y - 0.06),
        (x + 0.19, y + 0.25),
        (x - 0.19, y + 0.25),
        (x - 0.165, y - 0.06),
        (x - half, y - 0.09),
    )


# ---------------------------------------------------------------- wall tiles


@cached_sprite
def wall_tile_back(theme: Theme, size: int) -> Image.Image:
    """Draw a wall tile face down: all look alike."""
    canvas = Canvas(size, theme)
    _paint_card(canvas, theme.shield, theme.shield_mark)
    gold = theme.shield_mark
    canvas.polygon(_gatehouse(0.5, 0.54, 0.3), gold)
    canvas.disc((0.5, 0.6), 0.085, theme.shield)
    canvas.box(0.415, 0.6, 0.585, 0.74, theme.shield)
    return canvas.finished()


def _gatehouse(x: float, y: float, half: float) -> Polyline:
    """Return the outline of a gatehouse with battlements."""
    top, notch, foot = y - half, y - half * 0.6, y + half * 0.72
    teeth: list[Point] = []
    for left, right in ((-1.0, -0.6), (-0.2, 0.2), (0.6, 1.0)):
        teeth += [(x + left * half, notch), (x + left * half, top), (x + right * half, top), (x + right * half, notch)]
    return (*teeth, (x + half, foot), (x - half, foot))


@cached_sprite
def wall_tile(theme: Theme, kind: WallTile, size: int) -> Image.Image:
    """Draw a wall tile face up: its number, a picture of its subject, and its effect."""
    if kind is WallTile.HIDDEN:
        return wall_tile_back(theme, size)
    canvas = Canvas(size, theme)
    _paint_card(canvas, theme.plaster, theme.timber)
    _paint_subject(canvas, kind)
    sprite = canvas.finished()
    building = _building(theme, kind, size)
    if building is not None:
        corner = (round(size * 0.57) - building.width // 2, round(size * 0.42) - building.height // 2)
        sprite.alpha_composite(building, corner)
    sprite.alpha_composite(_badges(theme, size, flag=kind not in _EFFECTS))
    write(sprite, str(int(kind)), (size * 0.25, size * 0.25), round(size * 0.26), theme.plaster)
    if kind in _EFFECTS:
        write_right(sprite, _EFFECTS[kind], (size * 0.88, size * 0.785), round(size * 0.27), theme.ink)
    return sprite


@cached_sprite
def wall_tile_number(theme: Theme, kind: WallTile, size: int) -> Image.Image:
    """Draw a wall tile with nothing but its number, which is legible where the whole tile would not be."""
    if kind is WallTile.HIDDEN:
        return wall_tile_back(theme, size)
    canvas = Canvas(size, theme)
    _paint_card(canvas, theme.plaster, theme.timber)
    sprite = canvas.finished()
    write(sprite, str(int(kind)), (size * 0.5, size * 0.5), round(size * _LONE_NUMBER_SIZE), theme.ink)
    return sprite


def _badges(theme: Theme, size: int, *, flag: bool) -> Image.Image:
    """Draw the disc behind the number, and the flag."""
    canvas = Canvas(size, theme)
    canvas.disc((0.25, 0.25), 0.165, theme.ink)
    if flag:
        _paint_flag(canvas)
    return canvas.finished()


def _building(theme: Theme, kind: WallTile, size: int) -> Image.Image | None:
    """Draw the tower or market that is a wall tile's subject, larger than on castle tiles; None for other subjects."""
    scale = _BUILDING_SCALE if kind is not WallTile.MARKETS else _BUILDING_SCALE * 0.8
    canvas = Canvas(round(size * scale), theme, 0.34, 0.34)
    match kind:
        case WallTile.DOUBLE_TOWER | WallTile.OPEN_TOWER:
            structures.turret(canvas, (0.17, 0.2), 0.11, 0)
        case WallTile.MARKETS:
            buildings.market_stalls(canvas, (0.17, 0.15))
        case (
            WallTile.HIDDEN
            | WallTile.EXTRA_TURN
            | WallTile.DOUBLE_HOUSE
            | WallTile.OPEN_PATH
            | WallTile.OPEN_HOUSE
            | WallTile.LARGER_KEEP
            | WallTile.FIVE_POINTS
        ):
            return None
        case never:
            assert_never(never)
    return canvas.finished()


def _paint_card(canvas: Canvas, fill: tuple[int, int, int], border: tuple[int, int, int]) -> None:
    """Paint the card of a wall tile with its border."""
    theme = canvas.theme
    canvas.rounded((0.0, 0.0, 1.0, 1.0), 0.16, theme.ink)
    canvas.rounded((0.03, 0.03, 0.97, 0.97), 0.14, border)
    canvas.rounded((0.08, 0.08, 0.92, 0.92), 0.1, theme.ink)
    canvas.rounded((0.095, 0.095, 0.905, 0.905), 0.09, fill)


def _paint_subject(canvas: Canvas, kind: WallTile) -> None:
    """Paint the subjects other than towers and markets."""
    match kind:
        case WallTile.EXTRA_TURN:
            _paint_turn(canvas)
        case WallTile.OPEN_PATH:
            _paint_path(canvas)
        case WallTile.DOUBLE_HOUSE | WallTile.OPEN_HOUSE:
            _paint_house(canvas)
        case WallTile.LARGER_KEEP:
            _paint_keep(canvas)
        case WallTile.FIVE_POINTS:
            _paint_coins(canvas)
        case WallTile.HIDDEN | WallTile.DOUBLE_TOWER | WallTile.OPEN_TOWER | WallTile.MARKETS:
            pass
        case never:
            assert_never(never)


def _paint_turn(canvas: Canvas) -> None:
    """Paint an arrow that runs in a circle."""
    theme, centre, radius = canvas.theme, (0.55, 0.42), 0.2
    canvas.stroke(arc(centre, radius, -0.1, 0.66, 32), 0.075, theme.spire)
    end = 2 * pi * -0.1
    x, y = centre[0] + radius * cos(end), centre[1] + radius * sin(end)
    canvas.polygon(((x - 0.13, y + 0.02), (x + 0.11, y + 0.05), (x + 0.0, y - 0.16)), theme.spire)


def _paint_path(canvas: Canvas) -> None:
    """Paint a winding path."""
    theme = canvas.theme
    line = ((0.16, 0.56), (0.3, 0.56), (0.46, 0.52), (0.58, 0.44), (0.62, 0.3), (0.62, 0.14))
    for width, colour in ((0.24, theme.road_edge), (0.19, theme.road), (0.06, theme.road_worn)):
        canvas.stroke(line, width, colour)


def _paint_house(canvas: Canvas) -> None:
    """Paint a house."""
    theme = canvas.theme
    (lit, shaded), (x, y) = theme.roofs[0], (0.56, 0.62)
    body = ((x - 0.19, y), (x - 0.19, y - 0.2), (x, y - 0.36), (x + 0.19, y - 0.2), (x + 0.19, y))
    canvas.outline(body, 0.03, theme.ink)
    canvas.polygon(body, theme.halo)
    canvas.box(x - 0.045, y - 0.13, x + 0.045, y, theme.window)
    for side, colour in ((-1, lit), (1, shaded)):
        slope = ((x, y - 0.44), (x + side * 0.27, y - 0.2), (x + side * 0.23, y - 0.13), (x, y - 0.34))
        canvas.outline(slope, 0.03, theme.ink)
        canvas.polygon(slope, colour)


def _paint_keep(canvas: Canvas) -> None:
    """Paint a keep."""
    theme = canvas.theme
    outline = _gatehouse(0.56, 0.43, 0.24)
    canvas.outline(outline, 0.03, theme.ink)
    canvas.polygon(outline, theme.stone)
    canvas.box(0.32, 0.3, 0.42, 0.6, theme.stone_light)
    canvas.disc((0.56, 0.5), 0.07, theme.ink)
    canvas.box(0.49, 0.5, 0.63, 0.605, theme.ink)


def _paint_coins(canvas: Canvas) -> None:
    """Paint a heap of coins."""
    theme = canvas.theme
    for x, y in ((0.44, 0.55), (0.62, 0.5), (0.53, 0.38)):
        canvas.disc((x, y), 0.135, theme.ink)
        canvas.disc((x, y), 0.115, theme.shield_mark)
        canvas.disc((x, y), 0.07, theme.awning[3])


def _paint_flag(canvas: Canvas) -> None:
    """Paint the chequered flag of the end of the game."""
    theme = canvas.theme
    left, top, step = 0.58, 0.62, 0.075
    canvas.box(left - 0.045, top - 0.025, left + 0.0, 0.9, theme.ink)
    canvas.box(left - 0.02, top - 0.025, left + 4 * step + 0.02, top + 3 * step + 0.02, theme.ink)
    for row in range(3):
        for column in range(row % 2, 4, 2):
            canvas.box(
                left + column * step, top + row * step, left + (column + 1) * step, top + (row + 1) * step, theme.halo
            )
