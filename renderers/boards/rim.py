"""The coordinates round a board."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Final

from engine.geometry import Cell
from engine.once import recent
from renderers.boards.sheet import BoardImage
from renderers.boards.view import column_and_row
from renderers.lettering.text import text_mask

_ROOM: Final = 0.78
"""Part of a cell that the label of a column may fill, so that it keeps away from the next one."""
_LEAST: Final = 0.7
"""Part of their height to which letters of columns shrink; where that is not enough, some columns go without."""


def paint_rim(image: BoardImage) -> None:
    """Column letters above and row numbers at the left, on wide boards also below and at the right."""
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
    letters, every = _fitting(tuple(columns.values()), view.letter, view.size * _ROOM, round(view.letter * _LEAST))
    for x, label in columns.items():
        if x % every == 0:
            above = (view.at(Cell(x, 0), (0.5, 0))[0], view.rim / 2)
            image.write(label, above, letters, theme.rim_text, ground=theme.rim)
    letters, _ = _fitting(tuple(rows.values()), view.letter, view.rim - 3, 1)
    for y, label in rows.items():
        if y % ceil(letters / view.size) == 0:
            aside = (view.rim / 2, view.at(Cell(0, y), (0, 0.5))[1])
            image.write(label, aside, letters, theme.rim_text, ground=theme.rim)
    if view.far_rim == view.rim:
        image.pixels.paste(image.pixels.crop((0, 0, view.width, view.rim)), (0, bottom))
        image.pixels.paste(image.pixels.crop((0, 0, view.rim, view.height)), (right, 0))


@recent(256)
def _fitting(labels: tuple[str, ...], letters: int, room: float, least: int) -> tuple[int, int]:
    """The height of letters in which each label has room enough; at the least height, every how many of them have."""
    for size in range(letters, least, -1):
        if _widest(labels, size) <= room:
            return size, 1
    return least, ceil(_widest(labels, least) / room)


def _widest(labels: Iterable[str], letters: int) -> int:
    return max(text_mask(label, letters).width for label in labels)
