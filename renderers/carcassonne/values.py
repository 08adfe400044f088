"""What goes into the pictures of Carcassonne beside the values that all games share."""

from __future__ import annotations

from dataclasses import dataclass

from engine.carcassonne import TileKind
from engine.geometry import Axis, Cell

Trial = tuple[Cell, Axis]
"""A bridge that is only being tried out: where, and how it lies."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tile that is only being tried out, with the bridge that would be built with it."""

    cell: Cell
    tile: TileKind
    rotation: int
    bridge: tuple[Cell, Axis] | None = None

    @property
    def own_bridge(self) -> Axis | None:
        """How the bridge lies that is built on the ghost itself."""
        return self.bridge[1] if self.bridge is not None and self.bridge[0] == self.cell else None
