"""What is printed on the tiles, read from declarative files: ``data/base.toml`` and those of the boxes.

A :class:`TileKind` is one drawing, a :class:`Face` one drawing in one of its four rotations, with everything that
placing needs looked up in advance.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib import resources
from itertools import product
from typing import Final, NamedTuple

from engine import tiles as base
from engine.board import NEVER_COMPLETE
from engine.caching import thread_safe_cache
from engine.geometry import HALVES, Side


class FeatureKind(StrEnum):
    """The kinds of features that a follower may hold (BA-11)."""

    CITY = "city"
    ROAD = "road"
    FIELD = "field"
    MONASTERY = "monastery"


CITY_EDGE: Final = 1
ROAD_EDGE: Final = 2
FIELD_EDGE: Final = 4
"""One bit an edge kind and four bits a side: two edges match when the exclusive or of their nibbles is 0."""
EDGE_OF: Final[dict[str, int]] = {FeatureKind.CITY: CITY_EDGE, FeatureKind.ROAD: ROAD_EDGE}
"""The edge that each kind of feature makes of a side; the sets of boxes add theirs."""
FITS_EVERYTHING: Final = "fits-everything"
"""The flag of a tile whose sides go with any other, and close what they meet without joining it."""


class EdgeKind(NamedTuple):
    """A kind of feature with an edge of its own that a box brings: nobody stands there, and it is never complete.

    ``sign`` stands for it in pictures made of letters.
    """

    name: str
    edge: int
    sign: str


EDGE_KINDS: Final[dict[str, EdgeKind]] = {}
"""Those of all boxes, by name."""


@dataclass(frozen=True, slots=True)
class Segment(base.Segment):
    """A part of one feature on one tile, board oriented.

    ``kind`` is one of the base game's, or the name of a box's. ``places`` are sides, of a field half-sides, none for a
    monastery or a field that lies enclosed by cities. ``cities`` are the segments of the same tile that a field
    touches. ``drawn`` is what boxes know of, by name and in the words of the data file: the rules of the base game take
    no notice of it.
    """

    HALF_KINDS = frozenset({FeatureKind.FIELD})
    kind: FeatureKind | str
    pennants: int = 0
    cap: bool = False
    cities: tuple[int, ...] = ()
    drawn: tuple[tuple[str, str], ...] = ()
    is_bare: bool = field(init=False, compare=False, repr=False)
    """Whether nobody can stand there."""

    def __post_init__(self) -> None:
        base.Segment.__post_init__(self)
        object.__setattr__(self, "is_bare", self.kind in EDGE_KINDS)

    def shows(self, attribute: str) -> str | None:
        """The words behind an attribute of a box, empty where it stands alone; None where it is not drawn here."""
        for name, words in self.drawn:
            if name == attribute:
                return words
        return None

    def turned(self, quarters: int) -> Segment:
        """The segment on a tile turned clockwise by so many quarters."""
        return replace(self, places=self.turned_places(quarters))


@dataclass(frozen=True, slots=True)
class Face:
    """A tile in one rotation.

    ``edges`` holds one nibble a side, north lowest, 0 where everything fits; ``side_segments`` the index of the city or
    road segment at each side or -1; ``half_segments`` the index of the field segment at each half-side or -1.
    """

    tile: TileKind
    rotation: int
    segments: tuple[Segment, ...]
    edges: int
    side_segments: tuple[int, ...]
    half_segments: tuple[int, ...]
    monastery: int
    """Index of the monastery segment, -1 without one."""
    kinds: tuple[str, ...]
    """The kind of each segment."""
    ends: tuple[int, ...]
    """What each segment still needs to be complete: sides of a city or road, neighbours of a monastery."""
    marks: tuple[int, ...]
    """The pennants of each segment."""
    lips: tuple[int, ...]
    """What the tile asks of the empty cell beyond each side, see ``Landscape.frontier``."""
    closes: bool
    """Whether its sides close what they meet and do not join it."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TileKind(base.TileKind):
    """One drawing, see :class:`engine.tiles.TileKind`, with its faces."""

    segments: tuple[Segment, ...]
    letters: str = ""
    """The letters that may mean this drawing in the tile list of an edition, where they matter."""
    faces: tuple[Face, ...] = field(init=False)
    """The four rotations, by quarters clockwise."""
    fits: Mapping[int, tuple[int, ...]] = field(init=False)
    """The rotations that fit into an empty cell, by what its neighbours ask of it (a value of ``Landscape.frontier``),
    wherever any does: looking it up is what makes listing placements cheap."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", tuple(_face(self, quarters) for quarters in range(4)))
        fits: dict[int, tuple[int, ...]] = {}
        for face in self.faces:
            for wanted in wanted_beside(face.edges):
                fits[wanted] = (*fits.get(wanted, ()), face.rotation)
        object.__setattr__(self, "fits", fits)

    def __reduce__(self) -> tuple[Callable[[str], TileKind], tuple[str]]:
        return tile, (self.id,)

    @property
    def rotations(self) -> tuple[int, ...]:
        """The rotations in degrees that look different from each other."""
        seen: dict[object, int] = {}
        for face in self.faces:
            seen.setdefault(frozenset(segment for segment in face.segments), face.rotation)
        return tuple(seen.values())


def _face(tile_kind: TileKind, quarters: int) -> Face:
    segments = tuple(segment.turned(quarters) for segment in tile_kind.segments)
    sides, halves, edges, monastery = [-1] * 4, [-1] * 8, 0, -1
    for index, segment in enumerate(segments):
        match segment.kind:
            case FeatureKind.FIELD:
                for half in segment.places:
                    halves[half] = index
            case FeatureKind.MONASTERY:
                monastery = index
            case _:  # a city, a road, or what a box lets run over edges
                for side in segment.places:
                    sides[side] = index
                    edges |= EDGE_OF[segment.kind] << (4 * side)
    open_to_all = FITS_EVERYTHING in tile_kind.flags
    for side in range(4):
        if sides[side] < 0 and not open_to_all:
            edges |= FIELD_EDGE << (4 * side)
    return Face(
        tile_kind,
        quarters * 90,
        segments,
        edges,
        tuple(sides),
        tuple(halves),
        monastery,
        kinds=tuple(segment.kind for segment in segments),
        ends=tuple(_ends(segment) for segment in segments),
        marks=tuple(segment.pennants for segment in segments),
        lips=tuple(0 if open_to_all else lip(side, edges >> (4 * side) & 15) for side in range(4)),
        closes=open_to_all,
    )


def _ends(segment: Segment) -> int:
    match segment.kind:
        case FeatureKind.MONASTERY:
            return 8
        case FeatureKind.CITY | FeatureKind.ROAD:
            return len(segment.places)
        case _:  # a field, or what a box lets run over edges
            return NEVER_COMPLETE


def lip(side: int, edge: int) -> int:
    """What an edge asks of the cell beyond ``side``: a mask of that cell's edge bits, and above it their value."""
    shift = 4 * ((side + 2) % 4)
    return (15 << shift) | (edge << (shift + 16))


def wanted_beside(edges: int) -> Iterator[int]:
    """All that the neighbours of a cell may ask where these edges fit: at each side the same one, or nothing."""
    sides = (_wanted_at(side, edges >> (4 * side) & 15) for side in range(4))
    return map(sum, product(*sides))


def _wanted_at(side: int, edge: int) -> Iterator[int]:
    """What may be asked at one side; an edge that fits everything has no bit of its own."""
    yield 0
    for other in (edge,) if edge else (1, 2, 4, 8):
        yield lip((side + 2) % 4, other)


class TileSet(NamedTuple):
    """Where the tiles of a box are written: a data file in a package.

    ``attributes`` are the names that the box gives a meaning to, on its own tiles or on those of others; ``edges`` are
    the kinds of edges that it brings.
    """

    name: str
    package: str
    file: str = "tiles.toml"
    attributes: frozenset[str] = frozenset()
    edges: tuple[EdgeKind, ...] = ()


BASE_SET: Final = "base"
KNOWN_SETS: Final = {BASE_SET: TileSet(BASE_SET, "engine.carcassonne.data", "base.toml")}
"""Every set by its name; the registry adds those of the boxes."""


def make_known(tiles: TileSet) -> None:
    """Add the set of a box, with its kinds of edges."""
    KNOWN_SETS[tiles.name] = tiles
    for kind in tiles.edges:
        EDGE_KINDS[kind.name] = kind
        EDGE_OF[kind.name] = kind.edge


def _segment(text: str) -> Segment:
    """Read ``kind places; attribute …`` of a data file."""
    head, *attributes = (part.split() for part in text.split(";"))
    kind = EDGE_KINDS[head[0]].name if head[0] in EDGE_KINDS else FeatureKind(head[0])
    names = HALVES if kind is FeatureKind.FIELD else tuple(side.name for side in Side)
    cap, pennants, cities = False, 0, tuple[int, ...]()
    drawn: list[tuple[str, str]] = []
    for name, *arguments in attributes:
        match name:
            case "cap":
                cap = True
            case "pennants":
                pennants = int(arguments[0])
            case "cities":
                cities = tuple(map(int, arguments))
            case _:
                _require_known(name, text)
                drawn.append((name, " ".join(arguments)))
    places = tuple(names.index(name) for name in head[1:])
    return Segment(kind, places, pennants, cap, cities, tuple(drawn))


def _require_known(attribute: str, text: str) -> None:
    if not any(attribute in known.attributes for known in KNOWN_SETS.values()):
        raise ValueError(f"unknown attribute {attribute!r} in {text!r}")


@thread_safe_cache
def tile_set(name: str) -> Mapping[str, TileKind]:
    """The tiles of one set by id, in the order of its data file.

    Raises:
        KeyError: there is no such set.
    """
    place = KNOWN_SETS[name]
    text = resources.files(place.package).joinpath(place.file).read_text(encoding="utf-8")
    return {
        tile_id: TileKind(
            tile_id,
            entry["count"],
            tuple(_segment(segment) for segment in entry["segments"]),
            frozenset(entry.get("flags", ())),
            entry.get("letters", ""),
        )
        for tile_id, entry in tomllib.loads(text).items()
    }


@thread_safe_cache
def tile(tile_id: str) -> TileKind:
    """The tile with this id.

    Raises:
        KeyError: no set has it.
    """
    for name in KNOWN_SETS:
        found = tile_set(name).get(tile_id)
        if found is not None:
            return found
    raise KeyError(tile_id)
