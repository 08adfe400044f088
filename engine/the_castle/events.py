"""What happens in The Castle alone, see :mod:`engine.events`."""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Seat
from engine.events import Event
from engine.geometry import Cell
from engine.the_castle.wall import WallTile


@dataclass(frozen=True, slots=True)
class WallTileTaken(Event):
    """A marker came to rest on a space of a corner tower, whose wall tile its owner turned up (TC-53)."""

    player: Seat
    kind: WallTile
    space: int


@dataclass(frozen=True, slots=True)
class WallTilesUsed(Event):
    """A player used so many wall tiles of a kind, which leave the game (TC-59)."""

    player: Seat
    kind: WallTile
    count: int


@dataclass(frozen=True, slots=True)
class KeepMoved(Event):
    """A keep was put on a house of this size (TC-49, TC-50), counted as option ``tc_keep_measure`` says."""

    player: Seat
    size: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class KeepsCompared(Event):
    """The keeps at the end by seat, 0 without one; ``counted`` with wall tiles 8, ``player`` -1 on a tie (TC-81)."""

    sizes: tuple[int, ...]
    counted: tuple[int, ...]
    player: Seat
