"""The lots of a bazaar as a value: who has which tile, and what is bid (BZ-10 to BZ-27)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.actions import NOBODY, Seat
from engine.carcassonne.table import Tabletop
from engine.carcassonne.tiles import TileKind

BAZAAR: Final = "bazaar"
"""The flag of the tiles, and the key in ``position.extra`` of the bazaar in progress."""


@dataclass(frozen=True, slots=True)
class Bazaar:
    """A bazaar in progress: lots count from 0 here, ``-1`` is nobody or nothing."""

    active: Seat
    tiles: tuple[TileKind, ...]
    owners: tuple[Seat, ...]
    draft: bool
    selector: Seat
    lot: int = -1
    bid: int = 0
    bidder: Seat = NOBODY

    @property
    def open_lots(self) -> tuple[int, ...]:
        """The lots without an owner."""
        return tuple(lot for lot, owner in enumerate(self.owners) if owner < 0)

    def lot_of(self, player: Seat) -> int:
        """The lot that a player has, -1 without one."""
        return self.owners.index(player) if player in self.owners else -1

    def given(self, lot: int, player: Seat) -> Bazaar:
        """The bazaar after a lot found its owner."""
        owners = (*self.owners[:lot], player, *self.owners[lot + 1 :])
        return replace(self, owners=owners, lot=-1, bid=0, bidder=NOBODY)


def bazaar_of(position: Tabletop) -> Bazaar | None:
    """The bazaar in progress, until the last of its tiles is placed."""
    bazaar: Bazaar | None = position.extra.get(BAZAAR)
    return bazaar


def running_bazaar(position: Tabletop) -> Bazaar:
    """The bazaar in progress.

    Raises:
        LookupError: none is held.
    """
    bazaar = bazaar_of(position)
    if bazaar is None:
        raise LookupError("no bazaar is held")
    return bazaar
