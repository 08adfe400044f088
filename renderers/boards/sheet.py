"""The sheet that a picture is painted on: directly in the palette of its file, or in all colours.

Most sprites are converted to the palette when they are drawn (:mod:`renderers.palette`). Pasting them then moves one
byte a pixel, and the finished picture needs no conversion. Colours are mixed only at soft edges: those few pixels are
converted to RGB, blended, and converted back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PIL import Image, ImageDraw

from engine.caching import thread_safe_lru_cache
from engine.geometry import Cell
from renderers.boards.view import View
from renderers.caches import trimmed
from renderers.lettering import placed_text, text_mask
from renderers.palette import blank_palette_image, blend_each_over, blend_over, colour_indices, paste_flat, to_palette
from renderers.shapes import Point
from renderers.theme import Colour, Theme


class Sheet:
    """A picture being painted.

    Args:
        size: pixels across and down.
        theme: the colours.
        ground: the colour of the whole sheet at first.
        flat: True to paint in the theme's palette.
        pixels: pixels that have already been painted, in place of the ground.
    """

    def __init__(
        self, size: tuple[int, int], theme: Theme, ground: Colour, *, flat: bool, pixels: Image.Image | None = None
    ) -> None:
        self.theme = theme
        self.flat = flat
        self.pixels = pixels or (blank_palette_image(theme, size, ground) if flat else Image.new("RGB", size, ground))
        self.draw = ImageDraw.Draw(self.pixels)

    def ink(self, colour: Colour) -> Colour | int:
        """Return a colour in the form that ``draw`` takes: a palette index if the sheet is flat."""
        return colour_indices(self.theme)[colour] if self.flat else colour

    def fill(self, area: tuple[int, int, int, int], colour: Colour) -> None:
        """Fill an area: left, top, right and bottom, the last two exclusive."""
        self.pixels.paste(self.ink(colour), area)

    def put(self, picture: Image.Image, corner: tuple[int, int], mask: Image.Image | None = None) -> None:
        """Paste a picture, with hard edges if it has a mask."""
        if self.flat:
            paste_flat(self.pixels, to_palette(picture, self.theme), corner, mask)
        else:
            self.pixels.paste(picture, corner, mask)

    def lay(self, sprite: Image.Image, corner: tuple[int, int]) -> None:
        """Blend a sprite with soft edges."""
        inner, (left, top) = trimmed(sprite)
        self._blend(inner, (corner[0] + left, corner[1] + top), inner)

    def lay_each(self, sprites: Iterable[tuple[Image.Image, tuple[int, int]]]) -> None:
        """Blend sprites with soft edges, in this order; those that do not touch at once, which costs less."""
        if not self.flat:
            for sprite, corner in sprites:
                self.lay(sprite, corner)
            return
        for apart in _runs_apart(sprites):
            blend_each_over(self.pixels, apart, self.theme)

    def write(
        self, text: str, at: tuple[float, float], letters: int, colour: Colour, *, ground: Colour | None = None
    ) -> None:
        """Write a word with its middle at a point; pass ``ground`` if the word is on a single colour."""
        if not text:
            return
        corner = placed_text(text, at, letters)
        if self.flat and ground is not None:
            paste_flat(self.pixels, _label_sprite(self.theme, text, letters, colour, ground), corner)
            return
        self._blend(colour, corner, text_mask(text, letters))

    def _blend(self, what: Image.Image | Colour, corner: tuple[int, int], mask: Image.Image) -> None:
        if self.flat:
            blend_over(self.pixels, what, corner, mask, self.theme)
        else:
            self.pixels.paste(what, corner, mask)


def _runs_apart(
    sprites: Iterable[tuple[Image.Image, tuple[int, int]]],
) -> Iterator[list[tuple[Image.Image, tuple[int, int]]]]:
    """Yield the trimmed sprites with their corners, in runs in which no two touch."""
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
def _label_sprite(theme: Theme, text: str, letters: int, colour: Colour, ground: Colour) -> Image.Image:
    """Draw a word on a ground of one colour, in the palette."""
    mask = text_mask(text, letters)
    image = Image.new("RGB", mask.size, ground)
    image.paste(colour, (0, 0), mask)
    return to_palette(image, theme)


class BoardImage(Sheet):
    """A picture of a board being painted, with the view that says where cells lie on it."""

    def __init__(self, view: View, theme: Theme, *, flat: bool = False, pixels: Image.Image | None = None) -> None:
        super().__init__((view.width, view.height), theme, theme.table, flat=flat, pixels=pixels)
        self.view = view

    def stamp(self, sprite: Image.Image, cell: Cell, middle: Point = (0.5, 0.5)) -> None:
        """Blend a sprite with its middle on a point of a cell."""
        self.lay(sprite, self._corner(sprite, cell, middle))

    def stamp_each(self, stamps: Iterable[tuple[Image.Image, Cell, Point]]) -> None:
        """Blend several sprites, each with its middle on a point of a cell, in this order."""
        self.lay_each((sprite, self._corner(sprite, cell, middle)) for sprite, cell, middle in stamps)

    def _corner(self, sprite: Image.Image, cell: Cell, middle: Point) -> tuple[int, int]:
        x, y = self.view.at(cell, middle)
        return (x - sprite.width // 2, y - sprite.height // 2)

    def tint(self, cell: Cell, colour: Colour, strength: float) -> None:
        """Tint a whole cell; ``strength`` is the opacity from 0 to 1."""
        size = self.view.size
        self._blend(colour, self.view.at(cell), Image.new("L", (size, size), round(255 * strength)))

    def in_all_colours(self) -> BoardImage:
        """Return a copy in RGB, to be painted on with colours that are not in the palette."""
        image = BoardImage(self.view, self.theme)
        image.pixels.paste(self.pixels)
        return image
