"""What points at single cells of any game's board: lettered spots, frames and badges of the last tiles, dead cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from PIL import Image

from engine.geometry import Cell
from renderers import pieces
from renderers.boards.sheet import BoardImage
from renderers.boards.view import Window
from renderers.canvas import Canvas
from renderers.lettering.text import write
from renderers.marks import PLAYER_MARKS
from renderers.shapes import Point, distance
from renderers.sprites import MASK, kept
from renderers.theme import Theme
from renderers.values import Guides, Mark, Spot

_MIDDLE: Final = (0.5, 0.5)
_CORNERS: Final = ((0.9, 0.1), (0.1, 0.1), (0.9, 0.9), (0.1, 0.9))
_READABLE: Final = 36
"""Pixels of letters that a phone shows well; those in cells that are too small for them have as many as fit."""
_TINT: Final = 0.14
"""How much of a spot's colour lies over its cell."""
_HATCH: Final = 0.2
_LINE: Final = 0.028
"""Distance and width of the lines across a dead cell."""


def seen(marks: Iterable[Mark], window: Window, newest: Cell | None) -> list[Mark]:
    """The marks within a window, the newest tile's last, so that it lies above the others."""
    return sorted((mark for mark in marks if mark.cell in window), key=lambda mark: mark.cell == newest)


def paint_frames(image: BoardImage, marks: Sequence[Mark], newest: Cell | None) -> None:
    """Frame the last tile of each player, the newest more strongly than the others."""
    for mark in marks:
        width = 0.055 if mark.cell == newest else 0.02
        frame = pieces.flat_frame(image.theme, image.view.size, PLAYER_MARKS[mark.player].colour, width)
        image.put(frame, image.view.at(mark.cell), frame.info[MASK])


def paint_badges(
    image: BoardImage, marks: Sequence[Mark], newest: Cell | None, taken: Callable[[Cell], Sequence[Point]]
) -> None:
    """Say whose these tiles are, in the corner that is farthest from the places ``taken`` on them."""
    sizes = [round(image.view.size * (0.42 if mark.cell == newest else 0.3)) for mark in marks]
    image.stamp_each(
        (pieces.badge(image.theme, mark.player, max(size, 8)), mark.cell, _free_corner(taken(mark.cell)))
        for mark, size in zip(marks, sizes, strict=True)
    )


def _free_corner(places: Sequence[Point]) -> Point:
    return max(_CORNERS, key=lambda corner: min((distance(corner, place) for place in places), default=0.0))


def paint_spots(image: BoardImage, spots: Iterable[Spot], trial: Cell | None) -> None:
    """Letter the spots that are in the picture, but for the one on which a tile is being tried out."""
    image.stamp_each(
        (_spot(image.theme, image.view.size, spot.letter), spot.cell, _MIDDLE)
        for spot in spots
        if spot.cell in image.view.window and spot.cell != trial
    )


@kept
def _spot(theme: Theme, size: int, letter: str) -> Image.Image:
    """A cell in a touch of yellow, and the letter on a disc in its middle."""
    across = max(round(size * 0.66), min(round(size * 0.9), _READABLE * 3 // 2), 8)
    letters = max(round(across * (0.66 if len(letter) < 2 else 0.5)), min(_READABLE, across * 7 // 10))
    disc = pieces.disc(theme, across, theme.highlight, theme.highlight_dark)
    spot, corner = Image.new("RGBA", (size, size), (*theme.highlight, round(255 * _TINT))), (size - across) // 2
    spot.alpha_composite(disc, (corner, corner))
    write(spot, letter, (size / 2, size / 2), letters, theme.highlight_dark)
    return spot


def paint_dead(image: BoardImage, guides: Guides) -> None:
    """Cross out the cells that no tile left fits, and hatch those that one fits only with a bridge."""
    for cells, crossed in ((guides.dead, True), (guides.aided, False)):
        sprite = _hatched(image.theme, image.view.size, crossed=crossed)
        for cell in sorted(cells):
            if cell in image.view.window:
                image.stamp(sprite, cell)


@kept
def _hatched(theme: Theme, size: int, *, crossed: bool) -> Image.Image:
    canvas = Canvas(size, theme)
    count = round(2 / _HATCH)
    for step in range(1, count):
        reach = step * _HATCH
        start, end = (max(0.0, reach - 1), min(1.0, reach)), (min(1.0, reach), max(0.0, reach - 1))
        canvas.stroke((start, end), _LINE, theme.dead)
        if crossed:
            canvas.stroke(((1 - start[0], start[1]), (1 - end[0], end[1])), _LINE, theme.dead)
    return canvas.finished()
