"""A sheet to draw a sprite on: several times its size, in units of a cell, reduced once at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from PIL import Image, ImageDraw

from renderers.shapes import Point, band, rectangle
from renderers.theme import Colour, Theme

FINE: Final = 4
COARSE: Final = 2
_LARGE: Final = 200
"""Pixels of a cell from which any sprite is smooth enough when drawn at twice its size."""
SHADOW: Final[Point] = (0.022, 0.03)
"""Where shadows fall: the light comes from the north-west, whatever way a tile lies."""


SHADE: Final[Colour] = (20, 24, 10)
SHADOW_STRENGTH: Final = 0.28
"""The colour of shadows on the land, and how much of it they lay over."""

CALM: Final = 0.45
"""How much of the meadow's own colour is in its lightest and darkest parts."""

VEIL: Final = 0.5
"""How much of the panel's colour lies over what is taken, gone or beside the point."""

SOWN: Final = 0.64
"""How much of the meadow can be seen through the colour of those who hold a field."""


class Canvas:
    """Draws in units of a cell on a transparent sheet, or on one of a colour, which takes a third less time.

    Args:
        size: pixels of one cell in the finished sprite.
        theme: the colours.
        width: cells from left to right.
        height: cells from top to bottom.
        large: pixels of a cell from which it is smooth enough.
        ground: the colour that the sheet has all over; without it there is nothing but what is drawn.
    """

    def __init__(
        self,
        size: int,
        theme: Theme,
        width: float = 1.0,
        height: float = 1.0,
        *,
        large: int = _LARGE,
        ground: Colour | None = None,
    ) -> None:
        self.theme = theme
        factor = FINE if size < large else COARSE
        self.scale = size * factor
        self._size, self._factor = size, factor
        pixels = (max(round(size * width), 1), max(round(size * height), 1))
        area = (pixels[0] * factor, pixels[1] * factor)
        self.image = Image.new("RGBA", area) if ground is None else Image.new("RGB", area, ground)
        self._draw = ImageDraw.Draw(self.image)

    def on_pixel(self, at: Point) -> Point:
        """The nearest point between two pixels: what stands there looks the same wherever it stands.

        That keeps upright lines crisp, and files small, since the same roof is the same bytes again.
        """
        return (round(at[0] * self._size) / self._size, round(at[1] * self._size) / self._size)

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon(self._scaled(points), fill=fill)

    def stroke(self, line: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw an open line as a band, which stays smooth in curves."""
        self.polygon(band(line, width), fill)

    def outline(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw a line round a polygon, half of it outside, with round corners."""
        closed = (*points, points[0])
        pixels = max(round(width * self.scale), 1)
        self._draw.line(self._scaled(closed), fill=fill, width=pixels)
        for point in points:
            self.disc(point, (pixels - 1) / 2 / self.scale, fill)

    def disc(self, centre: Point, radius: float, fill: Colour, *, flat: float = 1.0) -> None:
        """Fill a circle, or an ellipse that is ``flat`` times as high as wide."""
        (x, y), across = (centre[0] * self.scale, centre[1] * self.scale), radius * self.scale
        self._draw.ellipse((x - across, y - across * flat, x + across, y + across * flat), fill=fill)

    def box(self, left: float, top: float, right: float, bottom: float, fill: Colour) -> None:
        """Fill a rectangle."""
        self.polygon(rectangle(left, top, right, bottom), fill)

    def rounded(self, area: tuple[float, float, float, float], radius: float, fill: Colour) -> None:
        """Fill a rectangle (left, top, right, bottom) with round corners."""
        scaled = tuple(value * self.scale for value in area)
        self._draw.rounded_rectangle(scaled, radius * self.scale, fill=fill)

    def shade(self, polygons: Iterable[Sequence[Point]], strength: float) -> None:
        """Darken polygons, those that overlap no more than others; ``strength`` 1 covers what is below."""
        scaled = [self._scaled(polygon) for polygon in polygons]
        left, top = (max(int(min(point[axis] for line in scaled for point in line)), 0) for axis in (0, 1))
        right, bottom = (
            min(int(max(point[axis] for line in scaled for point in line)) + 1, self.image.size[axis])
            for axis in (0, 1)
        )
        if left >= right or top >= bottom:
            return
        mask = Image.new("L", (right - left, bottom - top))
        draw = ImageDraw.Draw(mask)
        for line in scaled:
            draw.polygon([(x - left, y - top) for x, y in line], fill=round(255 * strength))
        if self.image.mode == "RGB":
            self.image.paste(SHADE, (left, top), mask)
            return
        shadow = Image.new("RGBA", mask.size, (*SHADE, 0))
        shadow.putalpha(mask)
        self.image.alpha_composite(shadow, (left, top))

    def finished(self) -> Image.Image:
        """The sprite at its size; by area, since sharper filters leave a seam of further colours along each edge."""
        return self.image.reduce(self._factor)

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in points]
