"""The composer, a picture for planning a move: lettered spots, the tile in hand, and a ghost.

A ghost is the tile being tried out on a cell, with numbered places for figures, a chosen figure and a bridge.
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
from renderers import PLAYER_MARKS, NumberedPlace, Spot
from renderers.boards.sheet import composer_view
from renderers.boards.view import CELL_SIZES, View
from renderers.carcassonne import Ghost, cards, composer
from renderers.carcassonne.figures import anchor
from renderers.carcassonne.inset import numbered_inset
from renderers.pieces import within_tile
from renderers.theme import DAY, LONGEST_SIDE
from tests.renderers.carcassonne.boards import small_board, wide_board
from tests.renderers.image_checks import colour_at, colour_distance, count_pixels, crop_cell, pixel_bytes, rgb_image


def view_of(position: Position, spots: Sequence[Spot] = (), ghost: Ghost | None = None) -> View:
    """Return the view that the composer chooses."""
    cell, panel = (None, cards._HAND_SIDE) if ghost is None else (ghost.cell, cards._GHOST_SIDE)
    cells, longest = cards._COMPOSER_CELLS, DAY.longest
    return composer_view(cards._whole_window(position), spots, cell, cells=cells, panel=panel, longest=longest)


def test_each_spot_has_its_letter_in_its_cell() -> None:
    position = small_board()
    cells = sorted(position.open_cells(), key=lambda cell: (cell.y, cell.x))
    spots = [Spot(cell, chr(65 + number)) for number, cell in enumerate(cells)]
    image, view = rgb_image(composer(position, spots)), view_of(position, spots)
    letters = []
    for spot in spots:
        assert spot.cell in view.window
        x, y = view.at(spot.cell, (0.5, 0.5))
        assert colour_distance(colour_at(image, x - view.size * 0.23, y), DAY.highlight) < 12, spot
        letter = image.crop((x - view.size // 5, y - view.size // 5, x + view.size // 5, y + view.size // 5))
        assert count_pixels(letter, DAY.highlight_dark, 30) > 40, spot
        letters.append(letter.tobytes())
    assert len(set(letters)) == len(letters)
    assert colour_distance(colour_at(image, *view.at(Cell(0, 0), (0.5, 0.9))), DAY.highlight) > 40


def test_the_composer_holds_all_spots_however_far_apart() -> None:
    position = wide_board(30, 22)
    spots = [Spot(Cell(-1, 5), "A"), Spot(Cell(30, 10), "B"), Spot(Cell(12, -1), "Q"), Spot(Cell(12, 22), "AB")]
    view, picture = view_of(position, spots), composer(position, spots)
    assert all(spot.cell in view.window for spot in spots)
    assert max(picture.width, picture.height) <= LONGEST_SIDE


def test_spots_close_together_are_drawn_large() -> None:
    view = view_of(wide_board(30, 22), [Spot(Cell(-1, 5), "A"), Spot(Cell(-1, 7), "B")])
    assert view.size == CELL_SIZES[0]
    assert (view.window.columns, view.window.rows) == (7, 7)


def test_the_drawn_tile_is_beside_the_board() -> None:
    position = small_board()
    assert position.hand is not None
    picture = composer(position, [Spot(Cell(3, 0), "A")])
    image = rgb_image(picture)
    board = view_of(position, [Spot(Cell(3, 0), "A")])
    assert (picture.height > board.height) != (picture.width > board.width)
    left, top = (0, board.height) if picture.height > board.height else (board.width, 0)
    assert (
        count_pixels(image.crop((left, top, picture.width, picture.height)), DAY.road, 16) > 200
    )  # the road of the tile in hand


def test_the_ghost_is_drawn_in_its_place_and_enlarged() -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    face = ghost.tile.faces[0]
    numbers = [NumberedPlace(number, segment) for number, segment in enumerate(face.segments, 1)]
    plain, with_ghost = composer(position), composer(position, ghost=ghost, numbers=numbers)
    assert ghost.cell in view_of(position, ghost=ghost).window
    assert rgb_image(with_ghost).size != rgb_image(plain).size
    image = rgb_image(with_ghost)
    assert count_pixels(image, DAY.highlight) > 1000


def test_no_letter_covers_the_ghost() -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    far_away = Spot(Cell(90, 90), "Z")
    assert pixel_bytes(composer(position, [Spot(ghost.cell, "A"), far_away], ghost)) == pixel_bytes(
        composer(position, (), ghost)
    )
    assert pixel_bytes(composer(position, [Spot(Cell(3, 0), "B")], ghost)) != pixel_bytes(composer(position, (), ghost))


def test_places_for_a_follower_are_numbered_at_their_segments() -> None:
    ghost = Ghost(Cell(0, 0), tile("base/L"), 90)
    segments = ghost.tile.faces[1].segments
    without_numbers = numbered_inset(ghost, [], 300, DAY)
    inset = numbered_inset(ghost, [NumberedPlace(n, segment) for n, segment in enumerate(segments, 1)], 300, DAY)
    for segment in segments:
        x, y = (300 * part for part in anchor(ghost.tile, 90, segment))
        area = tuple(round(value) for value in (x - 24, y - 24, x + 24, y + 24))
        assert count_pixels(inset.crop(area), DAY.halo, 6) > count_pixels(without_numbers.crop(area), DAY.halo, 6) + 500


@pytest.mark.parametrize("figure", ["follower", "builder", "pig"])
def test_a_chosen_figure_is_drawn_beside_its_number(figure: str) -> None:
    """It is drawn on the enlarged ghost and on the board, in the colour of the player to move."""
    position = small_board()
    segment = next(segment for segment in tile("base/L").faces[1].segments if segment.kind == "road")
    ghost, colour = Ghost(Cell(1, -1), tile("base/L"), 90), PLAYER_MARKS[position.player].colour
    pictures = [
        rgb_image(composer(position, ghost=ghost, numbers=[NumberedPlace(2, segment, name)])) for name in ("", figure)
    ]
    numbered, with_figure = (
        numbered_inset(ghost, [NumberedPlace(2, segment, name)], 300, DAY) for name in ("", figure)
    )
    assert count_pixels(with_figure, colour) > count_pixels(numbered, colour) + 2000
    view = view_of(position, ghost=ghost)
    crops = [crop_cell(picture, view, ghost.cell) for picture in pictures]
    assert count_pixels(crops[1], colour) > count_pixels(crops[0], colour) + 300
    place = anchor(ghost.tile, 90, segment)
    x, y = within_tile(place, lying=False)
    assert digit(numbered, place) in [digit(with_figure, (x + offset, y)) for offset in (-0.28, 0.28)]


def digit(image: Image.Image, place: tuple[float, float]) -> bytes:
    """Return the part of the picture within the disc of a number."""
    x, y = (round(300 * value) for value in place)
    return image.crop((x - 15, y - 15, x + 15, y + 15)).tobytes()


@pytest.mark.parametrize("cell", [Cell(1, -1), Cell(2, 1)])
def test_the_bridge_of_a_ghost_is_drawn_on_its_own_tile(cell: Cell) -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/B"), 0)
    bridged = Ghost(ghost.cell, ghost.tile, 0, (cell, Axis.WE))
    one, other = rgb_image(composer(position, ghost=ghost)), rgb_image(composer(position, ghost=bridged))
    changed = ImageChops.difference(one, other).getbbox()
    assert changed is not None
    assert count_pixels(other, DAY.timber_light) > count_pixels(one, DAY.timber_light)


def test_a_cached_panel_gives_the_same_file() -> None:
    position = small_board()
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    places = [NumberedPlace(number, segment) for number, segment in enumerate(ghost.tile.faces[0].segments, 1)]
    panels: list[dict[str, Any]] = [
        {"spots": [Spot(Cell(1, -1), "A")]},
        {"ghost": ghost, "numbers": places},
        {"ghost": ghost, "numbers": [replace(places[0], figure=FOLLOWER)]},
        {"ghost": ghost, "numbers": ()},
    ]
    uncached = [composer(position, **panel) for panel in panels]
    for _ in range(2):
        assert [composer(position, **panel, state="a position") for panel in panels] == uncached
    other = position.copy()
    other.apply(Place(Cell(1, -1), 0))
    spots = [Spot(Cell(1, -2), "A")]
    assert composer(other, spots, state="another") == composer(other, spots)
