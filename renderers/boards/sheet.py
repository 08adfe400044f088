"""A picture of the board while it is being painted."""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.geometry import Cell
from renderers.boards.view import View
from renderers.shapes import Point
from renderers.theme import Colour, Theme


class BoardImage:
    """A picture being painted: the pixels, and where cells lie on them."""

    def __init__(self, view: View, theme: Theme) -> None:
        self.view = view
        self.theme = theme
        self.pixels = Image.new("RGB", (view.width, view.height), theme.table)
        self.draw = ImageDraw.Draw(self.pixels)

    def stamp(self, sprite: Image.Image, cell: Cell, middle: Point = (0.5, 0.5)) -> None:
        """Lay a sprite with its middle on a point of a cell."""
        x, y = self.view.at(cell, middle)
        self.pixels.paste(sprite, (x - sprite.width // 2, y - sprite.height // 2), sprite)

    def tint(self, cell: Cell, colour: Colour, strength: float) -> None:
        """Colour a whole cell; ``strength`` 1 covers it."""
        size = self.view.size
        self.pixels.paste(colour, self.view.at(cell), Image.new("L", (size, size), round(255 * strength)))
