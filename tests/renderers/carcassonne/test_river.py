"""The drawings of The River: continuous water that splits fields, crossed by roads on stone bridges.

River tiles are laid before all others, from a spring to a lake. No figure stands on water.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import pytest
from PIL import Image

from engine.carcassonne import FeatureKind, TileKind
from renderers import DAY, THEMES, Theme, masks
from renderers.canvas import point_along, rotated
from renderers.carcassonne import scenery
from renderers.carcassonne.boxes.river import RIVER, River, RiverEnd, course, road_over_water, waters_of
from renderers.carcassonne.faces.ground import half_point
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.lines import RoadEnd
from renderers.carcassonne.figures import layout_of
from renderers.carcassonne.inset import tile_picture
from renderers.theme import Colour
from tests.renderers.carcassonne.rivers import RIVER_TILES, river_tiles
from tests.renderers.image_checks import (
    ROTATIONS,
    colour_at,
    colour_distance,
    count_connected_areas,
    count_pixels,
    is_meadow,
    is_road,
)

SIZE = 96
"""The side of a tile in pixels."""
every_tile_name = pytest.mark.parametrize("name", RIVER_TILES)
SPRING, LAKE = "FIFF", "FFFI"
"""The first and the last tile of the river."""
PHONE_CELL_PIXELS = 42
"""The side of a tile in pixels as a phone shows it."""


@pytest.fixture(scope="module")
def kinds() -> Iterator[Mapping[str, TileKind]]:
    """Yield the river tiles by name, with the drawings of the box registered."""
    with pytest.MonkeyPatch.context() as patch, river_tiles() as tiles:
        patch.setattr(scenery, "BOXES", MappingProxyType({**scenery.BOXES, "river": River()}))
        yield tiles


def is_water(colour: Colour, theme: Theme = DAY) -> bool:
    """Return True if a colour is close to that of water."""
    return min(colour_distance(colour, water) for water in (theme.water, theme.water_light)) <= 30


def colour_on(image: Image.Image, point: tuple[float, float]) -> Colour:
    """Return the colour of a picture at a point, in shares of its width and height."""
    return colour_at(image, point[0] * image.width, point[1] * image.height)


@every_tile_name
def test_water_leaves_the_tile_in_the_middle_of_its_sides_and_nowhere_else(
    kinds: Mapping[str, TileKind], name: str
) -> None:
    for rotation in ROTATIONS:
        layout, image = layout_of(kinds[name], rotation), tile_picture(DAY, kinds[name], rotation, SIZE)
        for water in waters_of(layout.features.face):
            for side in layout.features.face.segments[water.segment].places:
                across = [colour_on(image, rotated((part, 0.015), side)) for part in (0.3, 0.46, 0.5, 0.54, 0.7)]
                assert all(map(is_water, across[1:4])), (rotation, side)
                assert is_meadow(across[0]), (rotation, side)
                assert is_meadow(across[-1]), (rotation, side)


@every_tile_name
def test_the_river_is_continuous_except_under_a_bridge(kinds: Mapping[str, TileKind], name: str) -> None:
    for rotation in ROTATIONS:
        layout, image = layout_of(kinds[name], rotation), tile_picture(DAY, kinds[name], rotation, SIZE)
        roads = {road.segment for road in layout.features.roads}
        for water in waters_of(layout.features.face):
            points = [point_along(water.line, step / 20) for step in range(1, 17)]
            points_off_roads = [point for point in points if layout.features.ground.owner(point) not in roads]
            assert len(points_off_roads) >= 9
            beside = [point for point in points_off_roads if abs(point[0] - 0.5) > 0.14 or abs(point[1] - 0.5) > 0.14]
            assert all(is_water(colour_on(image, point)) for point in beside), (rotation, name)


@every_tile_name
def test_the_river_splits_fields_as_the_rule_book_says(kinds: Mapping[str, TileKind], name: str) -> None:
    for rotation in ROTATIONS:
        layout = layout_of(kinds[name], rotation)
        for index, segment in enumerate(layout.features.face.segments):
            if segment.kind is FeatureKind.FIELD:
                assert {layout.features.ground.owner(half_point(half)) for half in segment.places} == {index}, rotation
                points = masks.cell_centres(layout.features.ground.area(index))
                assert count_connected_areas({(int(x * masks.GRID), int(y * masks.GRID)) for x, y in points}) == 1, (
                    rotation
                )


@every_tile_name
def test_nothing_stands_in_the_water(kinds: Mapping[str, TileKind], name: str) -> None:
    """Check trees, houses and figures; each figure also has to stand on its own segment."""
    for rotation in ROTATIONS:
        layout = layout_of(kinds[name], rotation)
        water_segments = {water.segment for water in waters_of(layout.features.face)}
        assert not water_segments & {layout.features.ground.owner(point) for point in (*layout.trees, *layout.houses)}
        for index, kind in enumerate(layout.features.face.kinds):
            if kind in {FeatureKind.CITY, FeatureKind.ROAD, FeatureKind.FIELD}:
                assert layout.features.ground.owner(layout.anchors[index]) == index, (rotation, index)


def test_a_road_crosses_the_river_on_a_stone_bridge(kinds: Mapping[str, TileKind]) -> None:
    for name, theme, rotation in (
        (name, theme, rotation)
        for name in ("CIRI", "FIRI", "IRIR")
        for theme in THEMES.values()
        for rotation in ROTATIONS
    ):
        layout, image = layout_of(kinds[name], rotation), tile_picture(theme, kinds[name], rotation, SIZE)
        (road,) = layout.features.roads
        over = road_over_water(road.line, waters_of(layout.features.face))
        assert over
        middle = colour_on(image, over[3])
        assert min(colour_distance(middle, theme.road), colour_distance(middle, theme.road_worn)) <= 24, (
            name,
            theme.name,
            rotation,
        )
        dry = [other for other in kinds if not crossed_roads(layout_of(kinds[other], rotation))]
        assert {"RRII", "CICI", LAKE} <= set(dry)


def crossed_roads(layout: Layout) -> list[int]:
    """Return the segments of the roads that lead over water."""
    return [
        road.segment for road in layout.features.roads if road_over_water(road.line, waters_of(layout.features.face))
    ]


def test_a_road_reaches_the_city_or_monastery_on_the_other_bank(kinds: Mapping[str, TileKind]) -> None:
    for rotation in ROTATIONS:
        (gate,) = layout_of(kinds["CIRI"], rotation).features.roads
        assert gate.end is RoadEnd.GATE
        church = layout_of(kinds["FIRI"], rotation)
        (road,) = church.features.roads
        assert road.end is RoadEnd.MONASTERY
        assert church.monastery is not None
        x, y = church.monastery
        garden = [(x + dx * 0.78, y + dy * 0.78) for dx in (-0.18, 0.18) for dy in (-0.16, 0.17)]
        assert not {church.features.ground.owner(corner) for corner in garden} & {
            water.segment for water in waters_of(church.features.face)
        }
        image = tile_picture(DAY, kinds["FIRI"], rotation, SIZE)
        assert is_road(colour_on(image, point_along(road.line, 0.1)))


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("size", [SIZE, PHONE_CELL_PIXELS])
def test_spring_and_lake_look_different(kinds: Mapping[str, TileKind], theme: Theme, size: int) -> None:
    """The spring has rocks and the lake much more water; each has the river on one side."""
    for rotation in ROTATIONS:
        spring, lake = (tile_picture(theme, kinds[name], rotation, size) for name in (SPRING, LAKE))
        assert count_pixels(lake, theme.water, 24) > 1.7 * count_pixels(spring, theme.water, 24)
        assert count_pixels(spring, theme.stone, 30) + count_pixels(spring, theme.stone_light, 30) > 0.004 * size**2
        assert count_pixels(lake, theme.stone, 12) == 0
    ends = {name: waters_of(kinds[name].faces[0])[0].end for name in (SPRING, LAKE, "FIFI")}
    assert list(ends.values()) == [RiverEnd.SPRING, RiverEnd.LAKE, RiverEnd.THROUGH]


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_ripples_distinguish_the_river_from_a_road(kinds: Mapping[str, TileKind], theme: Theme) -> None:
    """Ripples help people who cannot tell the two colours apart."""
    for name in RIVER_TILES:
        picture = tile_picture(theme, kinds[name], 0, SIZE)
        assert count_pixels(picture, theme.water_light, 30) > 0.002 * SIZE**2, name


def test_a_river_course_has_one_or_two_ends() -> None:
    with pytest.raises(ValueError, match="3 ends"):
        course((0, 1, 2))
    assert course((1, 3))[0] == pytest.approx((1.0, 0.5))
    assert RIVER == "river"
