"""What a picture is painted on: in the palette of its file at once, or in all colours.

Most of what is pasted has been brought into the palette when it was drawn (:mod:`renderers.palette`), so that pasting
moves a byte a pixel, and nothing has to be looked up when the picture is done. Only where edges are soft, colours are
mixed: those few pixels are taken out, painted on, and put back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PIL import Image, ImageDraw

from engine.caching import thread_safe_lru_cache
from engine.geometry import Cell
from renderers.boards.view import View
from renderers.caches import trimmed
from renderers.lettering import placed_text, text_mask
from renderers.palette import blank, drawn_over, drawn_over_each, flattened, inks, laid_flat
from renderers.shapes import Point
from renderers.theme import Colour, Theme


class Sheet:
    """A picture being painted.

    Args:
        size: pixels across and down.
        theme: the colours.
        ground: the colour that it has all over.
        flat: it is painted in the theme's palette.
        pixels: what has been painted already.
    """

    def __init__(
        self, size: tuple[int, int], theme: Theme, ground: Colour, *, flat: bool, pixels: Image.Image | None = None
    ) -> None:
        self.theme = theme
        self.flat = flat
        self.pixels = pixels or (blank(theme, size, ground) if flat else Image.new("RGB", size, ground))
        self.draw = ImageDraw.Draw(self.pixels)

    def ink(self, colour: Colour) -> Colour | int:
        """What ``draw`` calls a colour."""
        return inks(self.theme)[colour] if self.flat else colour

    def fill(self, area: tuple[int, int, int, int], colour: Colour) -> None:
        """Fill an area: left, top, and what is no longer in it at the right and below."""
        self.pixels.paste(self.ink(colour), area)

    def put(self, picture: Image.Image, corner: tuple[int, int], mask: Image.Image | None = None) -> None:
        """Lay a picture there, all of it, or all or nothing of each of its pixels."""
        if self.flat:
            laid_flat(self.pixels, flattened(picture, self.theme), corner, mask)
        else:
            self.pixels.paste(picture, corner, mask)

    def lay(self, sprite: Image.Image, corner: tuple[int, int]) -> None:
        """Lay a sprite with soft edges there."""
        inner, (left, top) = trimmed(sprite)
        self._blend(inner, (corner[0] + left, corner[1] + top), inner)

    def lay_each(self, sprites: Iterable[tuple[Image.Image, tuple[int, int]]]) -> None:
        """Lay sprites with soft edges, in this order; those that lie apart at once, which costs less."""
        if not self.flat:
            for sprite, corner in sprites:
                self.lay(sprite, corner)
            return
        for apart in _apart(sprites):
            drawn_over_each(self.pixels, apart, self.theme)

    def write(
        self, text: str, at: tuple[float, float], letters: int, colour: Colour, *, ground: Colour | None = None
    ) -> None:
        """Write a word with its middle there; ``ground`` is the one colour that is there, if there is but one."""
        if not text:
            return
        corner = placed_text(text, at, letters)
        if self.flat and ground is not None:
            laid_flat(self.pixels, _label(self.theme, text, letters, colour, ground), corner)
            return
        self._blend(colour, corner, text_mask(text, letters))

    def _blend(self, what: Image.Image | Colour, corner: tuple[int, int], mask: Image.Image) -> None:
        if self.flat:
            drawn_over(self.pixels, what, corner, mask, self.theme)
        else:
            self.pixels.paste(what, corner, mask)


def _apart(
    sprites: Iterable[tuple[Image.Image, tuple[int, int]]],
) -> Iterator[list[tuple[Image.Image, tuple[int, int]]]]:
    """What there is of the sprites and where it goes, in runs of which no two touch."""
    run: list[tuple[Image.Image, tuple[int, int]]] = []
    taken: list[tuple[int, int, int, int]] = []
    for sprite, (x, y) in sprites:
        inner, (left, top) = trimmed(sprite)
        left, top = x + left, y + top
        right, bottom = left + inner.width, top + inner.height
        if any(left < e and w < right and top < s and n < bottom for w, n, e, s in taken):
            yield run
            run, taken = [], []
        run.append((inner, (left, top)))
        taken.append((left, top, right, bottom))
    if run:
        yield run


@thread_safe_lru_cache(1024)
def _label(theme: Theme, text: str, letters: int, colour: Colour, ground: Colour) -> Image.Image:
    """A word on a ground of one colour, in the palette."""
    mask = text_mask(text, letters)
    image = Image.new("RGB", mask.size, ground)
    image.paste(colour, (0, 0), mask)
    return flattened(image, theme)


class BoardImage(Sheet):
    """A picture of a board being painted: the pixels, and where cells lie on them."""

    def __init__(self, view: View, theme: Theme, *, flat: bool = False, pixels: Image.Image | None = None) -> None:
        super().__init__((view.width, view.height), theme, theme.table, flat=flat, pixels=pixels)
        self.view = view

    def stamp(self, sprite: Image.Image, cell: Cell, middle: Point = (0.5, 0.5)) -> None:
        """Lay a sprite with its middle on a point of a cell."""
        self.lay(sprite, self._corner(sprite, cell, middle))

    def stamp_each(self, stamps: Iterable[tuple[Image.Image, Cell, Point]]) -> None:
        """Lay sprites so, in this order."""
        self.lay_each((sprite, self._corner(sprite, cell, middle)) for sprite, cell, middle in stamps)

    def _corner(self, sprite: Image.Image, cell: Cell, middle: Point) -> tuple[int, int]:
        x, y = self.view.at(cell, middle)
        return (x - sprite.width // 2, y - sprite.height // 2)

    def tint(self, cell: Cell, colour: Colour, strength: float) -> None:
        """Colour a whole cell; ``strength`` 1 covers it."""
        size = self.view.size
        self._blend(colour, self.view.at(cell), Image.new("L", (size, size), round(255 * strength)))

    def in_all_colours(self) -> BoardImage:
        """The same picture, to be painted on with colours that are not in the palette."""
        image = BoardImage(self.view, self.theme)
        image.pixels.paste(self.pixels)
        return image
