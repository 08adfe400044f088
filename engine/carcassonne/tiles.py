"""The tiles of Carcassonne, read from declarative files: ``data/base.toml`` and those of the boxes.

A :class:`TileKind` is one drawing. A :class:`Face` is one drawing in one of its four rotations, with precomputed data
for placing. Edges are compared as bits: a tile has four bits a side, one for each kind of edge, and an empty cell has a
constraint made of the edges of its neighbours, for which :attr:`TileKind.fits` is a lookup table. Codes such as BA-11
are rules of the rule digest.
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
from engine.geometry import CORNERS, HALVES, Side


class FeatureKind(StrEnum):
    """The kinds of features that a follower may hold (BA-11)."""

    CITY = "city"
    ROAD = "road"
    FIELD = "field"
    MONASTERY = "monastery"


CITY_EDGE: Final = 1
ROAD_EDGE: Final = 2
FIELD_EDGE: Final = 4
"""One bit for each kind of edge, of four bits for each side. Two edges match if the exclusive or of their bits is 0."""
EDGE_OF: Final[dict[str, int]] = {FeatureKind.CITY: CITY_EDGE, FeatureKind.ROAD: ROAD_EDGE}
"""The edge of a side by the kind of feature there; tile sets of boxes add their own."""
FITS_EVERYTHING: Final = "fits-everything"
"""The flag of a tile whose sides match every edge; they close the neighbours' features without joining them."""


class EdgeKind(NamedTuple):
    """A kind of feature with its own kind of edge, added by a box; it holds no figures and is never complete.

    ``sign`` is its character in text pictures.
    """

    name: str
    edge: int
    sign: str


EDGE_KINDS: Final[dict[str, EdgeKind]] = {}
"""The edge kinds of all boxes, by name."""


class SurroundedKind(NamedTuple):
    """A kind of feature of a box that touches no side, and is complete when the eight cells around it are filled.

    It is like a monastery in this, but no figure stands there except those whose places say so. ``sign`` is its
    character in text pictures.
    """

    name: str
    sign: str


SURROUNDED_KINDS: Final[dict[str, SurroundedKind]] = {}
"""The surrounded kinds of all boxes, by name."""


@dataclass(frozen=True, slots=True)
class Segment(base.Segment):
    """A part of one feature on one tile, board oriented.

    ``kind`` is one of the base game's kinds, or the name of a kind of a box. ``places`` are sides, or half-sides for a
    field; a surrounded kind such as a monastery, or a field enclosed by cities, has none. ``cities`` are the indices of
    the city segments that a field touches on the same tile. ``drawn`` holds attributes of boxes as pairs of name and
    words of the data file; the base game ignores them. ``corner`` tells the enclosed fields of one tile apart: the
    index in :data:`engine.geometry.CORNERS` of the corner at which it lies, -1 for all other segments.
    """

    HALF_KINDS = frozenset({FeatureKind.FIELD})
    kind: FeatureKind | str
    pennants: int = 0
    cap: bool = False
    cities: tuple[int, ...] = ()
    drawn: tuple[tuple[str, str], ...] = ()
    corner: int = -1
    is_bare: bool = field(init=False, compare=False, repr=False)
    """True for a kind of a box: no figure can stand there but one whose places say so."""

    def __post_init__(self) -> None:
        base.Segment.__post_init__(self)
        object.__setattr__(self, "is_bare", not isinstance(self.kind, FeatureKind))

    def shows(self, attribute: str) -> str | None:
        """Return the words after an attribute of a box, possibly empty; None if the segment lacks the attribute."""
        for name, words in self.drawn:
            if name == attribute:
                return words
        return None

    def turned(self, quarters: int) -> Segment:
        """Return the segment on a tile turned clockwise by so many quarters."""
        corner = self.corner if self.corner < 0 else (self.corner + quarters) % 4
        return replace(self, places=self.turned_places(quarters), corner=corner)

    @property
    def place_names(self) -> tuple[str, ...]:
        """The names of the places, or the corner that tells an enclosed field from the others on its tile."""
        if self.corner >= 0:
            return (CORNERS[self.corner],)
        return super(Segment, self).place_names  # named, since a class with slots is made anew by the decorator


@dataclass(frozen=True, slots=True)
class Face:
    """A tile in one rotation.

    ``edges`` has four bits a side, north lowest, 0 if everything fits there. ``side_segments`` has the index of the
    city or road segment at each side, or -1; ``half_segments`` that of the field segment at each half-side, or -1.
    """

    tile: TileKind
    rotation: int
    segments: tuple[Segment, ...]
    edges: int
    side_segments: tuple[int, ...]
    half_segments: tuple[int, ...]
    monastery: int
    """Index of the monastery segment, -1 without one."""
    surrounded: int
    """Index of the segment that is complete when the cells around it are filled, -1 without one."""
    kinds: tuple[str, ...]
    """The kind of each segment."""
    ends: tuple[int, ...]
    """The open ends of each segment: the sides of a city or road, the neighbours of a monastery.

    A segment of a box's kind has too many ever to be complete; the landscape counts those of kinds in play.
    """
    marks: tuple[int, ...]
    """The pennants of each segment."""
    edge_constraints: tuple[int, ...]
    """The constraint on the empty cell beyond each side; see ``Landscape.frontier``."""
    closes: bool
    """True if its sides close the neighbours' features instead of joining them."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TileKind(base.TileKind):
    """A kind of Carcassonne tile with its faces."""

    segments: tuple[Segment, ...]
    letters: str = ""
    """The letters that may stand for this tile in the rule book's list of tiles; empty where no rule needs them."""
    editions: Mapping[str, int] = field(default_factory=dict)
    """The number of copies in later editions of the box, where it is not ``count``."""
    links: tuple[tuple[int, ...], ...] = ()
    """Groups of segments, by index, that meet on the tile: a road that leads into a city, or roads at a crossing."""
    faces: tuple[Face, ...] = field(init=False)
    """The four rotations, by quarters clockwise."""
    fits: Mapping[int, tuple[int, ...]] = field(init=False)
    """The rotations that fit into an empty cell, by its constraint (a value of ``Landscape.frontier``).

    Constraints without a fitting rotation are missing. This lookup makes listing placements fast.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", tuple(_face(self, quarters) for quarters in range(4)))
        fits: dict[int, tuple[int, ...]] = {}
        for face in self.faces:
            for constraint in satisfied_constraints(face.edges):
                fits[constraint] = (*fits.get(constraint, ()), face.rotation)
        object.__setattr__(self, "fits", fits)

    def __reduce__(self) -> tuple[Callable[[str], TileKind], tuple[str]]:
        return tile, (self.id,)

    def copies(self, edition: str) -> int:
        """Return the number of copies in an edition of the box; empty for the first one."""
        return self.editions.get(edition, self.count)


def _face(tile_kind: TileKind, quarters: int) -> Face:
    """Return the face of a tile after so many quarter turns clockwise."""
    segments = tuple(segment.turned(quarters) for segment in tile_kind.segments)
    sides, halves, edges, monastery, surrounded = [-1] * 4, [-1] * 8, 0, -1, -1
    for index, segment in enumerate(segments):
        match segment.kind:
            case FeatureKind.FIELD:
                for half in segment.places:
                    halves[half] = index
            case FeatureKind.MONASTERY:
                monastery = surrounded = index
            case kind if kind in SURROUNDED_KINDS:
                surrounded = index
            case _:  # a city, a road, or a feature of a box with its own edges
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
        surrounded,
        kinds=tuple(segment.kind for segment in segments),
        ends=tuple(_ends(segment) for segment in segments),
        marks=tuple(segment.pennants for segment in segments),
        edge_constraints=tuple(
            0 if open_to_all else edge_constraint(side, edges >> (4 * side) & 15) for side in range(4)
        ),
        closes=open_to_all,
    )


def _ends(segment: Segment) -> int:
    """Return the number of open ends of a segment that has just been laid."""
    match segment.kind:
        case FeatureKind.MONASTERY:
            return 8
        case FeatureKind.CITY | FeatureKind.ROAD:
            return len(segment.places)
        case _:  # a field, or a feature of a kind that only a box has
            return NEVER_COMPLETE


def edge_constraint(side: int, edge: int) -> int:
    """Return the constraint of an edge on the cell beyond ``side``: a mask of its edge bits, and their value."""
    shift = 4 * ((side + 2) % 4)
    return (15 << shift) | (edge << (shift + 16))


def satisfied_constraints(edges: int) -> Iterator[int]:
    """Yield all constraints that these edges satisfy: at each side the same edge, or none."""
    sides = (_satisfied_at_side(side, edges >> (4 * side) & 15) for side in range(4))
    return map(sum, product(*sides))


def _satisfied_at_side(side: int, edge: int) -> Iterator[int]:
    """Yield the constraints that an edge satisfies at one side; edge 0 satisfies all."""
    yield 0
    for neighbour_edge in (edge,) if edge else (1, 2, 4, 8):
        yield edge_constraint((side + 2) % 4, neighbour_edge)


class TileSet(NamedTuple):
    """The data file with the tiles of a box.

    ``attributes`` are the names of segment attributes that the box defines, for its own tiles or those of others;
    ``edges`` are the kinds of edges that it adds.
    """

    name: str
    package: str
    file: str = "tiles.toml"
    attributes: frozenset[str] = frozenset()
    edges: tuple[EdgeKind, ...] = ()


BASE_SET: Final = "base"
"""The name of the base game's tile set."""
KNOWN_SETS: Final = {BASE_SET: TileSet(BASE_SET, "engine.carcassonne.data", "base.toml")}
"""Every tile set by its name; the registry adds those of the boxes."""


def register_tile_set(tiles: TileSet) -> None:
    """Register the tile set of a box, with its kinds of edges."""
    KNOWN_SETS[tiles.name] = tiles
    for kind in tiles.edges:
        EDGE_KINDS[kind.name] = kind
        EDGE_OF[kind.name] = kind.edge


def _segment(text: str) -> Segment:
    """Read ``kind places; attribute …`` of a data file."""
    head, *attributes = (part.split() for part in text.split(";"))
    added = EDGE_KINDS.get(head[0]) or SURROUNDED_KINDS.get(head[0])
    kind = FeatureKind(head[0]) if added is None else added.name  # one text for each kind, so that ``is`` compares
    names = HALVES if kind is FeatureKind.FIELD else tuple(side.name for side in Side)
    cap, pennants, cities, corner = False, 0, tuple[int, ...](), -1
    drawn: list[tuple[str, str]] = []
    for name, *arguments in attributes:
        match name:
            case "cap":
                cap = True
            case "pennants":
                pennants = int(arguments[0])
            case "cities":
                cities = tuple(map(int, arguments))
            case "corner":
                corner = CORNERS.index(arguments[0])
            case _:
                _require_known(name, text)
                drawn.append((name, " ".join(arguments)))
    places = tuple(names.index(name) for name in head[1:])
    return Segment(kind, places, pennants, cap, cities, tuple(drawn), corner)


def _require_known(attribute: str, text: str) -> None:
    """Make sure that an attribute is one that some box defines."""
    if not any(attribute in tiles.attributes for tiles in KNOWN_SETS.values()):
        raise ValueError(f"unknown attribute {attribute!r} in {text!r}")


@thread_safe_cache
def tile_set(name: str) -> Mapping[str, TileKind]:
    """Return the tiles of a set by id, in the order of its data file.

    Raises:
        KeyError: there is no such set.
    """
    source = KNOWN_SETS[name]
    text = resources.files(source.package).joinpath(source.file).read_text(encoding="utf-8")
    return {
        tile_id: TileKind(
            tile_id,
            entry["count"],
            tuple(_segment(segment) for segment in entry["segments"]),
            frozenset(entry.get("flags", ())),
            entry.get("letters", ""),
            entry.get("editions", {}),
            tuple(map(tuple, entry.get("links", ()))),
        )
        for tile_id, entry in tomllib.loads(text).items()
    }


@thread_safe_cache
def tile(tile_id: str) -> TileKind:
    """Return the tile with this id.

    Raises:
        KeyError: there is no such tile.
    """
    for name in KNOWN_SETS:
        kind = tile_set(name).get(tile_id)
        if kind is not None:
            return kind
    raise KeyError(tile_id)
