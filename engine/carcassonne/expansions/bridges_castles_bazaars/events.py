"""What happens with bridges, castles and bazaars, see :mod:`engine.events`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.actions import NO_SEAT, Seat
from engine.carcassonne.tiles import TileKind
from engine.events import Event, TileDiscarded
from engine.geometry import Axis, Cell

BANK: Final = NO_SEAT
"""The payee of a lot that nobody else bid for (BZ-19)."""


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
    """A lot (from 1) found its owner; ``payer`` gave ``price`` points to ``payee`` (:data:`BANK`: to nobody).

    ``picked``: in a draft, where nothing is paid (HV-01).
    """

    lot: int
    player: Seat
    price: int
    payer: Seat
    payee: Seat
    picked: bool = False


@dataclass(frozen=True, slots=True)
class LotLost(TileDiscarded):
    """A lot (from 1) for which nobody is left, because somebody has resigned, went out of the game.

    ``player`` is whose bazaar it was.
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
