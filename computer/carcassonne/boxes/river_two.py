"""The terms of *The River II* and *Games Quarterly 11*: herds of pigs, and the tile that follows the lake."""

from __future__ import annotations

from collections.abc import Sequence

from computer.carcassonne.boxes.terms import BoxTerms, Change, add_part
from engine.carcassonne import Position
from engine.carcassonne.expansions.games_quarterly import PIGS, pigs_are_herd
from engine.carcassonne.expansions.river_two import PIG_HERD, VOLCANO, herds_count, lays_again


class RiverTwoTerms(BoxTerms):
    """Values the field of the herd, where each city brings a point more (RT-15), and the lake (RT-12)."""

    def herd_points(self, position: Position, traits: frozenset[str]) -> float:
        """Return a point on the field of a herd that counts."""
        return 1.0 if PIG_HERD in traits and herds_count(position) else 0.0

    def add(self, parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
        """Add the value of the tile that follows the lake."""
        if change.tile.tile.id == VOLCANO and lays_again(change.position):
            add_part(parts, "draws", change.weights["draw"] * stakes[change.mover])


class GamesQuarterlyTerms(BoxTerms):
    """Values the field of the pigs as that of a herd, if they are one (GQ-04)."""

    def herd_points(self, position: Position, traits: frozenset[str]) -> float:
        """Return a point on the field of the pigs if they count."""
        return 1.0 if PIGS in traits and pigs_are_herd(position) else 0.0
