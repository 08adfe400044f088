"""Cross tables: in each group everybody against everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from renderers.events.sheet import EDGE, HEAD, MOST, WIDTH, CrossTable, Sort, name_line, rising, sheet
from renderers.lettering import fitted, printable, text_mask, write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

_LINE: Final = 48
_HEADING: Final = 50
_APART: Final = 16
_LETTERS: Final = 27
_NUMBER: Final = 40
_TOTAL: Final = 84
_NAME: Final = 250
_SHORT: Final = 190
"""The room for a name in a group of more than eight."""
_ARROW: Final = 24
_WIDEST: Final = 84
"""A column of a small group is no wider."""


def cross_tables(title: str, tables: Sequence[CrossTable], *, note: str = "", theme: Theme = DAY) -> Picture:
    """Groups one below the other.

    Args:
        title: the name of the event.
        tables: the groups, their entries from the best.
        note: which of several pictures.
        theme: the colours.

    Raises:
        ValueError: more than sixteen entries, or one without a cell for each entry of its group.
    """
    if sum(len(table.lines) for table in tables) > MOST:
        raise ValueError(f"at most {MOST} entries")
    if any(len(line.cells) != len(table.lines) for table in tables for line in table.lines):
        raise ValueError("a cell for each entry of the group")
    height = HEAD + sum(_HEADING + len(table.lines) * _LINE + _APART for table in tables)
    image = sheet(title, note, height, theme)
    top = HEAD
    for table in tables:
        _paint(image, top, table, theme)
        top += _HEADING + len(table.lines) * _LINE + _APART
    return encode_png(image, theme, "groups")


def _paint(image: Image.Image, top: int, table: CrossTable, theme: Theme) -> None:
    count = len(table.lines)
    name = _NAME if count <= 8 else _SHORT
    column = min((WIDTH - 2 * EDGE - _NUMBER - _ARROW - name - _TOTAL) // max(count, 1), _WIDEST)
    right = WIDTH - EDGE - _TOTAL
    left = right - column * count
    size = _size(table, column)
    middle = top + _HEADING // 2
    heading = fitted(printable(table.heading), _LETTERS, left - EDGE - 12)
    write(image, heading, (EDGE, middle), _LETTERS, theme.text, anchor=(0.0, 0.5))
    for number in range(count):
        write(
            image,
            str(number + 1),
            (left + (number + 0.5) * column, middle),
            min(size, 18 if count > 8 else 22),
            theme.muted_text,
        )
    for number, line in enumerate(table.lines):
        upper = top + _HEADING + number * _LINE
        centre = upper + _LINE // 2
        if number % 2 == 0:
            image.paste(theme.table, (EDGE, upper, WIDTH - EDGE, upper + _LINE))
        write(image, str(number + 1), (EDGE + 22, centre), 22, theme.muted_text)
        if line.sort is Sort.THROUGH:
            sprite = rising(theme, _ARROW - 4)
            image.paste(sprite, (EDGE + _NUMBER + 2, centre - sprite.height // 2), sprite)
        area = (EDGE + _NUMBER + _ARROW + 4, upper, left - 10, upper + _LINE)
        name_line(image, line.name, area, _LETTERS, line.sort, theme)
        for place, cell in enumerate(line.cells):
            x = left + place * column
            if place == number:
                ImageDraw.Draw(image).rectangle((x + 3, upper + 5, x + column - 4, upper + _LINE - 6), fill=theme.grid)
            else:
                write(image, printable(cell), (x + column / 2, centre), size, theme.text)
        write(image, printable(line.total), (WIDTH - EDGE - 10, centre), _LETTERS, theme.text, anchor=(1.0, 0.5))


def _size(table: CrossTable, column: int) -> int:
    """The largest letters that all cells have room for."""
    cells = {printable(cell) for line in table.lines for cell in line.cells}
    for size in range(_LETTERS, 15, -1):
        if all(text_mask(cell, size).width <= column - 4 for cell in cells if cell):
            return size
    return 15
