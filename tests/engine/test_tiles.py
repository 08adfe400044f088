"""The tiles of Carcassonne: the numbers in the rule books, segments, rotations, and the tables for placing them.

A segment is the part of a feature on one tile. Placing is a lookup: each empty cell has a constraint made of the edges
of its neighbours, and each tile a table of the rotations that fit it.
"""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import product

import pytest

from engine.carcassonne import FeatureKind, Segment, TileKind, tile, tile_set
from engine.carcassonne.expansions import OFFERED_TILE_SETS, OTHER_TILE_SETS, river
from engine.carcassonne.expansions.bridges_castles_bazaars.bridges import remedies
from engine.carcassonne.expansions.inns_cathedrals import has_inn
from engine.carcassonne.tiles import CITY_EDGE, FIELD_EDGE, FITS_EVERYTHING, ROAD_EDGE, edge_constraint
from engine.geometry import AXIS_OF, Axis
from tests.each import for_each

BASE = tile_set("base")
"""The tiles of the base game, by name."""
BCB = tile_set("bridges-castles-bazaars")
"""The tiles of Bridges, Castles & Bazaars, by name."""
ALL_TILES = [kind for name in (*OFFERED_TILE_SETS, *OTHER_TILE_SETS) for kind in tile_set(name).values()]
"""The tiles of all sets."""
every_tile = for_each(ALL_TILES)
every_tile_with_edges = for_each([kind for kind in ALL_TILES if FITS_EVERYTHING not in kind.flags])
COUNTS = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWX", map(int, "241452132333232313218941"), strict=True))
"""The number of each tile in the base box, with the start tile among the four D (BA-03)."""
EDGE_LETTERS = {CITY_EDGE: "C", ROAD_EDGE: "R", FIELD_EDGE: "F", river.RIVER.edge: "I"}
"""The letter of each kind of edge, as in the names of tiles."""


def edges(kind: TileKind, quarters: int = 0) -> str:
    """Return the edges N, E, S, W as letters."""
    return "".join(EDGE_LETTERS[kind.faces[quarters].edges >> 4 * side & 15] for side in range(4))


def count_tiles_showing(kinds: list[TileKind], kind: FeatureKind) -> int:
    """Count the tiles of a box that show a feature of this kind."""
    return sum(entry.count for entry in kinds if any(segment.kind is kind for segment in entry.segments))


def test_the_base_box_has_the_printed_tiles() -> None:
    """72 tiles with six monasteries, pennants and caps where they are printed (BA-01, BA-03)."""
    kinds = [kind for kind in BASE.values() if kind.count]
    assert {kind.id.removeprefix("base/"): kind.count for kind in kinds} == COUNTS
    assert sum(COUNTS.values()) == 72
    assert count_tiles_showing(kinds, FeatureKind.MONASTERY) == 6
    pennants = {kind.id[-1]: kind.count for kind in kinds if any(segment.pennants for segment in kind.segments)}
    assert pennants == {"C": 1, "F": 2, "M": 2, "O": 2, "Q": 1, "S": 2}
    capped = {kind.id[-1] for kind in kinds if any(segment.cap for segment in kind.segments)}
    assert capped == set("DEHIJKL")


def test_the_expansion_box_has_the_printed_tiles() -> None:
    """Twelve tiles, eight with a bazaar, and city caps by their round edge (SU-01, SU-02, CA-02)."""
    kinds = list(BCB.values())
    assert sum(kind.count for kind in kinds) == 12
    assert sum(kind.count for kind in kinds if "bazaar" in kind.flags) == 8
    assert count_tiles_showing(kinds, FeatureKind.MONASTERY) == 2
    assert sum(has_inn(segment) for kind in kinds for segment in kind.segments) == 2
    assert [segment.cap for segment in tile("bcb/FRFC").segments if segment.kind is FeatureKind.CITY] == [False]
    assert [segment.cap for segment in tile("bcb/CFRF").segments if segment.kind is FeatureKind.CITY] == [True]


@pytest.mark.parametrize("kind", BCB.values(), ids=lambda kind: kind.id)
def test_the_expansion_names_its_tiles_by_their_edges(kind: TileKind) -> None:
    named = kind.id.removeprefix("bcb/")[:4]
    assert named in {edges(kind, quarters) for quarters in range(4)}


@pytest.mark.parametrize(
    ("letter", "content"),
    [
        ("D", "CRFR"),
        ("E", "CFFF"),
        ("U", "FRFR"),
        ("X", "RRRR"),
        ("C", "CCCC"),
        ("B", "FFFF"),
        ("V", "FFRR"),
        ("A", "FFRF"),
    ],
)
def test_edges_of_the_base_tiles(letter: str, content: str) -> None:
    assert edges(tile(f"base/{letter}")) == content


@every_tile_with_edges
def test_segments_cover_the_tile(kind: TileKind) -> None:
    """No side belongs to two cities or roads, and each half-side outside cities belongs to exactly one field."""
    sides = Counter(side for segment in structures(kind) for side in segment.places)
    assert all(count == 1 for count in sides.values())
    cities = {side for segment in structures(kind) if segment.kind is FeatureKind.CITY for side in segment.places}
    halves = Counter(half for segment in fields(kind) for half in segment.places)
    assert halves == Counter(half for half in range(8) if half // 2 not in cities)


@every_tile
def test_fields_know_the_cities_beside_them(kind: TileKind) -> None:
    """A field that reaches a corner touches the city on the other side of the corner."""
    for field in fields(kind):
        assert all(kind.segments[index].kind is FeatureKind.CITY for index in field.cities)
        beyond = {(half // 2 + (1 if half % 2 else -1)) % 4 for half in field.places}
        for index, segment in enumerate(kind.segments):
            if segment.kind is FeatureKind.CITY and beyond & set(segment.places):
                assert index in field.cities


def structures(kind: TileKind) -> list[Segment]:
    """Return the cities and roads of a tile."""
    return [segment for segment in kind.segments if segment.kind in (FeatureKind.CITY, FeatureKind.ROAD)]


def fields(kind: TileKind) -> list[Segment]:
    """Return the fields of a tile."""
    return [segment for segment in kind.segments if segment.kind is FeatureKind.FIELD]


@every_tile_with_edges
def test_a_quarter_turn_moves_every_edge_clockwise(kind: TileKind) -> None:
    for quarters in range(4):
        before = edges(kind, quarters)
        assert edges(kind, (quarters + 1) % 4) == before[-1] + before[:-1]
        assert kind.faces[quarters].rotation == 90 * quarters


@every_tile
def test_four_quarter_turns_give_the_same_segment(kind: TileKind) -> None:
    for segment in kind.segments:
        assert segment.turned(1).turned(1).turned(1).turned(1) == segment
        assert segment.turned(3).turned(1) == segment.turned(4) == segment


@every_tile
def test_a_face_indexes_its_segments(kind: TileKind) -> None:
    for face in kind.faces:
        for index, segment in enumerate(face.segments):
            indices = face.half_segments if segment.kind is FeatureKind.FIELD else face.side_segments
            assert all(indices[place] == index for place in segment.places)
            assert (face.monastery == index) == (segment.kind is FeatureKind.MONASTERY)
            assert face.segments[index].name.startswith(segment.kind)
        assert len({segment.name for segment in face.segments}) == len(face.segments)


def test_names_of_segments() -> None:
    start = tile("base/D")
    assert [segment.name for segment in start.faces[0].segments] == ["road.E", "city.N", "field.EL", "field.ER"]
    assert [segment.name for segment in start.faces[1].segments] == ["road.N", "city.E", "field.NR", "field.NL"]
    road = start.faces[0].segments[0]
    assert road.is_named("road.E")
    assert road.is_named("road.W")
    assert not road.is_named("road.N")
    assert not road.is_named("city.E")
    assert not road.is_named("road")
    monastery = tile("base/B").segments[0]
    assert monastery.name == "monastery"
    assert monastery.is_named("monastery")
    assert not monastery.is_named("monastery.N")


@pytest.mark.parametrize(
    ("tile_id", "rotations"),
    [
        ("base/B", (0,)),
        ("base/C", (0,)),
        ("base/X", (0,)),
        ("base/U", (0, 90)),
        ("base/H", (0, 90)),
        ("base/F", (0, 90)),
        ("bcb/RFRF-a", (0, 90)),
        ("bcb/RFRF-b", (0, 90, 180, 270)),
        ("base/D", (0, 90, 180, 270)),
    ],
)
def test_rotations_that_look_different(tile_id: str, rotations: tuple[int, ...]) -> None:
    assert tile(tile_id).rotations == rotations


def test_there_is_one_object_for_each_tile() -> None:
    assert pickle.loads(pickle.dumps(tile("base/D"))) is tile("base/D")  # noqa: S301
    assert repr(tile("bcb/CCCC")) == "tile('bcb/CCCC')"
    with pytest.raises(KeyError):
        tile("base/Z")
    with pytest.raises(KeyError):
        tile_set("the-river")


# -- lookup tables ----------------------------------------------------------------------------------------------------

Edges = tuple[int, ...]
"""The edges N, E, S, W of a tile, or of the neighbours around a cell. An empty neighbour is 0."""
NEIGHBOURHOODS: list[Edges] = [
    around for around in product((0, CITY_EDGE, ROAD_EDGE, FIELD_EDGE), repeat=4) if any(around)
]
"""All combinations of edges that may surround an empty cell; 0 is a side without a neighbour."""


def constraint_of(around: Edges) -> int:
    """Return the constraint of these neighbours on the cell between them."""
    return sum(edge_constraint((side + 2) % 4, edge) for side, edge in enumerate(around) if edge)


def matches(own: Edges, around: Edges) -> bool:
    """Compare a tile with its neighbours side by side (BA-07); an edge of 0 goes with all."""
    return all(not other or edge in (0, other) for edge, other in zip(own, around, strict=True))


def faces_of(kind: TileKind) -> list[tuple[int, Edges]]:
    """Return the rotations of a tile with their edges."""
    return [(face.rotation, tuple(face.edges >> 4 * side & 15 for side in range(4))) for face in kind.faces]


def with_roads(edges: Edges, *sides: int) -> Edges:
    """Return the edges after a bridge has turned these fields into roads."""
    assert all(edges[side] == FIELD_EDGE for side in sides)
    return tuple(ROAD_EDGE if side in sides else edge for side, edge in enumerate(edges))


@every_tile
def test_the_table_of_fits_equals_comparing_edges(kind: TileKind) -> None:
    """Every neighbourhood of every tile is compared (BA-07)."""
    for around in NEIGHBOURHOODS:
        expected = tuple(rotation for rotation, own in faces_of(kind) if matches(own, around))
        assert kind.fits.get(constraint_of(around), ()) == expected


@every_tile
def test_the_table_of_remedying_bridges_equals_trying_each(kind: TileKind) -> None:
    """Bridges are tried on the tile itself, side -1, and on the neighbour at each side (BR-09 to BR-11)."""
    for around in NEIGHBOURHOODS:
        expected: list[tuple[int, Axis, int]] = []
        for rotation, own in faces_of(kind):
            if matches(own, around):
                continue
            for axis in Axis:
                if all(own[side] == FIELD_EDGE for side in axis.sides):
                    bridged = matches(with_roads(own, *axis.sides), around)
                    expected += [(rotation, axis, -1)] if bridged else []
            for side in range(4):
                if around[side] == FIELD_EDGE and matches(own, with_roads(around, side)):
                    expected.append((rotation, AXIS_OF[side], side))
        listed = remedies(kind).get(constraint_of(around), ())
        listed_bridges = [(rotation, line.axis, side) for rotation, line, side in listed]
        assert listed_bridges == expected
