"""Where figures of boxes may stand: what several of them share."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import Seat
from engine.carcassonne.table import StandingPlaces, Tabletop
from engine.carcassonne.tiles import FeatureKind
from engine.geometry import Cell


def beside_own(*kinds: FeatureKind) -> StandingPlaces:
    """In features of these kinds that already hold a follower of the same player."""

    def places(position: Tabletop, player: Seat, cell: Cell) -> Sequence[str]:
        land = position.land
        return [
            segment.name
            for number, segment in land.segments(land.placed[cell.square])
            if segment.kind in kinds
            and (held := land.holders[land.find(number)])
            and any(entry.player == player and land.is_follower(entry) for entry in held)
        ]

    return places
