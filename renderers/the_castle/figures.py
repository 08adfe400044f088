"""The figures of The Castle, by the names that the engine has for them, and how they keep to their tiles."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

from PIL import Image

from engine.actions import FOLLOWER
from engine.the_castle.tiles import FeatureKind
from renderers.figures import FigureSprite, drawn, follower
from renderers.shapes import Point
from renderers.theme import Theme

FIGURES: Final[Mapping[str, FigureSprite]] = MappingProxyType({FOLLOWER: follower})
FIGURE: Final = 0.94
"""Their size, since towers and houses are often narrow."""


def figure(theme: Theme, player: int, size: int, name: str, kind: FeatureKind) -> Image.Image:
    """The figure that the engine calls by this name, on a feature of this kind.

    Raises:
        ValueError: it has no drawing.
    """
    return drawn(FIGURES, name)(theme, player, round(size * FIGURE), lying=kind is FeatureKind.COURT)


def within_tile(place: Point, kind: FeatureKind) -> Point:
    """The point moved so that hardly anything of a figure reaches over its tile, though a herald's feet stay put."""
    match kind:
        case FeatureKind.COURT:
            across, up, down = 0.23, 0.14, 0.14
        case FeatureKind.PATH:
            across, up, down = 0.16, 0.1, 0.24
        case FeatureKind.TOWER | FeatureKind.HOUSE:
            across, up, down = 0.16, 0.22, 0.24
        case never:
            assert_never(never)
    return (min(max(place[0], across), 1 - across), min(max(place[1], up), 1 - down))
