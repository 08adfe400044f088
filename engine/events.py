"""What happened, in the order in which it happened: the answer of :meth:`engine.position.Position.apply`.

Seats count from 0; points are those of the score track.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.geometry import Axis, Cell
from engine.tiles import Segment, TileKind

BANK = -1
"""The payee of a lot that nobody else bid for (BZ-19)."""


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a score: so many things, so many points."""

    name: str
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A tile came up from the pile."""

    player: int
    tile: TileKind


@dataclass(frozen=True, slots=True)
class TileDiscarded:
    """A tile went out of the game: it fits nowhere (BA-08), was declined (BR-13) or its buyer has resigned."""

    player: int
    tile: TileKind
    declined: bool


@dataclass(frozen=True, slots=True)
class TilePlaced:
    """A tile was laid."""

    player: int
    cell: Cell
    tile: TileKind
    rotation: int


@dataclass(frozen=True, slots=True)
class BridgeBuilt:
    """A bridge was built (BR-01)."""

    player: int
    cell: Cell
    axis: Axis


@dataclass(frozen=True, slots=True)
class Deployed:
    """A figure was put on a segment (board oriented)."""

    player: int
    cell: Cell
    segment: Segment
    figure: str


@dataclass(frozen=True, slots=True)
class Completed:
    """A structure was completed, held or not; ``points`` is its whole value (CA-31)."""

    kind: str
    cells: tuple[Cell, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A player got points for a structure; ``final`` at the end of the game."""

    player: int
    points: int
    kind: str
    terms: tuple[Term, ...]
    cells: tuple[Cell, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Returned:
    """A figure went home to its supply (BA-22)."""

    player: int
    cell: Cell
    figure: str


@dataclass(frozen=True, slots=True)
class CastleBuilt:
    """A town became a castle (CA-12)."""

    player: int
    cells: tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class BazaarOpened:
    """Tiles were turned up for an auction (BZ-10) or a draft (HV-01)."""

    player: int
    tiles: tuple[TileKind, ...]
    draft: bool


@dataclass(frozen=True, slots=True)
class BazaarSkipped:
    """Too few tiles are left for a bazaar (BZ-06)."""

    player: int


@dataclass(frozen=True, slots=True)
class BazaarDelayed:
    """A bazaar was drawn while another is held; it comes later (BZ-37)."""

    player: int


@dataclass(frozen=True, slots=True)
class LotChosen:
    """A lot (from 1) came up for auction with an opening bid."""

    player: int
    lot: int
    bid: int


@dataclass(frozen=True, slots=True)
class BidMade:
    """A player raised the bid."""

    player: int
    amount: int


@dataclass(frozen=True, slots=True)
class BidPassed:
    """A player did not raise the bid."""

    player: int


@dataclass(frozen=True, slots=True)
class LotSold:
    """A lot (from 1) found its owner; ``payer`` gave ``price`` points to ``payee`` (:data:`BANK`: to nobody)."""

    lot: int
    player: int
    price: int
    payer: int
    payee: int


@dataclass(frozen=True, slots=True)
class BazaarClosed:
    """Every tile of the bazaar is placed."""

    player: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player left the game."""

    player: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The final scores by seat."""

    scores: tuple[int, ...]


Event = (
    TileDrawn
    | TileDiscarded
    | TilePlaced
    | BridgeBuilt
    | Deployed
    | Completed
    | Scored
    | Returned
    | CastleBuilt
    | BazaarOpened
    | BazaarSkipped
    | BazaarDelayed
    | LotChosen
    | BidMade
    | BidPassed
    | LotSold
    | BazaarClosed
    | Resigned
    | GameOver
)
"""Anything that can happen."""
