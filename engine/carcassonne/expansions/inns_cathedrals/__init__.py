"""The box *Inns & Cathedrals*: inns and cathedrals raise the value of complete roads and cities.

Each player also gets a big follower, which counts twice. Inns and cathedrals are attributes in the data of tiles, also
on tiles of other boxes; they count only while this box is in play (IX-03). Codes are rules of the rule digest.
"""

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
"""Attributes of road and city segments, also on tiles of other boxes (IX-03)."""


def _counts_twice(_board: Board, _follower: Follower) -> int:
    """Return the weight of a big follower."""
    return 2


_BIG: Final = Figure(BIG_FOLLOWER, 1, weight=_counts_twice)
"""The big follower, of which each player has one."""


class BigFollowers(Expansion):
    """A big follower counts twice for the majority; otherwise it is an ordinary follower."""

    def figures(self) -> Sequence[Figure]:
        """Return one big follower."""
        return (_BIG,)


def has_inn(segment: Segment) -> bool:
    """Return True if an inn is drawn beside a road segment."""
    return segment.shows(INN) is not None


def has_cathedral(segment: Segment) -> bool:
    """Return True if a cathedral is drawn in a city segment."""
    return segment.shows(CATHEDRAL) is not None


class Inns(Expansion):
    """A road with an inn brings 2 points a tile when it is complete, and nothing if it never is (IX-01, IX-02)."""

    def structure_worth(self, position: Tabletop, root: SegmentNumber, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """Add a point for each tile, regardless of the number of inns."""
        land = position.land
        if land.kind[root] != FeatureKind.ROAD:
            return terms
        return _with_drawing(land, root, terms, INN)


class Cathedrals(Expansion):
    """A city with a cathedral brings 3 points a tile and pennant when it is complete, and nothing if it never is."""

    def structure_worth(self, position: Tabletop, root: SegmentNumber, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """Add a point for each tile and pennant, regardless of the number of cathedrals."""
        land = position.land
        if land.kind[root] != FeatureKind.CITY:
            return terms
        return _with_drawing(land, root, terms, CATHEDRAL)


def _drawings(land: Landscape, root: SegmentNumber, name: str) -> int:
    """Count the segments of a feature with an attribute; the bridges of a road never have one (IX-01)."""
    count = 0
    for number in bits(land.tiles[root]):
        placed = land.placed[land.order[number]]
        for index, segment in enumerate(placed.face.segments, placed.base):
            if segment.drawn and segment.shows(name) is not None and land.find(SegmentNumber(index)) == root:
                count += 1
    return count


def _with_drawing(land: Landscape, root: SegmentNumber, terms: tuple[Term, ...], name: str) -> tuple[Term, ...]:
    """Adjust the terms of a feature with an attribute: a point more for each tile and pennant if complete, else 0.

    Without the attribute the terms stay as they are.
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
