"""What goes into the pictures of The Castle beside the values that all games share."""

from __future__ import annotations

from dataclasses import dataclass

from engine.geometry import Cell
from engine.the_castle.tiles import TileKind
from engine.tiles import Segment


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tile that is only being tried out."""

    cell: Cell
    tile: TileKind
    rotation: int


@dataclass(frozen=True, slots=True)
class Area:
    """A feature with the letter of its button, by its parts (board oriented), start spaces among them.

    The letter may be empty where there is no other feature from which to tell it.
    """

    letter: str
    parts: tuple[tuple[Cell, Segment], ...]
