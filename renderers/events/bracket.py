"""A bracket: from at most sixteen entries to the winner, four rounds in a picture."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from renderers.events.sheet import (
    HEAD_HEIGHT,
    MARGIN,
    MAX_ENTRIES,
    WIDTH,
    BracketSide,
    EntryState,
    Pairing,
    Rectangle,
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

_SIDE_HEIGHT: Final = 42
"""The height of one side of a match."""
_MATCH_SPACING: Final = 22
"""Space between two matches of the first column."""
_HEADING_HEIGHT: Final = 44
_COLUMN_SPACING: Final = 22
"""Space between two columns."""
_LETTER_SIZE: Final = 24
_SMALL_LETTER_SIZE: Final = 22
_MIN_LETTER_SIZE: Final = 18
_LINE_HEIGHT: Final = 28
"""Distance between the two lines of a name."""
_MIN_FIRST_WIDTH: Final = 236
"""Minimum width of the first column, which has all names; later columns are traced back by the lines."""


def bracket(
    title: str, headings: Sequence[str], rounds: Sequence[Sequence[Pairing]], *, note: str = "", theme: Theme = DAY
) -> Picture:
    """Draw the matches of up to four rounds, each with half as many as the one before.

    Args:
        title: the name of the event.
        headings: the name of each round.
        rounds: the matches from top to bottom; a side without a name is not known yet.
        note: the part of the bracket.
        theme: the colours.

    Raises:
        ValueError: more than eight matches in the first round, or a round without half as many as the one before.
    """
    counts = [len(matches) for matches in rounds]
    if not counts or 2 * counts[0] > MAX_ENTRIES or any(2 * more != less for less, more in pairwise(counts)):
        raise ValueError(f"at most {MAX_ENTRIES // 2} matches, and half as many in each further round")
    step = 2 * _side_height(rounds[0], 0, len(rounds)) + _MATCH_SPACING
    top = HEAD_HEIGHT + _HEADING_HEIGHT
    image = event_sheet(title, note, top + counts[0] * step + 10, theme)
    for column, (heading, matches) in enumerate(zip(headings, rounds, strict=True)):
        left, width = _column(column, len(rounds))
        _paint_heading(image, heading, left, width + _COLUMN_SPACING - 6, theme)
        height = _side_height(matches, column, len(rounds))
        for number, match in enumerate(matches):
            middle = top + round((number + 0.5) * step * 2**column) - _MATCH_SPACING // 2
            area = (left, middle - height, left + width, middle + height)
            _paint_match(image, area, match, theme, wrapped=column > 0)
            if column:
                _draw_connection(image, left, middle, step * 2 ** (column - 1) // 2, theme)
    return encode_png(image, theme, "bracket")


def _column(number: int, count: int) -> tuple[int, int]:
    """Return the left edge and the width of a column."""
    room = WIDTH - 2 * MARGIN - (count - 1) * _COLUMN_SPACING
    first = max(_MIN_FIRST_WIDTH, room // count)
    if not number:
        return MARGIN, first
    width = (room - first) // (count - 1)
    return MARGIN + first + _COLUMN_SPACING + (number - 1) * (width + _COLUMN_SPACING), width


def _paint_heading(image: Image.Image, heading: str, left: int, width: int, theme: Theme) -> None:
    """Paint the name of a round, in smaller letters if it would not fit."""
    word, size = _fit_word(heading, width)
    write(image, word, (left, HEAD_HEIGHT + 14), size, theme.muted_text, anchor=(0.0, 0.5))


def _fit_word(word: str, width: int) -> tuple[str, int]:
    """Return a word cut to fit, and the largest small size at which it does."""
    word = printable(word)
    size = next(
        (each for each in range(_SMALL_LETTER_SIZE, _MIN_LETTER_SIZE, -1) if text_mask(word, each).width <= width),
        _MIN_LETTER_SIZE,
    )
    return fitted(word, size, width), size


def _side_height(matches: Sequence[Pairing], column: int, count: int) -> int:
    """Return the height of each side of a column; after the first one there is room for names in two lines."""
    width = _column(column, count)[1]
    lines = 1
    for side in (side for match in matches for side in (match.upper, match.lower)):
        lines = max(lines, len(_name_lines(side, width, wrapped=column > 0)) + bool(side.note))
    return _SIDE_HEIGHT + (lines - 1) * _LINE_HEIGHT - 6 * (lines > 1)


def _name_width(side: BracketSide, width: int) -> int:
    """Return the width left for a name beside the games or the tick."""
    beside = text_mask(printable(side.games), _LETTER_SIZE).width + 6 if side.games else 0
    return width - 14 - 8 - (beside or 26 * (side.sort is EntryState.THROUGH))


def _name_lines(side: BracketSide, width: int, *, wrapped: bool) -> list[str]:
    """Return a name in one or two lines, broken between words or else where the first line is full."""
    name, width = printable(side.name), _name_width(side, width)
    if not wrapped or text_mask(name, _LETTER_SIZE).width <= width:
        return [side.name or "\N{EN DASH}"]
    ends = range(1, len(name))
    most = max(1, bisect_left(ends, 1, key=lambda end: text_mask(name[:end], _LETTER_SIZE).width > width))
    gap = name.rfind(" ", 0, most + 1)
    first = gap if gap > 0 else most
    return [name[:first].strip(), name[first:].strip()]


def _paint_match(image: Image.Image, area: Rectangle, match: Pairing, theme: Theme, *, wrapped: bool) -> None:
    left, top, right, bottom = area
    middle = (top + bottom) // 2
    paint_box(image, area, theme)
    _paint_side(image, (left, top, right, middle), match.upper, theme, wrapped=wrapped)
    _paint_side(image, (left, middle, right, bottom), match.lower, theme, wrapped=wrapped)
    ImageDraw.Draw(image).line((left, middle, right - 1, middle), fill=theme.grid, width=2)


def _paint_side(image: Image.Image, area: Rectangle, side: BracketSide, theme: Theme, *, wrapped: bool) -> None:
    left, top, right, bottom = area
    middle = (top + bottom) // 2
    edge = right - 8
    if side.games:
        won = side.sort is EntryState.THROUGH
        games = printable(side.games)
        write(image, games, (edge, middle), _LETTER_SIZE, theme.text if won else theme.muted_text, anchor=(1.0, 0.5))
    if side.sort is EntryState.THROUGH:
        paint_lead_bar(image, left, top, bottom, theme)
    if side.sort is EntryState.THROUGH and not side.games:
        sprite = tick(theme, 22)
        image.paste(sprite, (edge - 22, middle - 11), sprite)
    lines = _name_lines(side, right - left, wrapped=wrapped)
    last = len(lines) - (not side.note)
    for number, line in enumerate(lines):
        shift = round((number - last / 2) * _LINE_HEIGHT)
        place = (left + 14, top + shift, left + 14 + _name_width(side, right - left), bottom + shift)
        write_name(image, line, place, _LETTER_SIZE, side.sort, theme)
    if side.note:
        note, size = _fit_word(side.note, edge - left - 14)
        below = middle + round(last / 2 * _LINE_HEIGHT) - 2
        write(image, note, (left + 14, below), size, theme.muted_text, anchor=(0.0, 0.5))


def _draw_connection(image: Image.Image, left: int, middle: int, reach: int, theme: Theme) -> None:
    """Draw the lines from two matches to the match of their winners."""
    draw, turn = ImageDraw.Draw(image), left - _COLUMN_SPACING // 2
    for source in (middle - reach, middle + reach):
        draw.line((left - _COLUMN_SPACING, source, turn, source), fill=theme.muted_text, width=3)
    draw.line((turn, middle - reach, turn, middle + reach), fill=theme.muted_text, width=3)
    draw.line((turn, middle, left, middle), fill=theme.muted_text, width=3)
