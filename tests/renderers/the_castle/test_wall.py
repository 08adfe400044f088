"""Drawings of the castle's wall: the score track with its markers, start spaces and gates, and face-down wall tiles.

The track of points runs along the wall, two spaces on each square. A start space is a square of the wall with features
that tiles continue.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from PIL import Image, ImageChops

from engine import Cell, Side
from engine.the_castle import FeatureKind, Position, WallTile, wall
from renderers import PLAYER_MARKS
from renderers.boards.sheet import spots_view
from renderers.boards.view import View, fitting_view, window_near
from renderers.canvas import rotated
from renderers.the_castle import composer, turn_card, whole_board
from renderers.the_castle.board import closed_sides, paint_castle
from renderers.the_castle.cards import FOCUS_CELLS, focus_view, whole_window
from renderers.the_castle.faces.layout import half_owners
from renderers.the_castle.tokens import wall_tile, wall_tile_back
from renderers.the_castle.wall import space_places, square_sprite, start_sprite, stretches
from renderers.theme import DAY
from tests.renderers.image_checks import (
    colour_at,
    colour_distance,
    count_pixels,
    crop_cell,
    is_road,
    pixel_bytes,
    rgb_image,
)
from tests.renderers.the_castle.boards import position_after, position_with_scores
from tests.renderers.the_castle.views import board_view, every_picture


def test_the_track_runs_around_the_wall_space_by_space() -> None:
    places = space_places()
    assert len(places) == 100
    squares = [cell for cell, _ in places]
    assert squares[::2] == squares[1::2] == list(stretches())
    points = [(cell.x + x, cell.y + y) for cell, (x, y) in places]
    for (x, y), (ex, ey) in zip(points, points[1:] + points[:1], strict=True):
        assert 0.25 < abs(x - ex) + abs(y - ey) < 1.3


def test_markers_stand_on_their_spaces() -> None:
    view = board_view(position_after(0))
    for points in (0, 7, 12, 13, 57, 83, 99):
        image = rgb_image(whole_board(position_with_scores(points, (points + 40) % 100)))
        for seat, own in enumerate((points, (points + 40) % 100)):
            x, y = view.at(*space_places()[own])
            colour = PLAYER_MARKS[seat].colour
            assert count_pixels(image.crop((x - 20, y - 24, x + 20, y + 26)), colour) > 200, (points, seat)


def test_markers_that_share_a_space_are_both_visible() -> None:
    view, image = board_view(position_after(0)), rgb_image(whole_board(position_with_scores(30, 30)))
    x, y = view.at(*space_places()[30])
    near = image.crop((x - 40, y - 24, x + 40, y + 26))
    assert all(count_pixels(near, mark.colour) > 150 for mark in PLAYER_MARKS[:2])


def test_a_marker_lies_on_its_side_in_the_second_lap() -> None:
    """At 30 points the marker stands on space 30. At 130 points it lies on the same space."""
    view = board_view(position_after(0))
    x, y = view.at(*space_places()[30])
    area = (x - 24, y - 26, x + 24, y + 34)
    boxes = []
    for points in (30, 130):
        image = rgb_image(whole_board(position_with_scores(points, 60))).crop(area)
        mask = Image.new("L", image.size)
        mask.putdata(
            [
                255 * (colour_distance(colour_at(image, i % 48, i // 48), PLAYER_MARKS[0].colour) < 12)
                for i in range(48 * 60)
            ]
        )
        boxes.append(mask.getbbox())
    standing, lying = boxes
    assert standing is not None
    assert lying is not None
    assert standing[3] - standing[1] > standing[2] - standing[0]
    assert lying[2] - lying[0] > lying[3] - lying[1]


STRAIGHT = [space for space in range(2, 100) if stretches()[space_places()[space][0]].inward is not None]
"""The spaces of the track that are not on a corner tower."""


def ink_on_track(view: View, *, numbered: bool) -> dict[int, int]:
    """Count the dark pixels in the middle of each straight space of an empty castle."""
    return ink_in(paint_castle(position_after(0), view, DAY, numbered=numbered).pixels.convert("RGB"), view)


def ink_in(image: Image.Image, view: View) -> dict[int, int]:
    """Count the dark pixels in the middle of each straight space that a picture shows."""
    ink = {}
    for space in STRAIGHT:
        cell, place = space_places()[space]
        if cell in view.window:
            x, y = view.at(cell, place)
            reach = view.size // 6
            ink[space] = count_pixels(image.crop((x - reach, y - reach, x + reach, y + reach)), DAY.ink, 40)
    return ink


def test_every_fifth_space_of_a_whole_castle_with_numbers_has_one() -> None:
    """A phone has no room for readable numbers on the others."""
    ink = ink_on_track(board_view(position_after(0)), numbered=True)
    assert all((ink[space] > 60) is (space % 5 == 0) for space in ink if space > 9)


@pytest.mark.parametrize("size", [80, 112])
def test_the_next_square_does_not_cut_a_number(size: int) -> None:
    """Regression: of 85 on a phone no more than a part of the 8 was to be seen."""
    for cell, stretch in stretches().items():
        if stretch.inward is None:
            continue
        plain, numbered = (
            square_sprite(DAY, cell, size, 0, covered=False, gates=0, min_type=least).convert("RGB")
            for least in (None, round(size * 0.45))
        )
        box = ImageChops.difference(plain, numbered).getbbox()
        assert box is None or (box[0] > 0 and box[2] < size), cell


def test_every_space_near_a_feature_in_question_has_a_number() -> None:
    ink = ink_on_track(fitting_view(window_near(whole_window(), Cell.parse("F3"), FOCUS_CELLS)), numbered=True)
    assert len(ink) > 10
    assert all(pixels > 60 for pixels in ink.values())


def test_the_wall_has_no_numbers_beside_those_of_rows() -> None:
    """Regression: numbers on the wall were mistaken for those of rows or rotations."""
    position = position_after(0)
    spots = [Cell.parse(name) for name in ("C11", "E2", "J4")]
    pictures = [
        (turn_card(position), focus_view(position)),
        (whole_board(position), board_view(position)),
        (composer(position, spots), spots_view(whole_window(), spots, cells=FOCUS_CELLS, longest=DAY.longest)),
    ]
    for picture, view in pictures:
        ink = ink_in(rgb_image(picture), view)
        assert len(ink) > 10
        assert all(pixels < 60 for pixels in ink.values()), picture.filename


@pytest.mark.parametrize("start", wall().starts, ids=lambda start: start.cell.label)
def test_a_start_space_shows_its_kinds_at_the_inner_edge(start: object) -> None:
    place = next(other for other in wall().starts if other is start)
    image = Image.new("RGB", (96, 96), DAY.meadow)
    sprite = start_sprite(DAY, place, 96, 0)
    image.paste(sprite, (0, 0), sprite)
    face = place.kind.faces[0]
    x, y = rotated((0.5, 0.99), (place.side - Side.S) % 4)
    assert is_road(colour_at(image, x * 96, y * 96)) == bool(face.paths)
    for right_half in (0, 1):
        x, y = rotated((0.9 - 0.8 * right_half, 0.99), (place.side - Side.S) % 4)
        colour = colour_at(image, x * 96, y * 96)
        match face.kinds[half_owners(face)[place.side * 2 + right_half]]:
            case FeatureKind.COURT:
                assert colour_distance(colour, DAY.meadow) < 12, right_half
            case FeatureKind.HOUSE:
                assert (
                    min(colour_distance(colour, ground) for ground in (DAY.street, DAY.plaster_dark, DAY.road_edge))
                    < 40
                )
            case _:
                assert max(colour) - min(colour) < 40


def test_a_gate_opens_where_a_path_ends_at_the_wall() -> None:
    position = position_after(100)
    faces = {tile.cell: tile.face for tile in position.placed()}
    view, image = board_view(position), rgb_image(whole_board(position))
    gates = 0
    for cell, face in faces.items():
        for side in Side:
            dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
            square = Cell(cell.x + dx, cell.y + dy)
            plain = square in stretches() and square not in {start.cell for start in wall().starts}
            if plain and face.paths >> side & 1:
                gates += 1
                x, y = view.at(square, rotated((0.5, 0.86), (side.opposite - Side.S) % 4))
                assert colour_distance(colour_at(image, x, y), DAY.ink) < 12, (cell.label, side)
    assert gates >= 3


def test_features_are_closed_exactly_where_they_end_in_the_engine() -> None:
    """A tower or house is complete if and only if it has no open half-side."""
    position = position_after(90)
    faces = {start.cell: start.kind.faces[0] for start in wall().starts} | {
        tile.cell: tile.face for tile in position.placed()
    }
    for feature in position.features():
        if feature.kind not in {FeatureKind.TOWER, FeatureKind.HOUSE}:
            continue
        openings = 0
        for cell, segment in feature.parts:
            closed = closed_sides(faces, cell)
            for half in segment.places:
                dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[half // 2]
                beside = Cell(cell.x + dx, cell.y + dy)
                openings += not closed >> half & 1 and beside not in faces
        assert (openings == 0) == feature.complete, feature.parts


# ---------------------------------------------------------------- wall tiles


def test_wall_tiles_lie_face_down_on_all_corner_towers_except_space_0() -> None:
    position = position_after(0)
    view, image = board_view(position), rgb_image(whole_board(position))
    for square in wall().squares:
        if square.corner:
            blue = count_pixels(crop_cell(image, view, square.cell), DAY.shield)
            assert (blue > 300) == (square.space != 0), square


def test_a_taken_wall_tile_moves_from_its_tower_to_its_owners_strip() -> None:
    position = position_after(0)
    after_taking = position.copy()
    after_taking.taken, after_taking.hands[1] = (32,), (WallTile.LARGER_KEEP,)
    view = board_view(position)
    first, second = rgb_image(whole_board(position)), rgb_image(whole_board(after_taking))
    cell, _ = space_places()[32]
    assert count_pixels(crop_cell(first, view, cell), DAY.shield) > 300
    assert count_pixels(crop_cell(second, view, cell), DAY.shield) == 0
    strips = [picture.crop((0, view.height, view.width, picture.height)) for picture in (first, second)]
    assert ImageChops.difference(*strips).getbbox() is not None
    upper = [strip.crop((0, 0, strip.width, strip.height // 2)) for strip in strips]
    assert ImageChops.difference(*upper).getbbox() is None


def test_a_strip_has_room_for_all_wall_tiles() -> None:
    position = position_after(0)
    position.hands[0] = tuple(sorted((*WallTile, *WallTile))[2:])
    position.hands[1] = (WallTile.FIVE_POINTS,)
    picture = whole_board(position)
    assert (picture.width, picture.height) == (
        whole_board(position_after(0)).width,
        whole_board(position_after(0)).height,
    )


def reshuffle_hidden(position: Position, seed: int) -> Position:
    """Return a copy of the position with the hidden tiles, those of the pile and on the wall, in another order."""
    reshuffled, rng = position.copy(), Random(seed)
    setup = position.setup
    hidden_pile = list(setup.pile[position.next_tile :])
    lying = [index for index, corner in enumerate(wall().corners) if corner not in position.taken]
    lying += range(len(wall().corners), len(setup.wall_tiles))
    kinds, tiles = [setup.wall_tiles[index] for index in lying], list(setup.wall_tiles)
    rng.shuffle(hidden_pile)
    rng.shuffle(kinds)
    for index, kind in zip(lying, kinds, strict=True):
        tiles[index] = kind
    pile = (*setup.pile[: position.next_tile], *hidden_pile)
    reshuffled.setup = replace(setup, pile=pile, wall_tiles=tuple(tiles), seed=f"another {seed}")
    return reshuffled


@pytest.mark.parametrize("plies", [20, 60, 100])
def test_no_picture_depends_on_hidden_tiles(plies: int) -> None:
    position = position_after(plies)
    expected = [pixel_bytes(picture) for picture in every_picture(position)]
    reshuffled = reshuffle_hidden(position, plies)
    assert reshuffled.setup.wall_tiles != position.setup.wall_tiles
    assert [pixel_bytes(picture) for picture in every_picture(reshuffled)] == expected
    assert [pixel_bytes(picture) for picture in every_picture(position.veiled())] == expected


def test_wall_tiles_have_one_back_and_different_faces() -> None:
    faces = {wall_tile(DAY, kind, 64).tobytes() for kind in WallTile}
    assert len(faces) == len(WallTile)
    assert wall_tile(DAY, WallTile.HIDDEN, 64).tobytes() == wall_tile_back(DAY, 64).tobytes()
