"""The shared parts of pictures of events (tournaments): the values to draw, and the sheet with its title and names.

An entry is a player or a team in an event. The values are frozen; all their words are shown unchanged. Sizes are in
pixels.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from PIL import Image, ImageDraw

from renderers.caches import cached_sprite
from renderers.canvas import Canvas
from renderers.lettering import fitted, printable, text_width, told_apart, write_left
from renderers.theme import Colour, Theme

T = TypeVar("T")
"""The type of the entries."""

MAX_ENTRIES: Final = 16
"""Maximum number of entries in one picture."""


class EntryState(StrEnum):
    """The state of an entry; each is shown by a shape of its own, not by colour alone."""

    PLAYING = "playing"
    THROUGH = "through"
    """The entry advances or has won."""
    BEATEN = "beaten"
    LEFT = "left"
    """The entry has left the event."""


@dataclass(frozen=True, slots=True)
class Rank:
    """One entry of the standings, with as many values as there are columns.

    ``state`` is the state of the entry here and in the other values.
    """

    place: str
    name: str
    values: tuple[str, ...]
    state: EntryState = EntryState.PLAYING
    first: bool = False
    """True if the entry leads or has won."""
    heading: str = ""
    """The words above the entry if a group of entries begins with it, such as a division."""


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One of the two sides of a match in a bracket; its name is empty until it is known."""

    name: str = ""
    games: str = ""
    """The number of games that the side has won."""
    state: EntryState = EntryState.PLAYING
    note: str = ""
    """A word below the name, instead of a score."""


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
    """The seat whose mark stands before the name; -1 for none."""
    state: EntryState = EntryState.PLAYING


@dataclass(frozen=True, slots=True)
class BracketBox:
    """A game or a match: its name and its players."""

    heading: str
    lines: tuple[BoxLine, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Games of a round that belong together, such as those of the unbeaten players."""

    heading: str
    boxes: tuple[BracketBox, ...]


@dataclass(frozen=True, slots=True)
class CrossLine:
    """One entry of a cross table: its results against each entry in order, empty against itself."""

    name: str
    cells: tuple[str, ...]
    total: str
    state: EntryState = EntryState.PLAYING


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A group in which everyone meets everyone."""

    heading: str
    lines: tuple[CrossLine, ...]


def split_evenly(entries: Sequence[T], max_size: int = MAX_ENTRIES) -> list[tuple[T, ...]]:
    """Split the entries into the fewest parts of at most ``max_size``, one for each picture, as evenly as possible."""
    count = max(1, -(-len(entries) // max_size))
    size, remainder = divmod(len(entries), count)
    cuts = [number * size + min(number, remainder) for number in range(count + 1)]
    return [tuple(entries[cuts[number] : cuts[number + 1]]) for number in range(count)]


WIDTH: Final = 800
"""Width of every sheet: twice that of a phone in CSS pixels, so that text is sharp there."""
MARGIN: Final = 24
"""Space at the left and the right of a sheet."""
TITLE_SIZE: Final = 36
"""Size of the type of the title."""
NOTE_SIZE: Final = 26
"""Size of the type of the note below it."""
HEAD_HEIGHT: Final = 116
"""Height of the title and the note."""

Rectangle = tuple[int, int, int, int]
"""Left, top, right and bottom."""


def event_sheet(title: str, note: str, height: int, theme: Theme) -> Image.Image:
    """Return an empty sheet with its title, and with a note in smaller letters below it."""
    image = Image.new("RGB", (WIDTH, height), theme.panel)
    width = WIDTH - 2 * MARGIN
    write_left(image, fitted(printable(title), TITLE_SIZE, width), (MARGIN, 36), TITLE_SIZE, theme.text)
    write_left(image, fitted(printable(note), NOTE_SIZE, width), (MARGIN, 78), NOTE_SIZE, theme.muted_text)
    draw_rule(image, MARGIN, HEAD_HEIGHT - 14, WIDTH - MARGIN, theme.muted_text)
    return image


def draw_rule(image: Image.Image, left: int, top: int, right: int, colour: Colour, width: int = 2) -> None:
    """Draw a horizontal line."""
    ImageDraw.Draw(image).line((left, top, right, top), fill=colour, width=width)


def paint_box(image: Image.Image, area: Rectangle, theme: Theme) -> None:
    """Paint the ground of a game, with a line around it in case the ground alone is not visible."""
    left, top, right, bottom = area
    ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), fill=theme.table, outline=theme.grid, width=2)


def write_name(
    image: Image.Image,
    name: str,
    area: Rectangle,
    size: int,
    state: EntryState,
    theme: Theme,
    others: Collection[str] = (),
) -> None:
    """Write a name, cut to fit its area: struck through if the entry left, paler if it left or lost.

    ``others`` are the names of the picture, with those the cut name must not be confused.
    """
    left, top, right, bottom = area
    text = fitted_apart(name, others, size, right - left)
    middle = (top + bottom) / 2
    colour = theme.muted_text if state in {EntryState.BEATEN, EntryState.LEFT} else theme.text
    write_left(image, text, (left, middle), size, colour)
    if state is EntryState.LEFT and text:
        draw_rule(image, left, round(middle), left + text_width(text, size), colour, 3)


def fitted_apart(name: str, others: Collection[str], size: int, width: int) -> str:
    """Return a name as it is written in so many pixels: cut if it is too long, but unlike the other names."""
    return told_apart(
        printable(name), [printable(other) for other in others], lambda cut: text_width(cut, size) <= width
    )


def paint_lead_bar(image: Image.Image, left: int, top: int, bottom: int, theme: Theme) -> None:
    """Paint the bar before an entry that leads or has won."""
    image.paste(theme.highlight, (left, top, left + 8, bottom))


@cached_sprite
def tick(theme: Theme, size: int) -> Image.Image:
    """Draw a tick, the sign of a win."""
    canvas = Canvas(size, theme)
    canvas.stroke(((0.12, 0.52), (0.4, 0.82)), 0.17, theme.highlight)
    canvas.stroke(((0.34, 0.8), (0.9, 0.2)), 0.17, theme.highlight)
    return canvas.finished()


@cached_sprite
def rising_triangle(theme: Theme, size: int) -> Image.Image:
    """Draw a triangle that points up, the sign of an entry that advances."""
    canvas = Canvas(size, theme)
    canvas.polygon(((0.5, 0.14), (0.94, 0.84), (0.06, 0.84)), theme.highlight)
    return canvas.finished()
