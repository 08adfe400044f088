"""The games of a round in boxes, two in a row: the players with their seats, and the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PIL import Image

from renderers import pieces
from renderers.events.sheet import (
    HEAD_HEIGHT,
    MARGIN,
    MAX_ENTRIES,
    WIDTH,
    BoxLine,
    BracketBox,
    EntryState,
    Section,
    event_sheet,
    paint_box,
    paint_lead_bar,
    tick,
    write_name,
)
from renderers.lettering import fitted, printable, text_mask, write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

_LINE_HEIGHT: Final = 46
_HEADING_HEIGHT: Final = 34
_BOX_SPACING: Final = 18
_SECTION_HEIGHT: Final = 48
_BOX_WIDTH: Final = (WIDTH - 2 * MARGIN - _BOX_SPACING) // 2
_LETTER_SIZE: Final = 27
_SMALL_LETTER_SIZE: Final = 22


def round_sheet(title: str, sections: Sequence[Section], *, note: str = "", theme: Theme = DAY) -> Picture:
    """Draw the games of a round.

    Args:
        title: the name of the event.
        sections: the games in groups; the heading of a section may be empty.
        note: the round, and the number of the picture if there are several.
        theme: the colours.

    Raises:
        ValueError: more than sixteen entries.
    """
    if sum(len(box.lines) for section in sections for box in section.boxes) > MAX_ENTRIES:
        raise ValueError(f"at most {MAX_ENTRIES} entries")
    height = HEAD_HEIGHT + sum(_section_height(section) for section in sections)
    image = event_sheet(title, note, height + 8, theme)
    top = HEAD_HEIGHT
    for section in sections:
        if section.heading:
            word = fitted(printable(section.heading), _LETTER_SIZE, WIDTH - 2 * MARGIN)
            write(image, word, (MARGIN, top + _SECTION_HEIGHT // 2 - 2), _LETTER_SIZE, theme.text, anchor=(0.0, 0.5))
        start = top + (_SECTION_HEIGHT if section.heading else 0)
        for left, upper, box in _box_places(section, start):
            _paint_box(image, left, upper, box, theme)
        top += _section_height(section)
    return encode_png(image, theme, "round")


def _rows(section: Section) -> list[tuple[BracketBox, ...]]:
    return [section.boxes[start : start + 2] for start in range(0, len(section.boxes), 2)]


def _box_height(box: BracketBox) -> int:
    return (_HEADING_HEIGHT if box.heading else 0) + len(box.lines) * _LINE_HEIGHT


def _section_height(section: Section) -> int:
    rows = sum(max(map(_box_height, row)) + _BOX_SPACING for row in _rows(section))
    return rows + (_SECTION_HEIGHT if section.heading else 0)


def _box_places(section: Section, top: int) -> Iterator[tuple[int, int, BracketBox]]:
    """Yield each box with its upper left corner."""
    for row in _rows(section):
        for column, box in enumerate(row):
            yield MARGIN + column * (_BOX_WIDTH + _BOX_SPACING), top, box
        top += max(map(_box_height, row)) + _BOX_SPACING


def _paint_box(image: Image.Image, left: int, top: int, box: BracketBox, theme: Theme) -> None:
    if box.heading:
        word = fitted(printable(box.heading), _SMALL_LETTER_SIZE, _BOX_WIDTH)
        write(
            image, word, (left, top + _HEADING_HEIGHT // 2 - 2), _SMALL_LETTER_SIZE, theme.muted_text, anchor=(0.0, 0.5)
        )
        top += _HEADING_HEIGHT
    paint_box(image, (left, top, left + _BOX_WIDTH, top + len(box.lines) * _LINE_HEIGHT), theme)
    for number, line in enumerate(box.lines):
        _paint_line(image, left, top + number * _LINE_HEIGHT, line, theme)


def _paint_line(image: Image.Image, left: int, top: int, line: BoxLine, theme: Theme) -> None:
    bottom, middle = top + _LINE_HEIGHT, top + _LINE_HEIGHT // 2
    start, edge = left + 16, left + _BOX_WIDTH - 12
    if line.seat >= 0:
        mark = pieces.shape_sprite(theme, line.seat, 38)
        image.paste(mark, (left + 12, middle - 19), mark)
        start += 42
    if line.value:
        value = printable(line.value)
        write(image, value, (edge, middle), _LETTER_SIZE, theme.text, anchor=(1.0, 0.5))
        edge -= text_mask(value, _LETTER_SIZE).width + 8
    if line.sort is EntryState.THROUGH:
        paint_lead_bar(image, left, top, bottom, theme)
        sprite = tick(theme, 24)
        image.paste(sprite, (edge - 24, middle - 12), sprite)
        edge -= 30
    write_name(image, line.name, (start, top, edge, bottom), _LETTER_SIZE, line.sort, theme)
