"""The table of The Castle: the ward, the keeps and the wall tiles, as steps and tasks use it.

The ward is the board within the castle wall. A keep marks a player's largest house. Wall tiles are bonuses, first face
down on the corner towers of the wall, then in the players' hands. Codes such as TC-70 are rules of the rule digest.
"""

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
"""The name of the supply of keeps, and of the score for the largest keep."""


class Keep(NamedTuple):
    """A keep on a house: the house's size in the unit of option ``tc_keep_measure``, and one of its segments."""

    size: int
    segment: SegmentNumber


class Tabletop(position.Position, ABC):
    """The tiles within the wall and the players' pieces; see :class:`engine.position.Position`."""

    __slots__ = ("hands", "keeps", "moved_markers", "taken", "taken_this_turn", "wall_cleared", "ward")
    setup: Setup
    options: Options

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.ward = Ward()
        self.keeps: list[Keep | None] = [None] * setup.players
        """Each player's keep, or None while it is in the supply."""
        self.hands: list[tuple[WallTile, ...]] = [()] * setup.players
        """Each player's unused wall tiles, sorted; they lie face up."""
        self.taken: tuple[int, ...] = ()
        """The corner towers whose wall tiles have been taken, in the order of taking."""
        self.wall_cleared = False
        """True if the wall tiles that nobody took have been removed for the final scoring (TC-70)."""
        self.taken_this_turn: tuple[WallTile, ...] = ()
        """The wall tiles that the player has taken in the current turn."""
        self.moved_markers: tuple[Seat, ...] = ()
        """The players whose markers moved in this turn, if wall tiles are taken at its end (HV-06)."""
        for figure in FIGURES.values():
            self.supply[figure.name] = [figure.count] * setup.players
        self.supply[KEEP] = [1] * setup.players

    def _copy_state_from(self, other: Self) -> None:
        super()._copy_state_from(other)
        self.ward = other.ward.copy()
        self.keeps = other.keeps.copy()
        self.hands = other.hands.copy()
        self.taken = other.taken
        self.wall_cleared = other.wall_cleared
        self.taken_this_turn = other.taken_this_turn
        self.moved_markers = other.moved_markers

    # -- used by steps and tasks ------------------------------------------------------------------------------------

    @property
    def board(self) -> Ward:
        """The ward."""
        return self.ward

    def draw(self) -> TileKind | None:
        """Draw the next tile of the pile; None if it is empty."""
        if not self.pile_left:
            return None
        drawn = self.setup.tiles[self.setup.pile[self.next_tile]]
        self.next_tile += 1
        return drawn

    def opponent(self, player: Seat) -> Seat:
        """Return the other player."""
        return Seat(self.players - 1 - player)

    @property
    def corners(self) -> tuple[int, ...]:
        """The corner towers on which wall tiles lie, each named by the first of its two spaces."""
        return () if self.wall_cleared else tuple(corner for corner in wall().corners if corner not in self.taken)
