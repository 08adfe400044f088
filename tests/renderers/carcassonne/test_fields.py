"""Overlays on a board: the owners of fields, and the cells that no tile fits.

A field belongs to the players with most farmers on it; it is covered with their marks and colours.
"""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from engine import Cell, Position
from gallery.built_positions import arrange
from renderers import PLAYER_MARKS, THEMES, Guides, HeldField, Theme
from renderers.boards.view import View, fitting_view, window_around
from renderers.canvas import FIELD_TRANSPARENCY, MEADOW_CALM
from renderers.carcassonne import composer, turn_card, whole_board
from renderers.carcassonne.cards import focus_view
from renderers.carcassonne.fields import _field_sprite
from renderers.carcassonne.figures import layout_of, segment_index
from renderers.theme import DAY, mixed
from tests.renderers.carcassonne.boards import small_board, wide_board
from tests.renderers.image_checks import TILES, count_pixels, rgb_image


def fields_of(position: Position) -> tuple[HeldField, ...]:
    """Return the fields on which farmers stand."""
    return tuple(
        HeldField(feature.owners, feature.parts)
        for feature in position.features()
        if feature.kind == "field" and feature.owners
    )


def count_field_pixels(image: Image.Image, theme: Theme, seat: int) -> int:
    """Count the pixels of meadow that are tinted in the colour of a seat."""
    grass = (mixed(shade, theme.meadow, MEADOW_CALM) for shade in (theme.meadow_dark, theme.meadow_light))
    return sum(count_pixels(image, mixed(PLAYER_MARKS[seat].colour, shade, FIELD_TRANSPARENCY), 2) for shade in grass)


def count_mark_pixels(image: Image.Image, seat: int) -> int:
    """Count the pixels in the colour of a seat."""
    return count_pixels(image, PLAYER_MARKS[seat].colour, 2)


def view_of(position: Position) -> View:
    """Return the view of the whole board."""
    return fitting_view(window_around([placed.cell for placed in position.placed()]))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_held_field_is_filled_with_its_owners_marks(theme: Theme) -> None:
    position = small_board()
    fields = fields_of(position)
    assert [field.owners for field in fields] == [(1,)]
    plain = rgb_image(whole_board(position, theme=theme))
    with_overlay = rgb_image(whole_board(position, theme=theme, guides=Guides(fields)))
    assert count_field_pixels(with_overlay, theme, 1) > count_field_pixels(plain, theme, 1) + 300
    for seat in (0, 2, 3, 4):  # white is left out, as every mark has a white ring
        assert count_mark_pixels(with_overlay, seat) <= count_mark_pixels(plain, seat) + 60, seat
    assert count_mark_pixels(with_overlay, 1) > count_mark_pixels(plain, 1) + 300


@pytest.mark.parametrize("seat", range(6))
def test_the_owner_of_a_field_is_visible_at_phone_size(seat: int) -> None:
    """Scale the board of a whole game to 400 pixels; each mark is still a spot in the player's colour."""
    position = wide_board(14, 12)
    field = max((feature for feature in position.features() if feature.kind == "field"), key=lambda f: len(f.parts))
    boards = [whole_board(position, guides=guides) for guides in (Guides(), Guides((HeldField((seat,), field.parts),)))]
    plain, held = (scale_to_phone(rgb_image(board)) for board in boards)
    added_pixels = count_pixels(held, PLAYER_MARKS[seat].colour, 40) - count_pixels(
        plain, PLAYER_MARKS[seat].colour, 40
    )
    assert added_pixels >= 3 * len({cell for cell, _ in field.parts})


def scale_to_phone(image: Image.Image) -> Image.Image:
    """Return the picture at the width at which a phone shows it, 400 pixels."""
    return image.resize((400, round(400 * image.height / image.width)), Image.Resampling.LANCZOS)


def test_only_the_held_field_changes() -> None:
    position = small_board()
    fields = fields_of(position)
    view = view_of(position)
    changed = ImageChops.difference(
        rgb_image(whole_board(position)), rgb_image(whole_board(position, guides=Guides(fields)))
    ).convert("L")
    held = {cell for field in fields for cell, _ in field.parts}
    for cell in view.window.cells:
        x, y = view.at(cell)
        part = changed.crop((x, y, x + view.size, y + view.size))
        if cell not in held:
            assert part.getbbox() is None, cell.label


@pytest.mark.parametrize("rotation", [0, pytest.param(90, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", TILES, ids=lambda kind: kind.id)
def test_marks_lie_within_their_field(kind: object, rotation: int) -> None:
    layout = layout_of(kind, rotation)
    for segment in layout.features.face.segments:
        if segment.kind != "field":
            continue
        index = segment_index(kind, rotation, segment)
        marks = _field_sprite(DAY, (0,), (kind, rotation, None), segment, 96).getchannel("A")
        solid = [(i % 96 / 96, i // 96 / 96) for i, value in enumerate(marks.tobytes()) if value == 255]
        outside = [point for point in solid if layout.features.ground.owner(point) != index]
        assert len(outside) <= len(solid) / 20, segment.name


def test_a_field_of_two_owners_has_alternating_marks() -> None:
    position = arrange(
        players=2,
        tiles=("base/D 0,0 0", "base/E 0,1 180"),
        followers=("0 0,0 field.SL", "1 0,1 field.NL"),
        hand="base/V",
    )
    held = [field for field in fields_of(position) if len(field.owners) == 2]
    assert held
    image = rgb_image(whole_board(position, guides=Guides(tuple(held))))
    assert min(count_field_pixels(image, DAY, seat) for seat in (0, 1)) > 60


def test_dead_cells_are_crossed_out_and_cells_that_need_a_bridge_hatched() -> None:
    position = small_board()
    dead, aided = Cell(3, 1), Cell(-1, 0)
    guides = Guides(dead=frozenset({dead}), aided=frozenset({aided}))
    views = (turn_card, focus_view(position)), (whole_board, view_of(position))
    for draw, view in views:
        picture = draw(position, guides=guides)
        parts = {cell: _crop_cell(rgb_image(picture), view, cell) for cell in (dead, aided, Cell(3, 0))}
        lines = {cell: count_pixels(part, DAY.dead, 8) for cell, part in parts.items()}
        assert lines[Cell(3, 0)] == 0
        assert lines[dead] > 1.5 * lines[aided] > 0


def _crop_cell(image: Image.Image, view: View, cell: Cell) -> Image.Image:
    """Return the part of a picture that shows one cell."""
    x, y = view.at(cell)
    return image.crop((x, y, x + view.size, y + view.size))


def test_a_field_larger_than_the_crop_is_filled_within_it() -> None:
    position = wide_board(14, 3)
    fields = tuple(HeldField((1,), feature.parts) for feature in position.features() if feature.kind == "field")
    for draw in (turn_card, whole_board):
        with_overlay, without_overlay = draw(position, guides=Guides(fields)), draw(position)
        assert (
            count_field_pixels(rgb_image(with_overlay), DAY, 1)
            > count_field_pixels(rgb_image(without_overlay), DAY, 1) + 300
        )


def test_guides_off_the_crop_are_left_out() -> None:
    position = small_board()
    far = Guides(dead=frozenset({Cell(90, 90)}), aided=frozenset({Cell(-90, 0)}))
    assert whole_board(position, guides=far) == whole_board(position)
    assert composer(position, guides=far) == composer(position)
    assert composer(position, guides=Guides(dead=frozenset({Cell(3, 1)}))) != composer(position)
