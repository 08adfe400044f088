"""The score track of Carcassonne: a ring of fifty stones with a mark and the supplies of each player.

The stones are numbered from 0; after fifty points a player begins another lap.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from renderers import PLAYER_MARKS, THEMES, Theme, lettering
from renderers.boards.view import PHONE_TYPE, PHONE_WIDTH
from renderers.carcassonne import Tally, score_panel
from renderers.carcassonne.figures import FIGURES
from renderers.carcassonne.scoreboard import (
    _MARGIN,
    _STONE_SIZE,
    ICONS,
    LAP_POINTS,
    count_type,
    icon,
    stone_of,
    supply_spacing,
)
from renderers.lettering import text_mask
from renderers.theme import DAY
from tests.renderers.image_checks import count_pixels, pixel_bytes, rgb_image

SUPPLY = {"follower": 7, "bridge": 3, "castle": 3}
"""The pieces of a player."""


def tallies(*points: int) -> list[Tally]:
    """Return the score lines of players with these points."""
    return [Tally(seat, f"Player {seat}", value, SUPPLY) for seat, value in enumerate(points)]


def test_the_track_is_a_ring_of_fifty_stones() -> None:
    ring = [stone_of(points) for points in range(LAP_POINTS)]
    assert len(set(ring)) == LAP_POINTS
    for (x, y), (beside, below) in pairwise([*ring, ring[0]]):
        assert abs(x - beside) + abs(y - below) == 1
    assert (stone_of(0), stone_of(50), stone_of(63), stone_of(-1)) == (ring[0], ring[0], ring[13], ring[49])


@pytest.mark.parametrize("points", [0, 7, 15, 16, 24, 33, 40, 41, 49, 50, 163])
def test_a_mark_lies_on_its_stone(points: int) -> None:
    column, row = stone_of(points)
    left, top = _MARGIN + column * _STONE_SIZE, _MARGIN + row * _STONE_SIZE
    area = (left, top, left + _STONE_SIZE, top + _STONE_SIZE)
    for seat in (0, 4):
        marked = rgb_image(score_panel([Tally(seat, "Ana", points, SUPPLY)])).crop(area)
        elsewhere = rgb_image(score_panel([Tally(seat, "Ana", points + 1, SUPPLY)])).crop(area)
        colour = PLAYER_MARKS[seat].colour
        assert count_pixels(marked, colour) > 300 > count_pixels(elsewhere, colour)


def test_six_marks_on_one_stone_are_all_visible() -> None:
    area = (_MARGIN, _MARGIN, _MARGIN + _STONE_SIZE, _MARGIN + _STONE_SIZE)
    crowded = rgb_image(score_panel(tallies(50, 0, 100, 0, 50, 0))).crop(area)
    for mark in PLAYER_MARKS:
        assert count_pixels(crowded, mark.colour) > 30, mark.name


def test_laps_supplies_and_the_player_to_move_are_visible() -> None:
    base = score_panel(tallies(12, 60))
    assert pixel_bytes(base) != pixel_bytes(score_panel(tallies(12, 10)))
    fewer = [Tally(0, "Player 0", 12, {**SUPPLY, "bridge": 0}), tallies(12, 60)[1]]
    assert pixel_bytes(base) != pixel_bytes(score_panel(fewer))
    turn = [Tally(0, "Player 0", 12, SUPPLY, next=True), tallies(12, 60)[1]]
    assert (
        count_pixels(rgb_image(score_panel(turn)), DAY.highlight) > count_pixels(rgb_image(base), DAY.highlight) + 2000
    )


def test_no_piece_covers_the_number_of_another() -> None:
    kinds = [*FIGURES, *ICONS]
    spacing, size = supply_spacing(len(kinds))
    for name in kinds:
        assert icon(DAY, name, 0, size).width + 6 + text_mask("9", count_type(size)).width <= spacing, name


@pytest.mark.parametrize("points", [-1, 7, 163])
def test_a_phone_shows_all_numbers_and_names_legibly(points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to six kinds of pieces have numbers of at least 11 CSS pixels."""
    sizes: list[int] = []
    draw = lettering._mask_and_top
    monkeypatch.setattr(lettering, "_mask_and_top", lambda text, size: sizes.append(size) or draw(text, size))
    pieces = {**SUPPLY, "builder": 1, "pig": 1, "big-follower": 1}
    for left in (SUPPLY, pieces):
        picture = score_panel([Tally(seat, "Ana", points, left) for seat in range(6)])
        assert min(sizes) * PHONE_WIDTH / picture.width >= PHONE_TYPE


def test_points_below_zero_are_told_without_laps() -> None:
    """The mark lies behind the 0, but a sum such as "-50 + 49" explains nothing."""
    below, plain, lap = (
        count_pixels(rgb_image(score_panel(tallies(points))), DAY.muted_text) for points in (-1, 7, 163)
    )
    assert abs(below - plain) < 20 < lap - plain


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_six_players_with_long_names_and_all_pieces_fit(theme: Theme) -> None:
    pieces = {
        "follower": 7,
        "bridge": 3,
        "castle": 3,
        "big-follower": 1,
        "builder": 1,
        "pig": 1,
        "wine": 9,
        "grain": 6,
        "cloth": 5,
    }
    crowd = [Tally(seat, "W" * 32, 250 + seat, pieces) for seat in range(6)]
    picture = score_panel(crowd, theme=theme)
    assert max(picture.width, picture.height) <= 1600
    assert len(picture.data) < 150_000
