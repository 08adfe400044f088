"""The standings: place, name, points, and the tie-breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from renderers.events.sheet import (
    HEAD_HEIGHT,
    MARGIN,
    MAX_ENTRIES,
    WIDTH,
    EntryState,
    Rank,
    draw_rule,
    event_sheet,
    paint_lead_bar,
    rising_triangle,
    write_name,
)
from renderers.lettering import fitted, printable, text_mask, write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

_LINE_HEIGHT: Final = 58
_HEADING_HEIGHT: Final = 52
"""The height of the headings."""
_PLACE_WIDTH: Final = 76
_LETTER_SIZE: Final = 30
_HEADING_SIZE: Final = 24
_COLUMN_GAP: Final = 26
_ARROW_WIDTH: Final = 26
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
        foot: one line that explains the signs.
        theme: the colours.

    Raises:
        ValueError: more than sixteen entries, or one with more or fewer values than there are columns.
    """
    if len(ranks) > MAX_ENTRIES or any(len(rank.values) != len(columns) for rank in ranks):
        raise ValueError(f"at most {MAX_ENTRIES} entries with {len(columns)} values each")
    rights = _column_right_edges(columns, ranks)
    top = HEAD_HEIGHT + (_HEADING_HEIGHT if columns else 0)
    image = event_sheet(title, note, top + len(ranks) * _LINE_HEIGHT + (46 if foot else 12), theme)
    for word, right in zip(columns, rights, strict=False):
        heading = fitted(printable(word), _HEADING_SIZE, 150)
        write(
            image,
            heading,
            (right, HEAD_HEIGHT + _HEADING_HEIGHT / 2 - 4),
            _HEADING_SIZE,
            theme.muted_text,
            anchor=(1.0, 0.5),
        )
    for number, rank in enumerate(ranks):
        _paint_rank(image, top + number * _LINE_HEIGHT, rank, rights, theme, banded=number % 2 == 0)
    end = top + len(ranks) * _LINE_HEIGHT
    draw_rule(image, MARGIN, end, WIDTH - MARGIN, theme.muted_text)
    write(
        image,
        fitted(printable(foot), 22, WIDTH - 2 * MARGIN),
        (MARGIN, end + 24),
        22,
        theme.muted_text,
        anchor=(0.0, 0.5),
    )
    return encode_png(image, theme, "standings")


def _column_right_edges(columns: Sequence[str], ranks: Sequence[Rank]) -> list[int]:
    """Return the right edges of the columns, without those at the end that leave too little room for names."""
    widths = [
        max(
            min(text_mask(printable(word), _HEADING_SIZE).width, 150),
            *(text_mask(printable(rank.values[number]), _LETTER_SIZE).width for rank in ranks),
            48,
        )
        + _COLUMN_GAP
        for number, word in enumerate(columns)
    ]
    while len(widths) > 1 and WIDTH - 2 * MARGIN - _PLACE_WIDTH - _ARROW_WIDTH - sum(widths) < _MIN_NAME_WIDTH:
        widths.pop()
    right = WIDTH - MARGIN - 10
    return [right - sum(widths[number + 1 :]) for number in range(len(widths))]


def _paint_rank(image: Image.Image, top: int, rank: Rank, rights: Sequence[int], theme: Theme, *, banded: bool) -> None:
    bottom, middle = top + _LINE_HEIGHT, top + _LINE_HEIGHT // 2
    if banded:
        image.paste(theme.table, (MARGIN, top, WIDTH - MARGIN, bottom))
    if rank.first:
        paint_lead_bar(image, MARGIN, top, bottom, theme)
    colour = theme.highlight if rank.first else theme.text
    write(image, printable(rank.place), (MARGIN + 44, middle), _LETTER_SIZE, colour)
    if rank.sort is EntryState.THROUGH:
        sprite = rising_triangle(theme, _ARROW_WIDTH - 4)
        image.paste(sprite, (MARGIN + _PLACE_WIDTH + 2, middle - sprite.height // 2), sprite)
    first = min((_value_left(rank, number, right) for number, right in enumerate(rights)), default=WIDTH - MARGIN)
    start = MARGIN + _PLACE_WIDTH + _ARROW_WIDTH + 6
    write_name(image, rank.name, (start, top, first - 14, bottom), _LETTER_SIZE, rank.sort, theme)
    for number, right in enumerate(rights):
        value = printable(rank.values[number])
        shade = theme.text if number == 0 and rank.sort is not EntryState.LEFT else theme.muted_text
        write(image, value, (right, middle), _LETTER_SIZE if number == 0 else 26, shade, anchor=(1.0, 0.5))


def _value_left(rank: Rank, number: int, right: int) -> int:
    return right - text_mask(printable(rank.values[number]), _LETTER_SIZE).width
