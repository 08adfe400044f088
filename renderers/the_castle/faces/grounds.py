"""The grounds of towers and houses: platforms with battlements, and streets with a kerb.

Everything is painted from the mask of a segment's area, eroded from its borders, so that it follows them in any
direction. Where a feature continues beyond the side of the tile there is no border.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engine.caching import thread_safe_lru_cache
from engine.the_castle.tiles import FeatureKind, TileKind
from renderers.canvas import SHADOW_COLOUR, SHADOW_OFFSET, SHADOW_STRENGTH, Canvas
from renderers.theme import Colour, Theme, mixed

MAP_MARGIN: Final = 0.16
"""Margin of a map around the tile: more than the width of anything drawn along a border."""
_WALL_HEIGHT: Final = 0.085
"""The height of the wall below a tower's platform, seen where it looks south."""
_BATTLEMENT_WIDTH: Final = 0.05
"""The width of the battlements."""
_LINE_WIDTH: Final = 0.013
"""The width of outlines, in tiles."""
_KERB_WIDTH: Final = 0.03
"""The width of the kerb of a street, in tiles."""
_SLAB_ROWS: Final = 8
"""Rows of paving on one tile."""
_COURSES: Final = 24
"""Courses (rows of stones) of a wall along one side of a tile."""
_TEETH_PER_SIDE: Final = 16
"""Teeth of battlements, with the gaps between them, along one side of a tile."""
_FULL_ONLY_TABLE: Final = [0] * 254 + [255] * 2
"""Maps a blurred mask to the points whose whole neighbourhood lies inside."""


class AreaMap(Protocol):
    """A map of the segments of a face with a margin around it."""

    @property
    def margin(self) -> int:
        """Pixels of the margin."""

    def area(self, segment: int) -> Image.Image:
        """Return the points of a segment as a mask, with the margin."""


def paint_grounds(canvas: Canvas, tile: TileKind, areas: AreaMap, kind: FeatureKind) -> None:
    """Paint the ground of all segments of one kind, from a map of half the canvas's scale, which is fine enough.

    Args:
        canvas: the canvas to paint on.
        tile: the tile, for the kinds of its segments in their order.
        areas: the map of the segments, rotated like the tile on the canvas.
        kind: tower or house.
    """
    cuts = [_Area.of(areas, index) for index, part in enumerate(tile.segments) if part.kind is kind]
    if not cuts:
        return
    layer = _Layer(canvas.theme, canvas.scale // 2)
    if kind is FeatureKind.TOWER:
        for cut in cuts:
            layer.cast_shadow(cut)
    for cut in cuts:
        (layer.tower if kind is FeatureKind.TOWER else layer.house)(cut)
    canvas.image.alpha_composite(layer.image.resize(canvas.image.size, Image.Resampling.NEAREST))


@dataclass(frozen=True, slots=True)
class _Area:
    """A part of a tile as a mask that can be eroded, with the position of its upper left corner on the tile."""

    mask: Image.Image
    corner: tuple[int, int]

    @staticmethod
    def of(areas: AreaMap, segment: int) -> _Area:
        """Return the area of a segment, with space for its shadow and an empty edge."""
        area = areas.area(segment)
        left, top, right, bottom = area.getbbox() or (0, 0, 1, 1)
        space = areas.margin // 2
        mask = area.crop((left - space, top - space, right + space, bottom + space))
        return _Area(mask, (left - space - areas.margin, top - space - areas.margin))

    def moved(self, dx: int, dy: int) -> _Area:
        """Return the area moved by an offset."""
        return _Area(self.mask.crop((-dx, -dy, self.mask.width - dx, self.mask.height - dy)), self.corner)

    def eroded(self, by: int) -> _Area:
        """Return the points that lie at least this far inside the area."""
        return _Area(self.mask.filter(ImageFilter.BoxBlur(by)).point(_FULL_ONLY_TABLE), self.corner)

    def within(self, other: _Area) -> _Area:
        """Return the intersection of both areas."""
        return _Area(ImageChops.darker(self.mask, other.mask), self.corner)

    def beyond(self, other: _Area) -> _Area:
        """Return the points that the other area does not have."""
        return _Area(ImageChops.subtract(self.mask, other.mask), self.corner)


class _Layer:
    """A transparent sheet of the size of the tile."""

    def __init__(self, theme: Theme, scale: int) -> None:
        self.image = Image.new("RGBA", (scale, scale))
        self._theme, self._scale = theme, scale

    def _pixels(self, width: float) -> int:
        """Return a width in pixels: at least one."""
        return max(round(width * self._scale), 1)

    def _fill(self, area: _Area, paint: Image.Image | tuple[int, ...]) -> None:
        """Fill an area with a colour, or with a pattern of the size of the tile."""
        if isinstance(paint, Image.Image):
            (left, top), (width, height) = area.corner, area.mask.size
            paint = paint.crop((left, top, left + width, top + height))
        self.image.paste(paint, area.corner, area.mask)

    def house(self, area: _Area) -> None:
        """Paint a street with a kerb."""
        theme = self._theme
        self._fill(area, theme.road_edge)
        self._fill(area.eroded(self._pixels(_LINE_WIDTH)), theme.plaster_dark)
        self._fill(area.eroded(self._pixels(_KERB_WIDTH)), theme.street)

    def tower(self, area: _Area) -> None:
        """Paint a platform behind battlements, above a wall that is visible where it looks south."""
        theme, scale = self._theme, self._scale
        wall = area.eroded(self._pixels(_LINE_WIDTH))
        top = wall.within(wall.moved(0, -self._pixels(_WALL_HEIGHT)))
        inner = top.eroded(self._pixels(_BATTLEMENT_WIDTH))
        self._fill(area, theme.ink)
        self._fill(wall, masonry(theme, scale, theme.stone_dark))
        self._fill(top, theme.ink)
        self._fill(top.eroded(self._pixels(_LINE_WIDTH * 0.8)), _merlons(theme, scale))
        self._fill(inner, theme.ink)
        self._fill(inner.eroded(self._pixels(_LINE_WIDTH * 0.7)), _slabs(theme, scale))

    def cast_shadow(self, area: _Area) -> None:
        """Paint the shadow that a platform casts beside itself."""
        dx, dy = (self._pixels(part * 1.8) for part in SHADOW_OFFSET)
        self._fill(area.moved(dx, dy).beyond(area), (*SHADOW_COLOUR, round(255 * SHADOW_STRENGTH)))


@thread_safe_lru_cache(6)
def masonry(theme: Theme, scale: int, stone: Colour) -> Image.Image:
    """Return the courses of a wall, on one tile."""
    image = Image.new("RGBA", (scale, scale), stone)
    draw = ImageDraw.Draw(image)
    joint, joint_width = mixed(stone, theme.ink, 0.5), max(round(0.009 * scale), 1)
    for row in range(_COURSES):
        top, bottom = (round(edge * scale / _COURSES) for edge in (row, row + 1))
        draw.rectangle((0, top, scale, top + joint_width - 1), fill=joint)
        for column in range(_COURSES // 2 + 1):
            left = round((column + 0.5 * (row % 2)) * scale * 2 / _COURSES)
            draw.rectangle((left, top, left + joint_width - 1, bottom), fill=joint)
    return image


@thread_safe_lru_cache(6)
def _slabs(theme: Theme, scale: int) -> Image.Image:
    """Return paving in staggered rows that continues from tile to tile."""
    image = Image.new("RGBA", (scale, scale), theme.stone)
    draw = ImageDraw.Draw(image)
    joint, step, joint_width = (
        mixed(theme.stone, theme.stone_dark, 0.5),
        scale / _SLAB_ROWS,
        max(round(0.011 * scale), 1),
    )
    for row in range(_SLAB_ROWS):
        top = round(row * step)
        for column in range(_SLAB_ROWS // 2 + 1):
            left = round((column + 0.5 * (row % 2)) * 2 * step)
            draw.rectangle((left, top, left + joint_width - 1, top + step), fill=joint)
        draw.rectangle((0, top, scale, top + joint_width - 1), fill=joint)
    return image


@thread_safe_lru_cache(6)
def _merlons(theme: Theme, scale: int) -> Image.Image:
    """Return the pattern of battlements: teeth and gaps, in whichever direction the wall runs."""
    image = Image.new("RGBA", (scale, scale), theme.stone_dark)
    draw = ImageDraw.Draw(image)
    tooth = scale / _TEETH_PER_SIDE
    for row in range(_TEETH_PER_SIDE):
        for column in range((row + 1) % 2, _TEETH_PER_SIDE, 2):
            left, top = column * tooth, row * tooth
            draw.rectangle((left, top, left + tooth - 1, top + tooth - 1), fill=theme.stone_light)
    return image
