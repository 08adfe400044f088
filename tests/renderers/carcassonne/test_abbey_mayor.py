"""The drawings of *Abbey & Mayor*: three figures, the abbey in its walls, and tiles unlike those of other boxes.

Codes such as AM-04 are rules of the rule digest.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest
from PIL import Image, ImageChops

from engine import Cell
from engine.carcassonne import FeatureKind, TileKind, tile
from engine.carcassonne.expansions import ABBEY_MAYOR
from engine.carcassonne.expansions.abbey_mayor import ABBEY_TILE, BARN, MAYOR, WAGON
from gallery.built_positions import arrange
from renderers import DAY, PLAYER_MARKS, THEMES, Theme
from renderers.boards.view import fitting_view, window_around
from renderers.canvas import distance, rotated
from renderers.carcassonne import Tally, score_panel
from renderers.carcassonne.board import paint_board, paint_tiles
from renderers.carcassonne.boxes import abbey_mayor
from renderers.carcassonne.boxes.abbey_mayor import TOWERS, Well
from renderers.carcassonne.faces.lines import RoadEnd
from renderers.carcassonne.figures import FIGURES, figure, layout_of, place_of
from renderers.carcassonne.inset import tile_picture
from renderers.carcassonne.questions.abbey_mayor import wagon_question
from renderers.drawings import read_drawings
from tests.renderers.image_checks import PHONE_CELL_PIXELS, ROTATIONS, colour_at, is_meadow, rgb_image, silhouette

OWN_FIGURES = (MAYOR, WAGON, BARN)
"""The figures of the box."""
SEATS = range(len(PLAYER_MARKS))
"""The seats of all players."""
FOUR_MEADOWS = ["base/B 0,0", "base/B 1,0", "base/B 0,1", "base/B 1,1"]
"""Four tiles of meadow around a point."""


# -- figures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OWN_FIGURES)
@pytest.mark.parametrize("seat", SEATS)
def test_each_figure_has_an_outline_of_its_own_on_a_phone(name: str, seat: int) -> None:
    """Other figures, enlarged to the same size, differ from it by more than 8 % of its area."""
    own = silhouette(DAY, seat, name, PHONE_CELL_PIXELS)
    for other, lying in product(FIGURES.keys() - {name}, (False, True)):
        outline = silhouette(DAY, seat, other, PHONE_CELL_PIXELS, lying=lying)
        outline = outline.resize(own.size, Image.Resampling.NEAREST)
        different_pixels = ImageChops.difference(own, outline).histogram()[255]
        assert different_pixels > 0.08 * own.width * own.height, other


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", OWN_FIGURES)
def test_the_figures_of_two_players_differ_without_colours(theme: Theme, name: str) -> None:
    sprites = [figure(theme, seat, PHONE_CELL_PIXELS, name).convert("L") for seat in SEATS]
    for one, other in combinations(sprites, 2):
        light, shade = (sprite.point([255 * (value > 128) for value in range(256)]) for sprite in (one, other))
        assert ImageChops.difference(light, shade).getbbox() is not None


def test_a_barn_stands_on_the_point_where_four_tiles_meet() -> None:
    """It covers a part of each of them, and no figure on them steps aside from it."""
    bare = arrange(tiles=FOUR_MEADOWS, expansions=(ABBEY_MAYOR,))
    position = arrange(tiles=FOUR_MEADOWS, followers=["0 1,1 field.NL barn"], expansions=(ABBEY_MAYOR,))
    (standing,) = position.standing_figures()
    assert place_of(position, standing) == (0.0, 0.0)
    view = fitting_view(window_around(placed.cell for placed in position.placed()))
    with_barn, without = (paint_board(entry, view, DAY).pixels.convert("RGB") for entry in (position, bare))
    changed = ImageChops.difference(with_barn, without)
    for cell in (Cell(0, 0), Cell(1, 0), Cell(0, 1), Cell(1, 1)):
        x, y = view.at(cell)
        assert changed.crop((x, y, x + view.size, y + view.size)).getbbox() is not None, cell.label
    left, top, right, bottom = changed.getbbox() or (0, 0, 0, 0)
    middle = view.at(Cell(1, 1))
    assert abs((left + right) / 2 - middle[0]) < view.size / 10
    assert abs((top + bottom) / 2 - middle[1]) < view.size / 10


def test_the_tiles_to_which_a_wagon_may_move_are_framed() -> None:
    position = arrange(tiles=FOUR_MEADOWS, expansions=(ABBEY_MAYOR,))
    right, below = Cell(1, 0), Cell(0, 1)

    def pixels_of_the_frame(*targets: Cell) -> int:
        """Count the pixels in the colour of a frame."""
        image = rgb_image(wagon_question(position, Cell(0, 0), targets))
        return sum(count for count, colour in image.getcolors(1 << 24) or () if colour == DAY.highlight[:3])

    assert pixels_of_the_frame() == 0
    assert pixels_of_the_frame(right) == pixels_of_the_frame(below) > 0
    assert pixels_of_the_frame(right, below) > pixels_of_the_frame(right)


# -- tiles ------------------------------------------------------------------------------------------------------------


def test_the_abbey_has_a_wall_on_all_four_sides() -> None:
    """Nothing beside it continues on it (AM-08)."""
    size = 96
    image = tile_picture(DAY, tile(ABBEY_TILE), 0, size)
    for side, part in product(range(4), (0.1, 0.3, 0.7, 0.9)):
        x, y = rotated((part, 0.03), side)
        assert not is_meadow(colour_at(image, x * size, y * size)), (side, part)


def test_the_towers_of_an_abbey_are_not_cut_at_the_edge_of_its_tile() -> None:
    points = [
        point
        for foot in TOWERS
        for outline in read_drawings(abbey_mayor.__file__)["tower"].outlines(foot)
        for point in outline
    ]
    assert all(0 <= value <= 1 for point in points for value in point)


def test_roads_and_cities_beside_an_abbey_end_at_its_wall() -> None:
    position = arrange(
        tiles=["base/U 0,-1", "base/U 0,1", "base/G 1,0", "base/G -1,0", "base/B 1,1", f"{ABBEY_TILE} 0,0"],
        expansions=(ABBEY_MAYOR,),
    )
    view = fitting_view(window_around(placed.cell for placed in position.placed()))
    image = paint_tiles(position, view, DAY).pixels.convert("RGB")
    x, y = view.at(Cell(0, 0))
    alone = tile_picture(DAY, tile(ABBEY_TILE), 0, view.size).convert("RGB")
    shown = image.crop((x, y, x + view.size, y + view.size))
    differing = ImageChops.difference(shown, alone).convert("L").point([255 * (value > 40) for value in range(256)])
    assert differing.histogram()[255] < 0.03 * view.size**2


def test_a_fork_is_one_road_with_a_well_beside_it() -> None:
    for rotation in ROTATIONS:
        layout = layout_of(tile("am/RRFR"), rotation)
        through, joining = layout.features.roads
        assert (through.end, joining.end, through.segment) == (RoadEnd.THROUGH, RoadEnd.JUNCTION, joining.segment)
        assert joining.line[-1] == (0.5, 0.5)
        assert layout.features.hub is None
        (well,) = layout.printed(Well)
        held = layout.features.face.segments[layout.features.ground.owner(well.at)]
        assert held.kind is FeatureKind.FIELD
        assert len(held.places) == 4


def test_a_road_passes_below_a_city_and_divides_one_field_only() -> None:
    """The field in the south is one piece on both sides of the road, which enters a tunnel there (AM-04)."""
    for rotation in ROTATIONS:
        layout = layout_of(tile("am/RCRC"), rotation)
        ends = {road.end: road.line[-1] for road in layout.features.roads}
        assert set(ends) == {RoadEnd.GATE, RoadEnd.PORTAL}
        assert distance(ends[RoadEnd.PORTAL], rotated((0.5, 0.825), rotation // 90)) < 0.01


@pytest.mark.parametrize("tile_id", ["am/CRRF", "am/CFRR"])
def test_a_bend_touches_the_city_and_divides_the_field_beside_it(tile_id: str) -> None:
    for rotation in ROTATIONS:
        layout = layout_of(tile(tile_id), rotation)
        (road,), (city,) = layout.features.roads, layout.features.cities
        nearest = min(distance(point, wall) for point in road.line for wall in city.walls[0])
        assert nearest < 0.09, rotation
        assert len({layout.features.ground.owner(anchor) for anchor in layout.anchors}) == 5


def test_a_city_keeps_three_fields_apart() -> None:
    for rotation in ROTATIONS:
        layout = layout_of(tile("am/FFFC"), rotation)
        points = [rotated(point, rotation // 90) for point in ((0.5, 0.05), (0.95, 0.5), (0.5, 0.95), (0.1, 0.5))]
        assert len({layout.features.ground.owner(point) for point in points}) == 4


def test_both_pennants_of_a_tile_are_drawn() -> None:
    first, second = layout_of(tile("am/CCCC-a"), 0).shields
    assert distance(first, second) > 0.25


@pytest.mark.parametrize("tile_id", ["am/CCFC", "am/RRFR", ABBEY_TILE])
def test_what_is_special_on_a_tile_is_drawn(tile_id: str) -> None:
    """Without the drawings of the box, a tile of another name looks different."""
    kind = tile(tile_id)
    plain = TileKind(
        "test/plain",
        1,
        tuple(type(part)(part.kind, part.places, part.pennants, part.cap, part.cities) for part in kind.segments),
        kind.flags,
    )
    for rotation in kind.rotations:
        with_prints, without = (tile_picture(DAY, entry, rotation, 64) for entry in (kind, plain))
        assert ImageChops.difference(with_prints, without).getbbox() is not None


# -- the score panel --------------------------------------------------------------------------------------------------


def test_the_score_panel_shows_the_figures_and_the_abbey_of_six_players() -> None:
    left = {"follower": 7, MAYOR: 1, WAGON: 0, BARN: 1, "abbey": 1}
    tallies = [Tally(seat, f"Player {seat}", 10 * seat, left) for seat in SEATS]
    without = [Tally(seat, f"Player {seat}", 10 * seat, {**left, "abbey": 0}) for seat in SEATS]
    shown, bare = rgb_image(score_panel(tallies)), rgb_image(score_panel(without))
    assert shown.size == bare.size
    assert ImageChops.difference(shown, bare).getbbox() is not None
