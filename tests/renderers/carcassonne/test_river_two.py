"""The drawings of The River II: three arms of the fork, the end at a city, the volcano, and the herd of pigs."""

from __future__ import annotations

import pytest
from PIL import ImageChops

from engine.carcassonne import FeatureKind, Options, tile
from engine.carcassonne.expansions import RIVER_TWO, TRADERS_BUILDERS
from engine.carcassonne.expansions.river_two import FORK, PIG_HERD, VOLCANO
from gallery.built_positions import arrange
from renderers import DAY, THEMES, Theme
from renderers.boards.view import Window, fitting_view
from renderers.canvas import rotated
from renderers.carcassonne.board import paint_board
from renderers.carcassonne.boxes.river import RiverEnd, waters_of
from renderers.carcassonne.boxes.river_two import Herd
from renderers.carcassonne.faces.prints import hidden_share
from renderers.carcassonne.figures import layout_of
from renderers.carcassonne.inset import tile_picture
from renderers.pieces import within_tile
from tests.renderers.image_checks import PHONE_CELL_PIXELS, ROTATIONS, colour_at, colour_distance, count_pixels

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
HERD, MOUTH = "r2/IFFI", "r2/FCFI"
"""The tile with the herd of pigs, and the one where the river ends at a city."""


@every_theme
def test_the_fork_has_water_at_three_sides_and_in_the_middle(theme: Theme) -> None:
    for rotation in ROTATIONS:
        picture = tile_picture(theme, tile(FORK), rotation, 96)
        (river,) = (part for part in tile(FORK).faces[rotation // 90].segments if part.kind == "river")
        for side in range(4):
            x, y = rotated((0.5, 0.015), side)
            colour = colour_at(picture, x * 96, y * 96)
            is_water = min(colour_distance(colour, water) for water in (theme.water, theme.water_light)) <= 30
            assert is_water == (side in river.places), (rotation, side)
        assert [water.end for water in waters_of(layout_of(tile(FORK), rotation).features.face)] == [
            RiverEnd.THROUGH,
            RiverEnd.ARM,
        ]


def test_the_river_ends_at_the_city_and_parts_its_fields() -> None:
    for rotation in ROTATIONS:
        features = layout_of(tile(MOUTH), rotation).features
        (water,) = waters_of(features.face)
        assert water.end is RiverEnd.MOUTH
        assert features.face.kinds[features.ground.owner(water.line[-1])] == FeatureKind.CITY


@every_theme
@pytest.mark.parametrize("size", [128, PHONE_CELL_PIXELS])
def test_the_volcano_is_visible_in_its_lake(theme: Theme, size: int) -> None:
    for rotation in ROTATIONS:
        picture = tile_picture(theme, tile(VOLCANO), rotation, size)
        assert count_pixels(picture, theme.roofs[0][0], 30) > 0.002 * size**2
        assert count_pixels(picture, theme.stone, 30) + count_pixels(picture, theme.stone_dark, 30) > 0.015 * size**2
        assert count_pixels(picture, theme.water, 30) > 0.05 * size**2


def test_the_herd_stands_in_its_field_and_no_farmer_hides_it() -> None:
    for rotation in ROTATIONS:
        layout = layout_of(tile(HERD), rotation)
        (herd,) = layout.printed(Herd)
        (index,) = (n for n, part in enumerate(layout.features.face.segments) if part.shows(PIG_HERD) is not None)
        assert layout.features.ground.owner(herd.at) == index
        left, top, right, bottom = herd.bounds
        assert min(left, top) >= 0
        assert max(right, bottom) <= 1
        farmer = within_tile(layout.anchors[index], lying=True)
        assert hidden_share(herd.bounds, farmer, lying=True) <= 0.35, rotation


def test_a_herd_that_does_not_count_is_faded() -> None:
    """Rule RT-17: by an option, a herd counts only where the pig is in play."""
    boxes = (RIVER_TWO, TRADERS_BUILDERS)
    views = {
        (needs, boxes[:count]): arrange(
            players=2, tiles=[f"{HERD} 0,0 0"], options=Options(pig_herd_needs_traders=needs), expansions=boxes[:count]
        )
        for needs in (False, True)
        for count in (1, 2)
    }
    view = fitting_view(Window(-1, -1, 3, 3))
    boards = {key: paint_board(position, view, DAY).pixels.convert("RGB") for key, position in views.items()}
    faded = boards.pop((True, boxes[:1]))
    assert len({board.tobytes() for board in boards.values()}) == 1
    for board in boards.values():
        assert ImageChops.difference(faded, board).getbbox() is not None
