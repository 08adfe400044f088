"""The hints on a position of Carcassonne; see :mod:`engine.hints`.

They are computed by applying the rules of placing, joining and scoring to copies of the position. Codes such as BR-02
are rules of the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.actions import NO_SEAT, Seat, seats
from engine.board import SegmentNumber
from engine.caching import lazy_property, thread_safe_cache
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.placing import aided, fitting
from engine.carcassonne.position import Position
from engine.carcassonne.scoring import field_scores, field_terms, field_values
from engine.carcassonne.table import Expansion
from engine.carcassonne.tiles import FeatureKind, TileKind, tile
from engine.geometry import AROUND, STEP, Square
from engine.hints import Hints, Holding, TrialPlacement
from engine.views import Feature


class CarcassonneHints(Hints[Position, TileKind]):
    """The hints of Carcassonne: tiles left, where tiles fit, what completes a feature, and the fields with farmers."""

    # -- tiles ----------------------------------------------------------------------------------------------------

    def kind(self, tile_id: str) -> TileKind:
        """See the base class."""
        return tile(tile_id)

    def face_down(self) -> Sequence[str]:
        """Return the tiles in the pile and those set aside face down."""
        return self.position.face_down

    def face_up_tiles(self) -> Iterator[TileKind]:
        """Yield the tiles that expansions have turned up."""
        position = self.position
        for expansion in position.hook_handlers[Expansion.face_up_tiles]:
            yield from expansion.face_up_tiles(position)

    # -- laying ---------------------------------------------------------------------------------------------------

    def placements(self, kind: TileKind) -> Iterator[TrialPlacement[TileKind]]:
        """See the base class."""
        distinct_rotations = _rotations(kind)
        for place, rotation in fitting(self.position.land, kind):
            if rotation in distinct_rotations:
                yield TrialPlacement(place, kind, rotation)

    def aided_placements(self, kind: TileKind) -> Iterator[TrialPlacement[TileKind]]:
        """Yield the placements that need a piece of a box, each for one player who has such a piece."""
        distinct_rotations = _rotations(kind)
        for seat in self._best_equipped:
            for action in aided(self.position, seat, kind):
                if action.rotation in distinct_rotations:
                    yield TrialPlacement(action.cell.square, kind, action.rotation, seat, action.aid)

    @lazy_property
    def _best_equipped(self) -> tuple[Seat, ...]:
        """Players who together have every kind of piece that any player has left.

        A player is left out if another one has all the same kinds of pieces, and so can make the same placements.

        Among players with the same pieces, the player to move is avoided: they may have built already (BR-02).
        """
        position = self.position
        order = sorted(seats(position.players), key=lambda seat: seat != position.player)
        equipped = {
            frozenset(piece for piece, counts in position.supply.items() if counts[seat]): seat
            for seat in order
            if not position.withdrawn[seat]
        }
        return tuple(seat for pieces, seat in equipped.items() if not any(pieces < others for others in equipped))

    def board_after(self, placement: TrialPlacement[TileKind]) -> Landscape:
        """See the base class."""
        face = placement.kind.faces[placement.rotation // 90]
        if placement.aid is None:
            land = self.position.land.copy()
            land.place(placement.place, face, NO_SEAT)
            return land
        position = self.position.copy()
        position.land.place(placement.place, face, NO_SEAT)
        position.perform(placement.player, placement.aid)
        return position.land

    # -- features -------------------------------------------------------------------------------------------------

    def squares_beyond(self, feature: Feature) -> Iterator[Square]:
        """See the base class."""
        placed = self.position.land.placed
        for cell, segment in feature.parts:
            offsets = AROUND if self.closed_by_any_tile(feature) else [STEP[side] for side in segment.places]
            for offset in offsets:
                if cell.square + offset not in placed:
                    yield Square(cell.square + offset)

    def closed_by_any_tile(self, feature: Feature) -> bool:
        """Return True for a monastery, which any eight tiles around it complete (BA-19), and for what is like it."""
        return feature.kind in self.position.land.surrounded

    # -- fields ---------------------------------------------------------------------------------------------------

    def holdings(self) -> tuple[Holding, ...]:
        """Return the fields with farmers, the most valuable first."""
        final, _ = self.position.concluded()
        values = field_values(final)
        points: dict[SegmentNumber, Counter[Seat]] = {}
        for score in field_scores(final):
            points.setdefault(score.field, Counter())[score.player] += score.points
        for expansion in final.hook_handlers[Expansion.field_points]:
            for field, player, value in expansion.field_points(final):
                points.setdefault(field, Counter())[player] += value
        holdings = []
        for feature in self.position.features():
            if feature.kind == FeatureKind.FIELD and feature.followers:
                root = final.land.find(self.first_segment(feature))
                terms = field_terms(values.get(root, {}).values())
                holdings.append(Holding(feature, terms, dict(points.get(root, {}))))
        return tuple(sorted(holdings, key=lambda holding: -sum(term.points for term in holding.terms)))


@thread_safe_cache
def _rotations(kind: TileKind) -> frozenset[int]:
    """Return the rotations in which a tile looks different, as a set."""
    return frozenset(kind.rotations)
