"""What a picture is painted on: in the palette of its file at once, or in all colours.

Most of what is pasted has been brought into the palette when it was drawn (:mod:`renderers.palette`), so that pasting
moves a byte a pixel, and nothing has to be looked up when the picture is done. Only where edges are soft, colours are
mixed: those few pixels are taken out, painted on, and put back.
"""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.geometry import Cell
from engine.once import recent
from renderers.boards.view import View
from renderers.lettering.text import placed_text, text_mask
from renderers.palette import blank, drawn_over, flattened, inks
from renderers.shapes import Point
from renderers.sprites import trimmed
from renderers.theme import Colour, Theme


class Sheet:
    """A picture being painted.

    Args:
        size: pixels across and down.
        theme: the colours.
        ground: the colour that it has all over.
        flat: it is painted in the theme's palette.
    """

    def __init__(self, size: tuple[int, int], theme: Theme, ground: Colour, *, flat: bool) -> None:
        self.theme = theme
        self.flat = flat
        self.pixels = blank(theme, size, ground) if flat else Image.new("RGB", size, ground)
        self.draw = ImageDraw.Draw(self.pixels)

    def ink(self, colour: Colour) -> Colour | int:
        """What ``draw`` calls a colour."""
        return inks(self.theme)[colour] if self.flat else colour

    def fill(self, area: tuple[int, int, int, int], colour: Colour) -> None:
        """Fill an area: left, top, and what is no longer in it at the right and below."""
        self.pixels.paste(self.ink(colour), area)

    def put(self, picture: Image.Image, corner: tuple[int, int], mask: Image.Image | None = None) -> None:
        """Lay a picture there, all of it, or all or nothing of each of its pixels."""
        self.pixels.paste(flattened(picture, self.theme) if self.flat else picture, corner, mask)

    def lay(self, sprite: Image.Image, corner: tuple[int, int]) -> None:
        """Lay a sprite with soft edges there."""
        inner, (left, top) = trimmed(sprite)
        self._blend(inner, (corner[0] + left, corner[1] + top), inner)

    def write(
        self, text: str, at: tuple[float, float], letters: int, colour: Colour, *, ground: Colour | None = None
    ) -> None:
        """Write a word with its middle there; ``ground`` is the one colour that is there, if there is but one."""
        if not text:
            return
        corner = placed_text(text, at, letters)
        if self.flat and ground is not None:
            self.pixels.paste(_label(self.theme, text, letters, colour, ground), corner)
            return
        self._blend(colour, corner, text_mask(text, letters))

    def _blend(self, what: Image.Image | Colour, corner: tuple[int, int], mask: Image.Image) -> None:
        if self.flat:
            drawn_over(self.pixels, what, corner, mask, self.theme)
        else:
            self.pixels.paste(what, corner, mask)


@recent(1024)
def _label(theme: Theme, text: str, letters: int, colour: Colour, ground: Colour) -> Image.Image:
    """A word on a ground of one colour, in the palette."""
    mask = text_mask(text, letters)
    image = Image.new("RGB", mask.size, ground)
    image.paste(colour, (0, 0), mask)
    return flattened(image, theme)


class BoardImage(Sheet):
    """A picture of a board being painted: the pixels, and where cells lie on them."""

    def __init__(self, view: View, theme: Theme, *, flat: bool = False) -> None:
        super().__init__((view.width, view.height), theme, theme.table, flat=flat)
        self.view = view

    def stamp(self, sprite: Image.Image, cell: Cell, middle: Point = (0.5, 0.5)) -> None:
        """Lay a sprite with its middle on a point of a cell."""
        x, y = self.view.at(cell, middle)
        self.lay(sprite, (x - sprite.width // 2, y - sprite.height // 2))

    def tint(self, cell: Cell, colour: Colour, strength: float) -> None:
        """Colour a whole cell; ``strength`` 1 covers it."""
        size = self.view.size
        self._blend(colour, self.view.at(cell), Image.new("L", (size, size), round(255 * strength)))

    def in_all_colours(self) -> BoardImage:
        """The same picture, to be painted on with colours that are not in the palette."""
        image = BoardImage(self.view, self.theme)
        image.pixels.paste(self.pixels)
        return image
