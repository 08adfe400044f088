"""Highlighted features of a question, and the places of their letters."""

from __future__ import annotations

import pytest

from engine.the_castle import wall
from renderers.the_castle import Area, order_question, whole_board
from renderers.the_castle.board import free_place, occupied_places
from renderers.the_castle.faces.layout import layout_of
from renderers.theme import DAY
from tests.renderers.image_checks import count_pixels, pixel_bytes, rgb_image
from tests.renderers.the_castle.boards import position_after
from tests.renderers.the_castle.views import areas_of


def test_the_features_in_question_stand_out_with_their_letters() -> None:
    position = position_after(90)
    areas = areas_of(position)
    image = rgb_image(order_question(position, areas))
    assert count_pixels(image, DAY.highlight) > 3000
    assert count_pixels(image, DAY.meadow, 20) < count_pixels(rgb_image(whole_board(position)), DAY.meadow, 20)
    one, other = (order_question(position, [Area(letter, areas[0].parts)]) for letter in "AB")
    assert pixel_bytes(one) != pixel_bytes(other)
    assert (one.width, one.height) == (other.width, other.height)


def test_a_feature_alone_in_question_needs_no_letter() -> None:
    position = position_after(90)
    (area,) = areas_of(position, 1)
    lettered, plain = (rgb_image(order_question(position, [Area(letter, area.parts)])) for letter in ("A", ""))
    assert 0 < count_pixels(plain, DAY.highlight) < count_pixels(lettered, DAY.highlight)


@pytest.mark.parametrize("plies", range(20, 116, 8))
def test_letters_stand_on_their_features(plies: int) -> None:
    """Also where a figure or a keep has taken the middle."""
    position = position_after(plies)
    occupied = [
        feature
        for feature in position.features()
        if feature.followers and all(position.tile_at(cell) is not None for cell, _ in feature.parts)
    ]
    for feature in occupied:
        cell, point = free_place(position, Area("A", feature.parts), occupied_places(position))
        tile = position.tile_at(cell)
        assert tile is not None
        layout = layout_of(tile.tile, tile.rotation)
        owner = layout.labels(64).owner(point)
        assert (cell, layout.face.segments[owner].places) in {(at, part.places) for at, part in feature.parts}


def test_a_feature_that_reaches_a_start_space_is_shown_there_too() -> None:
    position = position_after(90)
    starts = {start.cell for start in wall().starts}
    reaching = [f for f in position.features() if starts & {cell for cell, _ in f.parts}]
    assert reaching
    for feature in reaching:
        picture = order_question(position, [Area("A", feature.parts)])
        within = tuple(part for part in feature.parts if part[0] not in starts)
        assert pixel_bytes(picture) != pixel_bytes(order_question(position, [Area("A", within)]))


def test_every_kind_of_feature_can_be_asked_about() -> None:
    position = position_after(116)
    smallest = {(feature.kind, feature.complete): feature for feature in position.features()}
    for feature in smallest.values():
        image = rgb_image(order_question(position, [Area("A", feature.parts)]))
        assert count_pixels(image, DAY.highlight) > 300
