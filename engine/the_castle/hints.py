"""The hints on a position of The Castle; see :mod:`engine.hints`.

They are computed by applying the rules of placing and joining to copies of the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from engine.actions import NO_SEAT
from engine.geometry import STEP, Square
from engine.hints import Hint, Hints, TrialPlacement
from engine.the_castle.position import Position
from engine.the_castle.tiles import TileKind
from engine.the_castle.wall import wall
from engine.the_castle.ward import Ward, fitting
from engine.views import Feature


class CastleHints(Hints[Position, TileKind]):
    """The hints of The Castle: tiles left, where tiles fit and what completes a feature; none on wall tiles."""

    offers: ClassVar = frozenset({Hint.TILES, Hint.CELLS, Hint.COMPLETION, Hint.PROJECTION})

    def kind(self, tile_id: str) -> TileKind:
        """See the base class."""
        return self.position.setup.tiles[tile_id]

    def face_down(self) -> Sequence[str]:
        """See the base class."""
        return self.position.setup.pile[self.position.next_tile :]

    def placements(self, kind: TileKind) -> Iterator[TrialPlacement[TileKind]]:
        """See the base class."""
        distinct = kind.rotations
        return (
            TrialPlacement(place, kind, turn) for place, turn in fitting(self.position.ward, kind) if turn in distinct
        )

    def board_after(self, placement: TrialPlacement[TileKind]) -> Ward:
        """See the base class."""
        ward = self.position.ward.copy()
        ward.place(placement.place, placement.kind.faces[placement.rotation // 90], NO_SEAT)
        return ward

    def squares_beyond(self, feature: Feature) -> Iterator[Square]:
        """See the base class; an end at the wall is closed."""
        for cell, segment in feature.parts:
            for place in segment.places:
                beyond = Square(cell.square + STEP[place // 2 if segment.kind in segment.HALF_KINDS else place])
                if beyond in wall().inside and beyond not in self.position.ward.placed:
                    yield beyond
