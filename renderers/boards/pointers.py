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
from renderers.sprites import kept
from renderers.theme import Theme
from renderers.values import Guides, Mark, Spot

_CORNERS: Final = ((0.9, 0.1), (0.1, 0.1), (0.9, 0.9), (0.1, 0.9))
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
        image.stamp(pieces.frame(image.theme, image.view.size, PLAYER_MARKS[mark.player].colour, width), mark.cell)


def paint_badges(
    image: BoardImage, marks: Sequence[Mark], newest: Cell | None, taken: Callable[[Cell], Sequence[Point]]
) -> None:
    """Say whose these tiles are, in the corner that is farthest from the places ``taken`` on them."""
    for mark in marks:
        size = round(image.view.size * (0.42 if mark.cell == newest else 0.3))
        corner = _free_corner(taken(mark.cell))
        image.stamp(pieces.badge(image.theme, mark.player, max(size, 8)), mark.cell, corner)


def _free_corner(places: Sequence[Point]) -> Point:
    return max(_CORNERS, key=lambda corner: min((distance(corner, place) for place in places), default=0.0))


def paint_spots(image: BoardImage, spots: Iterable[Spot], trial: Cell | None) -> None:
    """Letter the spots that are in the picture, but for the one on which a tile is being tried out."""
    for spot in spots:
        if spot.cell in image.view.window and spot.cell != trial:
            _paint_spot(image, spot)


def _paint_spot(image: BoardImage, spot: Spot) -> None:
    theme, size = image.theme, image.view.size
    image.tint(spot.cell, theme.highlight, 0.14)
    image.stamp(_lettered_disc(theme, size, spot.letter), spot.cell)


@kept
def _lettered_disc(theme: Theme, size: int, letter: str) -> Image.Image:
    disc = pieces.disc(theme, max(round(size * 0.66), 8), theme.highlight, theme.highlight_dark).copy()
    letters, middle = round(size * (0.44 if len(letter) < 2 else 0.34)), disc.width // 2
    write(disc, letter, (middle, middle), letters, theme.highlight_dark)
    return disc


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
