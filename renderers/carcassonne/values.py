"""What goes into the pictures of Carcassonne beside the values that all games share."""

from __future__ import annotations

from dataclasses import dataclass

from engine.carcassonne import TileKind
from engine.geometry import Axis, Cell

Trial = tuple[Cell, Axis]
"""A piece laid straight across a tile that is only being tried out: where, and how it lies."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tile that is only being tried out, with the piece that would be built with it."""

    cell: Cell
    tile: TileKind
    rotation: int
    piece: Trial | None = None

    @property
    def across(self) -> Axis | None:
        """How the piece lies that is built on the ghost itself."""
        return self.piece[1] if self.piece is not None and self.piece[0] == self.cell else None
