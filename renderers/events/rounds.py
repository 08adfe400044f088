"""The games of a round in boxes, two beside each other: who plays whom in which seat, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PIL import Image

from renderers import pieces
from renderers.events.sheet import (
    EDGE,
    HEAD,
    MOST,
    WIDTH,
    BoxLine,
    BracketBox,
    Section,
    Sort,
    boxed,
    lead_bar,
    name_line,
    sheet,
    tick,
)
from renderers.lettering import fitted, printable, text_mask, write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

_LINE: Final = 46
_HEADING: Final = 34
_APART: Final = 18
_SECTION: Final = 48
_ACROSS: Final = (WIDTH - 2 * EDGE - _APART) // 2
_LETTERS: Final = 27
_SMALL: Final = 22


def round_sheet(title: str, sections: Sequence[Section], *, note: str = "", theme: Theme = DAY) -> Picture:
    """The games of a round.

    Args:
        title: the name of the event.
        sections: the games, by what they have in common; a section without a heading has none.
        note: which round, and which of several pictures.
        theme: the colours.

    Raises:
        ValueError: more than sixteen entries.
    """
    if sum(len(box.lines) for section in sections for box in section.boxes) > MOST:
        raise ValueError(f"at most {MOST} entries")
    height = HEAD + sum(_height(section) for section in sections)
    image = sheet(title, note, height + 8, theme)
    top = HEAD
    for section in sections:
        if section.heading:
            word = fitted(printable(section.heading), _LETTERS, WIDTH - 2 * EDGE)
            write(image, word, (EDGE, top + _SECTION // 2 - 2), _LETTERS, theme.text, anchor=(0.0, 0.5))
        start = top + (_SECTION if section.heading else 0)
        for left, upper, box in _places(section, start):
            _paint(image, left, upper, box, theme)
        top += _height(section)
    return encode_png(image, theme, "round")


def _rows(section: Section) -> list[tuple[BracketBox, ...]]:
    return [section.boxes[start : start + 2] for start in range(0, len(section.boxes), 2)]


def _tall(box: BracketBox) -> int:
    return (_HEADING if box.heading else 0) + len(box.lines) * _LINE


def _height(section: Section) -> int:
    rows = sum(max(map(_tall, row)) + _APART for row in _rows(section))
    return rows + (_SECTION if section.heading else 0)


def _places(section: Section, top: int) -> Iterator[tuple[int, int, BracketBox]]:
    """Each box with its upper left."""
    for row in _rows(section):
        for column, box in enumerate(row):
            yield EDGE + column * (_ACROSS + _APART), top, box
        top += max(map(_tall, row)) + _APART


def _paint(image: Image.Image, left: int, top: int, box: BracketBox, theme: Theme) -> None:
    if box.heading:
        word = fitted(printable(box.heading), _SMALL, _ACROSS)
        write(image, word, (left, top + _HEADING // 2 - 2), _SMALL, theme.muted_text, anchor=(0.0, 0.5))
        top += _HEADING
    boxed(image, (left, top, left + _ACROSS, top + len(box.lines) * _LINE), theme)
    for number, line in enumerate(box.lines):
        _paint_line(image, left, top + number * _LINE, line, theme)


def _paint_line(image: Image.Image, left: int, top: int, line: BoxLine, theme: Theme) -> None:
    bottom, middle = top + _LINE, top + _LINE // 2
    start, edge = left + 16, left + _ACROSS - 12
    if line.seat >= 0:
        mark = pieces.shape_sprite(theme, line.seat, 38)
        image.paste(mark, (left + 12, middle - 19), mark)
        start += 42
    if line.value:
        value = printable(line.value)
        write(image, value, (edge, middle), _LETTERS, theme.text, anchor=(1.0, 0.5))
        edge -= text_mask(value, _LETTERS).width + 8
    if line.sort is Sort.THROUGH:
        lead_bar(image, left, top, bottom, theme)
        sprite = tick(theme, 24)
        image.paste(sprite, (edge - 24, middle - 12), sprite)
        edge -= 30
    name_line(image, line.name, (start, top, edge, bottom), _LETTERS, line.sort, theme)
