"""Pictures of Carcassonne without a board: the lots of a bazaar, and the remaining tiles of the pile.

A bazaar is an auction of tiles, called lots. A lot that a player has bought lies face down.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.carcassonne import Position, tile
from renderers import PLAYER_MARKS, lettering
from renderers.boards.view import CARD_RATIO, NEAR_LONGEST_SIDE, PHONE_TYPE, PHONE_WIDTH, View, Window
from renderers.carcassonne import remaining
from renderers.carcassonne.questions import bridges_castles_bazaars
from renderers.carcassonne.questions.bridges_castles_bazaars import lots
from renderers.theme import DAY
from tests.renderers.carcassonne.boards import small_board, wide_board
from tests.renderers.image_checks import TILES, count_pixels, rgb_image

LOT_TILES = [tile(name) for name in ("base/D", "base/L", "base/M", "base/X", "bcb/CCRC", "base/B")]
"""The lots of a bazaar for six players."""


@pytest.mark.parametrize("count", range(1, 7))
def test_every_number_of_lots_has_a_picture(count: int) -> None:
    picture = lots(small_board(), LOT_TILES[:count], [-1] * count, 0)
    assert picture.width <= NEAR_LONGEST_SIDE
    assert picture.height <= picture.width / (1.365 if count <= 4 else CARD_RATIO) + 1
    assert rgb_image(picture).size == (picture.width, picture.height)


@pytest.mark.parametrize(("count", "is_lower"), [(2, False), (4, False), (5, True), (6, True)])
def test_many_lots_have_a_lower_picture_where_names_take_the_room(count: int, is_lower: bool) -> None:
    usual, low = (lots(small_board(), LOT_TILES[:count], [-1] * count, 0, low=low) for low in (False, True))
    assert (low.height / low.width < 0.95 * usual.height / usual.width) is is_lower
    assert is_lower or low == usual


def test_the_current_lot_is_framed() -> None:
    pictures = [rgb_image(lots(small_board(), LOT_TILES[:4], [-1] * 4, current)) for current in (-1, 0, 3)]
    framed = [count_pixels(picture, DAY.highlight) for picture in pictures]
    least = 0.015 * pictures[0].width * pictures[0].height
    assert framed[1] > framed[0] + least
    assert framed[2] > framed[0] + least
    assert pictures[1].tobytes() != pictures[2].tobytes()


def test_sold_lots_lie_face_down_and_show_their_tile_in_small() -> None:
    unsold, sold = (rgb_image(lots(small_board(), LOT_TILES[:2], [-1, owner])) for owner in (-1, 0))
    assert count_pixels(sold, DAY.spire_dark) > count_pixels(unsold, DAY.spire_dark) + 0.008 * sold.width * sold.height
    others = {rgb_image(lots(small_board(), [LOT_TILES[0], kind], [-1, 0])).tobytes() for kind in LOT_TILES}
    assert len(others) == len(LOT_TILES)


def test_sold_lots_have_the_buyers_mark() -> None:
    unsold = rgb_image(lots(small_board(), LOT_TILES[:3], [-1, -1, -1], 0))
    for seat, mark in enumerate(PLAYER_MARKS):
        sold = rgb_image(lots(small_board(), LOT_TILES[:3], [-1, seat, -1], 0))
        least = 0.0016 * sold.width * sold.height
        assert count_pixels(sold, mark.colour) > count_pixels(unsold, mark.colour) + least, mark


def test_kinds_with_no_tile_left_are_dimmed() -> None:
    kinds = TILES[:5]
    full = rgb_image(remaining([(kind, 3) for kind in kinds]))
    gone = rgb_image(remaining([(kind, 0) for kind in kinds]))
    assert full.size == gone.size
    assert sum(full.convert("L").tobytes()) > 1.25 * sum(gone.convert("L").tobytes())


@pytest.mark.parametrize("count", [36, 64, 100, len(TILES)])
def test_all_kinds_fit_on_one_sheet(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone shows it without scrolling, with legible numbers."""
    sizes: list[int] = []
    draw = lettering._mask_and_top
    monkeypatch.setattr(lettering, "_mask_and_top", lambda text, size: sizes.append(size) or draw(text, size))
    picture = remaining([(kind, 12) for kind in TILES[:count]])
    assert picture.width <= 1600
    assert picture.height * PHONE_WIDTH / picture.width <= 640
    assert min(sizes) * PHONE_WIDTH / picture.width >= PHONE_TYPE


def test_the_board_is_shown_below_the_lots() -> None:
    boards = (small_board(), wide_board(3, 3))
    assert len({rgb_image(lots(board, LOT_TILES[:3], [-1] * 3)).tobytes() for board in boards}) == 2


def test_the_picture_of_a_bid_is_a_small_file() -> None:
    """Every bid uploads one; where tiles fill the picture, it is the largest."""
    assert len(lots(wide_board(11, 5), LOT_TILES[:3], [-1] * 3, 0).data) < 20 * 1024


def test_a_board_as_high_as_the_picture_is_shown_whole_below_the_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without a tile give way to those that would not fit else."""
    windows: list[Window] = []
    paint = bridges_castles_bazaars.paint_card

    def record_and_paint(position: Position, view: View, *arguments: Any) -> Any:
        windows.append(view.window)
        return paint(position, view, *arguments)

    monkeypatch.setattr(bridges_castles_bazaars, "paint_card", record_and_paint)
    position = wide_board(3, 5)
    lots(position, [tile("base/E")] * 3, [-1] * 3)
    assert all(placed.cell in windows[0] for placed in position.placed())
    assert windows[0].rows == 5
