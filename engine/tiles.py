"""The tiles of every game: segments with places and names, and kinds of tiles made of segments.

A segment is the part of one feature (a road, a city, a field …) on one tile. It is board oriented if its sides are
named as they lie on the board, after the rotation of its tile. Fields need half-sides, since a road in the middle of a
side separates two of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from engine.geometry import HALVES, Side


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of one feature on one tile, board oriented.

    ``places`` are sides (0-3), or half-sides (0-7, see :data:`engine.geometry.HALVES`) for the kinds in ``HALF_KINDS``;
    empty for a segment that touches no side.
    """

    HALF_KINDS: ClassVar[frozenset[str]] = frozenset()
    kind: str
    places: tuple[int, ...]
    name: str = field(init=False, compare=False, repr=False)
    """The name of the segment on its tile in actions: ``road.W``, ``field.NL``, ``monastery``."""

    def __post_init__(self) -> None:
        names = self.place_names
        object.__setattr__(self, "name", f"{self.kind}.{names[0]}" if names else str(self.kind))

    def turned_places(self, quarters: int) -> tuple[int, ...]:
        """Return the places on a tile turned clockwise by so many quarters."""
        step, size = (2, 8) if self.kind in self.HALF_KINDS else (1, 4)
        return tuple(sorted((place + quarters * step) % size for place in self.places))

    @property
    def place_names(self) -> tuple[str, ...]:
        """The names of the places, as in the data files: ``("N", "E")`` or ``("NL", "WR")``."""
        if self.kind in self.HALF_KINDS:
            return tuple(HALVES[place] for place in self.places)
        return tuple(Side(place).name for place in self.places)

    def is_named(self, name: str) -> bool:
        """Return True if the name means this segment; any of its places may name it."""
        kind, _, place = name.partition(".")
        return kind == self.kind and (place in self.place_names if place else not self.place_names)


@dataclass(frozen=True, slots=True, eq=False)
class TileKind:
    """A kind of tile: its id, the number of copies in the box, its segments unrotated, and flags for special rules."""

    id: str
    count: int
    segments: tuple[Segment, ...]
    flags: frozenset[str] = frozenset()
    faces: tuple[Any, ...] = field(init=False)
    """The four rotations, by quarters clockwise, each with its ``rotation`` and its ``segments``."""

    def __repr__(self) -> str:
        return f"tile({self.id!r})"

    @property
    def rotations(self) -> tuple[int, ...]:
        """The rotations in degrees that look different from each other."""
        first_rotations: dict[object, int] = {}
        for face in self.faces:
            first_rotations.setdefault(frozenset(face.segments), face.rotation)
        return tuple(first_rotations.values())
