"""The hints on a position of The Castle; see :mod:`engine.hints`.

Everything is found with the rules of placing and joining themselves, tried out on copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import ClassVar, NamedTuple

from engine.geometry import STEP, Cell
from engine.hints import Candidate, Completion, DeadCells, Gap, Hint, Hints, TileCount
from engine.the_castle.placing import fitting
from engine.the_castle.position import Position
from engine.the_castle.tiles import TileKind
from engine.the_castle.wall import wall
from engine.views import Feature


class Way(NamedTuple):
    """One way to lay a tile on a cell."""

    kind: TileKind
    rotation: int


class CastleHints(Hints[Position]):
    """What is left of the tiles, what fits where, and what completes a feature."""

    offers: ClassVar = frozenset({Hint.TILES, Hint.CELLS, Hint.COMPLETION, Hint.PROJECTION})

    def remaining(self) -> tuple[TileCount, ...]:
        """Every castle tile of the pile, with whether it lies face down."""
        setup = self.position.setup
        left = Counter(setup.pile[self.position.next_tile :])
        return tuple(TileCount(setup.tiles[tile_id], left[tile_id]) for tile_id in sorted(set(setup.pile)))

    @cached_property
    def _ahead(self) -> Counter[TileKind]:
        """What is still to be placed: face down or in hand."""
        ahead = Counter({self.position.setup.tiles[kind.id]: count for kind, count in self.remaining() if count})
        if self.position.hand is not None:
            ahead[self.position.hand] += 1
        return ahead

    @cached_property
    def _ways(self) -> Mapping[int, list[Way]]:
        """The ways to lay what is ahead, by the position of the cell."""
        found: dict[int, list[Way]] = {place: [] for place in self.position.ward.frontier}
        for kind in self._ahead:
            different = kind.rotations
            for place, rotation in fitting(self.position.ward, kind):
                if rotation in different:
                    found[place].append(Way(kind, rotation))
        return found

    def dead_cells(self) -> DeadCells:
        """The open cells into which no tile fits; none once no tile is left."""
        dead = [Cell.at(place) for place, ways in self._ways.items() if not ways] if self._ahead else []
        return DeadCells(tuple(sorted(dead, key=lambda cell: (cell.y, cell.x))), ())

    def completion(self, feature: Feature) -> Completion | None:
        """What completes a path, tower or house; None for what is complete, and for courts."""
        if feature.open_ends <= 0:
            return None
        number = self._number(feature)
        ends = Counter(self._missing(feature))
        gaps = tuple(self._gap(feature, number, place, count) for place, count in sorted(ends.items()))
        least = len(gaps) + (len(gaps) == 1 and not gaps[0].closing)
        impossible = any(gap.dead for gap in gaps) or self._ahead.total() < least
        return Completion(gaps, least, impossible)

    def _missing(self, feature: Feature) -> Iterator[int]:
        """The empty cell at each open end of a feature."""
        for cell, segment in feature.parts:
            for place in segment.places:
                beyond = cell.position + STEP[place // 2 if segment.kind in segment.HALF_KINDS else place]
                if beyond in wall().inside and beyond not in self.position.ward.placed:
                    yield beyond

    def _gap(self, feature: Feature, number: int, place: int, ends: int) -> Gap:
        """The gap on a cell at which so many ends of a feature are open, found by trying every tile there."""
        ways = self._ways.get(place, [])
        left = feature.open_ends - ends
        closing = [way for way in ways if self._ends_after(number, place, way) == left]
        return Gap(Cell.at(place), tuple(self._candidates(closing)), dead=place in self._ways and not ways)

    def _ends_after(self, number: int, place: int, way: Way) -> int:
        """The open ends of a segment's feature after something was laid."""
        ward = self.position.ward.copy()
        ward.place(place, way.kind.faces[way.rotation // 90], -1)
        return ward.ends[ward.find(number)]

    def _candidates(self, ways: Iterable[Way]) -> Iterator[Candidate]:
        """The ways by tile."""
        rotations: dict[TileKind, list[int]] = {}
        for way in ways:
            rotations.setdefault(way.kind, []).append(way.rotation)
        for kind, turns in rotations.items():
            yield Candidate(kind, tuple(turns), self._ahead[kind], aided=False)

    def _number(self, feature: Feature) -> int:
        """The global number of a feature's first segment."""
        cell, segment = feature.parts[0]
        placed = self.position.ward.placed[cell.position]
        return next(number for number, part in self.position.ward.segments(placed) if part == segment)
