"""The events of The Castle; see :mod:`engine.events`.

Wall tiles are bonuses that players take from the corner towers of the castle wall. A keep is the piece that marks a
player's largest house. TC-53 and the like are rules of the rule digest.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Seat
from engine.events import Event, PlayerEvent
from engine.geometry import Cell
from engine.the_castle.wall import WallTile


@dataclass(frozen=True, slots=True)
class WallTileTaken(PlayerEvent):
    """A score marker stopped on a corner tower, and its owner took the wall tile there (TC-53)."""

    kind: WallTile
    space: int


@dataclass(frozen=True, slots=True)
class WallTilesUsed(PlayerEvent):
    """A player used wall tiles of a kind, which leave the game (TC-59)."""

    kind: WallTile
    count: int


@dataclass(frozen=True, slots=True)
class KeepMoved(PlayerEvent):
    """A keep was put on a house (TC-49, TC-50); ``size`` is in the unit of option ``tc_keep_measure``."""

    size: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class KeepsCompared(Event):
    """The keeps were compared at the end (TC-81).

    ``sizes`` are by seat, 0 without a keep; ``counted`` includes wall tiles 8; ``player`` is -1 on a tie.
    """

    sizes: tuple[int, ...]
    counted: tuple[int, ...]
    player: Seat
