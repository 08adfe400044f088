"""Builders and pigs: figures that stand by a follower of their owner and hold nothing themselves (IX-06, IX-07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from engine.actions import FOLLOWER, Action, Deploy
from engine.carcassonne.double_turns import SecondTile, end_second_half, first_tile
from engine.carcassonne.expansions.base import Expansion
from engine.carcassonne.tiles import FeatureKind
from engine.joining import Follower

if TYPE_CHECKING:
    from engine.carcassonne.position import Position
    from engine.carcassonne.steps import DeployFollower, PlacementOver, ScoringRound

BUILDER: Final = "builder"
PIG: Final = "pig"
"""The names of the figures and of their supplies."""


class Builders(Expansion):
    """Who extends the road or city of his builder lays a second tile (BZ-35, BZ-44)."""

    def pieces(self, players: int) -> Mapping[str, int]:
        """One builder."""
        return {BUILDER: 1}

    def instead_of_follower(self, position: Position, step: DeployFollower) -> Sequence[Action]:
        """The builder may join a follower of his owner on a road or in a city."""
        return _companions(position, step, BUILDER, (FeatureKind.ROAD, FeatureKind.CITY))

    def tile_laid(self, position: Position, task: ScoringRound) -> None:
        """Grant the double turn when the tile, or a bridge that came with it, has joined the builder's feature.

        That it is extended is enough (BZ-44); the second tile of a double turn grants no third.
        """
        if first_tile(position) < 0 and _extends_builder(position, task.player):
            position.agenda.append(SecondTile(task.player, len(position.land.order) - 1))

    def placement_over(self, position: Position, task: PlacementOver) -> None:
        """What a bazaar of the second half brings are turns of their own (BZ-43)."""
        end_second_half(position)


class Pigs(Expansion):
    """A pig makes each city and castle on its field worth a point more to its owner (CA-57)."""

    def pieces(self, players: int) -> Mapping[str, int]:
        """One pig."""
        return {PIG: 1}

    def instead_of_follower(self, position: Position, step: DeployFollower) -> Sequence[Action]:
        """The pig may join a farmer of its owner."""
        return _companions(position, step, PIG, (FeatureKind.FIELD,))

    def farmer_bonus(self, farmers: Sequence[Follower], player: int) -> int:
        """One point for the owner of a pig among the farmers."""
        return int(any(entry.figure == PIG and entry.player == player for entry in farmers))


def _companions(position: Position, step: DeployFollower, figure: str, kinds: Sequence[FeatureKind]) -> list[Action]:
    """Where a figure may stand: on the tile just laid, in a feature that already holds a follower of its owner."""
    if not position.supply[figure][step.player]:
        return []
    land = position.land
    return [
        Deploy(segment.name, figure)
        for number, segment in land.segments(land.placed[step.cell.position])
        if segment.kind in kinds
        and any(entry.player == step.player and entry.figure == FOLLOWER for entry in land.holders[land.find(number)])
    ]


def _extends_builder(position: Position, player: int) -> bool:
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
