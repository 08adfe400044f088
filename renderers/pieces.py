"""Sprites of what lies on the tiles: followers, bridges, castles, badges and frames."""

from __future__ import annotations

from functools import lru_cache
from math import pi, sin
from typing import Final

from PIL import Image

from engine.geometry import Axis
from renderers.buildings import tower
from renderers.canvas import Canvas
from renderers.marks import PLAYER_MARKS, PlayerMark, shape_polygon
from renderers.shapes import Line, Point, band, ellipse, rectangle, shifted, turned
from renderers.theme import Colour, Theme

FIGURE: Final = 0.62
"""Side of the square sprite of a follower, in cells."""
CASTLE_LONG: Final = 1.1
"""Sides of the sprite of a castle, in cells: along the side that its two tiles share, and across."""
CASTLE_SHORT: Final = 0.98
_HALO: Final = 0.034
_OUTLINE: Final = 0.018
_LYING: Final = 0.86
"""The size of a farmer, for whom fields are often narrow."""
_DECK: Final = 0.16
_RISE: Final = 0.1


@lru_cache(maxsize=256)
def follower(theme: Theme, player: int, size: int, *, lying: bool = False) -> Image.Image:
    """A cloaked figure whose head has the player's shape; a farmer lies on one side."""
    canvas = Canvas(size, theme, FIGURE, FIGURE)
    mark = PLAYER_MARKS[player]
    middle = (FIGURE / 2, FIGURE / 2)
    parts = _figure(mark, middle, _LYING if lying else 1.0)
    if lying:
        parts = tuple(tuple(turned(point, 3, middle) for point in part) for part in parts)
    shadow = ellipse((middle[0] + 0.03, middle[1] + (0.1 if lying else 0.19)), 0.2, 0.07)
    canvas.shade([shadow], 0.35, 0.012)
    for part in parts:
        canvas.outline(part, 2 * (_HALO + _OUTLINE), theme.halo)
    for part in parts:
        canvas.outline(part, 2 * _OUTLINE, theme.ink)
        canvas.polygon(part, mark.colour)
    return canvas.finished()


def _figure(mark: PlayerMark, middle: Point, size: float) -> tuple[Line, ...]:
    right = ((0.06, 0.0), (0.1, 0.03), (0.125, 0.11), (0.13, 0.21))
    left = tuple((-x, y) for x, y in reversed(right))
    cloak = tuple((middle[0] + x * size, middle[1] + y * size) for x, y in (*right, *left))
    return cloak, shape_polygon(mark.shape, (middle[0], middle[1] - 0.085 * size), 0.13 * size)


def within_tile(place: Point, *, lying: bool) -> Point:
    """The point moved so that a figure standing there keeps to its tile."""
    across, up, down = (0.24, 0.16, 0.16) if lying else (0.17, 0.26, 0.26)
    return (min(max(place[0], across), 1 - across), min(max(place[1], up), 1 - down))


@lru_cache(maxsize=64)
def bridge(theme: Theme, axis: Axis, size: int) -> Image.Image:
    """A wooden bridge over one tile, from side to side."""
    canvas = Canvas(size, theme)
    steps = [step / 24 for step in range(25)]
    if axis is Axis.WE:
        deck: Line = tuple((x, 0.5 - _RISE * sin(pi * x)) for x in steps)
        canvas.shade([band(tuple((x, 0.56) for x in steps), 0.13)], 0.4, 0.02)
        _trestles(canvas)
    else:
        deck = tuple((0.5, y) for y in steps)
        canvas.shade([band(tuple((0.5 + 0.1 * sin(pi * y), y) for y in steps), 0.15)], 0.4, 0.02)
    _planks(canvas, deck, axis)
    return canvas.finished()


def _trestles(canvas: Canvas) -> None:
    """The posts under a bridge that is seen from its side."""
    theme = canvas.theme
    for x in (0.2, 0.4, 0.6, 0.8):
        top, foot = 0.5 - _RISE * sin(pi * x), 0.63 + 0.02 * sin(pi * x)
        canvas.box(x - 0.024, top, x + 0.024, foot, theme.timber_dark)
        canvas.box(x - 0.012, top, x + 0.008, foot - 0.01, theme.timber)


def _planks(canvas: Canvas, deck: Line, axis: Axis) -> None:
    theme = canvas.theme
    if axis is Axis.WE:
        canvas.stroke(shifted(deck, 0, 0.035), _DECK, theme.timber_dark)
    canvas.stroke(deck, _DECK + 0.02, theme.timber_dark)
    canvas.stroke(deck, _DECK - 0.012, theme.timber)
    for step in range(0, len(deck) - 1, 2):
        canvas.stroke(deck[step : step + 2], _DECK - 0.05, theme.timber_light)
    for side in (-1, 1):
        across = (_DECK / 2 - 0.008) * side
        rail = shifted(deck, *((0, across) if axis is Axis.WE else (across, 0)))
        canvas.stroke(rail, 0.034, theme.timber_dark)
        canvas.stroke(rail, 0.014, theme.timber_light)
        for point in rail[3:-1:6]:
            canvas.disc(point, 0.026, theme.timber_dark)
            canvas.disc((point[0] - 0.004, point[1] - 0.006), 0.016, theme.timber_light)


@lru_cache(maxsize=256)
def castle(theme: Theme, player: int, axis: Axis, size: int, *, scored: bool) -> Image.Image:
    """A keep that covers a town; ``axis`` is the line on which its two tiles lie; a flag flies until it has scored."""
    upright = axis is Axis.NS
    width, height = (CASTLE_LONG, CASTLE_SHORT) if upright else (CASTLE_SHORT, CASTLE_LONG)
    canvas = Canvas(size, theme, width, height)
    middle = (width / 2, height / 2)
    across, down = (0.475, 0.375) if upright else (0.375, 0.475)
    mound = ellipse(middle, across, down, 40)
    canvas.shade([shifted(mound, 0.025, 0.035)], 0.4, 0.015)
    canvas.polygon(ellipse(middle, across + 0.012, down + 0.012, 40), theme.ink)
    canvas.polygon(mound, theme.stone_dark)
    canvas.polygon(ellipse((middle[0] - 0.006, middle[1] - 0.01), across - 0.025, down - 0.028, 40), theme.stone)
    canvas.polygon(ellipse(middle, across - 0.06, down - 0.06, 40), theme.square)
    _keep(canvas, middle, PLAYER_MARKS[player], scored=scored)
    return canvas.finished()


def _keep(canvas: Canvas, middle: Point, mark: PlayerMark, *, scored: bool) -> None:
    x, y = middle
    theme = canvas.theme
    foot = y + 0.25
    canvas.shade([rectangle(x - 0.2, foot - 0.1, x + 0.31, foot + 0.035)], 0.3, 0.01)
    _block(canvas, (x - 0.15, y - 0.26, x + 0.15, foot - 0.06))
    _block(canvas, (x - 0.26, y - 0.04, x + 0.26, foot))
    for side in (-1, 1):
        _block(canvas, (x + side * 0.24 - 0.065, y - 0.13, x + side * 0.24 + 0.065, foot + 0.02))
    canvas.disc((x, foot - 0.075), 0.05, theme.ink)
    canvas.box(x - 0.05, foot - 0.075, x + 0.05, foot, theme.ink)
    if not scored:
        canvas.box(x - 0.009, y - 0.43, x + 0.009, y - 0.26, theme.ink)
        flag = ((x + 0.009, y - 0.43), (x + 0.2, y - 0.375), (x + 0.009, y - 0.315))
        canvas.outline(flag, 0.026, theme.ink)
        canvas.polygon(flag, mark.colour)
    _arms(canvas, (x, y - 0.075), mark, 0.1)


def _arms(canvas: Canvas, at: Point, mark: PlayerMark, radius: float) -> None:
    theme = canvas.theme
    canvas.disc(at, radius * 1.6 + 0.014, theme.ink)
    canvas.disc(at, radius * 1.6, theme.halo)
    shape = shape_polygon(mark.shape, at, radius)
    canvas.outline(shape, max(0.024, radius * 0.15), theme.ink)
    canvas.polygon(shape, mark.colour)


def _block(canvas: Canvas, area: tuple[float, float, float, float]) -> None:
    """A stone wall with battlements, lit from the left."""
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


@lru_cache(maxsize=256)
def badge(theme: Theme, player: int, size: int) -> Image.Image:
    """A player's shape on a light disc; ``size`` is its width in pixels."""
    canvas = Canvas(size, theme)
    _arms(canvas, (0.5, 0.5), PLAYER_MARKS[player], 0.29)
    return canvas.finished()


@lru_cache(maxsize=256)
def shape_sprite(theme: Theme, player: int, size: int) -> Image.Image:
    """A player's shape alone, outlined to stand on any ground."""
    canvas = Canvas(size, theme)
    shape = shape_polygon(PLAYER_MARKS[player].shape, (0.5, 0.5), 0.34)
    canvas.outline(shape, 0.2, theme.halo)
    canvas.outline(shape, 0.09, theme.ink)
    canvas.polygon(shape, PLAYER_MARKS[player].colour)
    return canvas.finished()


@lru_cache(maxsize=64)
def disc(theme: Theme, size: int, fill: Colour, rim: Colour) -> Image.Image:
    """A filled circle with an outline, for letters and numbers."""
    canvas = Canvas(size, theme)
    canvas.disc((0.5, 0.5), 0.49, rim)
    canvas.disc((0.5, 0.5), 0.42, fill)
    return canvas.finished()


@lru_cache(maxsize=256)
def frame(theme: Theme, size: int, colour: Colour, width: float) -> Image.Image:
    """A square frame within a cell, between two dark lines; ``width`` in cells."""
    canvas = Canvas(size, theme)
    dark = 0.016
    for inset, shade in ((0.0, theme.ink), (dark, theme.halo), (2 * dark, colour), (2 * dark + width, theme.ink)):
        for side in range(4):
            strip = rectangle(inset, inset, 1 - inset, 2 * dark + width + dark)
            canvas.polygon(tuple(turned(point, side) for point in strip), shade)
    return canvas.finished()


@lru_cache(maxsize=16)
def corner_tower(theme: Theme, size: int) -> Image.Image:
    """The tower where the walls of neighbouring tiles meet; its foot is in the middle of the sprite."""
    canvas = Canvas(size, theme, 0.4, 0.6)
    canvas.shade([ellipse((0.235, 0.325), 0.09, 0.05)], 0.35, 0.01)
    tower(canvas, (0.2, 0.34), 0.075, 0.1)
    return canvas.finished()
