"""A bracket: from sixteen entries at most to the one who is left, four rounds in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from renderers.events.sheet import EDGE, HEAD, WIDTH, boxed, lead_bar, name_line, sheet, tick
from renderers.events.values import MOST, Pairing, Side, Sort
from renderers.files.encode import encoded
from renderers.lettering.text import fitted, printable, text_mask, write
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
    step = 2 * _SIDE + _APART
    top = HEAD + _COLUMNS
    image = sheet(title, note, top + counts[0] * step + 10, theme)
    width = (WIDTH - 2 * EDGE - (len(rounds) - 1) * _BETWEEN) // len(rounds)
    for column, (heading, matches) in enumerate(zip(headings, rounds, strict=True)):
        left = EDGE + column * (width + _BETWEEN)
        word = fitted(printable(heading), _SMALL, width)
        write(image, word, (left, HEAD + 14), _SMALL, theme.muted_text, anchor=(0.0, 0.5))
        for number, match in enumerate(matches):
            middle = top + round((number + 0.5) * step * 2**column) - _APART // 2
            _paint_match(image, left, middle, width, match, theme)
            if column:
                _join(image, left, middle, step * 2 ** (column - 1) // 2, theme)
    return encoded(image, theme, "bracket")


def _paint_match(image: Image.Image, left: int, middle: int, width: int, match: Pairing, theme: Theme) -> None:
    boxed(image, (left, middle - _SIDE, left + width, middle + _SIDE), theme)
    for side, top in ((match.upper, middle - _SIDE), (match.lower, middle)):
        _paint_side(image, (left, top, left + width, top + _SIDE), side, theme)
    ImageDraw.Draw(image).line((left, middle, left + width - 1, middle), fill=theme.grid, width=2)


def _paint_side(image: Image.Image, area: tuple[int, int, int, int], side: Side, theme: Theme) -> None:
    left, top, right, bottom = area
    middle = (top + bottom) // 2
    edge = right - 8
    if side.games:
        won = side.sort is Sort.THROUGH
        games = printable(side.games)
        write(image, games, (edge, middle), _LETTERS, theme.text if won else theme.muted_text, anchor=(1.0, 0.5))
        edge -= text_mask(games, _LETTERS).width + 6
    if side.sort is Sort.THROUGH:
        lead_bar(image, left, top, bottom, theme)
    if side.sort is Sort.THROUGH and not side.games:
        sprite = tick(theme, 22)
        image.paste(sprite, (edge - 22, middle - 11), sprite)
        edge -= 26
    name_line(image, side.name or "\N{EN DASH}", (left + 14, top, edge, bottom), _LETTERS, side.sort, theme)


def _join(image: Image.Image, left: int, middle: int, reach: int, theme: Theme) -> None:
    """The lines from two matches to the one of their winners."""
    draw, turn = ImageDraw.Draw(image), left - _BETWEEN // 2
    for source in (middle - reach, middle + reach):
        draw.line((left - _BETWEEN, source, turn, source), fill=theme.muted_text, width=3)
    draw.line((turn, middle - reach, turn, middle + reach), fill=theme.muted_text, width=3)
    draw.line((turn, middle, left, middle), fill=theme.muted_text, width=3)
