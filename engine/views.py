"""What a position of any game shows to those who only look: features and standing figures, by cell and segment."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from engine.geometry import Cell
from engine.tiles import Segment, TileKind


class PlacedTile(Protocol):
    """A tile on the table: ``player`` laid it (-1: it lay there from the start) as number ``number``."""

    @property
    def cell(self) -> Cell:
        """Where it lies."""

    @property
    def tile(self) -> TileKind:
        """What is printed on it."""

    @property
    def rotation(self) -> int:
        """Degrees clockwise."""

    @property
    def player(self) -> int:
        """The seat that laid it."""

    @property
    def number(self) -> int:
        """Its number in the order of placing."""


class Standing(NamedTuple):
    """A figure on a segment (board oriented) of the tile on ``cell``."""

    player: int
    figure: str
    cell: Cell
    segment: Segment


class Feature(NamedTuple):
    """A feature with all its parts.

    ``tiles`` counts each tile once (BA-18); ``marks`` what is drawn on it and counts (pennants, wells, markets);
    ``open_ends`` is 0 when complete and -1 for what is never complete; ``owners`` are the seats with the majority.
    """

    kind: str
    parts: tuple[tuple[Cell, Segment], ...]
    tiles: int
    marks: int
    open_ends: int
    complete: bool
    followers: tuple[Standing, ...]
    owners: tuple[int, ...]
