"""Sprites of the figures: wanderers that stand, farmers that lie, builders, pigs, and the fairy."""

from __future__ import annotations

from typing import Final

from PIL import Image

from renderers.canvas import Canvas
from renderers.marks import PLAYER_MARKS, PlayerMark, shape_polygon
from renderers.shapes import Line, Point, ellipse, rectangle, shifted, turned
from renderers.sprites import kept
from renderers.theme import Colour, Theme

FIGURE: Final = 0.62
"""Side of the square sprite of a figure, in cells."""
BUILDER: Final = "builder"
PIG: Final = "pig"
"""Figures, as the engine names them, that do not look like a follower."""
_HALO: Final = 0.034
_OUTLINE: Final = 0.018
_LYING: Final = 0.86
"""The size of a farmer, for whom fields are often narrow."""


def figure(theme: Theme, player: int, size: int, name: str, *, lying: bool = False) -> Image.Image:
    """The figure that the engine calls by this name: a builder or pig, or else a follower."""
    match name:
        case "builder":
            return builder(theme, player, size)
        case "pig":
            return pig(theme, player, size)
        case _:
            return follower(theme, player, size, lying=lying)


def follower(theme: Theme, player: int, size: int, *, lying: bool = False) -> Image.Image:
    """A cloaked wanderer whose head has the player's shape; a farmer lies on one side."""
    return _follower(theme, player, size, lying=lying)


@kept
def _follower(theme: Theme, player: int, size: int, *, lying: bool) -> Image.Image:
    canvas = Canvas(size, theme, FIGURE, FIGURE)
    mark = PLAYER_MARKS[player]
    middle = (FIGURE / 2, FIGURE / 2)
    cloak, fold, head = _figure(mark, middle, lying=lying)
    canvas.shade([ellipse((middle[0] + 0.03, middle[1] + (0.1 if lying else 0.2)), 0.2, 0.07)], 0.35)
    _outlined(canvas, (cloak, head))
    _dressed(canvas, mark, cloak, fold, head)
    return canvas.finished()


@kept
def builder(theme: Theme, player: int, size: int) -> Image.Image:
    """A wanderer with a hammer on the shoulder."""
    canvas = Canvas(size, theme, FIGURE, FIGURE)
    mark = PLAYER_MARKS[player]
    middle = (FIGURE / 2 - 0.04, FIGURE / 2)
    cloak, fold, head = _figure(mark, middle, lying=False)
    handle = shifted(((0.135, 0.17), (0.165, 0.175), (0.227, -0.06), (0.197, -0.065)), *middle)
    iron = shifted(((0.145, -0.125), (0.285, -0.095), (0.272, -0.035), (0.132, -0.065)), *middle)
    canvas.shade([ellipse((middle[0] + 0.03, middle[1] + 0.2), 0.2, 0.07)], 0.35)
    _outlined(canvas, (cloak, head, handle, iron))
    _dressed(canvas, mark, cloak, fold, head)
    for part, colour in ((handle, theme.timber), (iron, theme.stone)):
        canvas.outline(part, 1.4 * _OUTLINE, theme.ink)
        canvas.polygon(part, colour)
    return canvas.finished()


@kept
def pig(theme: Theme, player: int, size: int) -> Image.Image:
    """A pig in the player's colour, with the player's shape on its flank."""
    canvas = Canvas(size, theme, FIGURE, FIGURE)
    mark = PLAYER_MARKS[player]
    x, y = FIGURE / 2 + 0.01, FIGURE / 2 + 0.03
    body, head = ellipse((x, y), 0.185, 0.13), ellipse((x - 0.165, y - 0.03), 0.08, 0.08)
    legs = tuple(rectangle(x + at - 0.03, y + 0.06, x + at + 0.03, y + 0.165) for at in (-0.1, 0.1))
    ears = tuple(
        shifted(((-0.04, 0.0), (-0.015, -0.075), (0.02, -0.01)), x - 0.16 + at, y - 0.075) for at in (-0.03, 0.045)
    )
    snout = rectangle(x - 0.262, y - 0.045, x - 0.215, y + 0.015)
    canvas.shade([ellipse((x + 0.03, y + 0.16), 0.19, 0.05)], 0.35)
    _outlined(canvas, (body, head, snout, *legs, *ears))
    for part in (*legs, *ears):
        canvas.polygon(part, mark.fold)
    for part in (body, head, snout):
        canvas.polygon(part, mark.colour)
    canvas.disc((x - 0.185, y - 0.05), 0.016, mark.ink)
    shape = shape_polygon(mark.shape, (x + 0.045, y - 0.005), 0.075)
    canvas.outline(shape, 1.6 * _OUTLINE, theme.ink)
    canvas.polygon(shape, theme.halo)
    return canvas.finished()


@kept
def fairy(theme: Theme, size: int) -> Image.Image:
    """The fairy: a small figure with wings that belongs to nobody."""
    canvas = Canvas(size, theme, FIGURE, FIGURE)
    x, y = FIGURE / 2, FIGURE / 2
    wings = tuple(
        tuple(
            (x + side * dx, y + dy)
            for dx, dy in ((0.02, 0.0), (0.1, -0.13), (0.2, -0.11), (0.16, 0.0), (0.17, 0.09), (0.08, 0.08))
        )
        for side in (-1, 1)
    )
    gown = shifted(((-0.035, -0.02), (0.035, -0.02), (0.085, 0.18), (-0.085, 0.18)), x, y)
    head = ellipse((x, y - 0.07), 0.06, 0.06)
    canvas.shade([ellipse((x + 0.03, y + 0.18), 0.11, 0.04)], 0.35)
    _outlined(canvas, (*wings, gown, head))
    for part, colour in (
        *((wing, theme.water_light) for wing in wings),
        (gown, theme.categories[2]),
        (head, theme.plaster),
    ):
        canvas.outline(part, 1.4 * _OUTLINE, theme.ink)
        canvas.polygon(part, colour)
    return canvas.finished()


def _outlined(canvas: Canvas, parts: tuple[Line, ...]) -> None:
    """The outline and the halo round all parts together."""
    layers: tuple[tuple[float, Colour], ...] = (
        (2 * (_HALO + _OUTLINE), canvas.theme.halo),
        (2 * _OUTLINE, canvas.theme.ink),
    )
    for width, colour in layers:
        for part in parts:
            canvas.outline(part, width, colour)


def _dressed(canvas: Canvas, mark: PlayerMark, cloak: Line, fold: Line, head: Line) -> None:
    canvas.polygon(cloak, mark.colour)
    canvas.polygon(fold, mark.fold)
    canvas.outline(head, 2 * _OUTLINE, mark.fold if mark.is_dark else canvas.theme.ink)
    canvas.polygon(head, mark.colour)


def _figure(mark: PlayerMark, middle: Point, *, lying: bool) -> tuple[Line, Line, Line]:
    """The cloak, its fold in the shade, and the head; both are on the lower right, whichever way the figure lies."""
    size = _LYING if lying else 1.0
    right = ((0.03, -0.02), (0.075, 0.0), (0.105, 0.06), (0.125, 0.13), (0.15, 0.195), (0.15, 0.21))
    hem = ((0.08, 0.226), (0.0, 0.232), (-0.08, 0.226))
    shaded: Line = (*right[1:], hem[0], (0.045, 0.229), (0.06, 0.12), (0.045, 0.05))
    if lying:
        shaded = tuple((-x, y) for x, y in shaded)
    cloak = (*right, *hem, *((-x, y) for x, y in reversed(right)))
    head = shape_polygon(mark.shape, (0.0, -0.09), 0.13)

    def placed(part: Line) -> Line:
        points = ((middle[0] + x * size, middle[1] + y * size) for x, y in part)
        return tuple(turned(point, 3 * lying, middle) for point in points)

    return placed(cloak), placed(shaded), placed(head)


FIGURE_REACH: Final = (0.17, 0.26)
"""How far a standing figure reaches from its middle, to the sides and upwards, in tiles."""


def within_tile(place: Point, *, lying: bool) -> Point:
    """The point moved so that a figure standing there keeps to its tile."""
    across, tall = (0.24, 0.16) if lying else FIGURE_REACH
    return (min(max(place[0], across), 1 - across), min(max(place[1], tall), 1 - tall))
