"""Directions in whole words, for who hears them: letters of the compass stay in notation and in pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cogs.texts import listed, t

CORNERS: Final = ("NW", "NE", "SE", "SW")
"""The corners of a tile, clockwise."""


def sides(names: Iterable[str]) -> str:
    """Sides and corners in one phrase, such as ``north, north-east and east``."""
    return listed([t(f"direction.{name}") for name in names])


def corner(half: int) -> int:
    """The corner of the tile, by its place in :data:`CORNERS`, at which a half-side lies."""
    return (half + 1) // 2 % 4
