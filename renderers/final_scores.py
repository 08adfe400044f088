"""Draw the final scores of any game: as bars, and as a score sheet, a table for the records of a tournament.

Sizes are in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from renderers import pieces
from renderers.lettering import fitted, printable, signed, text_mask, wrapped, write, write_left, write_right
from renderers.png import encode_png
from renderers.theme import DAY, Colour, Theme
from renderers.values import Picture

_WIDTH: Final = 1200
"""The width of the picture of bars."""
_ROW_HEIGHT: Final = 96
"""The height of one player's row."""
_NAME_WIDTH: Final = 360
"""The space for a name, left of the bars."""
_TOTAL_WIDTH: Final = 130
"""The space for a total, right of the bars."""
_STRIPE_SPACING: Final = 12
"""The distance from one stripe of a bar to the next."""


def score_bars(
    names: Sequence[str], rows: Sequence[Mapping[str, int]], seats: Sequence[int] = (), *, theme: Theme = DAY
) -> Picture:
    """Draw the final scores as bars.

    Args:
        names: the players in the order of the bars.
        rows: the points of each player by category. The keys are the words of the legend, the same in all rows; the
            colour of a category depends only on its position among them.
        seats: the seat of each player, for the mark; by default 0, 1, 2 and so on.
        theme: the colours.
    """
    fills = _category_fills(rows, theme)
    legend = _legend_lines(list(fills))
    top = 24 + len(legend) * 56
    image = Image.new("RGB", (_WIDTH, top + len(names) * _ROW_HEIGHT + 16), theme.panel)
    _paint_legend(image, legend, fills, theme)
    scale = _Scale(rows)
    for index, (name, row) in enumerate(zip(names, rows, strict=True)):
        y = top + index * _ROW_HEIGHT
        seat = seats[index] if seats else index
        _paint_name(image, y, seat, name, theme)
        _paint_bar(image, y, [(row.get(key, 0), fill) for key, fill in fills.items()], scale, theme)
        write_right(image, signed(sum(row.values())), (_WIDTH - 24, y + _ROW_HEIGHT / 2), 48, theme.text)
    return encode_png(image, theme, "scores")


class _Fill(NamedTuple):
    """The colour of a category in the bars; ``striped`` if another category has the same colour without stripes."""

    colour: Colour
    striped: bool

    def paint(self, image: Image.Image, area: tuple[int, int, int, int], theme: Theme) -> None:
        """Fill an area: left, upper, right and lower edge, the last two exclusive."""
        image.paste(self.colour, area)
        if not self.striped:
            return
        left, upper, right, lower = area
        stripes = Image.new("L", (right - left, lower - upper))
        draw = ImageDraw.Draw(stripes)
        for start in range(-stripes.height, stripes.width, _STRIPE_SPACING):
            draw.line((start, stripes.height, start + stripes.height, 0), fill=255, width=_STRIPE_SPACING // 3)
        image.paste(theme.panel, area, stripes)


def _category_fills(rows: Sequence[Mapping[str, int]], theme: Theme) -> dict[str, _Fill]:
    """Return the fills of the categories with points; once all colours are used, they repeat with stripes."""
    colours = theme.categories
    return {
        key: _Fill(colours[index % len(colours)], striped=index >= len(colours))
        for index, key in enumerate(rows[0] if rows else ())
        if any(row.get(key, 0) for row in rows)
    }


class _Scale:
    """A scale from points to pixels, with room on the left for negative points."""

    def __init__(self, rows: Sequence[Mapping[str, int]]) -> None:
        highest = max((sum(value for value in row.values() if value > 0) for row in rows), default=0)
        lowest = min((sum(value for value in row.values() if value < 0) for row in rows), default=0)
        self.per_point = (_WIDTH - _NAME_WIDTH - _TOTAL_WIDTH) / max(highest - lowest, 1)
        self.zero = _NAME_WIDTH - lowest * self.per_point

    def __call__(self, points: int) -> int:
        return round(self.zero + points * self.per_point)


def _legend_lines(categories: Sequence[str]) -> list[list[str]]:
    """Return the words of the legend in lines of four, or of fewer if a word is long."""
    widest = max((text_mask(printable(word), 32).width for word in categories), default=0)
    columns = next((number for number in (4, 3, 2) if widest <= _legend_column_width(number) - 60), 1)
    return [list(categories[start : start + columns]) for start in range(0, len(categories), columns)]


def _legend_column_width(columns: int) -> int:
    """Return the width of one of several columns of the legend."""
    return (_WIDTH - 48) // columns


def _paint_legend(image: Image.Image, lines: list[list[str]], fills: Mapping[str, _Fill], theme: Theme) -> None:
    """Paint the name of each category beside a sample of its fill."""
    column_width = _legend_column_width(max(map(len, lines), default=1))
    for number, line in enumerate(lines):
        for column, word in enumerate(line):
            x, y = 24 + column * column_width, 36 + number * 56
            fills[word].paint(image, (x, y - 14, x + 36, y + 14), theme)
            write_left(image, fitted(printable(word), 32, column_width - 60), (x + 48, y), 32, theme.text)


def _paint_name(image: Image.Image, y: int, seat: int, name: str, theme: Theme) -> None:
    """Paint the mark and the name of a player."""
    mark = pieces.shape_sprite(theme, seat, 60)
    image.paste(mark, (16, y + (_ROW_HEIGHT - 60) // 2), mark)
    text = fitted(printable(name), 34, _NAME_WIDTH - 110)
    write_left(image, text, (88, y + _ROW_HEIGHT / 2), 34, theme.text)


def _paint_bar(image: Image.Image, y: int, points: Sequence[tuple[int, _Fill]], scale: _Scale, theme: Theme) -> None:
    """Paint gains to the right of zero and losses to the left, each with its number if that fits."""
    gains = losses = 0
    draw = ImageDraw.Draw(image)
    draw.line((scale(0) - 2, y, scale(0) - 2, y + _ROW_HEIGHT), fill=theme.muted_text, width=2)
    for value, fill in points:
        if not value:
            continue
        start = gains if value > 0 else losses
        left, right = sorted((scale(start), scale(start + value)))
        if value > 0:
            gains += value
        else:
            losses += value
        area = (left, y + 16, max(right - 1, left + 1), y + _ROW_HEIGHT - 15)
        fill.paint(image, area, theme)
        size = 32 if right - left >= 23 * len(signed(value)) + 4 else 22
        if right - left >= size * 0.7 * len(signed(value)):
            _paint_number(image, signed(value), area, size, fill, theme)


def _paint_number(
    image: Image.Image, number: str, area: tuple[int, int, int, int], size: int, fill: _Fill, theme: Theme
) -> None:
    """Paint a number in the middle of its part of a bar, on a plain ground between the stripes."""
    left, upper, right, lower = area
    x, y = (left + right + 1) / 2, (upper + lower) // 2
    if fill.striped:
        half = round(size * 0.35 * len(number)) + 4
        image.paste(fill.colour, (max(left, round(x) - half), y - 22, min(right, round(x) + half), y + 22))
    write(image, number, (x, y), size, theme.ink)


_MARGIN: Final = 40
"""The margin of the score sheet."""
_NAMES_WIDTH: Final = 400
"""The width of the column with places, marks and names."""
_MIN_COLUMN_WIDTH: Final = 116
"""The minimum width of a column of numbers."""
_LINE_HEIGHT: Final = 88
"""The height of one player's line."""
_HEADING_HEIGHT: Final = 70
"""The height of the headings of the columns."""
_NOTE_HEIGHT: Final = 42
"""The height of one line of the notes at the foot."""
_HEADING_SIZE: Final = 28
"""The size of the type of headings."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One player of a finished game, with the points of each category in the order of the columns."""

    seat: int
    name: str
    place: str
    points: tuple[int, ...]
    total: int
    first: bool = False
    """True if the player has won, alone or with others."""


def score_sheet(
    title: str, columns: Sequence[str], lines: Sequence[SheetLine], notes: Sequence[str] = (), *, theme: Theme = DAY
) -> Picture:
    """Draw a table of points by player and category.

    Args:
        title: the name of the game and its code.
        columns: the headings: above the players' names, of each category, and of the total.
        lines: the players in the order of their places.
        notes: facts about the game, one line each: edition of the rules, dates, the seed.
        theme: the colours.

    Raises:
        ValueError: a line has more or fewer categories than the columns.
    """
    if any(len(line.points) != len(columns) - 2 for line in lines):
        raise ValueError(f"each line needs the points of {len(columns) - 2} categories")
    widths = [max(text_mask(printable(word), _HEADING_SIZE).width + 32, _MIN_COLUMN_WIDTH) for word in columns[1:]]
    rights = [_MARGIN + _NAMES_WIDTH + sum(widths[: number + 1]) - 12 for number in range(len(widths))]
    width = rights[-1] + 12 + _MARGIN
    top = _MARGIN + 80
    notes = [line for note in notes for line in wrapped(printable(note), 26, width - 2 * _MARGIN)]
    height = top + _HEADING_HEIGHT + len(lines) * _LINE_HEIGHT + 30 + len(notes) * _NOTE_HEIGHT + _MARGIN
    image = Image.new("RGB", (width, height), theme.panel)
    write_left(image, fitted(printable(title), 48, width - 2 * _MARGIN), (_MARGIN, _MARGIN + 24), 48, theme.text)
    _paint_headings(image, top, columns, rights, theme)
    for number, line in enumerate(lines):
        _paint_line(image, top + _HEADING_HEIGHT + number * _LINE_HEIGHT, line, rights, theme, banded=number % 2 == 0)
    foot = top + _HEADING_HEIGHT + len(lines) * _LINE_HEIGHT
    ImageDraw.Draw(image).line((_MARGIN, foot, width - _MARGIN, foot), fill=theme.muted_text, width=2)
    for number, note in enumerate(notes):
        write_left(image, note, (_MARGIN, foot + 46 + number * _NOTE_HEIGHT), 26, theme.muted_text)
    return encode_png(image, theme, "sheet")


def _paint_headings(image: Image.Image, top: int, columns: Sequence[str], rights: Sequence[int], theme: Theme) -> None:
    """Paint the headings of the columns, and a line below them."""
    middle = top + _HEADING_HEIGHT / 2
    write_left(image, printable(columns[0]), (_MARGIN + 20, middle), _HEADING_SIZE, theme.muted_text)
    for word, right in zip(columns[1:], rights, strict=True):
        write_right(image, printable(word), (right, middle), _HEADING_SIZE, theme.muted_text)
    line_top = top + _HEADING_HEIGHT - 2
    ImageDraw.Draw(image).line((_MARGIN, line_top, image.width - _MARGIN, line_top), fill=theme.muted_text, width=2)


def _paint_line(
    image: Image.Image, top: int, line: SheetLine, rights: Sequence[int], theme: Theme, *, banded: bool
) -> None:
    """Paint the line of one player."""
    middle = top + _LINE_HEIGHT / 2
    if banded:
        image.paste(theme.table, (_MARGIN, top, image.width - _MARGIN, top + _LINE_HEIGHT))
    if line.first:
        image.paste(theme.highlight, (_MARGIN, top, _MARGIN + 8, top + _LINE_HEIGHT))
    write(image, line.place, (_MARGIN + 44, middle), 36, theme.highlight if line.first else theme.text)
    mark = pieces.shape_sprite(theme, line.seat, 56)
    image.paste(mark, (_MARGIN + 76, top + (_LINE_HEIGHT - 56) // 2), mark)
    name = fitted(printable(line.name), 36, _NAMES_WIDTH - 160)
    write_left(image, name, (_MARGIN + 144, middle), 36, theme.text)
    figures = (*line.points, line.total)
    for value, right in zip(figures, rights, strict=True):
        is_total = right == rights[-1]
        colour = theme.text if value or is_total else theme.muted_text
        write_right(image, signed(value), (right, middle), 48 if is_total else 38, colour)
