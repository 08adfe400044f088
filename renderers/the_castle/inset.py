"""A castle tile on its own, large: the drawn one, or the ghost with the places for a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from engine.geometry import Cell
from engine.the_castle.tiles import TileKind
from renderers import pieces
from renderers.land import meadow
from renderers.text import write
from renderers.the_castle.layout import anchor
from renderers.the_castle.scenery import tile_sprite
from renderers.the_castle.values import Ghost
from renderers.theme import Theme
from renderers.values import Choice

_NUMBER: Final = 0.165
"""Width of the disc with a number, in tiles."""


def tile_picture(theme: Theme, tile: TileKind, rotation: int, size: int) -> Image.Image:
    """A tile with its grass."""
    image = meadow(theme, Cell(0, 0), size).copy()
    sprite = tile_sprite(theme, tile, rotation, size, 0)
    image.paste(sprite, (0, 0), sprite)
    return image


def choices_inset(ghost: Ghost, choices: Sequence[Choice], size: int, theme: Theme) -> Image.Image:
    """The ghost tile enlarged, with a number at each place for a figure."""
    image = tile_picture(theme, ghost.tile, ghost.rotation, size)
    across = round(size * _NUMBER)
    disc = pieces.disc(theme, across, theme.halo, theme.ink)
    for choice in choices:
        x, y = (value * size for value in anchor(ghost.tile, ghost.rotation, choice.segment))
        image.paste(disc, (round(x - across / 2), round(y - across / 2)), disc)
        write(image, str(choice.number), (x, y), round(across * 0.66), theme.ink)
    return image
