"""Sprites of the pieces that all games share: the badges and shapes of players, discs, frames and followers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from PIL import Image

from renderers.caches import MASK_KEY, cached_sprite
from renderers.canvas import Canvas, Point, Polyline, ellipse, rectangle, rotated
from renderers.drawings import Drawing
from renderers.marks import PLAYER_MARKS, PlayerMark, shape_polygon
from renderers.palette import to_palette
from renderers.theme import Colour, Theme


def paint_emblem(canvas: Canvas, at: Point, mark: PlayerMark, radius: float) -> None:
    """Draw a player's shape on a light disc."""
    theme = canvas.theme
    canvas.disc(at, radius * 1.6 + 0.014, theme.ink)
    canvas.disc(at, radius * 1.6, theme.halo)
    shape = shape_polygon(mark.shape, at, radius)
    canvas.outline(shape, max(0.024, radius * 0.15), theme.ink)
    canvas.polygon(shape, mark.colour)


@cached_sprite
def badge(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a player's shape on a light disc; ``size`` is its width in pixels."""
    canvas = Canvas(size, theme)
    paint_emblem(canvas, (0.5, 0.5), PLAYER_MARKS[player], 0.29)
    return canvas.finished()


@cached_sprite
def shape_sprite(theme: Theme, player: int, size: int) -> Image.Image:
    """Draw a player's shape alone, outlined so that it is visible on any ground."""
    canvas = Canvas(size, theme)
    shape = shape_polygon(PLAYER_MARKS[player].shape, (0.5, 0.5), 0.34)
    canvas.outline(shape, 0.2, theme.halo)
    canvas.outline(shape, 0.09, theme.ink)
    canvas.polygon(shape, PLAYER_MARKS[player].colour)
    return canvas.finished()


@cached_sprite
def disc(theme: Theme, size: int, fill: Colour, rim: Colour) -> Image.Image:
    """Draw a filled circle with an outline, for letters and numbers."""
    canvas = Canvas(size, theme)
    canvas.disc((0.5, 0.5), 0.49, rim)
    canvas.disc((0.5, 0.5), 0.42, fill)
    return canvas.finished()


@cached_sprite
def frame(theme: Theme, size: int, colour: Colour, width: float) -> Image.Image:
    """Draw a square frame within a cell, between two dark lines; ``width`` in cells."""
    canvas = Canvas(size, theme)
    line = 0.016
    for inset, shade in ((0.0, theme.ink), (line, theme.halo), (2 * line, colour), (2 * line + width, theme.ink)):
        for side in range(4):
            strip = rectangle(inset, inset, 1 - inset, 2 * line + width + line)
            canvas.polygon(tuple(rotated(point, side) for point in strip), shade)
    return canvas.finished()


@cached_sprite
def flat_frame(theme: Theme, size: int, colour: Colour, width: float) -> Image.Image:
    """Draw a frame in the theme's palette, with a mask (``info[MASK_KEY]``).

    Its lines are straight, so each pixel is either opaque or transparent.
    """
    soft = frame(theme, size, colour, width)
    flat = to_palette(soft.convert("RGB"), theme)
    flat.info[MASK_KEY] = soft.getchannel("A").point([255 * (value >= 128) for value in range(256)], "1")
    return flat


FIGURE_SIZE: Final = 0.62
"""Side of the square sprite of a figure, in cells."""
_HALO_WIDTH: Final = 0.034
"""Width of the light halo around a figure, in cells."""
OUTLINE_WIDTH: Final = 0.018
"""Width of the dark outline around a figure, in cells."""
_LYING_SCALE: Final = 0.86
"""The scale of a lying figure: fields are often narrow."""


class FigureSprite(Protocol):
    """A function that draws one figure of a player."""

    def __call__(self, theme: Theme, player: int, size: int, *, lying: bool) -> Image.Image:
        """Return the sprite for cells of this many pixels; not every figure looks different when ``lying``."""


def sprite_drawer(sprites: Mapping[str, FigureSprite], name: str) -> FigureSprite:
    """Return the function that draws the figure with this name in the engine.

    Raises:
        ValueError: there is none; drawing another figure instead would mislead.
    """
    try:
        return sprites[name]
    except KeyError:
        raise ValueError(f"a figure without a drawing: {name}") from None


def without_pose(sprite: Callable[[Theme, int, int], Image.Image]) -> FigureSprite:
    """Return a drawing function that ignores ``lying``, for a figure with only one pose."""

    def draw(theme: Theme, player: int, size: int, *, lying: bool) -> Image.Image:  # noqa: ARG001 - it never lies
        return sprite(theme, player, size)

    return draw


@cached_sprite
def follower(theme: Theme, player: int, size: int, *, lying: bool) -> Image.Image:
    """Draw a cloaked wanderer whose head has the player's shape; a farmer lies on one side."""
    canvas = Canvas(size, theme, FIGURE_SIZE, FIGURE_SIZE)
    mark = PLAYER_MARKS[player]
    middle = (FIGURE_SIZE / 2, FIGURE_SIZE / 2)
    cloak, fold, head = wanderer_outlines(mark, middle, lying=lying)
    canvas.shade([ellipse((middle[0] + 0.03, middle[1] + (0.1 if lying else 0.2)), 0.2, 0.07)], 0.35)
    paint_outlines(canvas, (cloak, head))
    paint_wanderer(canvas, mark, cloak, fold, head)
    return canvas.finished()


def paint_outlines(canvas: Canvas, parts: tuple[Polyline, ...]) -> None:
    """Draw the ink outline and the light halo around the union of all parts."""
    theme = canvas.theme
    for reach, colour in ((_HALO_WIDTH + OUTLINE_WIDTH, theme.halo), (OUTLINE_WIDTH, theme.ink)):
        for part in parts:
            canvas.outline(part, 2 * reach, colour)


def paint_piece(canvas: Canvas, drawing: Drawing, at: Point, mark: PlayerMark | None = None) -> None:
    """Paint a piece with its outline and halo; its drawing may have the colours ``player``, ``fold`` and ``sign``."""
    paint_outlines(canvas, tuple(drawing.outlines(at)))
    colours = {} if mark is None else {"player": mark.colour, "fold": mark.fold, "sign": mark.ink}
    drawing.paint(canvas, at, colours=colours)


def paint_wanderer(
    canvas: Canvas, mark: PlayerMark, cloak: Polyline, fold: Polyline, head: Polyline, bands: Iterable[Polyline] = ()
) -> None:
    """Paint a wanderer's cloak, its fold, bands across it, and the head, in the player's colours."""
    canvas.polygon(cloak, mark.colour)
    canvas.polygon(fold, mark.fold)
    for band in bands:
        canvas.polygon(band, mark.ink)
    canvas.outline(head, 2 * OUTLINE_WIDTH, mark.fold if mark.is_dark else canvas.theme.ink)
    canvas.polygon(head, mark.colour)


def wanderer_outlines(mark: PlayerMark, middle: Point, *, lying: bool) -> tuple[Polyline, Polyline, Polyline]:
    """Return the outlines of the cloak, its shaded fold and the head.

    The fold is on the lower right in both poses, because the light does not turn with the figure.
    """
    right = ((0.03, -0.02), (0.075, 0.0), (0.105, 0.06), (0.125, 0.13), (0.15, 0.195), (0.15, 0.21))
    hem = ((0.08, 0.226), (0.0, 0.232), (-0.08, 0.226))
    shaded: Polyline = (*right[1:], hem[0], (0.045, 0.229), (0.06, 0.12), (0.045, 0.05))
    if lying:
        shaded = tuple((-x, y) for x, y in shaded)
    cloak = (*right, *hem, *((-x, y) for x, y in reversed(right)))
    head = shape_polygon(mark.shape, (0.0, -0.09), 0.13)

    return posed(cloak, middle, lying=lying), posed(shaded, middle, lying=lying), posed(head, middle, lying=lying)


def posed(part: Polyline, middle: Point, *, lying: bool, size: float = 1.0) -> Polyline:
    """Return a part of a figure in its pose on the canvas.

    ``part`` is relative to the middle of the standing figure; ``size`` is 1 for a follower.
    """
    scale = size * _LYING_SCALE if lying else size
    points = ((middle[0] + x * scale, middle[1] + y * scale) for x, y in part)
    return tuple(rotated(point, 3 * lying, middle) for point in points)


STANDING_REACH: Final = (0.17, 0.26)
"""Distances from the middle of a standing figure to its side and to its top, in tiles."""
LYING_REACH: Final = (0.24, 0.16)
"""The same distances for a lying figure."""


def within_tile(place: Point, *, lying: bool, reach: float = 1.0) -> Point:
    """Return the point moved so that a figure there stays on its tile; ``reach`` is relative to a follower's."""
    reach_x, reach_y = (part * reach for part in (LYING_REACH if lying else STANDING_REACH))
    return (min(max(place[0], reach_x), 1 - reach_x), min(max(place[1], reach_y), 1 - reach_y))
