"""The composer, in which a player tries out a turn: spots, the drawn tile, and a ghost with figure and bridge.

The composer is a private panel with a picture. A spot is a cell where the drawn tile may be placed. The ghost is the
tile while it is tried out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine import Cell, Place
from engine.actions import FOLLOWER
from engine.carcassonne import Axis, Position, tile
from renderers import PLAYER_MARKS, THEMES, FigurePlace, Guides, Theme, phone_window
from renderers.boards.sheet import (
    _LETTER_DISC_WIDTH,
    GHOST_SIDE,
    Sheet,
    _name_size,
    _plate_size,
    _spot_sprite,
    paint_cuts,
    paint_letter,
    spots_view,
    trial_view,
    turn_side,
)
from renderers.boards.view import (
    CELL_SIZES,
    MAX_PANEL_HEIGHT,
    PHONE_CELL,
    PHONE_DISC,
    PHONE_TYPE,
    PHONE_WIDTH,
    View,
    fitting_view,
    on_phone,
)
from renderers.carcassonne import Ghost, cards, composer
from renderers.carcassonne.figures import anchor
from renderers.carcassonne.inset import lettered_inset
from renderers.lettering import text_width
from renderers.pieces import within_tile
from renderers.theme import DAY, LONGEST_SIDE
from tests.renderers.carcassonne.boards import small_board, wide_board
from tests.renderers.image_checks import (
    colour_at,
    colour_distance,
    count_pixels,
    crop_trial_cell,
    pixel_bytes,
    rgb_image,
)


def view_of(position: Position, spots: Sequence[Cell] = (), ghost: Ghost | None = None) -> View:
    """Return the view that the composer chooses."""
    whole = cards.whole_window(position)
    if ghost is not None:
        return trial_view(whole, ghost.cell, DAY.longest)
    return spots_view(whole, spots, cells=cards._COMPOSER_CELLS, longest=DAY.longest)


def test_each_spot_has_its_name_in_its_cell() -> None:
    position = small_board()
    spots = sorted(position.open_cells(), key=lambda cell: (cell.y, cell.x))
    image, view = rgb_image(composer(position, spots)), view_of(position, spots)
    names = []
    for spot in spots:
        assert spot in view.window
        x, y = view.at(spot, (0.5, 0.5))
        assert colour_distance(colour_at(image, x - view.size * 0.05, y - view.size * 0.24), DAY.highlight) < 12, spot
        name = image.crop((x - view.size * 9 // 20, y - view.size // 5, x + view.size * 9 // 20, y + view.size // 5))
        assert count_pixels(name, DAY.highlight_dark, 30) > 40, spot
        names.append(name.tobytes())
    assert len(set(names)) == len(names)
    assert colour_distance(colour_at(image, *view.at(Cell(0, 0), (0.5, 0.9))), DAY.highlight) > 40


def test_the_composer_holds_all_spots_however_far_apart() -> None:
    position = wide_board(30, 22)
    spots = [Cell(-1, 5), Cell(30, 10), Cell(12, -1), Cell(12, 22)]
    view, picture = view_of(position, spots), composer(position, spots)
    assert all(spot in view.window for spot in spots)
    assert max(picture.width, picture.height) <= LONGEST_SIDE


def test_spots_close_together_are_drawn_large() -> None:
    view = view_of(wide_board(30, 22), [Cell(-1, 5), Cell(-1, 7)])
    assert view.size == CELL_SIZES[1]
    assert (view.window.columns, view.window.rows) == (9, 7)


def test_the_drawn_tile_is_beside_the_board() -> None:
    position = small_board()
    assert position.hand is not None
    picture = composer(position, [Cell(3, 0)])
    image = rgb_image(picture)
    board = view_of(position, [Cell(3, 0)])
    assert (picture.height > board.height) != (picture.width > board.width)
    left, top = (0, board.height) if picture.height > board.height else (board.width, 0)
    assert (
        count_pixels(image.crop((left, top, picture.width, picture.height)), DAY.road, 16) > 200
    )  # the road of the tile in hand


def test_the_ghost_shows_in_its_place_and_enlarged() -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    face = ghost.tile.faces[0]
    places = [FigurePlace(letter, segment) for letter, segment in zip("ABCDEFGHI", face.segments, strict=False)]
    plain, with_ghost = composer(position), composer(position, ghost=ghost, places=places)
    assert ghost.cell in view_of(position, ghost=ghost).window
    assert rgb_image(with_ghost).size != rgb_image(plain).size
    image = rgb_image(with_ghost)
    assert count_pixels(image, DAY.highlight) > 1000


def test_spots_in_other_parts_are_shown_at_the_edge_and_within_the_picture() -> None:
    """An arrow points to a spot beyond the picture, and covers no more than its edge; a dot marks one within it."""
    position, spots = wide_board(9, 3), [Cell(0, -1), Cell(1, -1)]
    view = view_of(position, spots)
    window = view.window
    beyond = Cell(window.left + window.columns + 2, 1)
    plain = rgb_image(composer(position, spots))

    def changes(elsewhere: Sequence[Cell]) -> tuple[Image.Image, list[Cell]]:
        """Return the picture with spots elsewhere, and the cells in which it differs."""
        shown = rgb_image(composer(position, spots, guides=Guides(elsewhere=tuple(elsewhere))))
        difference = ImageChops.difference(plain, shown)
        boxes = {cell: (*view.at(cell), *view.at(cell, (1.0, 1.0))) for cell in window.cells}
        return shown, [cell for cell, box in boxes.items() if difference.crop(box).getbbox() is not None]

    shown, changed = changes([beyond])
    edge = window.nearest(beyond)
    assert edge == Cell(window.left + window.columns - 1, 1)
    assert changed == [edge]
    left, top, right, bottom = *view.at(edge), *view.at(edge, (1.0, 1.0))
    free = (left, top, left + (right - left) * 3 // 5, bottom)
    assert shown.crop(free).tobytes() == plain.crop(free).tobytes()
    assert count_pixels(shown, DAY.highlight) > count_pixels(plain, DAY.highlight)
    assert changes([beyond, Cell(beyond.x + 1, 1)]) == (shown, changed)
    _, within = changes([Cell(2, -1)])
    assert within == [Cell(2, -1)]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_board_that_goes_on_beyond_the_picture_has_a_torn_edge_there(theme: Theme) -> None:
    position = wide_board(14, 3)
    view = trial_view(cards.whole_window(position), Cell(6, -1), theme.longest)
    image = cards.paint_board(position, view, theme)
    before = image.in_all_colours()
    paint_cuts(image, cards.covered_cells(position))
    difference = ImageChops.difference(before.pixels, image.in_all_colours().pixels)
    torn = [
        cell
        for cell in view.window.cells
        if difference.crop((*view.at(cell), *view.at(cell, (1.0, 1.0)))).getbbox() is not None
    ]
    left, right = view.window.left, view.window.left + view.window.columns - 1
    rows = range(max(view.window.top, 0), min(view.window.top + view.window.rows, 3))
    assert torn == [Cell(x, y) for y in rows for x in (left, right)]


def test_a_whole_board_has_no_torn_edge() -> None:
    position = wide_board(3, 3)
    view = fitting_view(cards.whole_window(position))
    image = cards.paint_board(position, view, DAY)
    before = image.pixels.tobytes()
    paint_cuts(image, cards.covered_cells(position))
    assert image.pixels.tobytes() == before


@pytest.mark.parametrize("place", [(0.0, 0.5), (0.5, 1.0), (1.0, 1.0), (0.5, 0.5)])
def test_the_disc_of_a_letter_is_whole_at_the_edge_of_a_tile(place: tuple[float, float]) -> None:
    """Below a bridge a road may have its place at the very edge."""
    sheet = Sheet((400, 400), DAY, DAY.meadow, flat=True)
    paint_letter(sheet, "B", place)
    drawn = ImageChops.difference(sheet.pixels.convert("RGB"), Image.new("RGB", (400, 400), DAY.meadow)).getbbox()
    assert drawn is not None
    assert drawn[2] - drawn[0] >= round(400 * _LETTER_DISC_WIDTH) - 2
    assert drawn[3] - drawn[1] >= round(400 * _LETTER_DISC_WIDTH) - 2


def test_no_spot_is_named_beside_a_ghost() -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    assert pixel_bytes(composer(position, [ghost.cell, Cell(3, 0)], ghost)) == pixel_bytes(
        composer(position, (), ghost)
    )


def test_the_rotations_that_fit_are_numbered_below_and_the_one_on_trial_is_framed() -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/L"), 90)
    single, several = (rgb_image(composer(position, (), ghost, (), turns)) for turns in ((90,), (0, 90, 180)))
    assert several.width == single.width
    strip = several.crop((0, single.height, several.width, several.height))
    assert count_pixels(strip, DAY.halo, 6) > 3 * 400
    side = turn_side(view_of(position, ghost=ghost))
    thirds = [strip.crop((step * side, 0, (step + 1) * side, strip.height)) for step in range(3)]
    assert max(thirds, key=lambda third: count_pixels(third, DAY.highlight)) == thirds[1]


def test_the_trial_has_no_columns_and_rows() -> None:
    """Its letters stand for places and its numbers for rotations alone."""
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    image, view = rgb_image(composer(position, (), ghost)), view_of(position, ghost=ghost)
    assert image.width < (view.window.columns + GHOST_SIDE) * view.size + view.rim
    crop = crop_trial_cell(image, view, Cell(view.window.left, view.window.top + 2))
    assert count_pixels(crop, DAY.rim) == 0


@pytest.mark.parametrize("turns", [(), (0, 90, 180, 270)])
def test_the_letters_of_a_trial_can_be_found_on_a_phone(turns: tuple[int, ...]) -> None:
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    picture = composer(small_board(), (), ghost, (), turns)
    scale = PHONE_WIDTH / picture.width
    assert picture.height * scale <= 260
    enlarged = view_of(small_board(), ghost=ghost).size * GHOST_SIDE
    assert enlarged * _LETTER_DISC_WIDTH * scale >= PHONE_DISC


def test_places_for_a_follower_are_lettered_at_their_segments() -> None:
    ghost = Ghost(Cell(0, 0), tile("base/L"), 90)
    segments = ghost.tile.faces[1].segments
    without_letters = lettered_inset(ghost, [], 300, DAY, small_board())
    places = [FigurePlace(letter, segment) for letter, segment in zip("ABCDEFGHI", segments, strict=False)]
    inset = lettered_inset(ghost, places, 300, DAY, small_board())
    for segment in segments:
        x, y = (300 * part for part in anchor(ghost.tile, 90, segment))
        area = tuple(round(value) for value in (x - 24, y - 24, x + 24, y + 24))
        assert count_pixels(inset.crop(area), DAY.halo, 6) > count_pixels(without_letters.crop(area), DAY.halo, 6) + 500


@pytest.mark.parametrize("figure", ["follower", "builder", "pig"])
def test_a_chosen_figure_is_drawn_beside_its_letter(figure: str) -> None:
    """Find the figure on the enlarged ghost and on the board, in the colour of the player to move."""
    position = small_board()
    segment = next(segment for segment in tile("base/L").faces[1].segments if segment.kind == "road")
    ghost, colour = Ghost(Cell(1, -1), tile("base/L"), 90), PLAYER_MARKS[position.player].colour
    pictures = [
        rgb_image(composer(position, ghost=ghost, places=[FigurePlace("B", segment, name)])) for name in ("", figure)
    ]
    lettered, with_figure = (
        lettered_inset(ghost, [FigurePlace("B", segment, name)], 300, DAY, position) for name in ("", figure)
    )
    assert count_pixels(with_figure, colour) > count_pixels(lettered, colour) + 2000
    view = view_of(position, ghost=ghost)
    crops = [crop_trial_cell(picture, view, ghost.cell) for picture in pictures]
    assert count_pixels(crops[1], colour) > count_pixels(crops[0], colour) + 300
    place = anchor(ghost.tile, 90, segment)
    x, y = within_tile(place, lying=False)
    assert letter_at(lettered, place) in [letter_at(with_figure, (x + offset, y)) for offset in (-0.28, 0.28)]


def letter_at(image: Image.Image, place: tuple[float, float]) -> bytes:
    """Return the part of the picture within the disc of a letter."""
    x, y = (round(300 * value) for value in place)
    return image.crop((x - 15, y - 15, x + 15, y + 15)).tobytes()


@pytest.mark.parametrize("cell", [Cell(1, -1), Cell(2, 1)])
def test_the_bridge_that_comes_with_a_ghost_is_drawn_on_its_own_tile(cell: Cell) -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/B"), 0)
    bridged = Ghost(ghost.cell, ghost.tile, 0, (cell, Axis.WE))
    first, second = rgb_image(composer(position, ghost=ghost)), rgb_image(composer(position, ghost=bridged))
    changed = ImageChops.difference(first, second).getbbox()
    assert changed is not None
    assert count_pixels(second, DAY.timber_light) > count_pixels(first, DAY.timber_light)


def test_a_cached_panel_gives_the_same_file() -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    places = [
        FigurePlace(letter, segment) for letter, segment in zip("ABCDEFGHI", ghost.tile.faces[0].segments, strict=False)
    ]
    panels: list[dict[str, Any]] = [
        {"spots": [Cell(1, -1)]},
        {"ghost": ghost, "places": places},
        {"ghost": ghost, "places": [replace(places[0], figure=FOLLOWER)]},
        {"ghost": ghost, "places": ()},
    ]
    uncached = [composer(position, **panel) for panel in panels]
    for _ in range(2):
        assert [composer(position, **panel, state="a position") for panel in panels] == uncached
    other = position.copy()
    other.apply(Place(Cell(1, -1), 0))
    spots = [Cell(1, -2)]
    assert composer(other, spots, state="another") == composer(other, spots)


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (10, 2), (10, 9), (8, 10), (3, 9)])
def test_a_phone_shows_spots_and_their_names_large_enough(columns: int, rows: int) -> None:
    """Cells of 28 CSS pixels, type of 11, at a width of 340; the whole picture is at most 372 high."""
    spots = [Cell(0, 0), Cell(columns - 1, rows - 1)]
    window = phone_window(spots)
    assert window is not None
    assert all(spot in window for spot in spots)
    position = small_board()
    picture, view = composer(position, spots), view_of(position, spots)
    scale = PHONE_WIDTH / max(picture.width, PHONE_WIDTH)
    assert view.size * scale >= PHONE_CELL
    assert picture.height * scale <= MAX_PANEL_HEIGHT + 1
    least = on_phone(PHONE_TYPE, picture.width)
    assert all(_name_size(spot.label, view.size, least) >= least for spot in spots)


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (5, 5), (9, 7)])
def test_the_picture_of_spots_is_no_taller_than_wide_where_a_phone_has_room_for_that(columns: int, rows: int) -> None:
    """Regression: on a wide screen panels with square pictures were taller than the screen."""
    picture = composer(small_board(), [Cell(0, 0), Cell(columns - 1, rows - 1)])
    assert picture.height <= 0.77 * picture.width


@pytest.mark.parametrize("size", [80, 96, 112])
def test_the_plate_of_a_spot_can_be_found_on_a_phone(size: int) -> None:
    """It is 22 CSS pixels high where a cell has 28."""
    least = on_phone(PHONE_TYPE, round(size * PHONE_WIDTH / PHONE_CELL))
    plate = _spot_sprite(DAY, size, *_plate_size("W2", _name_size("W2", size, least), size, least))
    opaque = plate.getchannel("A").point([255 * (value > 128) for value in range(256)]).getbbox()
    assert opaque is not None
    assert (opaque[3] - opaque[1]) * PHONE_CELL / size >= PHONE_DISC - 0.5


def test_spots_too_far_apart_for_a_phone_have_no_window() -> None:
    assert phone_window([Cell(0, 0), Cell(12, 0)]) is None
    assert phone_window([Cell(0, 0), Cell(0, 12)]) is None


def test_spots_with_names_of_one_length_share_a_sprite() -> None:
    """Regression: each name had one of its own, and the spots of twelve games filled half of the cache."""
    names = [f"{letter}{number}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for number in range(10, 30)]
    letters = {name: _name_size(name, 96, 36) for name in names}
    assert all(letters.values())
    assert len({_plate_size(name, letters[name], 96, 36) for name in names}) <= 4
    assert all(_plate_size(name, letters[name], 96, 36)[0] >= text_width(name, letters[name]) for name in names)


def test_a_name_too_long_for_its_cell_is_left_to_the_rim() -> None:
    assert _name_size("W20", 28, 11) == 0
    assert _name_size("W20", 31, 11) >= 11
