"""Mayors (AM-21 to AM-30): followers of cities who count as much as there are pennants.

Codes such as AM-22 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.actions import Seat
from engine.board import Board, Follower, SegmentNumber
from engine.carcassonne.expansions.abbey_mayor.options import options_of
from engine.carcassonne.table import Expansion, Figure, Tabletop, free_features_of
from engine.carcassonne.tiles import FeatureKind

MAYOR: Final = "mayor"
"""The name of the figure and of its supply."""


def _strength(board: Board, mayor: Follower) -> int:
    """Return the number of pennants in the mayor's city (AM-22); a castle has none (IX-13)."""
    root = board.find(mayor.segment)
    return board.marks[root] if board.kind[root] == FeatureKind.CITY else 0


_MAYOR: Final = Figure(MAYOR, 1, weight=_strength, places=free_features_of(FeatureKind.CITY))
"""The mayor, of whom each player has one (AM-01, AM-21)."""


class Mayors(Expansion):
    """A mayor stands in a city and counts for the majority as many times as it has pennants."""

    def figures(self) -> Sequence[Figure]:
        """Return one mayor."""
        return (_MAYOR,)

    def bars_change(self, position: Tabletop, player: Seat, root: SegmentNumber) -> bool:
        """Return True if only a mayor of the player could hold the castle, by option ``mayor_castle`` (AM-30)."""
        if options_of(position).mayor_castle:
            return False
        own = [figure for figure in position.land.holders[root] if figure.player == player]
        return all(figure.figure == MAYOR or not position.land.is_follower(figure) for figure in own)
