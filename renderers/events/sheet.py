"""The sheet of all pictures of events: its title, lines of names, shapes that say who won, and what stands on it.

What stands in pictures of events are frozen values, all words as they are to be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from PIL import Image, ImageDraw

from renderers.caches import cached_sprite
from renderers.canvas import Canvas
from renderers.lettering import fitted, printable, text_mask, write
from renderers.theme import Colour, Theme

T = TypeVar("T")

MOST: Final = 16
"""Entries in one picture."""


class Sort(StrEnum):
    """What has become of somebody: each is drawn by a shape of its own, not by a colour alone."""

    PLAYING = "playing"
    THROUGH = "through"
    """Goes on, or has won."""
    BEATEN = "beaten"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Rank:
    """One entry of the standings: as many values as there are columns."""

    place: str
    name: str
    values: tuple[str, ...]
    sort: Sort = Sort.PLAYING
    first: bool = False
    """Whether it leads, or has won."""


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One of two in a bracket; without a name nobody knows yet who it will be."""

    name: str = ""
    games: str = ""
    sort: Sort = Sort.PLAYING
    note: str = ""
    """A word below the name, in place of a score."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match of a bracket."""

    upper: BracketSide = BracketSide()
    lower: BracketSide = BracketSide()


@dataclass(frozen=True, slots=True)
class BoxLine:
    """One seat of a game, or one side of a match."""

    name: str
    value: str = ""
    seat: int = -1
    """Whose mark stands before the name; -1 for none."""
    sort: Sort = Sort.PLAYING


@dataclass(frozen=True, slots=True)
class BracketBox:
    """A game or a match: those who play it, below what it is called."""

    heading: str
    lines: tuple[BoxLine, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Games of a round that belong together, as those of the unbeaten."""

    heading: str
    boxes: tuple[BracketBox, ...]


@dataclass(frozen=True, slots=True)
class CrossLine:
    """One entry of a cross table: what it got from each of the others, in their order; nothing from itself."""

    name: str
    cells: tuple[str, ...]
    total: str
    sort: Sort = Sort.PLAYING


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A group of which everybody meets everybody."""

    heading: str
    lines: tuple[CrossLine, ...]


def parted(entries: Sequence[T], most: int = MOST) -> list[tuple[T, ...]]:
    """The entries cut in as few parts as even as possible, for one picture each."""
    count = max(1, -(-len(entries) // most))
    size, more = divmod(len(entries), count)
    cuts = [number * size + min(number, more) for number in range(count + 1)]
    return [tuple(entries[cuts[number] : cuts[number + 1]]) for number in range(count)]


WIDTH: Final = 800
EDGE: Final = 24
TITLE: Final = 36
NOTE: Final = 26
HEAD: Final = 116
"""From the top to below the title and what stands under it."""

Rectangle = tuple[int, int, int, int]
"""Left, top, right and bottom."""


def sheet(title: str, note: str, height: int, theme: Theme) -> Image.Image:
    """An empty sheet with its title, and in smaller letters below it what the picture shows."""
    image = Image.new("RGB", (WIDTH, height), theme.panel)
    room = WIDTH - 2 * EDGE
    write(image, fitted(printable(title), TITLE, room), (EDGE, 36), TITLE, theme.text, anchor=(0.0, 0.5))
    write(image, fitted(printable(note), NOTE, room), (EDGE, 78), NOTE, theme.muted_text, anchor=(0.0, 0.5))
    rule(image, EDGE, HEAD - 14, WIDTH - EDGE, theme.muted_text)
    return image


def rule(image: Image.Image, left: int, top: int, right: int, colour: Colour, width: int = 2) -> None:
    """A line from left to right."""
    ImageDraw.Draw(image).line((left, top, right, top), fill=colour, width=width)


def boxed(image: Image.Image, area: Rectangle, theme: Theme) -> None:
    """The ground of a game, with a line round it where the ground alone could not be seen."""
    left, top, right, bottom = area
    ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), fill=theme.table, outline=theme.grid, width=2)


def name_line(image: Image.Image, name: str, area: Rectangle, size: int, sort: Sort, theme: Theme) -> None:
    """A name within its area, cut to fit; who left is struck through, who lost is paler."""
    left, top, right, bottom = area
    text = fitted(printable(name), size, right - left)
    middle = (top + bottom) / 2
    colour = theme.muted_text if sort in {Sort.BEATEN, Sort.LEFT} else theme.text
    write(image, text, (left, middle), size, colour, anchor=(0.0, 0.5))
    if sort is Sort.LEFT and text:
        rule(image, left, round(middle), left + text_mask(text, size).width, colour, 3)


def lead_bar(image: Image.Image, left: int, top: int, bottom: int, theme: Theme) -> None:
    """The bar before whoever leads or has won."""
    image.paste(theme.highlight, (left, top, left + 8, bottom))


@cached_sprite
def tick(theme: Theme, size: int) -> Image.Image:
    """A tick: has won."""
    canvas = Canvas(size, theme)
    canvas.stroke(((0.12, 0.52), (0.4, 0.82)), 0.17, theme.highlight)
    canvas.stroke(((0.34, 0.8), (0.9, 0.2)), 0.17, theme.highlight)
    return canvas.finished()


@cached_sprite
def rising(theme: Theme, size: int) -> Image.Image:
    """A triangle that points up: goes on to the next stage."""
    canvas = Canvas(size, theme)
    canvas.polygon(((0.5, 0.14), (0.94, 0.84), (0.06, 0.84)), theme.highlight)
    return canvas.finished()
