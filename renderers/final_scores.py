"""Draw the final scores of any game: as bars, and as a score sheet, a table for the records of a tournament.

Sizes are in pixels. Type is large enough for a phone, which shows a picture 340 CSS pixels wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from renderers import pieces
from renderers.lettering import fitted, printable, signed, text_width, wrapped, write, write_left, write_right
from renderers.png import encode_png
from renderers.theme import DAY, Colour, Theme
from renderers.values import Picture

_WIDTH: Final = 1000
"""The width of both pictures."""
_SMALL_TYPE: Final = 33
"""The smallest size of type: 11 CSS pixels on a phone."""
_NAME_TYPE: Final = 36
"""The size of names."""
_TOTAL_TYPE: Final = 48
"""The size of totals and of the title."""
_ROW_HEIGHT: Final = 96
"""The height of one player's row."""
_NAME_WIDTH: Final = 330
"""The space for a name, left of the bars."""
_TOTAL_WIDTH: Final = 136
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
        write_right(image, signed(sum(row.values())), (_WIDTH - 24, y + _ROW_HEIGHT / 2), _TOTAL_TYPE, theme.text)
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
    widest = max((text_width(printable(word), _SMALL_TYPE) for word in categories), default=0)
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
            word_fitted = fitted(printable(word), _SMALL_TYPE, column_width - 60)
            write_left(image, word_fitted, (x + 48, y), _SMALL_TYPE, theme.text)


def _paint_name(image: Image.Image, y: int, seat: int, name: str, theme: Theme) -> None:
    """Paint the mark and the name of a player."""
    mark = pieces.shape_sprite(theme, seat, 60)
    image.paste(mark, (16, y + (_ROW_HEIGHT - 60) // 2), mark)
    text = fitted(printable(name), _NAME_TYPE, _NAME_WIDTH - 110)
    write_left(image, text, (88, y + _ROW_HEIGHT / 2), _NAME_TYPE, theme.text)


def _paint_bar(image: Image.Image, y: int, points: Sequence[tuple[int, _Fill]], scale: _Scale, theme: Theme) -> None:
    """Paint gains to the right of zero and losses to the left, each with its number where a phone shows it legibly."""
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
        if right - left >= text_width(signed(value), _SMALL_TYPE) + 4:
            _paint_number(image, signed(value), area, fill, theme)


def _paint_number(image: Image.Image, number: str, area: tuple[int, int, int, int], fill: _Fill, theme: Theme) -> None:
    """Paint a number in the middle of its part of a bar, on a plain ground between the stripes."""
    left, upper, right, lower = area
    x, y = (left + right + 1) / 2, (upper + lower) // 2
    if fill.striped:
        half = text_width(number, _SMALL_TYPE) // 2 + 4
        image.paste(fill.colour, (max(left, round(x) - half), y - 22, min(right, round(x) + half), y + 22))
    write(image, number, (x, y), _SMALL_TYPE, theme.ink)


_MARGIN: Final = 32
"""The margin of the score sheet."""
_LINE_HEIGHT: Final = 76
"""The height of one player's line."""
_CATEGORY_HEIGHT: Final = 58
"""The height of the line of one category."""
_HEADING_HEIGHT: Final = 64
"""The height of headings, and of the marks above the columns."""
_NOTE_HEIGHT: Final = 46
"""The height of one line of the notes at the foot."""
_COLUMN_WIDTH: Final = 82
"""The least width of a player's column: that of three digits."""
_MARK_SIZE: Final = 52
"""The width of a player's mark."""


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
    """Draw the players with their totals, and below them a table of points: a row a category, a column a player.

    Args:
        title: the name of the game and its code.
        columns: the words above the players' names, of each category, and above the totals.
        lines: the players in the order of their places.
        notes: facts about the game, one line each: edition of the rules, dates, the seed.
        theme: the colours.

    Raises:
        ValueError: a line has more or fewer categories than the columns.
    """
    player, *categories, total = columns
    if any(len(line.points) != len(categories) for line in lines):
        raise ValueError(f"each line needs the points of {len(categories)} categories")
    notes = [part for note in notes for part in wrapped(printable(note), _SMALL_TYPE, _WIDTH - 2 * _MARGIN)]
    headings = _MARGIN + 80
    players = headings + _HEADING_HEIGHT
    marks = players + len(lines) * _LINE_HEIGHT
    rows = marks + _HEADING_HEIGHT
    foot = rows + len(categories) * _CATEGORY_HEIGHT
    image = Image.new("RGB", (_WIDTH, foot + 24 + len(notes) * _NOTE_HEIGHT + _MARGIN), theme.panel)
    heading = fitted(printable(title), _TOTAL_TYPE, _WIDTH - 2 * _MARGIN)
    write_left(image, heading, (_MARGIN, _MARGIN + 24), _TOTAL_TYPE, theme.text)
    middle, right = headings + _HEADING_HEIGHT / 2, _WIDTH - _MARGIN - 12
    write_left(image, printable(player), (_MARGIN + 20, middle), _SMALL_TYPE, theme.muted_text)
    write_right(image, printable(total), (right, middle), _SMALL_TYPE, theme.muted_text)
    for number, line in enumerate(lines):
        _paint_player(image, players + number * _LINE_HEIGHT, line, theme, banded=number % 2 == 0)
    label_width = _label_width(categories, len(lines))
    middles = _paint_column_marks(image, marks, label_width, lines, theme)
    for number, category in enumerate(categories):
        points = [line.points[number] for line in lines]
        top = rows + number * _CATEGORY_HEIGHT
        label = fitted(printable(category), _SMALL_TYPE, label_width - 40)
        _paint_category(image, top, label, zip(points, middles, strict=True), theme, banded=number % 2 == 0)
    for y in (players, rows, foot):
        ImageDraw.Draw(image).line((_MARGIN, y - 2, _WIDTH - _MARGIN, y - 2), fill=theme.muted_text, width=2)
    for number, note in enumerate(notes):
        at = (_MARGIN, foot + 24 + (number + 0.5) * _NOTE_HEIGHT)
        write_left(image, note, at, _SMALL_TYPE, theme.muted_text)
    return encode_png(image, theme, "sheet")


def _paint_player(image: Image.Image, top: int, line: SheetLine, theme: Theme, *, banded: bool) -> None:
    """Paint the place, the mark, the name and the total of one player."""
    middle = top + _LINE_HEIGHT / 2
    if banded:
        image.paste(theme.table, (_MARGIN, top, _WIDTH - _MARGIN, top + _LINE_HEIGHT))
    if line.first:
        image.paste(theme.highlight, (_MARGIN, top, _MARGIN + 8, top + _LINE_HEIGHT))
    write(image, line.place, (_MARGIN + 44, middle), _NAME_TYPE, theme.highlight if line.first else theme.text)
    mark = pieces.shape_sprite(theme, line.seat, _MARK_SIZE)
    image.paste(mark, (_MARGIN + 76, top + (_LINE_HEIGHT - _MARK_SIZE) // 2), mark)
    name = fitted(printable(line.name), _NAME_TYPE, _WIDTH - 2 * _MARGIN - 144 - _TOTAL_WIDTH)
    write_left(image, name, (_MARGIN + 144, middle), _NAME_TYPE, theme.text)
    write_right(image, signed(line.total), (_WIDTH - _MARGIN - 12, middle), _TOTAL_TYPE, theme.text)


def _label_width(categories: Sequence[str], players: int) -> int:
    """Return the width of the names of categories: that of the widest, as far as the columns leave room."""
    widest = max((text_width(printable(word), _SMALL_TYPE) for word in categories), default=0)
    return min(widest + 40, _WIDTH - 2 * _MARGIN - players * _COLUMN_WIDTH)


def _paint_column_marks(
    image: Image.Image, top: int, label_width: int, lines: Sequence[SheetLine], theme: Theme
) -> list[float]:
    """Paint the mark of each player above their column, and return the middles of the columns."""
    left = _MARGIN + label_width
    spacing = (_WIDTH - _MARGIN - left) / max(len(lines), 1)
    middles = [left + (number + 0.5) * spacing for number in range(len(lines))]
    for line, middle in zip(lines, middles, strict=True):
        mark = pieces.shape_sprite(theme, line.seat, _MARK_SIZE)
        image.paste(mark, (round(middle) - _MARK_SIZE // 2, top + (_HEADING_HEIGHT - _MARK_SIZE) // 2), mark)
    return middles


def _paint_category(
    image: Image.Image, top: int, label: str, points: Iterable[tuple[int, float]], theme: Theme, *, banded: bool
) -> None:
    """Paint the name of a category, and each player's points at the middle of their column."""
    middle = top + _CATEGORY_HEIGHT / 2
    if banded:
        image.paste(theme.table, (_MARGIN, top, _WIDTH - _MARGIN, top + _CATEGORY_HEIGHT))
    write_left(image, label, (_MARGIN + 20, middle), _SMALL_TYPE, theme.text)
    for value, x in points:
        write(image, signed(value), (x, middle), _NAME_TYPE, theme.text if value else theme.muted_text)
