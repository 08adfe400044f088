"""The meadow: one texture for the whole table, of which every tile shows its own part."""

from __future__ import annotations

from itertools import product
from typing import Final

from PIL import Image, ImageDraw

from engine.caching import thread_safe_lru_cache
from engine.geometry import Cell
from renderers.caches import cached_sprite
from renderers.canvas import CALM
from renderers.masks import decoration_dice
from renderers.palette import flattened
from renderers.theme import Theme

PERIOD: Final = 4
"""After so many cells the texture repeats."""
_MASTER: Final = 128
"""Pixels of a cell in the texture that all sizes are reduced from."""
_BORDER_FROM: Final = 24
"""From this size on a line in the grass shows where tiles meet."""
_TUFTS: Final = 14
"""Blades of grass on one cell."""


def meadow(theme: Theme, cell: Cell, size: int) -> Image.Image:
    """The meadow of one cell; cells a whole period apart share a picture."""
    return _part(theme, cell.x % PERIOD, cell.y % PERIOD, size)


def pasture(theme: Theme, size: tuple[int, int], cell_size: int) -> Image.Image:
    """Return a picture of this size that is meadow all over."""
    image = Image.new("RGB", size)
    for x, y in product(range(-(-image.width // cell_size)), range(-(-image.height // cell_size))):
        image.paste(meadow(theme, Cell(x, y), cell_size), (x * cell_size, y * cell_size))
    return image


def flat_meadow(theme: Theme, cell: Cell, size: int) -> Image.Image:
    """The same in the theme's palette."""
    return _flat_part(theme, cell.x % PERIOD, cell.y % PERIOD, size)


@cached_sprite
def _flat_part(theme: Theme, column: int, row: int, size: int) -> Image.Image:
    return flattened(_cut(theme, column, row, size), theme)


@cached_sprite
def _part(theme: Theme, column: int, row: int, size: int) -> Image.Image:
    return _cut(theme, column, row, size)


def _cut(theme: Theme, column: int, row: int, size: int) -> Image.Image:
    left, top = column * size, row * size
    image = _texture(theme, size).crop((left, top, left + size, top + size))
    if size >= _BORDER_FROM:
        last = size - 1
        ImageDraw.Draw(image).line((0, last, last, last, last, 0), fill=theme.seam)
    return image


@thread_safe_lru_cache(1)
def _texture(theme: Theme, size: int) -> Image.Image:
    """All of the meadow in a size; its parts are cut one after the other, and kept, so that one is enough."""
    if size == _MASTER:
        return _master(theme)
    side, wrap = PERIOD * _MASTER, _MASTER
    padded = Image.new("RGB", (side + 2 * wrap, side + 2 * wrap))
    for x in (wrap - side, wrap, wrap + side):
        for y in (wrap - side, wrap, wrap + side):
            padded.paste(_master(theme), (x, y))
    target = ((PERIOD + 2) * size, (PERIOD + 2) * size)
    reduced = padded.resize(target, Image.Resampling.LANCZOS)
    return reduced.crop((size, size, size + PERIOD * size, size + PERIOD * size))


@thread_safe_lru_cache(4)
def _master(theme: Theme) -> Image.Image:
    shade = _clouds()
    image = Image.composite(
        Image.new("RGB", shade.size, theme.meadow_light), Image.new("RGB", shade.size, theme.meadow_dark), shade
    )
    image = Image.blend(image, Image.new("RGB", shade.size, theme.meadow), CALM)
    _sow(image, theme)
    return image


def _clouds() -> Image.Image:
    """Smooth chance, periodic in both directions."""
    side, wrap = PERIOD * _MASTER, 2
    noise = Image.frombytes("L", (PERIOD, PERIOD), decoration_dice("meadow").randbytes(PERIOD * PERIOD))
    padded = Image.new("L", (PERIOD + 2 * wrap, PERIOD + 2 * wrap))
    for x in (wrap - PERIOD, wrap, wrap + PERIOD):
        for y in (wrap - PERIOD, wrap, wrap + PERIOD):
            padded.paste(noise, (x, y))
    box = (wrap, wrap, wrap + PERIOD, wrap + PERIOD)
    return padded.resize((side, side), Image.Resampling.BICUBIC, box=box)


def _sow(image: Image.Image, theme: Theme) -> None:
    """Blades of grass and a few flowers."""
    dice = decoration_dice("grass")
    draw = ImageDraw.Draw(image)
    side = PERIOD * _MASTER
    for number in range(_TUFTS * PERIOD * PERIOD):
        x, y = dice.randrange(side), dice.randrange(side)
        colour = theme.meadow_dark if number % 3 else theme.meadow_light
        for lean in (-3, 0, 3):
            blade = [(x + lean, y - 5 + abs(lean) // 2), (x, y)]
            for dx in (0, -side, side):
                for dy in (0, -side, side):
                    draw.line([(px + dx, py + dy) for px, py in blade], fill=colour, width=1)
