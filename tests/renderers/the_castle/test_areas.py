"""Highlighted features of The Castle, from which a player chooses one, and the places of their letters.

An area is a highlighted feature with the letter of its button. Start spaces of the wall can be part of it.
"""

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


def test_features_to_choose_from_are_highlighted_with_letters() -> None:
    position = position_after(90)
    areas = areas_of(position)
    image = rgb_image(order_question(position, areas))
    assert count_pixels(image, DAY.highlight) > 3000
    assert count_pixels(image, DAY.meadow, 20) < count_pixels(rgb_image(whole_board(position)), DAY.meadow, 20)
    first, second = (order_question(position, [Area(letter, areas[0].parts)]) for letter in "AB")
    assert pixel_bytes(first) != pixel_bytes(second)
    assert (first.width, first.height) == (second.width, second.height)


def test_a_single_feature_has_no_letter() -> None:
    position = position_after(90)
    (area,) = areas_of(position, 1)
    lettered, plain = (rgb_image(order_question(position, [Area(letter, area.parts)])) for letter in ("A", ""))
    assert 0 < count_pixels(plain, DAY.highlight) < count_pixels(lettered, DAY.highlight)


@pytest.mark.parametrize("plies", range(20, 116, 8))
def test_letters_stand_on_their_features(plies: int) -> None:
    """Check this even if a figure or a keep occupies the middle of a feature."""
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


def test_a_feature_is_highlighted_on_its_start_space_too() -> None:
    position = position_after(90)
    starts = {start.cell for start in wall().starts}
    features_at_start_spaces = [f for f in position.features() if starts & {cell for cell, _ in f.parts}]
    assert features_at_start_spaces
    for feature in features_at_start_spaces:
        picture = order_question(position, [Area("A", feature.parts)])
        parts_inside_wall = tuple(part for part in feature.parts if part[0] not in starts)
        assert pixel_bytes(picture) != pixel_bytes(order_question(position, [Area("A", parts_inside_wall)]))


def test_every_kind_of_feature_can_be_highlighted() -> None:
    position = position_after(116)
    one_of_each_kind = {(feature.kind, feature.complete): feature for feature in position.features()}
    for feature in one_of_each_kind.values():
        image = rgb_image(order_question(position, [Area("A", feature.parts)]))
        assert count_pixels(image, DAY.highlight) > 300
