"""The castle tiles and their rotations.

A :class:`TileKind` is one drawing. A :class:`Face` is one drawing in one of its four rotations, with precomputed data
for placing. :mod:`engine.the_castle.tilefile` reads them. Paths run to the middle of a side; towers, houses and courts
fill half-sides. Only paths have to match when a tile is laid (TC-16). Codes such as TC-16 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from engine import tiles as base
from engine.board import NEVER_COMPLETE
from engine.caching import thread_safe_cache
from engine.geometry import HALVES, Side


class FeatureKind(StrEnum):
    """The kinds of features that a figure may hold (TC-04, TC-25)."""

    PATH = "path"
    TOWER = "tower"
    HOUSE = "house"
    COURT = "court"


ROLES: Final[Mapping[str, str]] = {
    FeatureKind.PATH: "herald",
    FeatureKind.TOWER: "knight",
    FeatureKind.HOUSE: "squire",
    FeatureKind.COURT: "merchant",
}
"""The name of a figure by the kind of its feature (TC-25)."""

NO_SEGMENT: Final = -1
"""The index for no segment at a port."""
PORTS: Final = 12
"""The ports of a tile, where segments meet its neighbours: three a side, clockwise: first half, path, second half."""


@dataclass(frozen=True, slots=True)
class Segment(base.Segment):
    """A part of one feature on one tile, board oriented.

    ``places`` are sides of a path and half-sides of a tower, house or court; ``well`` is a fountain beside a path,
    ``markets`` are those of a court.
    """

    HALF_KINDS = frozenset({FeatureKind.TOWER, FeatureKind.HOUSE, FeatureKind.COURT})
    kind: FeatureKind
    markets: int = 0
    well: bool = False

    @property
    def marks(self) -> int:
        """The number of wells of a path, or of markets of a court."""
        return self.markets + self.well

    @property
    def quarters(self) -> frozenset[int]:
        """The quarters of the tile that it reaches, clockwise from the north-western one; none for a path (TC-52)."""
        if self.kind is FeatureKind.PATH:
            return frozenset()
        return frozenset((half + 1) // 2 % 4 for half in self.places)

    @property
    def ports(self) -> tuple[int, ...]:
        """The ports of the segment; see :data:`PORTS`."""
        if self.kind is FeatureKind.PATH:
            return tuple(3 * side + 1 for side in self.places)
        return tuple(half // 2 * 3 + half % 2 * 2 for half in self.places)

    def turned(self, quarters: int) -> Segment:
        """Return the segment on a tile turned clockwise by so many quarters."""
        return replace(self, places=self.turned_places(quarters))


@dataclass(frozen=True, slots=True)
class Face:
    """A tile in one rotation; tuples with one entry a segment are in the order of ``segments``."""

    tile: TileKind
    rotation: int
    segments: tuple[Segment, ...]
    ports: tuple[int, ...]
    """The index of the segment at each port, see :data:`PORTS`; -1 where no path runs to a side."""
    paths: int
    """One bit for each side to which a path runs, north lowest."""
    names: tuple[str, ...]
    kinds: tuple[FeatureKind, ...]
    ends: tuple[int, ...]
    """The open ports of each segment before the tile has neighbours; a court is never complete (TC-48)."""
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TileKind(base.TileKind):
    """A kind of castle tile with its faces; the flag ``square`` marks a square that separates paths."""

    segments: tuple[Segment, ...]
    faces: tuple[Face, ...] = field(init=False)
    """The four rotations, by quarters clockwise."""
    fits: tuple[tuple[int, ...], ...] = field(init=False)
    """The rotations that fit, by the constraint of a cell; see :attr:`engine.the_castle.ward.Ward.frontier`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", tuple(_face(self, quarters) for quarters in range(4)))
        object.__setattr__(self, "fits", _fits(tuple(face.paths for face in self.faces)))

    @property
    def square(self) -> bool:
        """True if its paths end in a square (TC-05)."""
        return "square" in self.flags


def _face(kind: TileKind, quarters: int) -> Face:
    """Return the face of a tile after so many quarter turns clockwise."""
    segments = tuple(segment.turned(quarters) for segment in kind.segments)
    ports = [NO_SEGMENT] * PORTS
    for index, segment in enumerate(segments):
        for port in segment.ports:
            ports[port] = index
    return Face(
        kind,
        quarters * 90,
        segments,
        tuple(ports),
        paths=sum(1 << side for side in range(4) if ports[3 * side + 1] != NO_SEGMENT),
        names=tuple(segment.name for segment in segments),
        kinds=tuple(segment.kind for segment in segments),
        ends=tuple(
            NEVER_COMPLETE if segment.kind is FeatureKind.COURT else len(segment.places) for segment in segments
        ),
        marks=tuple(segment.marks for segment in segments),
    )


@thread_safe_cache
def _fits(paths: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the fitting rotations for each possible constraint (a mask of sides, and the paths required there)."""
    return tuple(
        tuple(90 * quarters for quarters, has in enumerate(paths) if not ((constraint >> 4) ^ has) & constraint)
        for constraint in range(256)
    )


@dataclass(frozen=True, slots=True)
class TileSet:
    """The castle tiles of a box by id; sets are equal if their names are, since names depend on the content."""

    name: str
    kinds: Mapping[str, TileKind] = field(compare=False, repr=False)

    def __getitem__(self, tile_id: str) -> TileKind:
        return self.kinds[tile_id]


def places_of(kind: FeatureKind) -> tuple[str, ...]:
    """Return the names of the possible places of a kind of segment; see :attr:`engine.tiles.Segment.places`."""
    return HALVES if kind in Segment.HALF_KINDS else tuple(side.name for side in Side)
