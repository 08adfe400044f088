"""Draw the sprites of the pieces on the castle: figures by their names in the engine, keeps and wall tiles.

A keep is the piece that marks a player's largest house. Wall tiles, with numbers from 1 to 9, are bonuses that players
take from the wall; each shows its number, its subject and its effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import cos, pi, sin
from typing import Final, assert_never

from PIL import Image

from engine.actions import FOLLOWER
from engine.the_castle.tiles import FeatureKind
from engine.the_castle.wall import WallTile
from renderers import buildings
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, arc, rectangle
from renderers.drawings import read_drawings
from renderers.lettering import TIMES_SIGN, write, write_right
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.pieces import FigureSprite, follower, paint_piece, sprite_drawer
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
_LONE_NUMBER_SIZE: Final = 0.6
"""Height of the type of a wall tile's number without a picture, in sides of the tile."""
NONE_SIGN: Final = "\N{EN DASH}"
"""Written where a player has no keep or no wall tile."""
_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of the pieces, and of parts of wall tiles, by name."""
_SUBJECTS: Final[Mapping[WallTile, str]] = {
    WallTile.OPEN_PATH: "path",
    WallTile.DOUBLE_HOUSE: "house",
    WallTile.OPEN_HOUSE: "house",
    WallTile.LARGER_KEEP: "fortress",
    WallTile.FIVE_POINTS: "coins",
}
"""The names of the drawings of wall tiles; towers, markets and the extra turn are drawn by functions."""
_TOWER: Final = (2.0, partial(structures.turret, at=(0.17, 0.2), room=0.11, kind=0))
"""The scale of a tower on wall tiles, relative to castle tiles, and the function that draws it."""
_BUILDINGS: Final[Mapping[WallTile, tuple[float, Callable[[Canvas], None]]]] = {
    WallTile.DOUBLE_TOWER: _TOWER,
    WallTile.OPEN_TOWER: _TOWER,
    WallTile.MARKETS: (1.6, partial(buildings.market_stalls, at=(0.17, 0.15))),
}
"""The same for all buildings that are drawn as on castle tiles, but larger."""
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
    canvas.shade([rectangle(x - 0.15, y + 0.17, x + 0.27, y + 0.26)], 0.35)
    paint_piece(canvas, _DRAWINGS["keep"], (x, y), mark)
    shape = shape_polygon(mark.shape, (x, y + 0.06), 0.072)
    canvas.outline(shape, 0.02, theme.ink)
    canvas.polygon(shape, mark.colour)
    return canvas.finished()


# ---------------------------------------------------------------- wall tiles


@cached_sprite
def wall_tile_back(theme: Theme, size: int) -> Image.Image:
    """Draw a wall tile face down: all look alike."""
    canvas = Canvas(size, theme)
    _DRAWINGS["card"].paint(canvas, colours={"ground": theme.shield, "border": theme.shield_mark})
    _DRAWINGS["back"].paint(canvas)
    return canvas.finished()


@cached_sprite
def wall_tile(theme: Theme, kind: WallTile, size: int) -> Image.Image:
    """Draw a wall tile face up: its number, a picture of its subject, and its effect."""
    if kind is WallTile.HIDDEN:
        return wall_tile_back(theme, size)
    canvas = Canvas(size, theme)
    _DRAWINGS["card"].paint(canvas, colours={"ground": theme.plaster, "border": theme.timber})
    if kind is WallTile.EXTRA_TURN:
        _paint_turn(canvas)
    elif kind in _SUBJECTS:
        _DRAWINGS[_SUBJECTS[kind]].paint(canvas)
    sprite = canvas.finished()
    if kind in _BUILDINGS:
        scale, paint = _BUILDINGS[kind]
        canvas = Canvas(round(size * scale), theme, 0.34, 0.34)
        paint(canvas)
        building = canvas.finished()
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
    _DRAWINGS["card"].paint(canvas, colours={"ground": theme.plaster, "border": theme.timber})
    sprite = canvas.finished()
    write(sprite, str(int(kind)), (size * 0.5, size * 0.5), round(size * _LONE_NUMBER_SIZE), theme.ink)
    return sprite


def _badges(theme: Theme, size: int, *, flag: bool) -> Image.Image:
    """Draw the disc behind the number, and the flag."""
    canvas = Canvas(size, theme)
    canvas.disc((0.25, 0.25), 0.165, theme.ink)
    if flag:
        _DRAWINGS["flag"].paint(canvas)
    return canvas.finished()


def _paint_turn(canvas: Canvas) -> None:
    """Paint an arrow that runs in a circle."""
    theme, centre, radius = canvas.theme, (0.55, 0.42), 0.2
    canvas.stroke(arc(centre, radius, -0.1, 0.66, 32), 0.075, theme.spire)
    end = 2 * pi * -0.1
    x, y = centre[0] + radius * cos(end), centre[1] + radius * sin(end)
    canvas.polygon(((x - 0.13, y + 0.02), (x + 0.11, y + 0.05), (x + 0.0, y - 0.16)), theme.spire)
