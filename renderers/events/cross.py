"""Cross tables: the results of a group in which everyone meets everyone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from renderers.events.sheet import (
    HEAD_HEIGHT,
    MARGIN,
    MAX_ENTRIES,
    WIDTH,
    CrossTable,
    EntryState,
    event_sheet,
    rising_triangle,
    write_name,
)
from renderers.lettering import fitted, printable, text_mask, write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

_LINE_HEIGHT: Final = 48
_HEADING_HEIGHT: Final = 50
_GROUP_SPACING: Final = 16
_LETTER_SIZE: Final = 27
_NUMBER_WIDTH: Final = 40
_TOTAL_WIDTH: Final = 84
_NAME_WIDTH: Final = 250
_SHORT_NAME_WIDTH: Final = 190
"""Width of a name in a group of more than eight."""
_ARROW_WIDTH: Final = 24
_MAX_COLUMN_WIDTH: Final = 84
"""Maximum width of a column, in small groups."""


def cross_tables(title: str, tables: Sequence[CrossTable], *, note: str = "", theme: Theme = DAY) -> Picture:
    """Draw groups one below the other.

    Args:
        title: the name of the event.
        tables: the groups, their entries from the best.
        note: the number of the picture, if there are several.
        theme: the colours.

    Raises:
        ValueError: more than sixteen entries, or one without a cell for each entry of its group.
    """
    if sum(len(table.lines) for table in tables) > MAX_ENTRIES:
        raise ValueError(f"at most {MAX_ENTRIES} entries")
    if any(len(line.cells) != len(table.lines) for table in tables for line in table.lines):
        raise ValueError("a cell for each entry of the group")
    height = HEAD_HEIGHT + sum(_HEADING_HEIGHT + len(table.lines) * _LINE_HEIGHT + _GROUP_SPACING for table in tables)
    image = event_sheet(title, note, height, theme)
    top = HEAD_HEIGHT
    for table in tables:
        _paint_table(image, top, table, theme)
        top += _HEADING_HEIGHT + len(table.lines) * _LINE_HEIGHT + _GROUP_SPACING
    return encode_png(image, theme, "groups")


def _paint_table(image: Image.Image, top: int, table: CrossTable, theme: Theme) -> None:
    count = len(table.lines)
    name = _NAME_WIDTH if count <= 8 else _SHORT_NAME_WIDTH
    column = min(
        (WIDTH - 2 * MARGIN - _NUMBER_WIDTH - _ARROW_WIDTH - name - _TOTAL_WIDTH) // max(count, 1), _MAX_COLUMN_WIDTH
    )
    right = WIDTH - MARGIN - _TOTAL_WIDTH
    left = right - column * count
    size = _cell_letter_size(table, column)
    middle = top + _HEADING_HEIGHT // 2
    heading = fitted(printable(table.heading), _LETTER_SIZE, left - MARGIN - 12)
    write(image, heading, (MARGIN, middle), _LETTER_SIZE, theme.text, anchor=(0.0, 0.5))
    for number in range(count):
        write(
            image,
            str(number + 1),
            (left + (number + 0.5) * column, middle),
            min(size, 18 if count > 8 else 22),
            theme.muted_text,
        )
    for number, line in enumerate(table.lines):
        upper = top + _HEADING_HEIGHT + number * _LINE_HEIGHT
        centre = upper + _LINE_HEIGHT // 2
        if number % 2 == 0:
            image.paste(theme.table, (MARGIN, upper, WIDTH - MARGIN, upper + _LINE_HEIGHT))
        write(image, str(number + 1), (MARGIN + 22, centre), 22, theme.muted_text)
        if line.sort is EntryState.THROUGH:
            sprite = rising_triangle(theme, _ARROW_WIDTH - 4)
            image.paste(sprite, (MARGIN + _NUMBER_WIDTH + 2, centre - sprite.height // 2), sprite)
        area = (MARGIN + _NUMBER_WIDTH + _ARROW_WIDTH + 4, upper, left - 10, upper + _LINE_HEIGHT)
        write_name(image, line.name, area, _LETTER_SIZE, line.sort, theme)
        for place, cell in enumerate(line.cells):
            x = left + place * column
            if place == number:
                ImageDraw.Draw(image).rectangle(
                    (x + 3, upper + 5, x + column - 4, upper + _LINE_HEIGHT - 6), fill=theme.grid
                )
            else:
                write(image, printable(cell), (x + column / 2, centre), size, theme.text)
        write(image, printable(line.total), (WIDTH - MARGIN - 10, centre), _LETTER_SIZE, theme.text, anchor=(1.0, 0.5))


def _cell_letter_size(table: CrossTable, column: int) -> int:
    """Return the largest letters at which all cells fit."""
    cells = {printable(cell) for line in table.lines for cell in line.cells}
    for size in range(_LETTER_SIZE, 15, -1):
        if all(text_mask(cell, size).width <= column - 4 for cell in cells if cell):
            return size
    return 15
