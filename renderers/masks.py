"""Parts of a tile as small masks, and the points in them at which figures, shields and trees may stand.

Distances are counted by wearing a mask away one step at a time. The chance that decides where trees and roofs go falls
the same way each time.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable
from itertools import compress
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from renderers.shapes import Point, Polyline, band, distance

GRID: Final = 48
"""Cells of a mask along one side of the tile."""
_MIDDLES: Final = tuple(((i % GRID + 0.5) / GRID, (i // GRID + 0.5) / GRID) for i in range(GRID * GRID))
"""Of all cells, row by row."""


def without_disc(area: Image.Image, centre: Point, radius: float) -> Image.Image:
    """The mask less a round part."""
    return without_discs(area, ((centre, radius),))


def without_discs(area: Image.Image, discs: Iterable[tuple[Point, float]]) -> Image.Image:
    """The mask less several round parts."""
    rest = area.copy()
    draw = ImageDraw.Draw(rest)
    for centre, radius in discs:
        (x, y), reach = cell_at(centre), radius * GRID
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=0)
    return rest


def only(area: Image.Image, line: Polyline) -> Image.Image:
    """The part of the mask within an outline."""
    kept = Image.new("L", area.size, 0)
    ImageDraw.Draw(kept).polygon([cell_at(point) for point in line], fill=255)
    return ImageChops.multiply(area, kept)


def without(area: Image.Image, line: Polyline) -> Image.Image:
    """The mask less the part within an outline."""
    rest = area.copy()
    ImageDraw.Draw(rest).polygon([cell_at(point) for point in line], fill=0)
    return rest


def grown(area: Image.Image, by: float) -> Image.Image:
    """The mask and all that is as near to it as this."""
    wide = area
    for _ in range(round(by * GRID)):
        wide = wide.filter(ImageFilter.MaxFilter(3))
    return wide


def without_band(area: Image.Image, line: Polyline, width: float) -> Image.Image:
    """The mask less a strip."""
    return without(area, band(line, width))


def shrunk(area: Image.Image, by: float) -> Image.Image:
    """The points of the mask that lie at least so far within it and within the tile."""
    worn = ImageOps.expand(area, 1, 0)
    for _ in range(round(by * GRID)):
        worn = worn.filter(ImageFilter.MinFilter(3))
    return worn.crop((1, 1, GRID + 1, GRID + 1))


def heart(area: Image.Image) -> tuple[Point, float]:
    """The roomiest point of a mask and how far it is from the rim; the middle of the tile if the mask is empty."""
    worn, last, depth = ImageOps.expand(area, 1, 0), None, 0
    while worn.getbbox() is not None:
        last, depth = worn, depth + 1
        worn = worn.filter(ImageFilter.MinFilter(3))
    if last is None:
        return (0.5, 0.5), 0.0
    cells = cells_of(last.crop((1, 1, GRID + 1, GRID + 1)))
    middle = (sum(x for x, _ in cells) / len(cells), sum(y for _, y in cells) / len(cells))
    return min(cells, key=lambda cell: (round(distance(cell, middle), 6), cell)), depth / GRID


def cells_of(area: Image.Image) -> list[Point]:
    """The middles of all cells of a mask, row by row."""
    return list(compress(_MIDDLES, area.tobytes()))


def of_cells(points: Iterable[Point]) -> Image.Image:
    """The mask of the cells in which points lie."""
    area = Image.new("L", (GRID, GRID), 0)
    for point in points:
        area.putpixel(cell_at(point), 255)
    return area


def cell_at(point: Point) -> tuple[int, int]:
    """The cell of a mask in which a point lies."""
    return (_clamped(point[0]), _clamped(point[1]))


def _clamped(value: float) -> int:
    return min(max(int(value * GRID), 0), GRID - 1)


def decoration_dice(seed: str) -> random.Random:
    """Chance for trees and roofs that falls the same way each time."""
    return random.Random(zlib.crc32(seed.encode()))  # noqa: S311 - decoration, and reproducible on purpose
