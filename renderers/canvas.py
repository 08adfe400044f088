"""A canvas to draw sprites on, in units of a cell.

It has several times the sprite's size and is reduced once at the end, which gives smooth edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from PIL import Image, ImageDraw

from renderers.shapes import Point, rectangle, stroke_polygon
from renderers.theme import Colour, Theme

SUPERSAMPLING: Final = 4
LARGE_SUPERSAMPLING: Final = 2
_LARGE_PIXELS: Final = 200
"""Pixels of a cell from which twice the size is enough for smooth edges."""
SHADOW_OFFSET: Final[Point] = (0.022, 0.03)
"""Direction and distance of shadows, in cells: the light comes from the north-west, however a tile is rotated."""


SHADOW_COLOUR: Final[Colour] = (20, 24, 10)
SHADOW_STRENGTH: Final = 0.28
"""The colour of shadows on the land, and their opacity."""

MEADOW_CALM: Final = 0.45
"""Share of the meadow's main colour in its lightest and darkest parts."""

VEIL_STRENGTH: Final = 0.5
"""Opacity of the panel's colour over what is taken, gone or not in question."""

FIELD_TRANSPARENCY: Final = 0.64
"""Share of the meadow that shows through the colour of a field's owners."""


class Canvas:
    """Draws in units of a cell, on a transparent ground or on one colour, which takes a third less time.

    Args:
        size: pixels of one cell in the finished sprite.
        theme: the colours.
        width: cells from left to right.
        height: cells from top to bottom.
        large: pixels of a cell from which twice the size is enough for smooth edges.
        ground: the colour of the ground; without it the ground is transparent.
    """

    def __init__(
        self,
        size: int,
        theme: Theme,
        width: float = 1.0,
        height: float = 1.0,
        *,
        large: int = _LARGE_PIXELS,
        ground: Colour | None = None,
    ) -> None:
        self.theme = theme
        factor = SUPERSAMPLING if size < large else LARGE_SUPERSAMPLING
        self.scale = size * factor
        self._size, self._factor = size, factor
        pixels = (max(round(size * width), 1), max(round(size * height), 1))
        area = (pixels[0] * factor, pixels[1] * factor)
        self.image = Image.new("RGBA", area) if ground is None else Image.new("RGB", area, ground)
        self._draw = ImageDraw.Draw(self.image)

    def on_pixel(self, at: Point) -> Point:
        """Return the point moved to the nearest boundary between two pixels.

        This keeps upright lines crisp, and files small: the same roof gives the same bytes wherever it stands.
        """
        return (round(at[0] * self._size) / self._size, round(at[1] * self._size) / self._size)

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon(self._scaled(points), fill=fill)

    def stroke(self, line: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw an open line as a polygon, which stays smooth in curves."""
        self.polygon(stroke_polygon(line, width), fill)

    def outline(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw a line around a polygon, half of it outside, with round corners."""
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
        """Darken the union of polygons, overlaps no more than the rest; ``strength`` is the opacity from 0 to 1."""
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
            self.image.paste(SHADOW_COLOUR, (left, top), mask)
            return
        shadow = Image.new("RGBA", mask.size, (*SHADOW_COLOUR, 0))
        shadow.putalpha(mask)
        self.image.alpha_composite(shadow, (left, top))

    def finished(self) -> Image.Image:
        """Return the sprite at its size.

        It averages the pixels: sharper filters leave a seam of further colours along each edge.
        """
        return self.image.reduce(self._factor)

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in points]
