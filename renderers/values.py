"""The inputs and results of drawing: frozen values that every drawing module shares.

A feature, such as a road or a field, is given by its parts: pairs of a cell and a segment, the part of the feature on
the tile there. "Board oriented" segments name their sides as they lie on the board, after the rotation of the tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.geometry import Cell
from engine.tiles import Segment


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded image: its bytes, the name to attach it under, and its size in pixels."""

    data: bytes
    filename: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Mark:
    """The last tile that a player placed."""

    cell: Cell
    player: int


@dataclass(frozen=True, slots=True)
class HeldField:
    """A field and the seats that own it, by its parts (board oriented)."""

    owners: tuple[int, ...]
    parts: tuple[tuple[Cell, Segment], ...]


@dataclass(frozen=True, slots=True)
class Guides:
    """Hints that a picture shows in addition to the pieces; the players of a table may turn them off."""

    fields: tuple[HeldField, ...] = ()
    """Fields with their owners."""
    dead: frozenset[Cell] = frozenset()
    """Cells that no remaining tile fits."""
    aided: frozenset[Cell] = frozenset()
    """Cells that a remaining tile fits only with a bridge."""
    elsewhere: tuple[Cell, ...] = ()
    """Spots of the composer that are in other parts of the board; this is no hint, and always shown."""


NO_GUIDES: Final = Guides()
"""No hints."""


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """A place for a figure on the ghost tile (board oriented), with the letter of its button.

    ``figure`` is the name, in the engine, of the figure chosen for the place; it is drawn there. ``at`` is the
    point of the tile where a figure stands that stands on a corner, whatever its segment.
    """

    letter: str
    segment: Segment
    figure: str = ""
    at: tuple[float, float] | None = None
