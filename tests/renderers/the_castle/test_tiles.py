"""The drawings of The Castle's tiles follow the engine's segments in every rotation, and continue across edges.

A segment is the part of a path, tower, house or court on one tile. Half-sides are numbered clockwise from 0, the left
half of the northern side. A half-side is closed where its feature ends at another one or at the wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter, signature
from itertools import combinations, pairwise
from pkgutil import iter_modules

import pytest
from PIL import Image, ImageChops

from engine import Side
from engine.the_castle import FeatureKind, Segment, TileKind
from renderers import masks, the_castle
from renderers.canvas import CENTRE, SHADOW_COLOUR, SHADOW_STRENGTH, distance, point_along, rotated
from renderers.the_castle.board import tile_picture
from renderers.the_castle.faces.grounds import MAP_MARGIN
from renderers.the_castle.faces.layout import SQUARE_REACH, WELL_RADIUS, Layout, anchor, half_owners, layout_of
from renderers.the_castle.scenery import tile_sprite
from renderers.theme import DAY, Colour, mixed
from tests.each import for_each
from tests.renderers.image_checks import (
    colour_at,
    colour_distance,
    count_connected_areas,
    count_pixels,
    is_meadow,
    is_road,
)
from tests.renderers.the_castle.boards import ROTATIONS, TILES

SIZE = 64
"""The side of a tile in pixels."""
every_tile = for_each(TILES)


def all_layouts() -> Iterator[tuple[TileKind, int, Layout]]:
    """Yield every tile with every rotation and its layout."""
    return ((kind, rotation, layout_of(kind, rotation)) for kind in TILES for rotation in ROTATIONS)


def at_edge(half: int, part: float = 0.25, depth: float = 0.02) -> tuple[float, float]:
    """Return a point just inside a half-side."""
    side, second = divmod(half, 2)
    x, y = rotated((0.5 * second + part, depth), side)
    return x * SIZE, y * SIZE


def is_stone(colour: Colour) -> bool:
    """Return True if a colour is nearly grey."""
    return max(colour) - min(colour) < 40


# ---------------------------------------------------------------- the edges


@every_tile
def test_paths_leave_in_the_middle_of_their_sides_and_nowhere_else(kind: TileKind) -> None:
    for rotation in ROTATIONS:
        image = tile_picture(DAY, kind, rotation, SIZE).convert("RGB")
        face = kind.faces[rotation // 90]
        for side in Side:
            x, y = rotated((0.5, 0.015), side)
            there = is_road(colour_at(image, x * SIZE, y * SIZE))
            assert there == bool(face.paths >> side & 1), (rotation, side)


@every_tile
def test_every_open_half_side_shows_its_kind_at_the_edge(kind: TileKind) -> None:
    """Grass, street or paving reaches the edge, so that it continues on the neighbouring tile."""
    for rotation in ROTATIONS:
        sprite = tile_sprite(DAY, kind, rotation, SIZE, 0)
        plain = Image.new("RGB", sprite.size, DAY.meadow)
        plain.paste(sprite, (0, 0), sprite)
        face = kind.faces[rotation // 90]
        for half, owner in enumerate(half_owners(face)):
            edge = [colour_at(plain, *at_edge(half, part, 0.005)) for part in (0.15, 0.25, 0.35)]
            match face.kinds[owner]:
                case FeatureKind.COURT:
                    assert sum(map(is_meadow, edge)) >= 2, (rotation, half, edge)
                case FeatureKind.HOUSE:
                    assert not any(map(is_meadow, edge)), (rotation, half, edge)
                    assert sum(map(is_stone, edge)) < 2, (rotation, half, edge)
                case _:
                    assert sum(map(is_stone, edge)) >= 2, (rotation, half, edge)
                    assert min(colour_distance(colour, DAY.ink) for colour in edge) > 20, (rotation, half, edge)


def test_a_tower_has_battlements_on_closed_half_sides_only() -> None:
    kind = next(kind for kind in TILES if len(kind.segments) == 1 and kind.segments[0].kind is FeatureKind.TOWER)
    for half in range(8):
        open_map, closed_map = (tile_sprite(DAY, kind, 0, SIZE, closed) for closed in (0, 1 << half))
        x, y = at_edge(half, depth=0.005)
        assert colour_distance(colour_at(open_map, x, y), DAY.ink) > 60, half
        assert colour_distance(colour_at(closed_map, x, y), DAY.ink) < 40, half
        beside = at_edge((half + 4) % 8, depth=0.005)
        assert colour_at(closed_map, *beside) == colour_at(open_map, *beside)


def test_closed_sides_change_houses_but_not_courts() -> None:
    by_kind = {kind.segments[0].kind: kind for kind in TILES if len(kind.segments) == 1}
    house, court = by_kind[FeatureKind.HOUSE], by_kind[FeatureKind.COURT]
    assert _differ(tile_sprite(DAY, house, 0, SIZE, 0), tile_sprite(DAY, house, 0, SIZE, 255))
    assert not _differ(tile_sprite(DAY, court, 0, SIZE, 0), tile_sprite(DAY, court, 0, SIZE, 255))


def test_paving_continues_from_tile_to_tile() -> None:
    """The joints between the stones at one edge are those at the opposite edge."""
    kind = next(kind for kind in TILES if len(kind.segments) == 1 and kind.segments[0].kind is FeatureKind.TOWER)
    image = tile_sprite(DAY, kind, 0, 128, 0)
    west, east = (image.crop((x, 0, x + 1, 128)).convert("RGB").tobytes() for x in (3, 124))
    darker = [[sum(row) for row in zip(*[iter(column)] * 3, strict=True)] for column in (west, east)]
    rows = [{row for row, light in enumerate(column) if light < max(column) - 40} for column in darker]
    assert rows[0]
    assert rows[0] == rows[1]


# ---------------------------------------------------------------- connected and separate areas


def test_a_through_path_is_continuous() -> None:
    for kind, rotation, layout in all_layouts():
        image = tile_picture(DAY, kind, rotation, SIZE).convert("RGB")
        for path in layout.ways.paths:
            if len(layout.face.segments[path.segment].places) != 2 or layout.ways.wells:
                continue
            points = [point_along(path.line, step / 12) for step in range(13)]
            colours = [colour_at(image, x * SIZE, y * SIZE) for x, y in points]
            assert all(map(is_road, colours)), (kind.id, rotation)


def test_a_junction_without_a_square_is_joined_in_its_middle() -> None:
    for kind, rotation, layout in all_layouts():
        if layout.ways.junction and not layout.ways.wells:
            image = tile_picture(DAY, kind, rotation, SIZE).convert("RGB")
            for path in layout.ways.paths:
                for part in (0.4, 0.7, 1.0):
                    x, y = point_along(path.line, part)
                    assert is_road(colour_at(image, x * SIZE, y * SIZE)), (kind.id, rotation)


def test_a_path_continues_around_its_well() -> None:
    seen = 0
    for kind, rotation, layout in all_layouts():
        image = tile_sprite(DAY, kind, rotation, 128, 0).convert("RGB")
        for _, (x, y) in layout.ways.wells:
            seen += 1
            around = [(x - WELL_RADIUS + 0.016, y), (x, y - WELL_RADIUS + 0.016)]
            colours = [colour_at(image, px * 128, py * 128) for px, py in around]
            shaded = mixed(DAY.road, SHADOW_COLOUR, SHADOW_STRENGTH)
            assert all(is_road(colour) or colour_distance(colour, shaded) < 16 for colour in colours), (
                kind.id,
                rotation,
            )
            near = image.crop(tuple(round(value * 128) for value in (x - 0.1, y - 0.1, x + 0.1, y + 0.1)))
            assert count_pixels(near, DAY.water, 24) > 10
    assert seen == 4 * sum(segment.well for kind in TILES for segment in kind.segments)


def test_a_square_separates_the_arms_of_a_path() -> None:
    """A kerb with dark lines runs between each arm and the middle, and the arms do not touch each other."""
    squares = [kind for kind in TILES if kind.square]
    assert len(squares) == 7
    for kind in squares:
        for rotation in ROTATIONS:
            image, layout = tile_picture(DAY, kind, rotation, 128).convert("RGB"), layout_of(kind, rotation)
            assert not layout.ways.junction
            for path in layout.ways.paths:
                assert distance(path.line[-1], CENTRE) == pytest.approx(SQUARE_REACH)
                side = layout.face.segments[path.segment].places[0]
                crossing = [rotated((0.5, 0.28 + step / 256), side) for step in range(24)]
                colours = [colour_at(image, x * 128, y * 128) for x, y in crossing]
                assert sum(colour_distance(colour, DAY.ink) < 60 for colour in colours) >= 2, (kind.id, rotation)
            _each_is_one_piece(layout)


@every_tile
def test_each_segment_is_one_area_that_reaches_its_half_sides(kind: TileKind) -> None:
    for rotation in ROTATIONS:
        layout = layout_of(kind, rotation)
        owners, areas = half_owners(layout.face), layout.labels(masks.GRID)
        for half, owner in enumerate(owners):
            x, y = (value / SIZE for value in at_edge(half))
            cell = (min(int(x * masks.GRID), 47), min(int(y * masks.GRID), 47))
            assert areas.area(owner).getpixel(cell) == 255, (rotation, half)
        _each_is_one_piece(layout)


def _each_is_one_piece(layout: Layout) -> None:
    """Check that the area of each segment is connected."""
    areas = layout.labels(masks.GRID)
    for index, segment in enumerate(layout.face.segments):
        points = masks.cell_centres(areas.area(index))
        cells = {(int(x * masks.GRID), int(y * masks.GRID)) for x, y in points}
        assert count_connected_areas(cells) == 1, (layout.face.tile.id, layout.face.rotation, segment.name)


# ---------------------------------------------------------------- figures and buildings


@every_tile
def test_figures_stand_on_their_segment(kind: TileKind) -> None:
    for rotation in ROTATIONS:
        layout = layout_of(kind, rotation)
        areas = layout.labels(masks.GRID)
        for index, segment in enumerate(layout.face.segments):
            x, y = anchor(kind, rotation, segment)
            assert areas.area(index).getpixel((int(x * masks.GRID), int(y * masks.GRID))) == 255, (rotation, index)


def test_the_places_of_a_tile_are_apart() -> None:
    for kind, rotation, layout in all_layouts():
        for first, second in combinations(layout.anchors, 2):
            assert distance(first, second) > 0.165, (kind.id, rotation)


def test_the_anchor_of_a_missing_segment_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"path\.N"):
        anchor(TILES[0], 0, Segment(FeatureKind.PATH, (0,)))


def test_everything_printed_on_a_tile_has_its_place() -> None:
    for _, _, layout in all_layouts():
        segments = layout.face.segments
        assert len(layout.markets) == sum(segment.markets for segment in segments)
        assert len(layout.ways.wells) == sum(segment.well for segment in segments)
        quarters = sum(len(part.quarters) for part in segments if part.kind is FeatureKind.TOWER)
        assert len(layout.turrets) == quarters
        houses = [part for part in segments if part.kind is FeatureKind.HOUSE]
        assert len(layout.houses) >= sum(len(part.quarters) for part in houses)


@pytest.mark.parametrize("attribute", ["markets", "well"])
def test_leaving_out_markets_or_wells_changes_the_picture(attribute: str) -> None:
    for kind in TILES:
        if any(getattr(segment, attribute) for segment in kind.segments):
            bare = tuple(Segment(segment.kind, segment.places) for segment in kind.segments)
            plain = TileKind(kind.id, 1, bare, kind.flags)
            assert _differ(tile_sprite(DAY, kind, 0, SIZE, 0), tile_sprite(DAY, plain, 0, SIZE, 0)), kind.id


def test_buildings_never_turn() -> None:
    """The market in the middle of a court looks the same in all rotations."""
    kind = next(kind for kind in TILES if len(kind.segments) == 1 and kind.segments[0].markets)
    box = tuple(round(part * SIZE) for part in (0.33, 0.33, 0.67, 0.67))
    markets = [tile_sprite(DAY, kind, rotation, SIZE, 0).crop(box) for rotation in ROTATIONS]
    assert not any(_differ(first, second) for first, second in pairwise(markets))


def test_kinds_differ_without_colour() -> None:
    """Compare in greyscale: houses, towers and courts differ in the strength of their contrasts."""
    by_kind = {kind.segments[0].kind: kind for kind in TILES if len(kind.segments) == 1}
    edges = {}
    for feature, kind in by_kind.items():
        grey = tile_picture(DAY, kind, 0, SIZE).convert("L")
        shifted = ImageChops.offset(grey, 1, 0)
        edges[feature] = sum(ImageChops.difference(grey, shifted).histogram()[40:])
    assert edges[FeatureKind.HOUSE] > 1.5 * edges[FeatureKind.TOWER] > 2.25 * edges[FeatureKind.COURT]


# ---------------------------------------------------------------- custom tiles of owners of the game


TOWER, HOUSE, COURT, PATH = FeatureKind.TOWER, FeatureKind.HOUSE, FeatureKind.COURT, FeatureKind.PATH
UNUSUAL_TILES = (
    (Segment(TOWER, (0, 1, 2)), Segment(COURT, (3, 4), markets=2), Segment(HOUSE, (5, 6, 7))),
    (Segment(COURT, (0, 7, 3, 4)), Segment(TOWER, (1, 2)), Segment(TOWER, (5, 6))),
    (Segment(COURT, tuple(range(8))), Segment(PATH, (0,), well=True), Segment(PATH, (2,))),
    (Segment(HOUSE, (0, 1, 2, 7)), Segment(COURT, (3, 4, 5, 6)), Segment(PATH, (1, 3))),
    (Segment(TOWER, (1,)), Segment(HOUSE, (2,)), Segment(COURT, (0, 3, 4, 5, 6, 7)), Segment(PATH, (0, 1))),
)
"""Segments that the default tiles do not have.

They include a corner shared by two features, two markets, courts that meet at a point, two dead ends, and features of
one half-side.
"""


@pytest.mark.parametrize("segments", UNUSUAL_TILES)
def test_tiles_with_unusual_segments_can_be_drawn(segments: tuple[Segment, ...]) -> None:
    kind = TileKind("odd/1", 1, segments)
    for rotation in ROTATIONS:
        layout = layout_of(kind, rotation)
        areas = layout.labels(masks.GRID)
        assert all(areas.area(index).getbbox() for index in range(len(segments)))
        sprite = tile_sprite(DAY, kind, rotation, SIZE, 255)
        assert sprite.size == (SIZE, SIZE)
        assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in layout.anchors)


def test_an_open_feature_reaches_the_margin_of_its_map() -> None:
    kind = next(kind for kind in TILES if len(kind.segments) == 1 and kind.segments[0].kind is FeatureKind.TOWER)
    layout, margin = layout_of(kind, 0), round(MAP_MARGIN * 100)
    open_map, closed_map = (layout.labels(100, margin, closed).area(0) for closed in (0, 0b11))
    assert open_map.getpixel((100, 2)) == 255
    assert closed_map.getpixel((100, 2)) == 0
    assert closed_map.getpixel((2, 100)) == 255


def test_cached_drawing_functions_have_no_default_arguments() -> None:
    """A call with a default argument and the same call with that argument would be cached separately."""
    cached_functions = [
        function.__wrapped__
        for module in iter_modules(the_castle.__path__, f"{the_castle.__name__}.")
        for function in vars(import_module(module.name)).values()
        if hasattr(function, "__wrapped__")
    ]
    assert tile_picture.__wrapped__ in cached_functions  # type: ignore[attr-defined]
    for draw in cached_functions:
        defaults = [value.default for value in signature(draw).parameters.values()]
        assert all(default is Parameter.empty for default in defaults), draw


def _differ(first: Image.Image, second: Image.Image) -> bool:
    """Return True if two pictures differ."""
    return first.tobytes() != second.tobytes()
