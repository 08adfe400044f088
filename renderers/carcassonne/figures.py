"""Every figure of Carcassonne by the name that the engine has for it, and what boxes lay across tiles."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PIL import Image

from engine.actions import FOLLOWER
from engine.geometry import Axis
from renderers.carcassonne.boxes import BOXES
from renderers.figures import FigureSprite, drawn, follower, within_tile
from renderers.shapes import Point
from renderers.theme import Theme

FIGURES: Final[Mapping[str, FigureSprite]] = MappingProxyType(
    {FOLLOWER: follower} | {name: sprite for box in BOXES.values() for name, sprite in box.figures.items()}
)
"""The follower, and what the boxes bring."""
_REACHES: Final = {name: reach for box in BOXES.values() for name, reach in box.reaches.items()}


def figure(theme: Theme, player: int, size: int, name: str, *, lying: bool = False) -> Image.Image:
    """The figure that the engine calls by this name.

    Raises:
        ValueError: it has no drawing.
    """
    return drawn(FIGURES, name)(theme, player, size, lying=lying)


def across_sprite(theme: Theme, axis: Axis, size: int) -> Image.Image:
    """What a box lays straight across a tile, for cells of so many pixels.

    Raises:
        ValueError: it has no drawing.
    """
    sprite = next((box.across for box in BOXES.values() if box.across is not None), None)
    if sprite is None:
        raise ValueError("nothing is laid across tiles")
    return sprite(theme, axis, size)


def reach_of(name: str) -> float:
    """How many times as far as a follower a figure reaches."""
    return _REACHES.get(name, 1.0)


def kept_within(place: Point, name: str, *, lying: bool) -> Point:
    """The point moved so that this figure keeps to its tile."""
    return within_tile(place, lying=lying, reach=reach_of(name))
