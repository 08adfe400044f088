"""The pictures of a Carcassonne board: the turn card, and the choice of a source for a castle's points.

A turn card is the message about a turn. Its picture shows the newest tile and its surroundings, with the drawn tile
beside them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby

import pytest
from PIL import Image, ImageChops

from engine import Cell
from engine.board import Follower
from engine.carcassonne import PlaceTile, Position, tile
from engine.carcassonne.expansions.bridges_castles_bazaars import castles_of
from engine.carcassonne.expansions.fairy import Fairy
from gallery.built_positions import arrange
from renderers import NO_GUIDES, PLAYER_MARKS, Mark, Picture
from renderers.boards.sheet import BoardImage, _free_corner, paint_rim
from renderers.boards.view import (
    NEAR_LONGEST_SIDE,
    PHONE_TYPE,
    PHONE_WIDTH,
    View,
    Window,
    column_and_row,
    fitting_view,
    window_around,
    window_near,
)
from renderers.canvas import distance
from renderers.carcassonne import Ghost, composer, turn_card, whole_board
from renderers.carcassonne.cards import _covered_places, focus_view, newest_cell, paint_card, whole_window
from renderers.carcassonne.figures import layout_of, place_of
from renderers.carcassonne.questions.bridges_castles_bazaars import castle_question
from renderers.carcassonne.scenery import flat_tile
from renderers.theme import DAY, LONGEST_SIDE
from tests.renderers.carcassonne.boards import board_with_castles, last_marks, small_board, wide_board
from tests.renderers.image_checks import TILES, colour_at, count_pixels, crop_cell, is_meadow, pixel_bytes, rgb_image
from tests.renderers.subprocess_digests import digests_of_two_processes

MAX_FILE_BYTES = 2 * 2**20
"""The size that no picture may exceed."""


def without_hand(position: Position) -> Position:
    """Return a copy of the position without a tile in hand."""
    return with_tile_in_hand(position.copy(), None)


# ---------------------------------------------------------------- the turn card


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 9), (4, 5), (9, 7), (9, 8), (14, 12)])
@pytest.mark.parametrize("has_hand", [True, False])
def test_a_card_is_as_wide_as_a_phone_needs(columns: int, rows: int, has_hand: bool) -> None:
    """Scaled to a width of 340 CSS pixels, it is 240 pixels high, and its smallest type has 11 pixels."""
    position = wide_board(columns, rows)
    picture = turn_card(position if has_hand else without_hand(position))
    scale = PHONE_WIDTH / picture.width
    assert 240 <= picture.height * scale <= (250 if has_hand else 265)
    assert focus_view(position).letter * scale >= PHONE_TYPE
    assert max(picture.width, picture.height) <= NEAR_LONGEST_SIDE


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (4, 5), (9, 8), (14, 12)])
def test_a_card_whose_names_take_the_room_has_a_lower_picture(columns: int, rows: int) -> None:
    position = without_hand(wide_board(columns, rows))
    usual, low = turn_card(position), turn_card(position, low=True)
    assert low.height / low.width < 0.96 * usual.height / usual.width
    assert focus_view(position, low=True).letter * PHONE_WIDTH / low.width >= PHONE_TYPE
    assert turn_card(wide_board(columns, rows), low=True) == turn_card(wide_board(columns, rows)), "a tile takes room"


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (4, 4), (8, 6), (9, 7)])
def test_a_card_shows_a_small_board_with_its_open_cells(columns: int, rows: int) -> None:
    position = wide_board(columns, rows)
    assert {*whole_window(position).cells} <= {*focus_view(position).window.cells}


def test_a_card_shows_the_newest_tile_and_nothing_beyond_a_large_board() -> None:
    position = wide_board(14, 12)
    view, whole = focus_view(position), whole_window(position)
    assert (view.window.columns, view.window.rows) == (11, 9)
    assert newest_cell(position) in view.window
    assert all(cell in whole for cell in view.window.cells)


def test_coordinates_are_legible_at_full_scale() -> None:
    view = View(window_near(window_around([Cell(0, 0), Cell(20, 20)]), Cell(5, 5), 9), 96)
    assert view.letter >= 36
    assert max(view.width, view.height) <= NEAR_LONGEST_SIDE


@pytest.mark.parametrize(
    ("cell", "label"), [(Cell(0, 0), ("M", "13")), (Cell(-13, 3), ("-A", "16")), (Cell(20, -20), ("AG", "-7"))]
)
def test_the_rim_names_columns_and_rows(cell: Cell, label: tuple[str, str]) -> None:
    assert column_and_row(cell) == label
    assert "".join(label) == cell.label


def test_every_column_has_a_different_letter() -> None:
    """The letter above each column is drawn, and no two look alike."""
    position = small_board()
    image, view = rgb_image(turn_card(position)), focus_view(position)
    letters = []
    for column in range(view.window.columns):
        left = view.rim + column * view.size
        letters.append(image.crop((left, 0, left + view.size, view.rim - 2)).tobytes())
        assert DAY.rim_text in {
            colour
            for _, colour in Image.frombytes("RGB", (view.size, view.rim - 2), letters[-1]).getcolors(99999) or []
        }
    assert len(set(letters)) == len(letters)


@pytest.mark.parametrize("first", [-50, -16, -11, 0, 30, 660])
@pytest.mark.parametrize("columns", [5, 27, 34, 48, 75, 110])
def test_labels_of_columns_do_not_touch(first: int, columns: int) -> None:
    """Check that gaps between labels are visible on a phone, also between labels of two letters and left of A."""
    view = fitting_view(Window(first, -8, columns, 3))
    image = BoardImage(view, DAY)
    paint_rim(image)
    inked = [
        any(image.pixels.getpixel((x, y)) != DAY.rim for y in range(2, view.rim - 2))
        for x in range(view.rim, view.width - view.far_rim)
    ]
    gaps = [len(list(run)) for ink, run in groupby(inked) if not ink]
    labels = [column_and_row(Cell(x, 0))[0] for x in range(first, first + columns)]
    letters = [len(list(run)) for ink, run in groupby(close_narrow_gaps(inked, view.size)) if ink]
    assert len(letters) in {columns, -(-columns // 2), columns // 2}, labels
    assert max(letters) <= view.size * 1.6
    assert min(gaps) >= 1


def close_narrow_gaps(inked: list[bool], size: int) -> list[bool]:
    """Return the columns with ink after closing the narrow gaps between the letters of one label."""
    min_gap = max(size * 0.16, 2)
    runs = [(ink, len(list(run))) for ink, run in groupby(inked)]
    return [ink or length < min_gap for ink, length in runs for _ in range(length)]


@pytest.mark.parametrize("top", [-30, -8, 0, 70, 95])
def test_labels_of_rows_stay_within_the_rim(top: int) -> None:
    for rows in (5, 20, 60, 110):
        view = fitting_view(Window(-3, top, 5, rows))
        image = BoardImage(view, DAY)
        paint_rim(image)
        edges = [(x, y) for x in (0, view.rim - 1) for y in range(view.rim, view.height - view.far_rim)]
        assert {image.pixels.getpixel(at) for at in edges} <= {DAY.rim, DAY.table}


def test_the_newest_tile_of_each_player_is_framed_in_their_colour() -> None:
    position = small_board()
    plain, marked = rgb_image(turn_card(position)), rgb_image(turn_card(position, last_marks(position)))
    view = focus_view(position)
    marks = last_marks(position)
    for mark in marks:
        colour = PLAYER_MARKS[mark.player].colour
        added_pixels = count_pixels(crop_cell(marked, view, mark.cell), colour) - count_pixels(
            crop_cell(plain, view, mark.cell), colour
        )
        assert added_pixels > view.size * 2, mark
    strong, weak = marks[-1], marks[0]
    frames = [
        count_pixels(crop_cell(marked, view, mark.cell), PLAYER_MARKS[mark.player].colour) for mark in (strong, weak)
    ]
    assert ImageChops.difference(plain, marked).getbbox() is not None
    assert view.size * 4 * 4 < frames[0]


def with_tile_in_hand(position: Position, hand: str | None) -> Position:
    """Replace the tile in hand by another one, or by none."""
    step = position.agenda.pop()
    assert isinstance(step, PlaceTile)
    if hand is not None:
        position.agenda.append(replace(step, tile=tile(hand)))
    return position


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (3, 6), (6, 3), (14, 12)])
def test_the_drawn_tile_is_shown_to_the_right_of_the_board(columns: int, rows: int) -> None:
    hand = "bcb/CCRC"
    position = with_tile_in_hand(wide_board(columns, rows), hand)
    view, image = focus_view(position), rgb_image(turn_card(position))
    assert image.height == view.height
    face = flat_tile(DAY, tile(hand), 0, round(view.size * 1.6), None).convert("RGB")
    assert contains_face(image.crop((view.width, 0, *image.size)), face)


def contains_face(strip: Image.Image, face: Image.Image) -> bool:
    """Return whether the left half of a tile, which has no badge, occurs in a picture, unturned."""
    left = face.crop((0, face.height // 3, face.width // 2, face.height))
    for x in range(strip.width - left.width):
        for y in range(strip.height - left.height):
            if strip.getpixel((x, y)) == left.getpixel((0, 0)) and (
                strip.crop((x, y, x + left.width, y + left.height)).tobytes() == left.tobytes()
            ):
                return True
    return False


def test_marks_off_the_crop_are_left_out() -> None:
    position = wide_board(14, 12)
    far = Mark(Cell(0, 0), 1)
    assert pixel_bytes(turn_card(position, [far])) == pixel_bytes(turn_card(position))
    assert pixel_bytes(whole_board(position, [far])) != pixel_bytes(whole_board(position))


@pytest.mark.parametrize("corner", [(0, 0), (3, 0), (0, 2), (3, 2)])
def test_the_rim_cuts_no_badge(corner: tuple[int, int]) -> None:
    """A badge in a cell at the edge of the picture is in one of the inner corners of its cell."""
    position = without_hand(wide_board(4, 3))
    view = View(Window(0, 0, 4, 3), 96)
    images = [
        paint_card(position, view, marks, DAY, NO_GUIDES).pixels.convert("RGB")
        for marks in ([Mark(Cell(*corner), 2)], [])
    ]
    box = ImageChops.difference(*images).getbbox()
    assert box is not None
    assert view.rim <= box[0]
    assert view.rim <= box[1]
    assert box[2] <= view.width - view.far_rim
    assert box[3] <= view.height - view.far_rim


def test_a_badge_keeps_off_the_pennants_of_its_tile() -> None:
    kinds = [kind for kind in TILES if sum(segment.pennants for segment in kind.segments) == 1]
    assert len(kinds) > 8
    for kind in kinds:
        position = arrange(players=2, tiles=["base/D 0,0 0", f"{kind.id} 1,0 0"], hand="base/U")
        cell, window = Cell(1, 0), Window(-1, -1, 4, 3)
        x, y = _free_corner(window, cell, lambda at, position=position: _covered_places(position, at, []))
        (shield,) = layout_of(kind, 0).shields
        assert distance((x, y), shield) > 0.35, kind.id


def test_followers_show_their_players_colour_where_they_stand() -> None:
    position = small_board()
    image, view = rgb_image(turn_card(position)), focus_view(position)
    followers = list(position.standing_figures())
    assert len(followers) == 4
    for follower in followers:
        placed = position.tile_at(follower.cell)
        assert placed is not None
        colour = PLAYER_MARKS[follower.player].colour
        assert count_pixels(crop_cell(image, view, follower.cell), colour) > view.size**2 // 25, follower


def test_a_bridge_lies_over_the_tile() -> None:
    position = small_board()
    image, view = rgb_image(turn_card(position)), focus_view(position)
    for part in (0.06, 0.94):
        x, y = view.at(Cell(2, 0), (part, 0.5 - 0.1 * part * (1 - part)))
        assert not is_meadow(colour_at(image, x, y))
    assert count_pixels(crop_cell(image, view, Cell(2, 0)), DAY.timber_light) > view.size


@pytest.mark.parametrize("scored", [False, True])
def test_a_castle_covers_both_tiles_with_its_owners_mark(scored: bool) -> None:
    position = board_with_castles(scored=scored)
    image, view = rgb_image(turn_card(position)), focus_view(position)
    for player, middle in ((0, view.at(Cell(0, 1))), (1, view.at(Cell(3, 0), (0.0, 0.5)))):
        across = (view.size // 2, 0) if player == 0 else (0, 0)
        x, y = middle[0] + across[0], middle[1] + across[1]
        near = image.crop((x - view.size // 2, y - view.size // 2, x + view.size // 2, y + view.size // 2))
        assert count_pixels(near, PLAYER_MARKS[player].colour) > view.size**2 // 60
        assert count_pixels(near, DAY.stone, 8) + count_pixels(near, DAY.stone_light, 8) > view.size**2 // 12


def test_a_flag_shows_if_a_castle_has_scored() -> None:
    unscored, scored = (rgb_image(turn_card(board_with_castles(scored=scored))) for scored in (False, True))
    for mark in PLAYER_MARKS[:2]:
        assert count_pixels(unscored, mark.colour) > count_pixels(scored, mark.colour)


def test_a_shared_castle_has_a_badge_for_each_owner() -> None:
    one_owner, two_owners = board_with_castles(), board_with_castles()
    first, second = castles_of(two_owners)
    two_owners.extra["castle"] = (first._replace(followers=(*first.followers, Follower(1, "follower", 0))), second)
    with_one_badge, with_two_badges = (rgb_image(turn_card(position)) for position in (one_owner, two_owners))
    blue = PLAYER_MARKS[1].colour
    assert count_pixels(with_two_badges, blue) > count_pixels(with_one_badge, blue) + 150


def test_a_castle_built_by_several_shows_stacked_tokens() -> None:
    one_owner, two_owners = board_with_castles(), board_with_castles()
    two_owners.extra["shared castles"] = ((castles_of(two_owners)[0].root, 2),)
    view = focus_view(one_owner)
    changed = ImageChops.difference(*(rgb_image(turn_card(position)) for position in (one_owner, two_owners))).getbbox()
    assert changed is not None
    assert changed[3] <= view.at(Cell(0, 2))[1]


def fairy_at(position: Position, cell: Cell, seat: int) -> Position:
    """Put the fairy beside a follower on a cell."""
    position.extra["fairy"] = Fairy(cell, Follower(seat, "follower", 0))
    return position


@pytest.mark.parametrize(("cell", "seat"), [(Cell(2, 0), 2), (Cell(0, 0), 0), (Cell(2, 2), 4)])
def test_the_fairy_stands_on_its_tile_with_or_without_a_follower(cell: Cell, seat: int) -> None:
    plain, with_fairy = (
        rgb_image(turn_card(position)) for position in (small_board(), fairy_at(small_board(), cell, seat))
    )
    x, y = focus_view(small_board()).at(cell)
    changed = ImageChops.difference(plain, with_fairy).getbbox()
    assert changed is not None
    middle = (changed[0] + changed[2]) / 2, (changed[1] + changed[3]) / 2
    assert x <= middle[0] <= x + 128
    assert y <= middle[1] <= y + 128


def test_the_fairy_stands_by_the_castle_of_its_follower() -> None:
    plain = rgb_image(turn_card(board_with_castles()))
    with_fairy = rgb_image(turn_card(fairy_at(board_with_castles(), Cell(0, 0), 0)))
    assert count_pixels(with_fairy, DAY.water_light, 6) > count_pixels(plain, DAY.water_light, 6) + 100


def test_a_follower_without_a_tile_is_an_error() -> None:
    nowhere = next(iter(small_board().standing_figures()))._replace(cell=Cell(90, 90))
    with pytest.raises(ValueError, match="without a tile"):
        place_of(small_board(), nowhere)


# ---------------------------------------------------------------- the castle question


def test_the_fief_is_highlighted() -> None:
    position = board_with_castles()
    fief = [Cell(x, y) for x in (-1, 0, 1) for y in (0, 1)]
    picture = castle_question(position, (Cell(0, 0), Cell(0, 1)), fief)
    image = rgb_image(picture)
    assert count_pixels(image, DAY.highlight) > 2000
    normal = rgb_image(turn_card(position))
    assert count_pixels(image, DAY.highlight) > count_pixels(normal, DAY.highlight)
    assert max(picture.width, picture.height) <= LONGEST_SIDE


# ---------------------------------------------------------------- limits, determinism, threads


@pytest.mark.parametrize(("columns", "rows"), [(40, 40), (40, 3), (2, 40)])
def test_any_board_keeps_within_the_limits(columns: int, rows: int) -> None:
    position = wide_board(columns, rows)
    marks, spots = last_marks(position), [Cell(-1, 0), Cell(columns, rows - 1)]
    for picture in (turn_card(position, marks), whole_board(position, marks), composer(position, spots)):
        assert max(picture.width, picture.height) <= LONGEST_SIDE
        assert len(picture.data) <= MAX_FILE_BYTES
        assert rgb_image(picture).size == (picture.width, picture.height)


def every_picture() -> list[Picture]:
    """Draw one picture of each kind."""
    position = small_board()
    card = turn_card(position, last_marks(position))
    ghost = Ghost(Cell(1, -1), tile("base/X"), 0)
    castles = board_with_castles()
    return [
        card,
        composer(position, [Cell(3, 0)]),
        composer(position, ghost=ghost),
        castle_question(castles, (Cell(0, 0), Cell(0, 1)), [Cell(0, 0), Cell(0, 1), Cell(1, 0)]),
        whole_board(wide_board(12, 12)),
    ]


def test_the_same_position_gives_the_same_pixels_in_any_thread() -> None:
    expected = [pixel_bytes(picture) for picture in every_picture()]
    with ThreadPoolExecutor(4) as pool:
        for pictures in [pool.submit(every_picture) for _ in range(4)]:
            assert [pixel_bytes(picture) for picture in pictures.result()] == expected


def test_the_same_position_gives_the_same_pixels_in_another_process() -> None:
    assert (
        len(
            digests_of_two_processes(
                "from tests.renderers.carcassonne.test_cards import every_picture", "every_picture()"
            )
        )
        == 1
    )
