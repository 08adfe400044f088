"""Sprites by which players and places are told apart in every game: badges, shapes, discs and frames."""

from __future__ import annotations

from PIL import Image

from renderers.canvas import Canvas
from renderers.marks import PLAYER_MARKS, PlayerMark, shape_polygon
from renderers.palette import flattened
from renderers.shapes import Point, rectangle, turned
from renderers.sprites import MASK, kept
from renderers.theme import Colour, Theme


def arms(canvas: Canvas, at: Point, mark: PlayerMark, radius: float) -> None:
    """Draw a player's shape on a light disc."""
    theme = canvas.theme
    canvas.disc(at, radius * 1.6 + 0.014, theme.ink)
    canvas.disc(at, radius * 1.6, theme.halo)
    shape = shape_polygon(mark.shape, at, radius)
    canvas.outline(shape, max(0.024, radius * 0.15), theme.ink)
    canvas.polygon(shape, mark.colour)


@kept
def badge(theme: Theme, player: int, size: int) -> Image.Image:
    """A player's shape on a light disc; ``size`` is its width in pixels."""
    canvas = Canvas(size, theme)
    arms(canvas, (0.5, 0.5), PLAYER_MARKS[player], 0.29)
    return canvas.finished()


@kept
def shape_sprite(theme: Theme, player: int, size: int) -> Image.Image:
    """A player's shape alone, outlined to stand on any ground."""
    canvas = Canvas(size, theme)
    shape = shape_polygon(PLAYER_MARKS[player].shape, (0.5, 0.5), 0.34)
    canvas.outline(shape, 0.2, theme.halo)
    canvas.outline(shape, 0.09, theme.ink)
    canvas.polygon(shape, PLAYER_MARKS[player].colour)
    return canvas.finished()


@kept
def disc(theme: Theme, size: int, fill: Colour, rim: Colour) -> Image.Image:
    """A filled circle with an outline, for letters and numbers."""
    canvas = Canvas(size, theme)
    canvas.disc((0.5, 0.5), 0.49, rim)
    canvas.disc((0.5, 0.5), 0.42, fill)
    return canvas.finished()


@kept
def frame(theme: Theme, size: int, colour: Colour, width: float) -> Image.Image:
    """A square frame within a cell, between two dark lines; ``width`` in cells."""
    canvas = Canvas(size, theme)
    dark = 0.016
    for inset, shade in ((0.0, theme.ink), (dark, theme.halo), (2 * dark, colour), (2 * dark + width, theme.ink)):
        for side in range(4):
            strip = rectangle(inset, inset, 1 - inset, 2 * dark + width + dark)
            canvas.polygon(tuple(turned(point, side) for point in strip), shade)
    return canvas.finished()


@kept
def flat_frame(theme: Theme, size: int, colour: Colour, width: float) -> Image.Image:
    """The same in the palette, all or nothing of each pixel (``info[MASK]``): its lines are straight."""
    soft = frame(theme, size, colour, width)
    flat = flattened(soft.convert("RGB"), theme)
    flat.info[MASK] = soft.getchannel("A").point([255 * (value >= 128) for value in range(256)], "1")
    return flat
