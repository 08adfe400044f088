"""The events of bridges, castles and bazaars; see :mod:`engine.events`.

A bazaar is an auction or, by a house variant, a draft of tiles; a lot is one of these tiles. Codes in parentheses are
rules of the rule digest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.actions import NO_SEAT, Seat
from engine.carcassonne.tiles import TileKind
from engine.events import Event, TileDiscarded
from engine.geometry import Axis, Cell

BANK: Final = NO_SEAT
"""The payee of a lot for which no other player bid (BZ-19)."""


@dataclass(frozen=True, slots=True)
class BridgeBuilt(Event):
    """A bridge was built (BR-01)."""

    player: Seat
    cell: Cell
    axis: Axis


@dataclass(frozen=True, slots=True)
class CastleBuilt(Event):
    """A town became a castle (CA-12)."""

    player: Seat
    cells: tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class BazaarOpened(Event):
    """Tiles were turned up for an auction (BZ-10) or a draft (HV-01)."""

    player: Seat
    tiles: tuple[TileKind, ...]
    draft: bool


@dataclass(frozen=True, slots=True)
class BazaarSkipped(Event):
    """Too few tiles are left for a bazaar (BZ-06)."""

    player: Seat


@dataclass(frozen=True, slots=True)
class BazaarDelayed(Event):
    """A bazaar was drawn while another is held; it comes later (BZ-37)."""

    player: Seat


@dataclass(frozen=True, slots=True)
class LotChosen(Event):
    """A lot (from 1) came up for auction with an opening bid."""

    player: Seat
    lot: int
    bid: int


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    """A player raised the bid."""

    player: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class BidPassed(Event):
    """A player did not raise the bid."""

    player: Seat


@dataclass(frozen=True, slots=True)
class LotSold(Event):
    """A lot (from 1) was sold; ``payer`` gave ``price`` points to ``payee``, who may be :data:`BANK`.

    ``picked`` is true if it was picked without payment, as in a draft (HV-01).
    """

    lot: int
    player: Seat
    price: int
    payer: Seat
    payee: Seat
    picked: bool = False


@dataclass(frozen=True, slots=True)
class LotLost(TileDiscarded):
    """A lot (from 1) left the game because there are fewer players than lots after a resignation.

    ``player`` is the active player of the bazaar.
    """

    lot: int = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class LotsSetAside(Event):
    """Tiles for a bazaar were taken face down; they are turned up after the builder's second tile (BZ-41, BZ-47)."""

    player: Seat
    count: int


@dataclass(frozen=True, slots=True)
class BazaarClosed(Event):
    """Every tile of the bazaar is placed."""

    player: Seat
