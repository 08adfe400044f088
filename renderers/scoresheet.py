"""The score sheet of a finished game: who made how many points with what, ready to be filed by a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from renderers import pieces
from renderers.files.encode import encoded
from renderers.lettering.text import fitted, printable, signed, text_mask, wrapped, write
from renderers.theme import DAY, Theme
from renderers.values import Picture

_EDGE: Final = 40
_NAME: Final = 400
_COLUMN: Final = 116
"""The least width of a column of figures."""
_LINE: Final = 88
_HEAD: Final = 70
_NOTE: Final = 42
_HEADING: Final = 28


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One player of a finished game: the points of each category in the order of the columns."""

    seat: int
    name: str
    place: str
    points: tuple[int, ...]
    total: int
    first: bool = False
    """Whether the player has won, alone or with others."""


def score_sheet(
    title: str, columns: Sequence[str], lines: Sequence[SheetLine], notes: Sequence[str] = (), *, theme: Theme = DAY
) -> Picture:
    """A table of points by player and category.

    Args:
        title: the name of the game and its code.
        columns: what stands above the players' names, each category, and the total.
        lines: the players in the order of their places.
        notes: what has to be known of the game: edition of the rules, dates, the seed; one line each.
        theme: the colours.

    Raises:
        ValueError: a line has more or fewer categories than the columns.
    """
    if any(len(line.points) != len(columns) - 2 for line in lines):
        raise ValueError(f"each line needs the points of {len(columns) - 2} categories")
    widths = [max(text_mask(printable(word), _HEADING).width + 32, _COLUMN) for word in columns[1:]]
    rights = [_EDGE + _NAME + sum(widths[: number + 1]) - 12 for number in range(len(widths))]
    width = rights[-1] + 12 + _EDGE
    top = _EDGE + 80
    notes = [line for note in notes for line in wrapped(printable(note), 26, width - 2 * _EDGE)]
    height = top + _HEAD + len(lines) * _LINE + 30 + len(notes) * _NOTE + _EDGE
    image = Image.new("RGB", (width, height), theme.panel)
    write(
        image, fitted(printable(title), 48, width - 2 * _EDGE), (_EDGE, _EDGE + 24), 48, theme.text, anchor=(0.0, 0.5)
    )
    _paint_heads(image, top, columns, rights, theme)
    for number, line in enumerate(lines):
        _paint_line(image, top + _HEAD + number * _LINE, line, rights, theme, banded=number % 2 == 0)
    foot = top + _HEAD + len(lines) * _LINE
    ImageDraw.Draw(image).line((_EDGE, foot, width - _EDGE, foot), fill=theme.muted_text, width=2)
    for number, note in enumerate(notes):
        write(image, note, (_EDGE, foot + 46 + number * _NOTE), 26, theme.muted_text, anchor=(0.0, 0.5))
    return encoded(image, theme, "sheet")


def _paint_heads(image: Image.Image, top: int, columns: Sequence[str], rights: Sequence[int], theme: Theme) -> None:
    middle = top + _HEAD / 2
    write(image, printable(columns[0]), (_EDGE + 20, middle), _HEADING, theme.muted_text, anchor=(0.0, 0.5))
    for word, right in zip(columns[1:], rights, strict=True):
        write(image, printable(word), (right, middle), _HEADING, theme.muted_text, anchor=(1.0, 0.5))
    under = top + _HEAD - 2
    ImageDraw.Draw(image).line((_EDGE, under, image.width - _EDGE, under), fill=theme.muted_text, width=2)


def _paint_line(
    image: Image.Image, top: int, line: SheetLine, rights: Sequence[int], theme: Theme, *, banded: bool
) -> None:
    middle = top + _LINE / 2
    if banded:
        image.paste(theme.table, (_EDGE, top, image.width - _EDGE, top + _LINE))
    if line.first:
        image.paste(theme.highlight, (_EDGE, top, _EDGE + 8, top + _LINE))
    write(image, line.place, (_EDGE + 44, middle), 36, theme.highlight if line.first else theme.text)
    mark = pieces.shape_sprite(theme, line.seat, 56)
    image.paste(mark, (_EDGE + 76, top + (_LINE - 56) // 2), mark)
    name = fitted(printable(line.name), 36, _NAME - 160)
    write(image, name, (_EDGE + 144, middle), 36, theme.text, anchor=(0.0, 0.5))
    figures = (*line.points, line.total)
    for value, right in zip(figures, rights, strict=True):
        last = right == rights[-1]
        colour = theme.text if value or last else theme.muted_text
        write(image, signed(value), (right, middle), 48 if last else 38, colour, anchor=(1.0, 0.5))
