"""The score track of Carcassonne: a ring of fifty stones with a mark and the supplies of each player.

The stones are numbered from 0; after fifty points a player begins another lap.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from PIL import ImageChops

from renderers import PLAYER_MARKS, THEMES, Theme, lettering
from renderers.boards.view import PHONE_TYPE, PHONE_WIDTH
from renderers.carcassonne import Tally, score_panel
from renderers.carcassonne.figures import FIGURES
from renderers.carcassonne.scoreboard import (
    _MARGIN,
    _MAX_KINDS_IN_ROW,
    _MIN_TYPE,
    _SMALL_SCALE,
    _STONE_SIZE,
    _SUPPLY_WIDTH,
    ICONS,
    LAP_POINTS,
    icon,
    stone_of,
)
from renderers.lettering import text_mask
from renderers.theme import DAY
from tests.renderers.image_checks import count_pixels, pixel_bytes, rgb_image

SUPPLY = {"follower": 7, "bridge": 3, "castle": 3}
"""The pieces of a player."""
MAX_TRACK_HEIGHT = 640
"""The height of a phone's screen without the lines around a message, in CSS pixels."""


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
    spacing = _SUPPLY_WIDTH // _MAX_KINDS_IN_ROW
    for name in [*FIGURES, *ICONS]:
        assert icon(DAY, name, 0, _SMALL_SCALE).width + 6 + text_mask("9", _MIN_TYPE).width <= spacing, name


@pytest.mark.parametrize("points", [-1, 7, 163])
def test_a_phone_shows_all_numbers_and_names_legibly(points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the numbers of more than six kinds of pieces were smaller."""
    sizes: list[int] = []
    draw = lettering._mask_and_top
    monkeypatch.setattr(lettering, "_mask_and_top", lambda text, size: sizes.append(size) or draw(text, size))
    everything = dict.fromkeys([*FIGURES, *ICONS], 1)
    for kinds in range(1, len(everything) + 1):
        left = dict(list(everything.items())[:kinds])
        picture = score_panel([Tally(seat, "Ana", points, left) for seat in range(6)])
        assert min(sizes) * PHONE_WIDTH / picture.width >= PHONE_TYPE


@pytest.mark.parametrize("kinds", [3, 7, 8, len({*FIGURES, *ICONS})])
def test_every_piece_of_six_players_is_visible(kinds: int) -> None:
    """More rows than the track has room for stand below it."""
    everything = [*FIGURES, *ICONS][:kinds]
    crowds = [
        [Tally(seat, "Ana", 0, dict.fromkeys(everything, 1) | {changed: 0}) for seat in range(6)]
        for changed in everything
    ]
    pictures = [rgb_image(score_panel(tallies)) for tallies in crowds]
    assert len({picture.size for picture in pictures}) == 1
    assert len({picture.tobytes() for picture in pictures}) == kinds


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
    assert picture.width <= 1600
    assert picture.height * PHONE_WIDTH / picture.width <= MAX_TRACK_HEIGHT
    assert len(picture.data) < 180_000


@pytest.mark.parametrize("kinds", [3, 7])
def test_no_piece_covers_the_laps_behind_the_points(kinds: int) -> None:
    """Regression: the number of the last piece stood on the laps."""
    pieces = dict.fromkeys([*FIGURES, *ICONS][-kinds:], 8)
    pictures = [rgb_image(score_panel([Tally(0, "Ana", 149, {**pieces, list(pieces)[-1]: count})])) for count in (8, 0)]
    changed = ImageChops.difference(*pictures).getbbox()
    right = pictures[0].width - _MARGIN - _STONE_SIZE - 12 - 28
    assert changed is not None
    assert changed[2] < right - text_mask("100 + 49", _MIN_TYPE).width
