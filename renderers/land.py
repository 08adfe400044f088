"""The meadow: one texture for the whole table, of which every cell shows its own part.

Grass therefore continues from tile to tile. The texture repeats after a few cells, which is its period.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from PIL import Image, ImageDraw

from engine.caching import thread_safe_lru_cache
from engine.geometry import Cell
from renderers.caches import cached_sprite
from renderers.canvas import MEADOW_CALM
from renderers.masks import decoration_rng
from renderers.palette import to_palette
from renderers.theme import Theme

TEXTURE_PERIOD: Final = 4
"""Cells after which the texture repeats."""
_MASTER_CELL_SIZE: Final = 128
"""Pixels of a cell in the largest texture, from which all sizes are reduced."""
_MIN_SEAM_SIZE: Final = 24
"""Pixels of a cell from which a line in the grass shows the boundary between tiles."""
_TUFTS_PER_CELL: Final = 14
"""Tufts of grass on one cell."""


def meadow(theme: Theme, cell: Cell, size: int) -> Image.Image:
    """Return the meadow of one cell; cells that are a multiple of the period apart share a picture."""
    return _meadow_cell(theme, cell.x % TEXTURE_PERIOD, cell.y % TEXTURE_PERIOD, size)


def pasture(theme: Theme, size: tuple[int, int], cell_size: int) -> Image.Image:
    """Return a picture of this size that is covered with meadow."""
    image = Image.new("RGB", size)
    for x, y in product(range(-(-image.width // cell_size)), range(-(-image.height // cell_size))):
        image.paste(meadow(theme, Cell(x, y), cell_size), (x * cell_size, y * cell_size))
    return image


def flat_meadow(theme: Theme, cell: Cell, size: int) -> Image.Image:
    """Return the meadow of one cell in the theme's palette."""
    return _flat_meadow_cell(theme, cell.x % TEXTURE_PERIOD, cell.y % TEXTURE_PERIOD, size)


@cached_sprite
def _flat_meadow_cell(theme: Theme, column: int, row: int, size: int) -> Image.Image:
    """Cut the part of a cell out of the texture, in the theme's palette."""
    return to_palette(_cut_cell(theme, column, row, size), theme)


@cached_sprite
def _meadow_cell(theme: Theme, column: int, row: int, size: int) -> Image.Image:
    """Cut the part of a cell out of the texture; cached."""
    return _cut_cell(theme, column, row, size)


def _cut_cell(theme: Theme, column: int, row: int, size: int) -> Image.Image:
    """Cut the part of a cell out of the texture, and draw the seam between tiles."""
    left, top = column * size, row * size
    image = _texture(theme, size).crop((left, top, left + size, top + size))
    if size >= _MIN_SEAM_SIZE:
        last = size - 1
        ImageDraw.Draw(image).line((0, last, last, last, last, 0), fill=theme.seam)
    return image


@thread_safe_lru_cache(1)
def _texture(theme: Theme, size: int) -> Image.Image:
    """Return the whole texture for one cell size.

    Only the last size is cached: all its cells are cut out one after the other, and then cached themselves.
    """
    if size == _MASTER_CELL_SIZE:
        return _master_texture(theme)
    # Copies around the texture let the filter read across its edges, so that it repeats without a seam.
    side, wrap = TEXTURE_PERIOD * _MASTER_CELL_SIZE, _MASTER_CELL_SIZE
    padded = Image.new("RGB", (side + 2 * wrap, side + 2 * wrap))
    for x in (wrap - side, wrap, wrap + side):
        for y in (wrap - side, wrap, wrap + side):
            padded.paste(_master_texture(theme), (x, y))
    target = ((TEXTURE_PERIOD + 2) * size, (TEXTURE_PERIOD + 2) * size)
    reduced = padded.resize(target, Image.Resampling.LANCZOS)
    return reduced.crop((size, size, size + TEXTURE_PERIOD * size, size + TEXTURE_PERIOD * size))


@thread_safe_lru_cache(4)
def _master_texture(theme: Theme) -> Image.Image:
    """Draw the largest texture: clouds of lighter and darker grass, and tufts."""
    shade = _cloud_noise()
    image = Image.composite(
        Image.new("RGB", shade.size, theme.meadow_light), Image.new("RGB", shade.size, theme.meadow_dark), shade
    )
    image = Image.blend(image, Image.new("RGB", shade.size, theme.meadow), MEADOW_CALM)
    _paint_grass(image, theme)
    return image


def _cloud_noise() -> Image.Image:
    """Return smooth noise that is periodic in both directions."""
    side, wrap = TEXTURE_PERIOD * _MASTER_CELL_SIZE, 2
    noise = Image.frombytes(
        "L", (TEXTURE_PERIOD, TEXTURE_PERIOD), decoration_rng("meadow").randbytes(TEXTURE_PERIOD * TEXTURE_PERIOD)
    )
    padded = Image.new("L", (TEXTURE_PERIOD + 2 * wrap, TEXTURE_PERIOD + 2 * wrap))
    for x in (wrap - TEXTURE_PERIOD, wrap, wrap + TEXTURE_PERIOD):
        for y in (wrap - TEXTURE_PERIOD, wrap, wrap + TEXTURE_PERIOD):
            padded.paste(noise, (x, y))
    box = (wrap, wrap, wrap + TEXTURE_PERIOD, wrap + TEXTURE_PERIOD)
    return padded.resize((side, side), Image.Resampling.BICUBIC, box=box)


def _paint_grass(image: Image.Image, theme: Theme) -> None:
    """Paint tufts of grass."""
    rng = decoration_rng("grass")
    draw = ImageDraw.Draw(image)
    side = TEXTURE_PERIOD * _MASTER_CELL_SIZE
    for number in range(_TUFTS_PER_CELL * TEXTURE_PERIOD * TEXTURE_PERIOD):
        x, y = rng.randrange(side), rng.randrange(side)
        colour = theme.meadow_dark if number % 3 else theme.meadow_light
        for lean in (-3, 0, 3):
            blade = [(x + lean, y - 5 + abs(lean) // 2), (x, y)]
            for dx in (0, -side, side):
                for dy in (0, -side, side):
                    draw.line([(px + dx, py + dy) for px, py in blade], fill=colour, width=1)
