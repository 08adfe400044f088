"""The standings: place, name, points and what decides between those who are level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from renderers.events.sheet import EDGE, HEAD, MOST, WIDTH, Rank, Sort, lead_bar, name_line, rising, rule, sheet
from renderers.lettering import fitted, printable, text_mask, write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

_LINE: Final = 58
_COLUMNS: Final = 52
"""The height of the headings."""
_PLACE: Final = 76
_LETTERS: Final = 30
_HEADING: Final = 24
_GAP: Final = 26
_ARROW: Final = 26
_NAME: Final = 230
"""The least room for a name."""


def standings_table(
    title: str, columns: Sequence[str], ranks: Sequence[Rank], *, note: str = "", foot: str = "", theme: Theme = DAY
) -> Picture:
    """A table of places.

    Args:
        title: the name of the event.
        columns: what the values are, the most important first; those for which there is no room are left out.
        ranks: at most sixteen entries, best first.
        note: after which round, and which of several pictures.
        foot: what the signs mean, one line.
        theme: the colours.

    Raises:
        ValueError: more than sixteen entries, or one with more or fewer values than there are columns.
    """
    if len(ranks) > MOST or any(len(rank.values) != len(columns) for rank in ranks):
        raise ValueError(f"at most {MOST} entries with {len(columns)} values each")
    rights = _rights(columns, ranks)
    top = HEAD + (_COLUMNS if columns else 0)
    image = sheet(title, note, top + len(ranks) * _LINE + (46 if foot else 12), theme)
    for word, right in zip(columns, rights, strict=False):
        heading = fitted(printable(word), _HEADING, 150)
        write(image, heading, (right, HEAD + _COLUMNS / 2 - 4), _HEADING, theme.muted_text, anchor=(1.0, 0.5))
    for number, rank in enumerate(ranks):
        _paint(image, top + number * _LINE, rank, rights, theme, banded=number % 2 == 0)
    end = top + len(ranks) * _LINE
    rule(image, EDGE, end, WIDTH - EDGE, theme.muted_text)
    write(
        image, fitted(printable(foot), 22, WIDTH - 2 * EDGE), (EDGE, end + 24), 22, theme.muted_text, anchor=(0.0, 0.5)
    )
    return encode_png(image, theme, "standings")


def _rights(columns: Sequence[str], ranks: Sequence[Rank]) -> list[int]:
    """Where the columns end on the right; from the last ones those are left out that would push names aside."""
    widths = [
        max(
            min(text_mask(printable(word), _HEADING).width, 150),
            *(text_mask(printable(rank.values[number]), _LETTERS).width for rank in ranks),
            48,
        )
        + _GAP
        for number, word in enumerate(columns)
    ]
    while len(widths) > 1 and WIDTH - 2 * EDGE - _PLACE - _ARROW - sum(widths) < _NAME:
        widths.pop()
    right = WIDTH - EDGE - 10
    return [right - sum(widths[number + 1 :]) for number in range(len(widths))]


def _paint(image: Image.Image, top: int, rank: Rank, rights: Sequence[int], theme: Theme, *, banded: bool) -> None:
    bottom, middle = top + _LINE, top + _LINE // 2
    if banded:
        image.paste(theme.table, (EDGE, top, WIDTH - EDGE, bottom))
    if rank.first:
        lead_bar(image, EDGE, top, bottom, theme)
    colour = theme.highlight if rank.first else theme.text
    write(image, printable(rank.place), (EDGE + 44, middle), _LETTERS, colour)
    if rank.sort is Sort.THROUGH:
        sprite = rising(theme, _ARROW - 4)
        image.paste(sprite, (EDGE + _PLACE + 2, middle - sprite.height // 2), sprite)
    first = min((_start(rank, number, right) for number, right in enumerate(rights)), default=WIDTH - EDGE)
    start = EDGE + _PLACE + _ARROW + 6
    name_line(image, rank.name, (start, top, first - 14, bottom), _LETTERS, rank.sort, theme)
    for number, right in enumerate(rights):
        value = printable(rank.values[number])
        shade = theme.text if number == 0 and rank.sort is not Sort.LEFT else theme.muted_text
        write(image, value, (right, middle), _LETTERS if number == 0 else 26, shade, anchor=(1.0, 0.5))


def _start(rank: Rank, number: int, right: int) -> int:
    return right - text_mask(printable(rank.values[number]), _LETTERS).width
