"""The events of bridges, castles and bazaars; see :mod:`engine.events`.

A bazaar is an auction or, by a house variant, a draft of tiles; a lot is one of these tiles. Codes in parentheses are
rules of the rule digest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.actions import NO_SEAT, Seat
from engine.carcassonne.tiles import TileKind
from engine.events import Event, PlayerEvent, TileDiscarded
from engine.geometry import Axis, Cell

BANK: Final = NO_SEAT
"""The payee of a lot for which no other player bid (BZ-19)."""


@dataclass(frozen=True, slots=True)
class BridgeBuilt(PlayerEvent):
    """A bridge was built (BR-01)."""

    cell: Cell
    axis: Axis


@dataclass(frozen=True, slots=True)
class CastleBuilt(PlayerEvent):
    """A town became a castle (CA-12)."""

    cells: tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class BazaarOpened(PlayerEvent):
    """Tiles were turned up for an auction (BZ-10) or a draft (HV-01)."""

    tiles: tuple[TileKind, ...]
    draft: bool


@dataclass(frozen=True, slots=True)
class BazaarSkipped(PlayerEvent):
    """Too few tiles are left for a bazaar (BZ-06)."""


@dataclass(frozen=True, slots=True)
class BazaarDelayed(PlayerEvent):
    """A bazaar was drawn while another is held; it comes later (BZ-37)."""


@dataclass(frozen=True, slots=True)
class LotChosen(PlayerEvent):
    """A lot (from 1) came up for auction with an opening bid."""

    lot: int
    bid: int


@dataclass(frozen=True, slots=True)
class BidMade(PlayerEvent):
    """A player raised the bid."""

    amount: int


@dataclass(frozen=True, slots=True)
class BidPassed(PlayerEvent):
    """A player did not raise the bid."""


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
class LotsSetAside(PlayerEvent):
    """Tiles for a bazaar were taken face down; they are turned up after the builder's second tile (BZ-41, BZ-47)."""

    count: int


@dataclass(frozen=True, slots=True)
class BazaarClosed(PlayerEvent):
    """Every tile of the bazaar is placed."""
