"""Draw the pictures of events (tournaments): standings, the games of a round, brackets, and cross tables of groups.

An entry is a player or a team. Each kind of picture has a section below, with its sizes in pixels before its functions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from renderers import pieces
from renderers.events.sheet import (
    HEAD_HEIGHT,
    MARGIN,
    MAX_ENTRIES,
    WIDTH,
    BoxLine,
    BracketBox,
    BracketSide,
    CrossTable,
    EntryState,
    Pairing,
    Rank,
    Rectangle,
    Section,
    draw_rule,
    event_sheet,
    paint_box,
    paint_lead_bar,
    rising_triangle,
    tick,
    write_name,
)
from renderers.lettering import fitted, kept_suffix, largest_size, printable, text_width, write, write_left, write_right
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

_RANK_LINE_HEIGHT: Final = 58
"""Height of the line of one entry."""
_RANK_HEADING_HEIGHT: Final = 52
"""Height of the names of the columns."""
_PLACE_WIDTH: Final = 76
"""Width of the number of the place."""
_RANK_LETTER_SIZE: Final = 30
"""Size of names and values."""
_HEADING_SIZE: Final = 24
"""Size of the names of the columns."""
_COLUMN_GAP: Final = 26
"""Space between two columns of values."""
_RANK_ARROW_WIDTH: Final = 26
"""Width of the column for the triangle of an entry that advances."""
_MIN_NAME_WIDTH: Final = 230
"""Minimum width of a name."""


def standings_table(
    title: str, columns: Sequence[str], ranks: Sequence[Rank], *, note: str = "", foot: str = "", theme: Theme = DAY
) -> Picture:
    """Draw a table of places.

    Args:
        title: the name of the event.
        columns: the names of the values, the most important first; columns that do not fit are left out.
        ranks: at most sixteen entries, best first.
        note: the round, and the number of the picture if there are several.
        foot: one line below the table that explains its signs.
        theme: the colours.

    Raises:
        ValueError: more than sixteen entries, or one with more or fewer values than there are columns.
    """
    if len(ranks) > MAX_ENTRIES or any(len(rank.values) != len(columns) for rank in ranks):
        raise ValueError(f"at most {MAX_ENTRIES} entries with {len(columns)} values each")
    rights = _column_right_edges(columns, ranks)
    top = HEAD_HEIGHT + (_RANK_HEADING_HEIGHT if columns else 0)
    headed, names = sum(bool(rank.heading) for rank in ranks), [rank.name for rank in ranks]
    end = top + len(ranks) * _RANK_LINE_HEIGHT + headed * _SECTION_HEIGHT
    image = event_sheet(title, note, end + (46 if foot else 12), theme)
    middle = HEAD_HEIGHT + _RANK_HEADING_HEIGHT / 2 - 4
    for word, right in zip(columns, rights, strict=False):
        heading = fitted(printable(word), _HEADING_SIZE, 150)
        write_right(image, heading, (right, middle), _HEADING_SIZE, theme.muted_text)
    for number, rank in enumerate(ranks):
        if rank.heading:
            word = fitted(printable(rank.heading), _BOX_LETTER_SIZE, WIDTH - 2 * MARGIN)
            write_left(image, word, (MARGIN, top + _SECTION_HEIGHT // 2), _BOX_LETTER_SIZE, theme.text)
            top += _SECTION_HEIGHT
        _paint_rank(image, top, rank, rights, theme, names, banded=number % 2 == 0)
        top += _RANK_LINE_HEIGHT
    draw_rule(image, MARGIN, end, WIDTH - MARGIN, theme.muted_text)
    write_left(image, fitted(printable(foot), 22, WIDTH - 2 * MARGIN), (MARGIN, end + 24), 22, theme.muted_text)
    return encode_png(image, theme, "standings")


def _column_right_edges(columns: Sequence[str], ranks: Sequence[Rank]) -> list[int]:
    """Return the right edges of the columns; the last columns are left out if names would have too little room."""
    widths: list[int] = []
    for number, word in enumerate(columns):
        heading = min(text_width(printable(word), _HEADING_SIZE), 150)
        values = (text_width(printable(rank.values[number]), _RANK_LETTER_SIZE) for rank in ranks)
        widths.append(max(heading, *values, 48) + _COLUMN_GAP)
    while len(widths) > 1 and WIDTH - 2 * MARGIN - _PLACE_WIDTH - _RANK_ARROW_WIDTH - sum(widths) < _MIN_NAME_WIDTH:
        widths.pop()
    right = WIDTH - MARGIN - 10
    return [right - sum(widths[number + 1 :]) for number in range(len(widths))]


def _paint_rank(
    image: Image.Image, top: int, rank: Rank, rights: Sequence[int], theme: Theme, names: Sequence[str], *, banded: bool
) -> None:
    """Paint the line of one entry; ``names``, here and below, are those of all entries of the picture."""
    bottom, middle = top + _RANK_LINE_HEIGHT, top + _RANK_LINE_HEIGHT // 2
    if banded:
        image.paste(theme.table, (MARGIN, top, WIDTH - MARGIN, bottom))
    if rank.first:
        paint_lead_bar(image, MARGIN, top, bottom, theme)
    colour = theme.highlight if rank.first else theme.text
    write(image, printable(rank.place), (MARGIN + 44, middle), _RANK_LETTER_SIZE, colour)
    if rank.state is EntryState.THROUGH:
        sprite = rising_triangle(theme, _RANK_ARROW_WIDTH - 4)
        image.paste(sprite, (MARGIN + _PLACE_WIDTH + 2, middle - sprite.height // 2), sprite)
    values_left = min((_value_left(rank, number, right) for number, right in enumerate(rights)), default=WIDTH - MARGIN)
    start = MARGIN + _PLACE_WIDTH + _RANK_ARROW_WIDTH + 6
    write_name(image, rank.name, (start, top, values_left - 14, bottom), _RANK_LETTER_SIZE, rank.state, theme, names)
    for number, right in enumerate(rights):
        value = printable(rank.values[number])
        shade = theme.text if number == 0 and rank.state is not EntryState.LEFT else theme.muted_text
        write_right(image, value, (right, middle), _RANK_LETTER_SIZE if number == 0 else 26, shade)


def _value_left(rank: Rank, number: int, right: int) -> int:
    """Return the left edge of a value that ends at ``right``."""
    return right - text_width(printable(rank.values[number]), _RANK_LETTER_SIZE)


_BOX_LINE_HEIGHT: Final = 46
"""Height of the line of one entry in the box of a game."""
_BOX_HEADING_HEIGHT: Final = 34
"""Height of the heading above a box."""
_BOX_SPACING: Final = 18
"""Space between two boxes, and below a row of boxes."""
_SECTION_HEIGHT: Final = 48
"""Height of the heading of a section."""
_BOX_WIDTH: Final = (WIDTH - 2 * MARGIN - _BOX_SPACING) // 2
"""Width of a box; two stand beside each other."""
_BOX_LETTER_SIZE: Final = 27
"""Size of names, values and the headings of sections."""
_BOX_SMALL_LETTER_SIZE: Final = 22
"""Size of the headings of boxes."""


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
    top, names = HEAD_HEIGHT, [line.name for section in sections for box in section.boxes for line in box.lines]
    for section in sections:
        if section.heading:
            word = fitted(printable(section.heading), _BOX_LETTER_SIZE, WIDTH - 2 * MARGIN)
            write_left(image, word, (MARGIN, top + _SECTION_HEIGHT // 2 - 2), _BOX_LETTER_SIZE, theme.text)
        start = top + (_SECTION_HEIGHT if section.heading else 0)
        for left, upper, box in _box_places(section, start):
            _paint_box(image, left, upper, box, theme, names)
        top += _section_height(section)
    return encode_png(image, theme, "round")


def _rows(section: Section) -> list[tuple[BracketBox, ...]]:
    """Return the boxes of a section in rows of two."""
    return [section.boxes[start : start + 2] for start in range(0, len(section.boxes), 2)]


def _box_height(box: BracketBox) -> int:
    """Return the height of the box of a game."""
    return (_BOX_HEADING_HEIGHT if box.heading else 0) + len(box.lines) * _BOX_LINE_HEIGHT


def _section_height(section: Section) -> int:
    """Return the height of a section with its heading."""
    rows = sum(max(map(_box_height, row)) + _BOX_SPACING for row in _rows(section))
    return rows + (_SECTION_HEIGHT if section.heading else 0)


def _box_places(section: Section, top: int) -> Iterator[tuple[int, int, BracketBox]]:
    """Yield each box with its upper left corner."""
    for row in _rows(section):
        for column, box in enumerate(row):
            yield MARGIN + column * (_BOX_WIDTH + _BOX_SPACING), top, box
        top += max(map(_box_height, row)) + _BOX_SPACING


def _paint_box(image: Image.Image, left: int, top: int, box: BracketBox, theme: Theme, names: Sequence[str]) -> None:
    """Paint the box of one game with its heading."""
    if box.heading:
        word = fitted(printable(box.heading), _BOX_SMALL_LETTER_SIZE, _BOX_WIDTH)
        write_left(image, word, (left, top + _BOX_HEADING_HEIGHT // 2 - 2), _BOX_SMALL_LETTER_SIZE, theme.muted_text)
        top += _BOX_HEADING_HEIGHT
    paint_box(image, (left, top, left + _BOX_WIDTH, top + len(box.lines) * _BOX_LINE_HEIGHT), theme)
    for number, line in enumerate(box.lines):
        _paint_line(image, left, top + number * _BOX_LINE_HEIGHT, line, theme, names)


def _paint_line(image: Image.Image, left: int, top: int, line: BoxLine, theme: Theme, names: Sequence[str]) -> None:
    """Paint one entry in the box of a game."""
    bottom, middle = top + _BOX_LINE_HEIGHT, top + _BOX_LINE_HEIGHT // 2
    start, edge = left + 16, left + _BOX_WIDTH - 12
    if line.seat >= 0:
        mark = pieces.shape_sprite(theme, line.seat, 38)
        image.paste(mark, (left + 12, middle - 19), mark)
        start += 42
    if line.value:
        value = printable(line.value)
        write_right(image, value, (edge, middle), _BOX_LETTER_SIZE, theme.text)
        edge -= text_width(value, _BOX_LETTER_SIZE) + 8
    if line.state is EntryState.THROUGH:
        paint_lead_bar(image, left, top, bottom, theme)
        sprite = tick(theme, 24)
        image.paste(sprite, (edge - 24, middle - 12), sprite)
        edge -= 30
    write_name(image, line.name, (start, top, edge, bottom), _BOX_LETTER_SIZE, line.state, theme, names)


_SIDE_HEIGHT: Final = 42
"""The height of one side of a match."""
_MATCH_SPACING: Final = 22
"""Space between two matches of the first column."""
_MATCH_HEADING_HEIGHT: Final = 44
"""Height of the names of the columns above a bracket."""
_COLUMN_SPACING: Final = 22
"""Space between two columns."""
_HEADING_SPACING: Final = 12
"""The least space between the names of two rounds."""
_MATCH_LETTER_SIZE: Final = 24
"""Size of names and values."""
_MATCH_SMALL_LETTER_SIZE: Final = 22
"""The largest size of the names of rounds and of notes."""
_MIN_LETTER_SIZE: Final = 18
"""The smallest size of letters; what is still too long is cut."""
_MATCH_LINE_HEIGHT: Final = 28
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
    halved = all(2 * next_count == count for count, next_count in pairwise(counts))
    if not counts or 2 * counts[0] > MAX_ENTRIES or not halved:
        raise ValueError(f"at most {MAX_ENTRIES // 2} matches, and half as many in each further round")
    step = 2 * _side_height(rounds[0], 0, len(rounds)) + _MATCH_SPACING
    top = HEAD_HEIGHT + _MATCH_HEADING_HEIGHT
    image = event_sheet(title, note, top + counts[0] * step + 10, theme)
    names = [side.name for matches in rounds for match in matches for side in (match.upper, match.lower)]
    for column, (heading, matches) in enumerate(zip(headings, rounds, strict=True)):
        left, width = _column(column, len(rounds))
        _paint_heading(image, heading, left, width + _COLUMN_SPACING - _HEADING_SPACING, theme)
        height = _side_height(matches, column, len(rounds))
        for number, match in enumerate(matches):
            middle = top + round((number + 0.5) * step * 2**column) - _MATCH_SPACING // 2
            area = (left, middle - height, left + width, middle + height)
            _paint_match(image, area, match, theme, names, wrapped=column > 0)
            if column:
                _draw_connection(image, left, middle, step * 2 ** (column - 1) // 2, theme)
    return encode_png(image, theme, "bracket")


def _column(number: int, count: int) -> tuple[int, int]:
    """Return the left edge and the width of a column."""
    space = WIDTH - 2 * MARGIN - (count - 1) * _COLUMN_SPACING
    first = max(_MIN_FIRST_WIDTH, space // count)
    if not number:
        return MARGIN, first
    width = (space - first) // (count - 1)
    return MARGIN + first + _COLUMN_SPACING + (number - 1) * (width + _COLUMN_SPACING), width


def _paint_heading(image: Image.Image, heading: str, left: int, width: int, theme: Theme) -> None:
    """Paint the name of a round, in smaller letters if it would not fit."""
    word, size = _fit_word(heading, width)
    write_left(image, word, (left, HEAD_HEIGHT + 14), size, theme.muted_text)


def _fit_word(word: str, width: int) -> tuple[str, int]:
    """Return a word and the largest size at which it fits; at the smallest size it is cut."""
    word = printable(word)
    size = largest_size([word], range(_MATCH_SMALL_LETTER_SIZE, _MIN_LETTER_SIZE, -1), width) or _MIN_LETTER_SIZE
    return fitted(word, size, width), size


def _side_height(matches: Sequence[Pairing], column: int, count: int) -> int:
    """Return the height of each side of a column; after the first one there is room for names in two lines."""
    width = _column(column, count)[1]
    lines = 1
    for side in (side for match in matches for side in (match.upper, match.lower)):
        lines = max(lines, len(_name_lines(side, width, wrapped=column > 0)) + bool(side.note))
    return _SIDE_HEIGHT + (lines - 1) * _MATCH_LINE_HEIGHT - 6 * (lines > 1)


def _name_width(side: BracketSide, width: int) -> int:
    """Return the width that remains for a name beside the number of games won, or beside the tick."""
    games_width = text_width(printable(side.games), _MATCH_LETTER_SIZE) + 12 if side.games else 0
    return width - 14 - 8 - (games_width or 26 * (side.state is EntryState.THROUGH))


def _name_lines(side: BracketSide, width: int, *, wrapped: bool) -> list[str]:
    """Return a name in one or two lines, broken between words, before what is kept of it, or where a line is full."""
    name, width = printable(side.name), _name_width(side, width)
    if not wrapped or text_width(name, _MATCH_LETTER_SIZE) <= width:
        return [side.name or "\N{EN DASH}"]
    ends = range(1, len(name))
    fitting_length = max(1, bisect_left(ends, 1, key=lambda end: text_width(name[:end], _MATCH_LETTER_SIZE) > width))
    cut = name.rfind(" ", 0, fitting_length + 1)
    if cut <= 0:
        suffix = kept_suffix(name)
        cut = len(name) - len(suffix) if suffix else fitting_length
    return [name[:cut].strip(), name[cut:].strip()]


def _paint_match(
    image: Image.Image, area: Rectangle, match: Pairing, theme: Theme, names: Sequence[str], *, wrapped: bool
) -> None:
    """Paint a match of a bracket: two sides, one above the other."""
    left, top, right, bottom = area
    middle = (top + bottom) // 2
    paint_box(image, area, theme)
    _paint_side(image, (left, top, right, middle), match.upper, theme, names, wrapped=wrapped)
    _paint_side(image, (left, middle, right, bottom), match.lower, theme, names, wrapped=wrapped)
    ImageDraw.Draw(image).line((left, middle, right - 1, middle), fill=theme.grid, width=2)


def _paint_side(
    image: Image.Image, area: Rectangle, side: BracketSide, theme: Theme, names: Sequence[str], *, wrapped: bool
) -> None:
    """Paint one side of a match: its name, the games that it has won, and its note."""
    left, top, right, bottom = area
    middle = (top + bottom) // 2
    edge = right - 8
    if side.games:
        won = side.state is EntryState.THROUGH
        games = printable(side.games)
        write_right(image, games, (edge, middle), _MATCH_LETTER_SIZE, theme.text if won else theme.muted_text)
    if side.state is EntryState.THROUGH:
        paint_lead_bar(image, left, top, bottom, theme)
    if side.state is EntryState.THROUGH and not side.games:
        sprite = tick(theme, 22)
        image.paste(sprite, (edge - 22, middle - 11), sprite)
    lines = _name_lines(side, right - left, wrapped=wrapped)
    last = len(lines) - (not side.note)
    shown = 0
    for number, line in enumerate(lines):
        shift = round((number - last / 2) * _MATCH_LINE_HEIGHT)
        place = (left + 14, top + shift, left + 14 + _name_width(side, right - left), bottom + shift)
        beginning = printable(side.name)[:shown]
        others = [other[shown:].strip() for other in map(printable, names) if other.startswith(beginning)]
        write_name(
            image, line, place, _MATCH_LETTER_SIZE, side.state, theme, others if number == len(lines) - 1 else ()
        )
        shown += len(line)
    if side.note:
        note, size = _fit_word(side.note, edge - left - 14)
        below = middle + round(last / 2 * _MATCH_LINE_HEIGHT) - 2
        write_left(image, note, (left + 14, below), size, theme.muted_text)


def _draw_connection(image: Image.Image, left: int, middle: int, reach: int, theme: Theme) -> None:
    """Draw the lines from two matches to the match of their winners."""
    draw, turn = ImageDraw.Draw(image), left - _COLUMN_SPACING // 2
    for source in (middle - reach, middle + reach):
        draw.line((left - _COLUMN_SPACING, source, turn, source), fill=theme.muted_text, width=3)
    draw.line((turn, middle - reach, turn, middle + reach), fill=theme.muted_text, width=3)
    draw.line((turn, middle, left, middle), fill=theme.muted_text, width=3)


_GROUP_LINE_HEIGHT: Final = 48
"""Height of the line of one entry in a cross table."""
_GROUP_HEADING_HEIGHT: Final = 50
"""Height of the line above the entries, with the group and the numbers of the opponents."""
_GROUP_SPACING: Final = 16
"""Space below a cross table."""
_GROUP_LETTER_SIZE: Final = 27
"""Size of names, results and totals."""
_MIN_CELL_LETTER_SIZE: Final = 15
"""The smallest size of results, in large groups."""
_NUMBER_WIDTH: Final = 40
"""Width of the number of an entry."""
_TOTAL_WIDTH: Final = 84
"""Width of the column of totals."""
_NAME_WIDTH: Final = 250
"""Width of a name in a group of at most eight."""
_SHORT_NAME_WIDTH: Final = 190
"""Width of a name in a group of more than eight."""
_GROUP_ARROW_WIDTH: Final = 24
"""Width of the column for the triangle of an entry that advances."""
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
    heights = [_GROUP_HEADING_HEIGHT + len(table.lines) * _GROUP_LINE_HEIGHT + _GROUP_SPACING for table in tables]
    image = event_sheet(title, note, HEAD_HEIGHT + sum(heights), theme)
    top, names = HEAD_HEIGHT, [line.name for table in tables for line in table.lines]
    for table, height in zip(tables, heights, strict=True):
        _paint_table(image, top, table, theme, names)
        top += height
    return encode_png(image, theme, "groups")


def _paint_table(image: Image.Image, top: int, table: CrossTable, theme: Theme, names: Sequence[str]) -> None:
    """Paint the cross table of one group."""
    count = len(table.lines)
    name = _NAME_WIDTH if count <= 8 else _SHORT_NAME_WIDTH
    column = min(
        (WIDTH - 2 * MARGIN - _NUMBER_WIDTH - _GROUP_ARROW_WIDTH - name - _TOTAL_WIDTH) // max(count, 1),
        _MAX_COLUMN_WIDTH,
    )
    right = WIDTH - MARGIN - _TOTAL_WIDTH
    left = right - column * count
    size = _cell_letter_size(table, column)
    middle = top + _GROUP_HEADING_HEIGHT // 2
    heading = fitted(printable(table.heading), _GROUP_LETTER_SIZE, left - MARGIN - 12)
    write_left(image, heading, (MARGIN, middle), _GROUP_LETTER_SIZE, theme.text)
    number_size = min(size, 18 if count > 8 else 22)
    for number in range(count):
        write(image, str(number + 1), (left + (number + 0.5) * column, middle), number_size, theme.muted_text)
    for number, line in enumerate(table.lines):
        upper = top + _GROUP_HEADING_HEIGHT + number * _GROUP_LINE_HEIGHT
        centre = upper + _GROUP_LINE_HEIGHT // 2
        if number % 2 == 0:
            image.paste(theme.table, (MARGIN, upper, WIDTH - MARGIN, upper + _GROUP_LINE_HEIGHT))
        write(image, str(number + 1), (MARGIN + 22, centre), 22, theme.muted_text)
        if line.state is EntryState.THROUGH:
            sprite = rising_triangle(theme, _GROUP_ARROW_WIDTH - 4)
            image.paste(sprite, (MARGIN + _NUMBER_WIDTH + 2, centre - sprite.height // 2), sprite)
        area = (MARGIN + _NUMBER_WIDTH + _GROUP_ARROW_WIDTH + 4, upper, left - 10, upper + _GROUP_LINE_HEIGHT)
        write_name(image, line.name, area, _GROUP_LETTER_SIZE, line.state, theme, names)
        for place, cell in enumerate(line.cells):
            x = left + place * column
            if place == number:
                ImageDraw.Draw(image).rectangle(
                    (x + 3, upper + 5, x + column - 4, upper + _GROUP_LINE_HEIGHT - 6), fill=theme.grid
                )
            else:
                write(image, printable(cell), (x + column / 2, centre), size, theme.text)
        write_right(image, printable(line.total), (WIDTH - MARGIN - 10, centre), _GROUP_LETTER_SIZE, theme.text)


def _cell_letter_size(table: CrossTable, column: int) -> int:
    """Return the largest letters at which all cells fit."""
    cells = {printable(cell) for line in table.lines for cell in line.cells if cell}
    sizes = range(_GROUP_LETTER_SIZE, _MIN_CELL_LETTER_SIZE, -1)
    return largest_size(cells, sizes, column - 4) or _MIN_CELL_LETTER_SIZE
