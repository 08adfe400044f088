"""The picture of a finished game's score sheet: the players with their totals, and their points of each category.

A score sheet is the table of a tournament game, with the place, the name and the points of each player.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import ImageChops

from renderers import PLAYER_MARKS, Picture, SheetLine, lettering, score_bars, score_sheet
from renderers.boards.view import PHONE_TYPE, PHONE_WIDTH
from renderers.theme import DAY
from tests.renderers.image_checks import count_pixels, rgb_image

COLUMNS = ("Player", "Cities", "Roads", "Fields", "Total")
"""The headings of the columns."""
LINES = [SheetLine(1, "Ben", "1", (20, 4, 9), 33, first=True), SheetLine(0, "Ana", "2", (9, 0, -2), 7)]
"""The lines of two players."""


def test_the_sheet_shows_all_players_and_highlights_the_winner() -> None:
    sheet = rgb_image(score_sheet("Sunday league · K7QX2", COLUMNS, LINES, ["Rules of 2021", "3 March to 21 April"]))
    for seat in (0, 1):
        assert count_pixels(sheet, PLAYER_MARKS[seat].colour) > 500
    assert count_pixels(sheet, DAY.highlight) > 400
    lines_without_winner = [SheetLine(line.seat, line.name, line.place, line.points, line.total) for line in LINES]
    assert count_pixels(rgb_image(score_sheet("Sunday league", COLUMNS, lines_without_winner)), DAY.highlight) < 100


def test_every_word_and_number_of_the_sheet_is_drawn() -> None:
    sheet = rgb_image(score_sheet("Cup", COLUMNS, LINES, ["Note"]))
    for other in (
        score_sheet("Cap", COLUMNS, LINES, ["Note"]),
        score_sheet("Cup", ("Player", "Cities", "Roads", "Farms", "Total"), LINES, ["Note"]),
        score_sheet("Cup", COLUMNS, [LINES[0], SheetLine(0, "Ana", "2", (9, 0, 2), 7)], ["Note"]),
        score_sheet("Cup", COLUMNS, [LINES[0], SheetLine(0, "Ana", "3", (9, 0, -2), 7)], ["Note"]),
        score_sheet("Cup", COLUMNS, LINES, ["Notes"]),
    ):
        assert ImageChops.difference(sheet, rgb_image(other)).getbbox() is not None


def test_a_line_without_a_number_for_each_category_is_refused() -> None:
    with pytest.raises(ValueError, match="3 categories"):
        score_sheet("Cup", COLUMNS, [SheetLine(0, "Ana", "1", (1, 2), 3)])


def test_long_titles_and_headings_fit() -> None:
    columns = ("Player", *(f"A heading number {number}" for number in range(7)), "Total")
    line = SheetLine(0, "N" * 40, "1", tuple(range(7)), 21)
    picture = score_sheet("T" * 200, columns, [line] * 6, ["N" * 400])
    assert max(picture.width, picture.height) <= 4096


@pytest.mark.parametrize("draw", [score_sheet, score_bars], ids=["sheet", "bars"])
def test_a_phone_shows_the_final_scores_legibly(draw: Callable[..., Picture], monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the sheet was as wide as its columns, so that a phone showed its type in 6 CSS pixels."""
    sizes: list[int] = []
    measure = lettering._mask_and_top
    monkeypatch.setattr(lettering, "_mask_and_top", lambda text, size: sizes.append(size) or measure(text, size))
    words = ("Cities", "Roads", "Monasteries", "Fields", "Castles", "Bazaars", "Goods", "King", "Robber Baron")
    if draw is score_sheet:
        lines = [SheetLine(seat, f"Player {seat}", str(seat + 1), (12,) * 9, 108) for seat in range(6)]
        picture = draw("Sunday league · K7QX2", ("Player", *words, "Total"), lines, ["3 March to 21 April"])
    else:
        picture = draw([f"Player {seat}" for seat in range(6)], [dict.fromkeys(words, 12)] * 6)
    assert min(sizes) * PHONE_WIDTH / picture.width >= PHONE_TYPE
    assert picture.height * PHONE_WIDTH / picture.width <= 640, "it fits the screen of a phone"
