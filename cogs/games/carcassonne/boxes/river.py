"""*The River*: words for the course of the river across a tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.games.carcassonne.words import shape
from cogs.texts import t
from engine import tiles
from engine.carcassonne.expansions import river

_ENDS: Final = {river.SPRING: "spring", river.LAKE: "lake"}


def _course(kind: tiles.TileKind) -> Iterator[str]:
    """Describe the course of the river on a tile, or the spring or lake at its end."""
    for segment in kind.segments:
        if segment.kind == river.NAME:
            yield t(f"tile.river.{_ENDS.get(kind.id) or shape(segment)}")


BOX: Final = BoxPresenter(parts=_course)
