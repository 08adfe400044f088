"""The composer of the castle: spots, the drawn tile, and a ghost with its figure.

The composer is the panel in which a player tries out a turn; the ghost is the tile while it is tried out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from PIL import ImageChops

from engine import Cell, Place
from renderers import PLAYER_MARKS, FigurePlace, phone_window
from renderers.boards.sheet import spots_view, trial_view
from renderers.boards.view import MAX_PANEL_HEIGHT, PHONE_CELL, PHONE_TYPE, PHONE_WIDTH, View
from renderers.the_castle import Ghost, cards, composer
from renderers.the_castle.board import paint_castle
from renderers.theme import DAY
from tests.renderers.image_checks import (
    colour_at,
    colour_distance,
    count_pixels,
    crop_trial_cell,
    pixel_bytes,
    rgb_image,
)
from tests.renderers.the_castle.boards import TILES, position_after
from tests.renderers.the_castle.views import ghost_of


def view_of(spots: Sequence[Cell] = (), ghost: Ghost | None = None) -> View:
    """Return the view that the composer chooses."""
    if ghost is not None:
        return trial_view(cards.whole_window(), ghost.cell, DAY.longest)
    return spots_view(cards.whole_window(), spots, cells=cards.FOCUS_CELLS, longest=DAY.longest)


def test_each_spot_has_its_name_in_its_cell() -> None:
    position = position_after(30)
    spots = sorted(position.open_cells(), key=lambda cell: (cell.y, cell.x))
    image, view = rgb_image(composer(position, spots)), view_of(spots)
    for spot in spots:
        assert spot in view.window
        x, y = view.at(spot, (0.5, 0.5))
        assert colour_distance(colour_at(image, x - view.size * 0.05, y - view.size * 0.24), DAY.highlight) < 12, spot
        name = image.crop((x - view.size * 9 // 20, y - view.size // 5, x + view.size * 9 // 20, y + view.size // 5))
        assert count_pixels(name, DAY.highlight_dark, 30) > 40, spot


@pytest.mark.parametrize("plies", [4, 30, 60, 90])
def test_a_phone_shows_the_spots_of_a_castle_large_enough(plies: int) -> None:
    """Regression: twelve rows had a second rim, which left 27 CSS pixels for a cell of 28."""
    position = position_after(plies)
    cells = sorted(position.open_cells(), key=lambda cell: (cell.y, cell.x))
    spots = next(cells[:count] for count in range(len(cells), 0, -1) if phone_window(cells[:count]) is not None)
    picture, view = composer(position, spots), view_of(spots)
    scale = PHONE_WIDTH / picture.width
    assert view.size * scale >= PHONE_CELL
    assert view.letter * scale >= PHONE_TYPE
    assert picture.height * scale <= MAX_PANEL_HEIGHT + 1


def test_the_drawn_tile_is_beside_the_castle_and_a_ghost_is_enlarged() -> None:
    position = position_after(30)
    spot = next(position.open_cells())
    view = view_of([spot])
    hand = composer(position, [spot])
    assert (hand.width > view.width) != (hand.height > view.height)
    ghost, places = ghost_of(position)
    without_letters, lettered = composer(position, (), ghost), composer(position, (), ghost, places)
    assert (without_letters.width, without_letters.height) == (lettered.width, lettered.height)
    assert count_pixels(rgb_image(lettered), DAY.halo, 6) > count_pixels(
        rgb_image(without_letters), DAY.halo, 6
    ) + 600 * len(places)


def test_a_chosen_figure_is_drawn_in_its_place() -> None:
    """Find the figure on the enlarged ghost and on the board, in the colour of the player to move."""
    position = position_after(30)
    ghost, places = ghost_of(position)
    colour = PLAYER_MARKS[position.player].colour
    view = view_of(ghost=ghost)
    for entry in places:
        lettered = rgb_image(composer(position, (), ghost, [entry]))
        with_figure = rgb_image(composer(position, (), ghost, [replace(entry, figure="follower")]))
        assert count_pixels(with_figure, colour) > count_pixels(lettered, colour) + 2000
        assert count_pixels(crop_trial_cell(with_figure, view, ghost.cell), colour) > count_pixels(
            crop_trial_cell(lettered, view, ghost.cell), colour
        )
        assert count_pixels(with_figure, DAY.halo, 6) > count_pixels(lettered, DAY.halo, 6)


def test_a_ghost_changes_its_neighbours_as_a_placed_tile_would() -> None:
    """Walls between features of the same kind disappear, for instance."""
    position = position_after(60)
    ghost, _ = ghost_of(position)
    view = view_of(ghost=ghost)
    before, with_ghost = (paint_castle(position, view, DAY, trial).pixels for trial in (None, ghost))
    x, y = view.at(ghost.cell)
    around = ImageChops.difference(before, with_ghost)
    around.paste((0, 0, 0), (x, y, x + view.size, y + view.size))
    placed = position.copy()
    placed.push(Place(ghost.cell, ghost.rotation))
    after_placing = paint_castle(placed, view, DAY).pixels
    assert ImageChops.difference(with_ghost, after_placing).getbbox() is None


def test_no_spot_is_named_beside_a_ghost() -> None:
    position = position_after(30)
    ghost, _ = ghost_of(position)
    spots = [ghost.cell, Cell(90, 90)]
    assert pixel_bytes(composer(position, spots, ghost)) == pixel_bytes(composer(position, (), ghost))


def test_a_figure_without_a_drawing_is_an_error() -> None:
    position = position_after(0)
    tile = TILES[0]
    entry = FigurePlace("A", tile.faces[0].segments[0], "dragon")
    with pytest.raises(ValueError, match="without a drawing: dragon"):
        composer(position, (), Ghost(Cell.parse("F7"), tile, 0), [entry])
