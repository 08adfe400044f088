"""Parts of a tile as small masks, and the points in them at which figures, shields and trees may stand.

A mask is an image of one byte a cell: 255 inside, 0 outside. Distances are measured by repeated erosion of a mask: each
step takes away the cells at its edge. Trees and roofs are scattered with a seeded generator, so a tile looks the same
each time.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable
from itertools import compress
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from renderers.canvas import Point, Polyline, distance, stroke_polygon

GRID: Final = 48
"""Cells of a mask along one side of the tile."""
_CELL_CENTRES: Final = tuple(((i % GRID + 0.5) / GRID, (i // GRID + 0.5) / GRID) for i in range(GRID * GRID))
"""The centres of all cells, row by row."""


def without_disc(area: Image.Image, centre: Point, radius: float) -> Image.Image:
    """Return the mask without a disc."""
    return without_discs(area, ((centre, radius),))


def without_discs(area: Image.Image, discs: Iterable[tuple[Point, float]]) -> Image.Image:
    """Return the mask without several discs."""
    remaining = area.copy()
    draw = ImageDraw.Draw(remaining)
    for centre, radius in discs:
        (x, y), reach = cell_containing(centre), radius * GRID
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=0)
    return remaining


def inside_outline(area: Image.Image, line: Polyline) -> Image.Image:
    """Return the part of the mask inside an outline."""
    inside = Image.new("L", area.size, 0)
    ImageDraw.Draw(inside).polygon([cell_containing(point) for point in line], fill=255)
    return ImageChops.multiply(area, inside)


def outside_outline(area: Image.Image, line: Polyline) -> Image.Image:
    """Return the part of the mask outside an outline."""
    remaining = area.copy()
    ImageDraw.Draw(remaining).polygon([cell_containing(point) for point in line], fill=0)
    return remaining


def dilated(area: Image.Image, by: float) -> Image.Image:
    """Return the mask grown by a distance in tiles."""
    grown = area
    for _ in range(round(by * GRID)):
        grown = grown.filter(ImageFilter.MaxFilter(3))
    return grown


def outside_band(area: Image.Image, line: Polyline, width: float) -> Image.Image:
    """Return the mask without a strip of this width along a line."""
    return outside_outline(area, stroke_polygon(line, width))


def eroded(area: Image.Image, by: float) -> Image.Image:
    """Return the points that lie at least this far, in tiles, inside the mask and the tile."""
    shrunk = ImageOps.expand(area, 1, 0)
    for _ in range(round(by * GRID)):
        shrunk = shrunk.filter(ImageFilter.MinFilter(3))
    return shrunk.crop((1, 1, GRID + 1, GRID + 1))


def roomiest_point(area: Image.Image) -> tuple[Point, float]:
    """Return the point of a mask farthest from its edge, and that distance; the tile's middle if it is empty."""
    shrunk, last, depth = ImageOps.expand(area, 1, 0), None, 0
    # The points that survive the most erosions are the farthest from the edge.
    while shrunk.getbbox() is not None:
        last, depth = shrunk, depth + 1
        shrunk = shrunk.filter(ImageFilter.MinFilter(3))
    if last is None:
        return (0.5, 0.5), 0.0
    cells = cell_centres(last.crop((1, 1, GRID + 1, GRID + 1)))
    middle = (sum(x for x, _ in cells) / len(cells), sum(y for _, y in cells) / len(cells))
    return min(cells, key=lambda cell: (round(distance(cell, middle), 6), cell)), depth / GRID


def cell_centres(area: Image.Image) -> list[Point]:
    """Return the centres of all cells of a mask, row by row."""
    return list(compress(_CELL_CENTRES, area.tobytes()))


def mask_of_points(points: Iterable[Point]) -> Image.Image:
    """Return the mask of the cells that contain these points."""
    area = Image.new("L", (GRID, GRID), 0)
    for point in points:
        area.putpixel(cell_containing(point), 255)
    return area


def cell_containing(point: Point) -> tuple[int, int]:
    """Return the cell of a mask that contains a point."""
    return (_clamped(point[0]), _clamped(point[1]))


def _clamped(value: float) -> int:
    """Return the row or column of a mask for a coordinate, within the mask."""
    return min(max(int(value * GRID), 0), GRID - 1)


def decoration_rng(seed: str) -> random.Random:
    """Return a random generator for trees and roofs, with a sequence that depends only on the seed."""
    return random.Random(zlib.crc32(seed.encode()))  # noqa: S311 - decoration, and reproducible on purpose
