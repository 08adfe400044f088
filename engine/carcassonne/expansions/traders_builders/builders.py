"""Builders and pigs: figures that stand by a follower of their owner and hold nothing themselves (IX-06, IX-07)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.actions import Seat
from engine.carcassonne.double_turns import SecondTile, end_second_half, first_tile
from engine.carcassonne.figures import beside_own
from engine.carcassonne.table import Expansion, Figure, Placement, Tabletop
from engine.carcassonne.tiles import FeatureKind
from engine.joining import Follower, counts_nothing

BUILDER: Final = "builder"
PIG: Final = "pig"
"""The names of the figures and of their supplies."""
_BUILDER: Final = Figure(
    BUILDER, 1, is_follower=False, weight=counts_nothing, places=beside_own(FeatureKind.ROAD, FeatureKind.CITY)
)
_PIG: Final = Figure(PIG, 1, is_follower=False, weight=counts_nothing, places=beside_own(FeatureKind.FIELD))


class Builders(Expansion):
    """Who extends the road or city of his builder lays a second tile (BZ-35, BZ-44)."""

    def figures(self) -> Sequence[Figure]:
        """One builder, who may join a follower of his owner on a road or in a city."""
        return (_BUILDER,)

    def tile_laid(self, position: Tabletop, task: Placement) -> None:
        """Grant the double turn when the tile, or a bridge that came with it, has joined the builder's feature.

        That it is extended is enough (BZ-44); the second tile of a double turn grants no third.
        """
        if first_tile(position) < 0 and _extends_builder(position, task.player):
            position.agenda.append(SecondTile(task.player, len(position.land.order) - 1))

    def placement_over(self, position: Tabletop, task: Placement) -> None:
        """What a bazaar of the second half brings are turns of their own (BZ-43)."""
        end_second_half(position)


class Pigs(Expansion):
    """A pig makes each city and castle on its field worth a point more to its owner (CA-57)."""

    def figures(self) -> Sequence[Figure]:
        """One pig, which may join a farmer of its owner."""
        return (_PIG,)

    def farmer_bonus(self, farmers: Sequence[Follower], player: Seat) -> tuple[str, int] | None:
        """One point for the owner of a pig among the farmers."""
        return (PIG, 1) if any(entry.figure == PIG and entry.player == player for entry in farmers) else None


def _extends_builder(position: Tabletop, player: Seat) -> bool:
    """Whether the tile laid last lies in the feature of a builder who stood there before."""
    if position.supply[BUILDER][player]:
        return False
    land = position.land
    here = land.order[-1]
    return any(
        entry.figure == BUILDER and entry.player == player and land.home[entry.segment] != here
        for number, _ in land.segments(land.placed[here])
        for entry in land.holders[land.find(number)]
    )
