"""The drawings of Carcassonne's tiles follow the engine's segments in every rotation, and continue across edges.

A segment is the part of a feature on one tile; its drawing has to lie where the engine has it, and to reach the sides
of the tile in the same points as those of the neighbours. Codes such as KR-02 are rules of the rule digest.
"""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest
from PIL import Image, ImageChops

from engine import Cell, Side
from engine.carcassonne import Axis, FeatureKind, Segment, TileKind, tile
from engine.carcassonne.expansions import OFFERED_TILE_SETS, OTHER_TILE_SETS
from engine.carcassonne.expansions.traders_builders import goods_on
from gallery.carcassonne import crossings
from renderers import masks
from renderers.canvas import distance, point_along, rotated
from renderers.carcassonne import scenery
from renderers.carcassonne.boxes.inns_cathedrals import Cathedral, Inn
from renderers.carcassonne.boxes.traders_builders import GoodsSign
from renderers.carcassonne.faces.ground import half_point
from renderers.carcassonne.faces.layout import Layout, shield_bounds
from renderers.carcassonne.faces.lines import RoadEnd
from renderers.carcassonne.faces.prints import Print, hidden_share
from renderers.carcassonne.figures import anchor, layout_of
from renderers.carcassonne.inset import tile_picture
from renderers.carcassonne.scenery import tile_sprite
from renderers.land import TEXTURE_PERIOD, meadow
from renderers.pieces import STANDING_REACH, within_tile
from renderers.theme import DAY
from tests.each import for_each
from tests.renderers.image_checks import (
    TILES,
    all_faces,
    colour_at,
    colour_distance,
    count_connected_areas,
    is_meadow,
    is_road,
)

SIZE = 64
"""The side of a tile in pixels."""
every_tile = for_each(TILES)
FIELDS_BELOW_A_CITY = ("r2/ICIC",)
"""Tiles with a city that spans the river and the fields on both of its banks (RT-11)."""
ROTATIONS = (0, 90, 180, 270)
"""All rotations, in degrees clockwise."""


@every_tile
def test_a_road_has_its_colour_in_the_middle_and_at_the_edge(kind: TileKind) -> None:
    for rotation in ROTATIONS:
        image = tile_picture(DAY, kind, rotation, SIZE)
        for road in layout_of(kind, rotation).features.roads:
            for x, y in (point_along(road.line, 0.02), point_along(road.line, 0.3)):
                assert is_road(colour_at(image, x * SIZE, y * SIZE)), (rotation, road.segment, x, y)


def test_a_through_road_is_continuous_but_for_the_wall_it_touches() -> None:
    for kind, rotation in all_faces():
        image = tile_picture(DAY, kind, rotation, SIZE)
        for road in layout_of(kind, rotation).features.roads:
            if road.end is RoadEnd.THROUGH:
                below = layout_of(kind, rotation).features.overpass not in {-1, road.segment}
                points = [point_along(road.line, step / 12) for step in range(13) if not (below and 3 < step < 9)]
                walls = [corner for city in layout_of(kind, rotation).features.cities for corner in city.ground]
                points = [point for point in points if all(distance(point, corner) > 0.05 for corner in walls)]
                assert all(is_road(colour_at(image, x * SIZE, y * SIZE)) for x, y in points), (kind.id, rotation)


@every_tile
def test_sides_of_one_kind_look_alike_at_the_edge(kind: TileKind) -> None:
    """Roads and rivers leave in the middle and nowhere else, cities between two points, and fields are meadow."""
    for rotation in ROTATIONS:
        sprite = tile_picture(DAY, kind, rotation, SIZE)
        face = kind.faces[rotation // 90]
        for side in range(4):
            if face.closes:
                continue  # a wall, whatever lies beyond it
            edge = [colour_at(sprite, *_at_edge(side, part)) for part in (0.3, 0.5, 0.7)]
            match face.segments[face.side_segments[side]].kind if face.side_segments[side] >= 0 else None:
                case FeatureKind.ROAD:
                    assert is_road(edge[1]), (rotation, side)
                    assert is_meadow(edge[0]), (rotation, side)
                    assert is_meadow(edge[2]), (rotation, side)
                case FeatureKind.CITY:
                    assert not any(is_meadow(colour) for colour in edge), (rotation, side)
                case "river":
                    assert [is_meadow(colour) for colour in edge] == [True, False, True], (rotation, side)
                    assert min(colour_distance(edge[1], water) for water in (DAY.water, DAY.water_light)) <= 30, (
                        rotation,
                        side,
                    )
                case _:
                    assert all(is_meadow(colour) for colour in edge), (rotation, side)


def _at_edge(side: int, part: float) -> tuple[float, float]:
    """Return a point just inside the tile, in pixels, at a fraction of the length of a side."""
    x, y = rotated((part, 0.012), side)
    return x * SIZE, y * SIZE


def test_city_ground_meets_at_the_same_two_points_of_every_side() -> None:
    for kind, rotation in all_faces():
        for city in layout_of(kind, rotation).features.cities:
            for side in layout_of(kind, rotation).features.face.segments[city.segment].places:
                on_side = [rotated(point, -side) for point in city.ground]
                ends = sorted(x for x, y in on_side if abs(y) < 1e-9)
                assert ends[0] == pytest.approx(0.0 if side in city.corners else 0.075)
                assert ends[-1] == pytest.approx(1.0 if (side + 1) % 4 in city.corners else 0.925)


def test_the_meadow_continues_from_tile_to_tile() -> None:
    size = 20  # too small for lines between tiles to be drawn
    for cell, beside in (
        (Cell(0, 0), Cell(1, 0)),
        (Cell(TEXTURE_PERIOD - 1, 2), Cell(TEXTURE_PERIOD, 2)),
        (Cell(-1, 0), Cell(0, 0)),
    ):
        first, second = meadow(DAY, cell, size), meadow(DAY, beside, size)
        across = [colour_distance(colour_at(first, size - 1, y), colour_at(second, 0, y)) for y in range(size)]
        within = [
            colour_distance(colour_at(first, x, y), colour_at(first, x + 1, y))
            for x in range(size - 1)
            for y in range(size)
        ]
        assert sum(across) / len(across) <= 2 * sum(within) / len(within) + 1


@every_tile
def test_fields_are_split_as_in_the_engine(kind: TileKind) -> None:
    """Every field is one connected area, and each half-side belongs to the area of its own field."""
    for rotation in ROTATIONS:
        layout = layout_of(kind, rotation)
        for index, segment in enumerate(layout.features.face.segments):
            if segment.kind is FeatureKind.FIELD:
                assert {layout.features.ground.owner(half_point(half)) for half in segment.places} <= {index}, rotation
        _each_field_is_one_piece(kind, rotation)


def _each_field_is_one_piece(kind: TileKind, rotation: int) -> None:
    """Check that the area of each field is connected; it is in two parts where it runs below a city."""
    layout = layout_of(kind, rotation)
    parts = 2 if kind.id in FIELDS_BELOW_A_CITY else 1
    for index, segment in enumerate(layout.features.face.segments):
        if segment.kind is not FeatureKind.FIELD:
            continue
        points = masks.cell_centres(layout.features.ground.area(index))
        cells = {(int(x * masks.GRID), int(y * masks.GRID)) for x, y in points}
        assert count_connected_areas(cells) == parts, (rotation, segment.name)


@every_tile
def test_separate_cities_and_roads_of_a_tile_do_not_touch(kind: TileKind) -> None:
    layout = layout_of(kind, 0)
    for one, other in combinations(layout.features.cities, 2):
        if one.gates or other.gates:
            continue  # one road runs below the other
        walls = [(point, beside) for point in one.ground for beside in other.ground]
        assert min(distance(point, beside) for point, beside in walls) > 0.07
    for first, second in combinations(layout.features.roads, 2):
        if first.segment != second.segment and layout.features.overpass not in {first.segment, second.segment}:
            assert distance(point_along(first.line, 0.7), point_along(second.line, 0.7)) > 0.14
            apart = [distance(one, other) for one in first.line for other in second.line]
            assert layout.features.hub is not None or RoadEnd.THROUGH not in {first.end, second.end} or min(apart) > 0.3


@every_tile
def test_followers_stand_on_their_segment(kind: TileKind) -> None:
    for rotation in ROTATIONS:
        layout = layout_of(kind, rotation)
        for index, segment in enumerate(layout.features.face.segments):
            if segment.kind is not FeatureKind.MONASTERY:
                place = anchor(kind, rotation, segment)
                own = [print_.bounds for print_ in layout.prints if print_.segment == index and print_.bounds]
                for left, top, right, bottom in own:
                    assert left <= place[0] <= right, (rotation, segment.name, place)
                    assert top <= place[1] <= bottom, (rotation, segment.name, place)
                assert own or layout.features.ground.owner(place) == index, (rotation, segment.name, place)


def test_followers_leave_pennants_and_prints_of_other_segments_in_sight() -> None:
    """Regression: a farmer beside a narrow city hid the sign of its goods."""
    pennants = prints = 0
    for kind, rotation in all_faces():
        layout = layout_of(kind, rotation)
        ground, kinds = layout.features.ground, layout.features.face.kinds
        for index, anchor_point in enumerate(layout.anchors):
            lying = kinds[index] is FeatureKind.FIELD
            at = within_tile(anchor_point, lying=lying)
            for shield in layout.shields:
                if ground.owner(shield) != index:
                    pennants += 1
                    assert hidden_share(shield_bounds(shield), at, lying=lying) <= 0.2, (kind.id, rotation, index)
            for print_ in layout.prints:
                if print_.bounds is not None and print_.segment != index:
                    prints += 1
                    assert hidden_share(print_.bounds, at, lying=lying) <= 0.8, (kind.id, rotation, index)
    assert min(pennants, prints) > 50


def test_the_places_of_a_tile_are_apart_with_and_without_a_bridge() -> None:
    for kind, rotation in all_faces():
        face = kind.faces[rotation // 90]
        for axis in (None, *Axis):
            if axis is not None and any(face.side_segments[side] >= 0 for side in axis.sides):
                continue
            segments = [*face.segments, *([] if axis is None else [_bridge(axis)])]
            places = [anchor(kind, rotation, segment, axis) for segment in segments]
            for first, second in combinations(places, 2):
                assert distance(first, second) > 0.16, (kind.id, rotation, axis)


def _bridge(axis: Axis) -> Segment:
    """Return the segment of a bridge."""
    return Segment(FeatureKind.ROAD, tuple(sorted(int(side) for side in axis.sides)))


def test_buildings_stand_beside_a_bridge_not_under_it() -> None:
    obstacles = 0
    for kind, rotation, axis in crossings((*OFFERED_TILE_SETS, *OTHER_TILE_SETS)):
        layout = layout_of(kind, rotation, axis)
        for x, y in filter(None, (layout.monastery, layout.middle, layout.features.hub)):
            obstacles += 1
            assert abs((x if axis is Axis.NS else y) - 0.5) >= 0.25, (kind.id, rotation, axis)
            assert 0.15 <= x <= 0.85
            assert 0.15 <= y <= 0.85
    assert obstacles > 20


def test_a_tile_without_a_bridge_keeps_its_monastery_in_the_middle() -> None:
    assert layout_of(tile("base/B"), 0).monastery == (0.5, 0.5)
    assert layout_of(tile("bcb/FFFF"), 90).middle == (0.5, 0.5)


@pytest.mark.parametrize("tile_id", ["tb/FCCC-a", "tb/CCCC-a", "tb/CCCC-b"])
def test_an_enclosed_field_is_one_piece_between_its_cities(tile_id: str) -> None:
    for rotation in ROTATIONS:
        layout = layout_of(tile(tile_id), rotation)
        enclosed = [
            number
            for number, segment in enumerate(layout.features.face.segments)
            if segment.kind == "field" and not segment.places
        ]
        (field,) = enclosed
        cells = masks.cell_centres(layout.features.ground.area(field))
        assert len(cells) > 60
        assert layout.features.ground.owner(layout.anchors[field]) == field
        assert layout.barriers


def test_two_cities_that_cross_keep_two_fields_apart() -> None:
    """KR-02: one city is seen on both sides of the other; each field lies at its own corner."""
    for rotation in ROTATIONS:
        layout = layout_of(tile("kr/CCCC"), rotation)
        below, above = layout.features.cities
        assert (len(below.gates), len(above.gates)) == (0, 2)
        ground, segments = layout.features.ground, layout.features.face.segments
        sides = {"N": (0.5, 0.05), "E": (0.95, 0.5), "S": (0.5, 0.95), "W": (0.05, 0.5)}
        for side, point in sides.items():
            assert side in segments[ground.owner(point)].place_names
        for corner, point in {"NW": (0.15, 0.15), "NE": (0.85, 0.15), "SE": (0.85, 0.85), "SW": (0.15, 0.85)}.items():
            held = segments[ground.owner(point)]
            assert (held.name == f"field.{corner}") == (f"field.{corner}" in {segment.name for segment in segments})
        assert len(layout.barriers) == 2


def test_roads_that_cross_without_a_village_use_a_stone_bridge() -> None:
    for rotation in ROTATIONS:
        layout = layout_of(tile("tb/RRRR"), rotation)
        image = tile_picture(DAY, tile("tb/RRRR"), rotation, SIZE)
        above = next(road for road in layout.features.roads if road.segment == layout.features.overpass)
        below = next(road for road in layout.features.roads if road.segment != layout.features.overpass)
        points = [point_along(above.line, step / 20) for step in range(6, 15)]
        assert all(is_road(colour_at(image, x * SIZE, y * SIZE)) for x, y in points)
        assert not all(
            is_road(colour_at(image, *(SIZE * c for c in point_along(below.line, s / 40)))) for s in range(12, 29)
        )
    assert all(layout_of(tile(name), 0).features.overpass == -1 for name in ("base/X", "base/U", "base/V", "base/L"))


@pytest.mark.parametrize(
    "kind", [kind for kind in TILES if any(goods_on(s) for s in kind.segments)], ids=lambda kind: kind.id
)
def test_goods_lie_in_their_city_not_hidden_by_a_follower(kind: TileKind) -> None:
    for rotation in ROTATIONS:
        layout = layout_of(kind, rotation)
        (goods_sign,) = layout.printed(GoodsSign)
        place, goods = goods_sign.at, goods_sign.kind
        (city,) = [n for n, segment in enumerate(layout.features.face.segments) if goods_on(segment) is goods]
        assert layout.features.ground.owner(place) == city
        x, y = within_tile(layout.anchors[city], lying=False)
        assert abs(place[0] - x) > STANDING_REACH[0] + 0.04 or abs(place[1] - y) > STANDING_REACH[1] + 0.04


def test_the_anchor_of_a_missing_segment_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"road\.N"):
        anchor(tile("base/B"), 0, Segment(FeatureKind.ROAD, (int(Side.N),)))


def test_buildings_never_turn() -> None:
    """The monastery's picture is the same in all rotations."""
    box = tuple(round(part * SIZE) for part in (0.32, 0.25, 0.68, 0.6))
    churches = [tile_sprite(DAY, tile("base/B"), rotation, SIZE).crop(box) for rotation in ROTATIONS]
    assert all(ImageChops.difference(first, second).getbbox() is None for first, second in pairwise(churches))


@pytest.mark.parametrize(
    ("tile_id", "shown"),
    [
        ("base/M", "shields"),
        ("bcb/FFFF", "middle"),
        ("bcb/FFRF", Inn),
        ("ic/CFRR", Inn),
        ("ic/CCCC-b", Cathedral),
        ("base/A", "monastery"),
    ],
)
def test_everything_printed_on_a_tile_is_drawn(tile_id: str, shown: str | type[Print]) -> None:
    """Without the printed thing, a tile looks different."""
    kind = tile(tile_id)
    plain = TileKind(tile_id, 1, tuple(_without_prints(segment) for segment in kind.segments if segment.places))
    assert _has_print(layout_of(kind, 0), shown)
    assert not _has_print(layout_of(plain, 0), shown)
    assert _differ(tile_sprite(DAY, kind, 0, SIZE), tile_sprite(DAY, plain, 0, SIZE))


def _has_print(layout: Layout, what: str | type[Print]) -> object:
    """Return True, or the print, if a layout has one of this name or class."""
    return getattr(layout, what) if isinstance(what, str) else layout.printed(what)


def _without_prints(segment: Segment) -> Segment:
    """Return a segment without the things that are printed on it."""
    return Segment(segment.kind, segment.places, cap=segment.cap, cities=segment.cities)


def _differ(first: Image.Image, second: Image.Image) -> bool:
    """Return True if two pictures differ."""
    return ImageChops.difference(first, second).getbbox() is not None


def test_a_pointed_city_that_splits_no_field_ends_in_the_middle() -> None:
    kind = TileKind(
        "test/hat", 1, (Segment(FeatureKind.CITY, (0,)), Segment(FeatureKind.FIELD, tuple(range(2, 8)), cities=(0,)))
    )
    for rotation in ROTATIONS:
        layout = layout_of(kind, rotation)
        assert layout.features.ground.owner(rotated((0.5, 0.2), rotation // 90)) == 0
        assert layout.features.ground.owner(rotated((0.2, 0.4), rotation // 90)) == 1


def test_a_pointed_city_reaches_the_corner_where_it_splits_two_fields() -> None:
    left = TileKind(
        "test/left",
        1,
        (
            Segment(FeatureKind.CITY, (3,)),
            Segment(FeatureKind.FIELD, (0, 1, 2, 3), cities=(0,)),
            Segment(FeatureKind.FIELD, (4, 5), cities=(0,)),
        ),
    )
    layout = layout_of(left, 0)
    assert layout.features.ground.owner((0.9, 0.5)) == 1
    assert layout.features.ground.owner((0.6, 0.9)) == 2


def test_a_road_with_four_ends_is_an_error() -> None:
    road, field = Segment(FeatureKind.ROAD, (0, 1, 2, 3)), Segment(FeatureKind.FIELD, tuple(range(8)))
    fork = TileKind("test/fork", 1, (road, field))
    with pytest.raises(ValueError, match="4 ends"):
        layout_of(fork, 0)


@pytest.mark.parametrize("name", ["base/A", "base/L", "base/V", "bcb/FFFF"])
def test_a_bridge_changes_a_tile_only_where_something_is_in_its_way(name: str) -> None:
    kind = tile(name)
    for rotation, axis in product(kind.rotations, Axis):
        image = tile_sprite(DAY, kind, rotation, 64, axis)
        assert image.tobytes() == scenery._draw_tile(DAY, kind, _canonical_rotation(kind, rotation), 64, axis).tobytes()
        if image is not tile_sprite(DAY, kind, rotation, 64):
            assert image.tobytes() != tile_sprite(DAY, kind, rotation, 64).tobytes()


def _canonical_rotation(kind: TileKind, rotation: int) -> int:
    """Return the rotation in which the look of a tile is drawn."""
    return scenery._canonical_look(kind, rotation, None)[0]
