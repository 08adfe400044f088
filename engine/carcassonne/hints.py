"""The hints on a position of Carcassonne; see :mod:`engine.hints`.

Everything is found with the rules of placing, joining and scoring themselves, tried out on copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from engine.actions import Action
from engine.carcassonne.expansions.notation import unseen
from engine.carcassonne.placing import aided, fitting
from engine.carcassonne.position import Position
from engine.carcassonne.scoring import field_scores, field_terms, field_values
from engine.carcassonne.tiles import FeatureKind, TileKind, tile
from engine.geometry import AROUND, STEP, Cell
from engine.hints import Candidate, Completion, DeadCells, Gap, Hints, Holding, TileCount
from engine.views import Feature


class Way(NamedTuple):
    """One way to lay a tile on a cell: ``aid`` is what makes it fit, and ``player`` somebody who has the piece."""

    kind: TileKind
    rotation: int
    player: int = -1
    aid: Action | None = None


Ways = Mapping[int, list[Way]]
"""The ways to lay something, by the position of the cell."""


class CarcassonneHints(Hints[Position]):
    """What is left of the tiles, what fits where, and who holds which field."""

    # -- tiles ----------------------------------------------------------------------------------------------------

    def remaining(self) -> tuple[TileCount, ...]:
        """Every kind of tile in the pile, with how many of it lie face down."""
        left = Counter(self._face_down)
        return tuple(TileCount(tile(tile_id), left[tile_id]) for tile_id in sorted(set(self.position.setup.pile)))

    @property
    def _face_down(self) -> tuple[str, ...]:
        """The ids of the tiles that nobody has seen, those set aside for a bazaar among them."""
        pile, aside = self.position.setup.pile, unseen(self.position)
        return (*pile[aside.start : aside.stop], *pile[self.position.next_tile :])

    @cached_property
    def _ahead(self) -> Counter[TileKind]:
        """What is still to be placed, by id: face down, in hand, or turned up as a lot of a bazaar."""
        position = self.position
        tiles = [tile(tile_id) for tile_id in self._face_down]
        if position.hand is not None:
            tiles.append(position.hand)
        for expansion in position.expansions:
            tiles += expansion.tiles_ahead(position)
        return Counter(sorted(tiles, key=lambda kind: kind.id))

    # -- cells ----------------------------------------------------------------------------------------------------

    @cached_property
    def _plain(self) -> Ways:
        """The ways to lay what is ahead without aid."""
        found: dict[int, list[Way]] = {place: [] for place in self.position.land.frontier}
        for kind in self._ahead:
            different = _rotations(kind)
            for place, rotation in fitting(self.position.land, kind):
                if rotation in different:
                    found[place].append(Way(kind, rotation))
        return found

    @cached_property
    def _aided(self) -> Ways:
        """The ways that need a piece, each for one of those who have it."""
        found: dict[int, list[Way]] = {place: [] for place in self.position.land.frontier}
        for kind in self._ahead:
            different = _rotations(kind)
            for seat in self._best_equipped:
                for place in aided(self.position, seat, kind):
                    if place.rotation in different:
                        found[place.cell.position].append(Way(kind, place.rotation, seat, place.aid))
        return found

    @cached_property
    def _best_equipped(self) -> tuple[int, ...]:
        """Enough players to have every piece that anybody has: who has what another has too can do no more."""
        supply = self.position.supply
        equipped = {
            frozenset(piece for piece, counts in supply.items() if counts[seat]): seat
            for seat in range(self.position.players)
            if not self.position.withdrawn[seat]
        }
        return tuple(seat for pieces, seat in equipped.items() if not any(pieces < others for others in equipped))

    def dead_cells(self) -> DeadCells:
        """The open cells into which no tile fits, and those where one fits only with a bridge; none at the end."""
        if not self._ahead:
            return DeadCells((), ())
        blank = sorted((Cell.at(place) for place, ways in self._plain.items() if not ways), key=lambda cell: cell[::-1])
        aidable = {cell for cell in blank if self._aided[cell.position]}
        return DeadCells(
            tuple(cell for cell in blank if cell not in aidable), tuple(cell for cell in blank if cell in aidable)
        )

    # -- features -------------------------------------------------------------------------------------------------

    def completion(self, feature: Feature) -> Completion | None:
        """What completes a road, city or monastery; None for what is complete, and for fields."""
        if feature.open_ends <= 0:
            return None
        number = self._number(feature)
        ends = Counter(_missing(self.position, feature))
        gaps = tuple(self._gap(feature, number, place, count) for place, count in sorted(ends.items()))
        least = len(gaps)
        if least == 1 and not gaps[0].closing:
            least = 2
        impossible = any(gap.dead for gap in gaps) or self._ahead.total() < least
        return Completion(gaps, least, impossible)

    def _gap(self, feature: Feature, number: int, place: int, ends: int) -> Gap:
        """The gap on a cell at which so many ends of a feature are open, found by trying every tile there."""
        ways = [*self._plain.get(place, ()), *self._aided.get(place, ())]
        dead = place in self._plain and not ways
        if feature.kind != FeatureKind.MONASTERY:  # beside a monastery any tile will do
            left = feature.open_ends - ends
            ways = [way for way in ways if self._ends_after(number, place, way) == left]
        return Gap(Cell.at(place), self._candidates(ways), dead)

    def _ends_after(self, number: int, place: int, way: Way) -> int:
        """The open ends of a segment's feature after something was laid."""
        after = self.position.copy()
        after.land.place(place, way.kind.faces[way.rotation // 90], -1)
        if way.aid is not None:
            after.perform(way.player, way.aid)
        return after.land.ends[after.land.find(number)]

    def _candidates(self, ways: Iterable[Way]) -> tuple[Candidate, ...]:
        """The ways by kind of tile; a kind that needs no aid is not named with it."""
        turns: dict[tuple[TileKind, bool], dict[int, None]] = {}
        for way in ways:
            turns.setdefault((way.kind, way.aid is not None), {})[way.rotation] = None
        return tuple(
            Candidate(kind, tuple(rotations), self._ahead[kind], with_aid)
            for (kind, with_aid), rotations in turns.items()
            if not with_aid or (kind, False) not in turns
        )

    def _number(self, feature: Feature) -> int:
        """The global number of a feature's first segment."""
        cell, segment = feature.parts[0]
        placed = self.position.land.placed[cell.position]
        return next(number for number, part in self.position.land.segments(placed) if part == segment)

    # -- fields ---------------------------------------------------------------------------------------------------

    def holdings(self) -> tuple[Holding, ...]:
        """The fields with farmers, the most valuable first."""
        final, _ = self.position.concluded()
        values = field_values(final)
        points: dict[int, Counter[int]] = {}
        for score in field_scores(final):
            points.setdefault(score.field, Counter())[score.player] += score.points
        found = []
        for feature in final.features():
            if feature.kind == FeatureKind.FIELD and feature.followers:
                root = final.land.find(self._number(feature))
                terms = field_terms(values.get(root, {}).values())
                found.append(Holding(feature, terms, dict(points.get(root, {}))))
        return tuple(sorted(found, key=lambda holding: -sum(term.points for term in holding.terms)))


@cache
def _rotations(kind: TileKind) -> frozenset[int]:
    return frozenset(kind.rotations)


def _missing(position: Position, feature: Feature) -> Iterator[int]:
    """The empty cell at each open end of a feature."""
    placed = position.land.placed
    steps = AROUND if feature.kind == FeatureKind.MONASTERY else None
    for cell, segment in feature.parts:
        for step in steps or (STEP[side] for side in segment.places):
            if cell.position + step not in placed:
                yield cell.position + step
