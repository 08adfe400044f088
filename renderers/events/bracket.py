"""A bracket: from sixteen entries at most to the one who is left, four rounds in a picture."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from renderers.events.sheet import (
    EDGE,
    HEAD,
    MOST,
    WIDTH,
    BracketSide,
    Pairing,
    Rectangle,
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

_SIDE: Final = 42
"""The height of one side of a match."""
_APART: Final = 22
"""Between two matches of the first column."""
_COLUMNS: Final = 44
_BETWEEN: Final = 22
"""Between two columns."""
_LETTERS: Final = 24
_SMALL: Final = 22
_SMALLEST: Final = 18
_LINE: Final = 28
"""From one line of a name to the next."""
_FIRST: Final = 236
"""The width of a first column at least: all names stand there, and are found by the lines from then on."""


def bracket(
    title: str, headings: Sequence[str], rounds: Sequence[Sequence[Pairing]], *, note: str = "", theme: Theme = DAY
) -> Picture:
    """The matches of up to four rounds, each half as many as those before.

    Args:
        title: the name of the event.
        headings: what each round is called.
        rounds: the matches from above; a side without a name is not known yet.
        note: which part of the bracket this is.
        theme: the colours.

    Raises:
        ValueError: more than eight matches in the first round, or a round that has not half as many as that before.
    """
    counts = [len(matches) for matches in rounds]
    if not counts or 2 * counts[0] > MOST or any(2 * more != less for less, more in pairwise(counts)):
        raise ValueError(f"at most {MOST // 2} matches, and half as many in each further round")
    step = 2 * _side_height(rounds[0], 0, len(rounds)) + _APART
    top = HEAD + _COLUMNS
    image = sheet(title, note, top + counts[0] * step + 10, theme)
    for column, (heading, matches) in enumerate(zip(headings, rounds, strict=True)):
        left, width = _column(column, len(rounds))
        _paint_heading(image, heading, left, width + _BETWEEN - 6, theme)
        height = _side_height(matches, column, len(rounds))
        for number, match in enumerate(matches):
            middle = top + round((number + 0.5) * step * 2**column) - _APART // 2
            area = (left, middle - height, left + width, middle + height)
            _paint_match(image, area, match, theme, wrapped=column > 0)
            if column:
                _join(image, left, middle, step * 2 ** (column - 1) // 2, theme)
    return encode_png(image, theme, "bracket")


def _column(number: int, count: int) -> tuple[int, int]:
    """Where a column begins, and how wide it is."""
    room = WIDTH - 2 * EDGE - (count - 1) * _BETWEEN
    first = max(_FIRST, room // count)
    if not number:
        return EDGE, first
    width = (room - first) // (count - 1)
    return EDGE + first + _BETWEEN + (number - 1) * (width + _BETWEEN), width


def _paint_heading(image: Image.Image, heading: str, left: int, width: int, theme: Theme) -> None:
    """What a round is called, in smaller letters where it would not fit."""
    word, size = _fitting(heading, width)
    write(image, word, (left, HEAD + 14), size, theme.muted_text, anchor=(0.0, 0.5))


def _fitting(word: str, width: int) -> tuple[str, int]:
    """A word in small letters that fit, the smallest ones if need be, and their size."""
    word = printable(word)
    size = next((each for each in range(_SMALL, _SMALLEST, -1) if text_mask(word, each).width <= width), _SMALLEST)
    return fitted(word, size, width), size


def _side_height(matches: Sequence[Pairing], column: int, count: int) -> int:
    """The height of each side of a column. Beyond the first one there is room for names in two lines."""
    width = _column(column, count)[1]
    lines = 1
    for side in (side for match in matches for side in (match.upper, match.lower)):
        lines = max(lines, len(_name_lines(side, width, wrapped=column > 0)) + bool(side.note))
    return _SIDE + (lines - 1) * _LINE - 6 * (lines > 1)


def _name_width(side: BracketSide, width: int) -> int:
    """What is left for a name beside what else stands there."""
    beside = text_mask(printable(side.games), _LETTERS).width + 6 if side.games else 0
    return width - 14 - 8 - (beside or 26 * (side.sort is Sort.THROUGH))


def _name_lines(side: BracketSide, width: int, *, wrapped: bool) -> list[str]:
    """A name in as many lines as it takes, two at most: broken between words, else where the first line is full."""
    name, width = printable(side.name), _name_width(side, width)
    if not wrapped or text_mask(name, _LETTERS).width <= width:
        return [side.name or "\N{EN DASH}"]
    ends = range(1, len(name))
    most = max(1, bisect_left(ends, 1, key=lambda end: text_mask(name[:end], _LETTERS).width > width))
    gap = name.rfind(" ", 0, most + 1)
    first = gap if gap > 0 else most
    return [name[:first].strip(), name[first:].strip()]


def _paint_match(image: Image.Image, area: Rectangle, match: Pairing, theme: Theme, *, wrapped: bool) -> None:
    left, top, right, bottom = area
    middle = (top + bottom) // 2
    boxed(image, area, theme)
    _paint_side(image, (left, top, right, middle), match.upper, theme, wrapped=wrapped)
    _paint_side(image, (left, middle, right, bottom), match.lower, theme, wrapped=wrapped)
    ImageDraw.Draw(image).line((left, middle, right - 1, middle), fill=theme.grid, width=2)


def _paint_side(image: Image.Image, area: Rectangle, side: BracketSide, theme: Theme, *, wrapped: bool) -> None:
    left, top, right, bottom = area
    middle = (top + bottom) // 2
    edge = right - 8
    if side.games:
        won = side.sort is Sort.THROUGH
        games = printable(side.games)
        write(image, games, (edge, middle), _LETTERS, theme.text if won else theme.muted_text, anchor=(1.0, 0.5))
    if side.sort is Sort.THROUGH:
        lead_bar(image, left, top, bottom, theme)
    if side.sort is Sort.THROUGH and not side.games:
        sprite = tick(theme, 22)
        image.paste(sprite, (edge - 22, middle - 11), sprite)
    lines = _name_lines(side, right - left, wrapped=wrapped)
    last = len(lines) - (not side.note)
    for number, line in enumerate(lines):
        shift = round((number - last / 2) * _LINE)
        place = (left + 14, top + shift, left + 14 + _name_width(side, right - left), bottom + shift)
        name_line(image, line, place, _LETTERS, side.sort, theme)
    if side.note:
        note, size = _fitting(side.note, edge - left - 14)
        below = middle + round(last / 2 * _LINE) - 2
        write(image, note, (left + 14, below), size, theme.muted_text, anchor=(0.0, 0.5))


def _join(image: Image.Image, left: int, middle: int, reach: int, theme: Theme) -> None:
    """The lines from two matches to the one of their winners."""
    draw, turn = ImageDraw.Draw(image), left - _BETWEEN // 2
    for source in (middle - reach, middle + reach):
        draw.line((left - _BETWEEN, source, turn, source), fill=theme.muted_text, width=3)
    draw.line((turn, middle - reach, turn, middle + reach), fill=theme.muted_text, width=3)
    draw.line((turn, middle, left, middle), fill=theme.muted_text, width=3)
