"""The score track and the score sheet."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PIL import ImageChops

from renderers import PLAYER_MARKS, THEMES, SheetLine, Theme, score_sheet
from renderers.carcassonne import Tally, score_panel
from renderers.carcassonne.scoreboard import _EDGE, _STONE, LAP, stone
from renderers.theme import DAY
from tests.renderers.looking import pixels, shown

LEFT = {"follower": 7, "bridge": 3, "castle": 3}


def tallies(*points: int) -> list[Tally]:
    return [Tally(seat, f"Player {seat}", value, LEFT) for seat, value in enumerate(points)]


def test_the_track_is_a_ring_of_fifty_stones() -> None:
    ring = [stone(points) for points in range(LAP)]
    assert len(set(ring)) == LAP
    for (x, y), (beside, below) in pairwise([*ring, ring[0]]):
        assert abs(x - beside) + abs(y - below) == 1
    assert (stone(0), stone(50), stone(63), stone(-1)) == (ring[0], ring[0], ring[13], ring[49])


@pytest.mark.parametrize("points", [0, 7, 15, 16, 24, 33, 40, 41, 49, 50, 163])
def test_a_mark_lies_on_its_stone(points: int) -> None:
    column, row = stone(points)
    left, top = _EDGE + column * _STONE, _EDGE + row * _STONE
    area = (left, top, left + _STONE, top + _STONE)
    for seat in (0, 4):
        marked = pixels(score_panel([Tally(seat, "Ana", points, LEFT)])).crop(area)
        elsewhere = pixels(score_panel([Tally(seat, "Ana", points + 1, LEFT)])).crop(area)
        colour = PLAYER_MARKS[seat].colour
        assert shown(marked, colour) > 300 > shown(elsewhere, colour)


def test_six_on_one_stone_are_all_seen() -> None:
    area = (_EDGE, _EDGE, _EDGE + _STONE, _EDGE + _STONE)
    crowded = pixels(score_panel(tallies(50, 0, 100, 0, 50, 0))).crop(area)
    for mark in PLAYER_MARKS:
        assert shown(crowded, mark.colour) > 30, mark.name


def test_rounds_and_what_is_left_and_whose_turn_it_is_are_told() -> None:
    base = score_panel(tallies(12, 60))
    assert base.data != score_panel(tallies(12, 10)).data
    fewer = [Tally(0, "Player 0", 12, {**LEFT, "bridge": 0}), tallies(12, 60)[1]]
    assert base.data != score_panel(fewer).data
    turn = [Tally(0, "Player 0", 12, LEFT, next=True), tallies(12, 60)[1]]
    assert shown(pixels(score_panel(turn)), DAY.highlight) > shown(pixels(base), DAY.highlight) + 2000


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_six_players_fit_whatever_their_names_and_pieces(theme: Theme) -> None:
    pieces = {"follower": 7, "bridge": 3, "castle": 3, "builder": 1, "pig": 1, "wine": 9, "grain": 6, "cloth": 5}
    crowd = [Tally(seat, "W" * 32, 250 + seat, pieces) for seat in range(6)]
    picture = score_panel(crowd, theme=theme)
    assert max(picture.width, picture.height) <= 1600
    assert len(picture.data) < 150_000


COLUMNS = ("Player", "Cities", "Roads", "Fields", "Total")
LINES = [SheetLine(1, "Ben", "1", (20, 4, 9), 33, first=True), SheetLine(0, "Ana", "2", (9, 0, -2), 7)]


def test_the_sheet_says_everything_and_marks_the_first() -> None:
    sheet = pixels(score_sheet("Sunday league · K7QX2", COLUMNS, LINES, ["Rules of 2021", "3 March to 21 April"]))
    for seat in (0, 1):
        assert shown(sheet, PLAYER_MARKS[seat].colour) > 500
    assert shown(sheet, DAY.highlight) > 400
    losers = [SheetLine(line.seat, line.name, line.place, line.points, line.total) for line in LINES]
    assert shown(pixels(score_sheet("Sunday league", COLUMNS, losers)), DAY.highlight) < 100


def test_every_word_and_number_of_the_sheet_counts() -> None:
    sheet = pixels(score_sheet("Cup", COLUMNS, LINES, ["Note"]))
    for other in (
        score_sheet("Cap", COLUMNS, LINES, ["Note"]),
        score_sheet("Cup", ("Player", "Cities", "Roads", "Farms", "Total"), LINES, ["Note"]),
        score_sheet("Cup", COLUMNS, [LINES[0], SheetLine(0, "Ana", "2", (9, 0, 2), 7)], ["Note"]),
        score_sheet("Cup", COLUMNS, [LINES[0], SheetLine(0, "Ana", "3", (9, 0, -2), 7)], ["Note"]),
        score_sheet("Cup", COLUMNS, LINES, ["Notes"]),
    ):
        assert ImageChops.difference(sheet, pixels(other)).getbbox() is not None


def test_a_line_needs_a_number_for_each_category() -> None:
    with pytest.raises(ValueError, match="3 categories"):
        score_sheet("Cup", COLUMNS, [SheetLine(0, "Ana", "1", (1, 2), 3)])


def test_long_titles_and_headings_fit() -> None:
    columns = ("Player", *(f"A heading number {number}" for number in range(7)), "Total")
    line = SheetLine(0, "N" * 40, "1", tuple(range(7)), 21)
    picture = score_sheet("T" * 200, columns, [line] * 6, ["N" * 400])
    assert max(picture.width, picture.height) <= 4096
