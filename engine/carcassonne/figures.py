"""The kinds of figures in Carcassonne: the followers of the base game, and the table that boxes add theirs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine import figures, joining
from engine.actions import FOLLOWER
from engine.carcassonne.tiles import FeatureKind
from engine.geometry import Cell
from engine.joining import Follower

if TYPE_CHECKING:
    from engine.carcassonne.position import Position

Places = Callable[["Position", int, Cell], Sequence[str]]
"""On which segments of the tile just laid, by name, a player may put a figure that he has."""


def free_features(position: Position, _player: int, cell: Cell) -> Sequence[str]:
    """Where nobody stands yet (BA-10); on fields only where there are farmers (BA-32)."""
    land, farmers = position.land, position.options.farmers
    holders, find = land.holders, land.find
    return [
        segment.name
        for number, segment in land.segments(land.placed[cell.position])
        if not holders[find(number)] and (farmers or segment.kind is not FeatureKind.FIELD) and not segment.is_bare
    ]


def beside_own(*kinds: FeatureKind) -> Places:
    """In features of these kinds that already hold a follower of the same player."""

    def places(position: Position, player: int, cell: Cell) -> Sequence[str]:
        land = position.land
        return [
            segment.name
            for number, segment in land.segments(land.placed[cell.position])
            if segment.kind in kinds
            and (held := land.holders[land.find(number)])
            and any(entry.player == player and land.is_follower(entry) for entry in held)
        ]

    return places


def return_follower(position: Position, follower: Follower) -> None:
    """Put a figure back into its owner's supply."""
    figures.return_figure(position, position.land, follower)


@dataclass(frozen=True, slots=True)
class Figure(joining.Figure):
    """A kind of figure, and what it does in a turn: where it may go, and what becomes of it when its feature scores."""

    places: Places = free_features
    scored: Callable[[Position, Follower], None] = return_follower


ORDINARY: Final = Figure(FOLLOWER, 7)
"""The followers of the base game (BA-01)."""
