"""The table of The Castle as its steps see it: the ward, the keeps, and where the wall tiles are."""

from __future__ import annotations

from abc import ABC
from typing import Final, NamedTuple, Self

from engine import position
from engine.actions import Seat
from engine.board import SegmentNumber
from engine.the_castle.options import Options
from engine.the_castle.setup import Setup
from engine.the_castle.tiles import TileKind
from engine.the_castle.wall import WallTile, wall
from engine.the_castle.ward import FIGURES, Ward

KEEP: Final = "keep"
"""The name of the supply, and of what the final scoring calls the largest keep."""


class Keep(NamedTuple):
    """Where a keep stands: the size of the house as option ``tc_keep_measure`` counts it, and a segment of it."""

    size: int
    segment: SegmentNumber


class Tabletop(position.Position, ABC):
    """What lies within the wall and who has what; see :class:`engine.position.Position`."""

    __slots__ = ("cleared", "fresh", "hands", "keeps", "moved", "taken", "ward")
    setup: Setup
    options: Options

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.ward = Ward()
        self.keeps: list[Keep | None] = [None] * setup.players
        """Where each player's keep stands."""
        self.hands: list[tuple[WallTile, ...]] = [()] * setup.players
        """The wall tiles that each player has taken and not used, sorted; they lie face up."""
        self.taken: tuple[int, ...] = ()
        """The corner towers whose wall tiles have been taken, in that order."""
        self.cleared = False
        """Whether the other wall tiles have been removed, for the final scoring (TC-70)."""
        self.fresh: tuple[WallTile, ...] = ()
        """The wall tiles that the player on turn has taken in this turn."""
        self.moved: tuple[Seat, ...] = ()
        """Whose markers have moved in this turn, where wall tiles are taken at its end (HV-06)."""
        for figure in FIGURES.values():
            self.supply[figure.name] = [figure.count] * setup.players
        self.supply[KEEP] = [1] * setup.players

    def _take_over(self, other: Self) -> None:
        super()._take_over(other)
        self.ward = other.ward.copy()
        self.keeps = other.keeps.copy()
        self.hands = other.hands.copy()
        self.taken = other.taken
        self.cleared = other.cleared
        self.fresh = other.fresh
        self.moved = other.moved

    # -- what steps and tasks use ---------------------------------------------------------------------------------

    @property
    def board(self) -> Ward:
        """The ward."""
        return self.ward

    def draw(self) -> TileKind | None:
        """Turn up the next tile of the pile, if there is one."""
        if not self.pile_left:
            return None
        drawn = self.setup.tiles[self.setup.pile[self.next_tile]]
        self.next_tile += 1
        return drawn

    def opponent(self, player: Seat) -> Seat:
        """The other player."""
        return Seat(self.players - 1 - player)

    @property
    def corners(self) -> tuple[int, ...]:
        """The corner towers on which wall tiles lie, each named by the first of its two spaces."""
        return () if self.cleared else tuple(corner for corner in wall().corners if corner not in self.taken)
