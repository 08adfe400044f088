"""Inns & Cathedrals: roads and cities that bring more when they are complete and nothing before, and a big follower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.board import Board, Follower, SegmentNumber, bits
from engine.carcassonne.box import Box
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.table import Expansion, Figure, Tabletop
from engine.carcassonne.tiles import FeatureKind, Segment, TileSet
from engine.events import Term

BIG_FOLLOWER: Final = "big-follower"
"""The name of the figure and of its supply."""
INN: Final = "inn"
CATHEDRAL: Final = "cathedral"
"""What roads and cities on tiles, on those of other boxes, too (IX-03), are marked with."""


def _counts_twice(_board: Board, _follower: Follower) -> int:
    return 2


_BIG: Final = Figure(BIG_FOLLOWER, 1, weight=_counts_twice)


class BigFollowers(Expansion):
    """A follower who counts for two where the majority is looked for, and is like all others in everything else."""

    def figures(self) -> Sequence[Figure]:
        """One big follower."""
        return (_BIG,)


def has_inn(segment: Segment) -> bool:
    """Whether an inn is drawn beside the part of a road that lies on one tile."""
    return segment.shows(INN) is not None


def has_cathedral(segment: Segment) -> bool:
    """Whether a cathedral is drawn in the part of a city that lies on one tile."""
    return segment.shows(CATHEDRAL) is not None


class Inns(Expansion):
    """A road with an inn brings 2 points a tile when it is complete, and nothing if it never is (IX-01, IX-02)."""

    def structure_worth(self, position: Tabletop, root: SegmentNumber, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """A point more a tile, however many inns there are."""
        land = position.land
        if land.kind[root] != FeatureKind.ROAD:
            return terms
        return _with_drawing(land, root, terms, INN)


class Cathedrals(Expansion):
    """A city with a cathedral brings 3 points a tile and pennant when it is complete, and nothing if it never is."""

    def structure_worth(self, position: Tabletop, root: SegmentNumber, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """A point more a tile and pennant, however many cathedrals there are."""
        land = position.land
        if land.kind[root] != FeatureKind.CITY:
            return terms
        return _with_drawing(land, root, terms, CATHEDRAL)


def _drawings(land: Landscape, root: SegmentNumber, name: str) -> int:
    """How many of them a feature shows; beside bridges, which may be part of it, nothing is drawn (IX-01)."""
    count = 0
    for number in bits(land.tiles[root]):
        for index, segment in land.segments(land.placed[land.order[number]]):
            if segment.drawn and segment.shows(name) is not None and land.find(index) == root:
                count += 1
    return count


def _with_drawing(land: Landscape, root: SegmentNumber, terms: tuple[Term, ...], name: str) -> tuple[Term, ...]:
    """A point more for each tile and pennant of what is complete; what is open brings nothing, whatever else is there.

    Without such a drawing the terms stay as they are.
    """
    count = _drawings(land, root, name)
    if not count:
        return terms
    if land.ends[root]:
        return (Term(name, count, 0),)
    return (*terms, Term(name, count, land.tiles[root].bit_count() + land.marks[root]))


BOX: Final = Box(
    name="inns-cathedrals",
    mechanisms=(BigFollowers(), Inns(), Cathedrals()),
    number=1,
    tiles=TileSet("inns-cathedrals", __name__, attributes=frozenset({INN, CATHEDRAL})),
    offered=True,
)
