"""What all pictures of events share: the sheet with its title, lines of names, and the shapes that say who won."""

from __future__ import annotations

from typing import Final

from PIL import Image, ImageDraw

from renderers.canvas import Canvas
from renderers.events.values import Sort
from renderers.lettering.text import fitted, printable, text_mask, write
from renderers.sprites import kept
from renderers.theme import Colour, Theme

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


@kept
def tick(theme: Theme, size: int) -> Image.Image:
    """A tick: has won."""
    canvas = Canvas(size, theme)
    canvas.stroke(((0.12, 0.52), (0.4, 0.82)), 0.17, theme.highlight)
    canvas.stroke(((0.34, 0.8), (0.9, 0.2)), 0.17, theme.highlight)
    return canvas.finished()


@kept
def rising(theme: Theme, size: int) -> Image.Image:
    """A triangle that points up: goes on to the next stage."""
    canvas = Canvas(size, theme)
    canvas.polygon(((0.5, 0.14), (0.94, 0.84), (0.06, 0.84)), theme.highlight)
    return canvas.finished()
