"""Coordinates around a board, and markers of single cells.

The markers are lettered cells, frames and badges of the last tiles, and the hatching of dead cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Final

from PIL import Image

from engine.caching import thread_safe_lru_cache
from engine.geometry import Cell
from renderers import pieces
from renderers.boards.sheet import BoardImage
from renderers.boards.view import Window, column_and_row
from renderers.caches import MASK_KEY, cached_sprite
from renderers.canvas import Canvas
from renderers.lettering import text_mask, write
from renderers.marks import PLAYER_MARKS
from renderers.shapes import Point, distance
from renderers.theme import Theme
from renderers.values import Guides, Mark, Spot

_LABEL_ROOM: Final = 0.78
"""Share of a cell that a column's label may fill, so that neighbouring labels stay apart."""
_MIN_LABEL_SCALE: Final = 0.7
"""Scale down to which column letters shrink; where that is not enough, some columns have no label."""


def paint_rim(image: BoardImage) -> None:
    """Paint column letters above and row numbers at the left, on wide boards also below and at the right."""
    view, theme = image.view, image.theme
    right, bottom = view.width - view.far_rim, view.height - view.far_rim
    for area in (
        (0, 0, view.width, view.rim - 1),
        (0, 0, view.rim - 1, view.height),
        (right, 0, view.width, view.height),
        (0, bottom, view.width, view.height),
    ):
        image.draw.rectangle(area, fill=image.ink(theme.rim))
    window = view.window
    columns = {x: column_and_row(Cell(x, window.top))[0] for x in range(window.left, window.left + window.columns)}
    rows = {y: column_and_row(Cell(window.left, y))[1] for y in range(window.top, window.top + window.rows)}
    letters, every = _fit_labels(
        tuple(columns.values()), view.letter, view.size * _LABEL_ROOM, round(view.letter * _MIN_LABEL_SCALE)
    )
    for x, label in columns.items():
        if x % every == 0:
            above = (view.at(Cell(x, 0), (0.5, 0))[0], view.rim / 2)
            image.write(label, above, letters, theme.rim_text, ground=theme.rim)
    letters, _ = _fit_labels(tuple(rows.values()), view.letter, view.rim - 3, 1)
    for y, label in rows.items():
        if y % ceil(letters / view.size) == 0:
            aside = (view.rim / 2, view.at(Cell(0, y), (0, 0.5))[1])
            image.write(label, aside, letters, theme.rim_text, ground=theme.rim)
    if view.far_rim == view.rim:
        image.pixels.paste(image.pixels.crop((0, 0, view.width, view.rim)), (0, bottom))
        image.pixels.paste(image.pixels.crop((0, 0, view.rim, view.height)), (right, 0))


@thread_safe_lru_cache(256)
def _fit_labels(labels: tuple[str, ...], letters: int, room: float, least: int) -> tuple[int, int]:
    """Return the largest letters in which every label fits, and 1; else ``least`` and the spacing of labels."""
    for size in range(letters, least, -1):
        if _widest_label(labels, size) <= room:
            return size, 1
    return least, ceil(_widest_label(labels, least) / room)


def _widest_label(labels: Iterable[str], letters: int) -> int:
    return max(text_mask(label, letters).width for label in labels)


_MIDDLE: Final = (0.5, 0.5)
_CORNERS: Final = ((0.9, 0.1), (0.1, 0.1), (0.9, 0.9), (0.1, 0.9))
_READABLE_LETTER_SIZE: Final = 36
"""Pixels of letters that are readable on a phone; small cells have letters as large as fit."""
_SPOT_TINT: Final = 0.14
"""Opacity of a spot's colour over its cell."""
_HATCH_SPACING: Final = 0.2
_HATCH_WIDTH: Final = 0.028
"""Spacing and width of the lines across a dead cell, in cells."""


def visible_marks(marks: Iterable[Mark], window: Window, newest: Cell | None) -> list[Mark]:
    """Return the marks within a window, with that of the newest tile last, so that it covers the others."""
    return sorted((mark for mark in marks if mark.cell in window), key=lambda mark: mark.cell == newest)


def paint_frames(image: BoardImage, marks: Sequence[Mark], newest: Cell | None) -> None:
    """Frame the last tile of each player, the newest more strongly than the others."""
    for mark in marks:
        width = 0.055 if mark.cell == newest else 0.02
        frame = pieces.flat_frame(image.theme, image.view.size, PLAYER_MARKS[mark.player].colour, width)
        image.put(frame, image.view.at(mark.cell), frame.info[MASK_KEY])


def paint_badges(
    image: BoardImage, marks: Sequence[Mark], newest: Cell | None, taken: Callable[[Cell], Sequence[Point]]
) -> None:
    """Paint each player's badge on their last tile, in the corner farthest from the ``taken`` places on it."""
    sizes = [round(image.view.size * (0.42 if mark.cell == newest else 0.3)) for mark in marks]
    image.stamp_each(
        (pieces.badge(image.theme, mark.player, max(size, 8)), mark.cell, _free_corner(taken(mark.cell)))
        for mark, size in zip(marks, sizes, strict=True)
    )


def _free_corner(places: Sequence[Point]) -> Point:
    return max(_CORNERS, key=lambda corner: min((distance(corner, place) for place in places), default=0.0))


def paint_spots(image: BoardImage, spots: Iterable[Spot], trial: Cell | None) -> None:
    """Letter the spots in the picture, except the one where a tile is being tried out."""
    image.stamp_each(
        (_spot_sprite(image.theme, image.view.size, spot.letter), spot.cell, _MIDDLE)
        for spot in spots
        if spot.cell in image.view.window and spot.cell != trial
    )


@cached_sprite
def _spot_sprite(theme: Theme, size: int, letter: str) -> Image.Image:
    """Draw a cell with a touch of yellow, and the letter on a disc in its middle."""
    across = max(round(size * 0.66), min(round(size * 0.9), _READABLE_LETTER_SIZE * 3 // 2), 8)
    letters = max(round(across * (0.66 if len(letter) < 2 else 0.5)), min(_READABLE_LETTER_SIZE, across * 7 // 10))
    disc = pieces.disc(theme, across, theme.highlight, theme.highlight_dark)
    spot, corner = Image.new("RGBA", (size, size), (*theme.highlight, round(255 * _SPOT_TINT))), (size - across) // 2
    spot.alpha_composite(disc, (corner, corner))
    write(spot, letter, (size / 2, size / 2), letters, theme.highlight_dark)
    return spot


def paint_dead_cells(image: BoardImage, guides: Guides) -> None:
    """Cross out the cells that no remaining tile fits, and hatch those that one fits only with a bridge."""
    for cells, crossed in ((guides.dead, True), (guides.aided, False)):
        sprite = _hatching(image.theme, image.view.size, crossed=crossed)
        for cell in sorted(cells):
            if cell in image.view.window:
                image.stamp(sprite, cell)


@cached_sprite
def _hatching(theme: Theme, size: int, *, crossed: bool) -> Image.Image:
    canvas = Canvas(size, theme)
    count = round(2 / _HATCH_SPACING)
    for step in range(1, count):
        reach = step * _HATCH_SPACING
        start, end = (max(0.0, reach - 1), min(1.0, reach)), (min(1.0, reach), max(0.0, reach - 1))
        canvas.stroke((start, end), _HATCH_WIDTH, theme.dead)
        if crossed:
            canvas.stroke(((1 - start[0], start[1]), (1 - end[0], end[1])), _HATCH_WIDTH, theme.dead)
    return canvas.finished()
