"""*The River*: words for the course of the river across a tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.games.carcassonne.words import shape
from cogs.texts import t
from engine import tiles
from engine.carcassonne import Segment, tile
from engine.carcassonne.expansions import river

_ENDS: Final = ("lake", "mouth")
"""Attributes of a river that ends on its tile, and the ends of the keys of their words."""


def _course(kind: tiles.TileKind) -> Iterator[str]:
    """Describe the course of the river on a tile, or the spring or lake at its end."""
    for segment in tile(kind.id).segments:
        if segment.kind == river.NAME:
            yield t(f"tile.river.{_end(kind, segment) or shape(segment)}")


def _end(kind: tiles.TileKind, segment: Segment) -> str:
    """Return where a river begins or ends on a tile: ``spring``, ``lake`` or ``mouth``; empty if it goes on."""
    if kind.id == river.LAKE:  # the older tile has no attribute
        return "lake"
    end = next((name for name in _ENDS if segment.shows(name) is not None), "")
    return end or ("spring" if len(segment.places) == 1 else "")


BOX: Final = BoxPresenter(parts=_course)
