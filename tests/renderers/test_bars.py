"""Final scores drawn as bars, and texts shortened to fit into pictures.

A bar has a part for each category of points, such as cities or roads.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from PIL import Image

from renderers import score_bars
from renderers.final_scores import _NAME_WIDTH, _TOTAL_WIDTH, _WIDTH
from renderers.lettering import fitted, printable, text_mask
from renderers.theme import DAY, THEMES, Theme
from tests.renderers.image_checks import colour_at, colour_distance, count_pixels, pixel_bytes, rgb_image


def test_bars_are_as_long_as_the_points() -> None:
    rows = [{"Cities": 40, "Roads": 10}, {"Cities": 20, "Roads": 5}]
    image = rgb_image(score_bars(["Ana", "Ben"], rows))
    draw_bar_parts = image.crop((_NAME_WIDTH, 80, image.width, image.height))
    upper, lower = (draw_bar_parts.crop((0, top, draw_bar_parts.width, top + 96)) for top in (0, 96))
    for colour in DAY.categories[:2]:
        assert count_pixels(upper, colour) == pytest.approx(2 * count_pixels(lower, colour), rel=0.2)


def test_losses_are_drawn_to_the_left_of_gains() -> None:
    image = rgb_image(score_bars(["Ana"], [{"Cities": 30, "Bazaar": -10}]))
    row = {x: colour_at(image, x, 100) for x in range(_NAME_WIDTH, image.width)}
    gains, losses = (
        [x for x, colour in row.items() if colour_distance(colour, bar) < 12] for bar in DAY.categories[:2]
    )
    assert max(losses) < min(gains)
    assert len(gains) == pytest.approx(3 * len(losses), rel=0.1)


def test_categories_without_points_are_left_out() -> None:
    with_empty_category = score_bars(["Ana"], [{"Cities": 3, "Castles": 0}])
    without = score_bars(["Ana"], [{"Cities": 3}])
    assert pixel_bytes(with_empty_category) == pixel_bytes(without)


CATEGORY_NAMES = [str(number) for number in range(9)]
"""More categories than a game has."""


def draw_bar_parts(theme: Theme, *points: int) -> tuple[list[Image.Image], Image.Image]:
    """Draw one player's bar with these points in nine categories; return its parts and the whole picture."""
    image = rgb_image(score_bars(["Ana"], [dict(zip(CATEGORY_NAMES, points, strict=True))], theme=theme))
    top = 24 + 56 * -(-sum(map(bool, points)) // 4)
    room = _WIDTH - _NAME_WIDTH - _TOTAL_WIDTH
    ends = [_NAME_WIDTH + round(room * sum(points[:end]) / sum(points)) for end in range(10)]
    pairs = [(left, right) for left, right in pairwise(ends) if right > left]
    return [image.crop((left, top + 17, right - 2, top + 79)) for left, right in pairs], image


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_category_keeps_its_colour_when_others_are_empty(theme: Theme) -> None:
    every, _ = draw_bar_parts(theme, *[5] * 9)
    few, _ = draw_bar_parts(theme, 0, 0, 5, 0, 0, 5, 0, 5, 0)
    for part, index in zip(few, (2, 5, 7), strict=True):
        colour = theme.categories[index % 7]
        assert most_frequent(part) == most_frequent(every[index]) == colour


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_categories_that_share_a_colour_differ_by_stripes(theme: Theme) -> None:
    parts, image = draw_bar_parts(theme, *[5] * 9)
    for plain, striped in ((0, 7), (1, 8)):
        assert most_frequent(parts[plain]) == most_frequent(parts[striped]) == theme.categories[plain]
        assert count_pixels(parts[striped], theme.panel) > 300 > count_pixels(parts[plain], theme.panel)
        swatches = [image.crop(swatch(index)) for index in (plain, striped)]
        assert count_pixels(swatches[1], theme.panel) > 100 > count_pixels(swatches[0], theme.panel)


def swatch(index: int) -> tuple[int, int, int, int]:
    """Return the area in which the legend shows a category's colour."""
    x, y = 24 + index % 4 * 238, 36 + index // 4 * 56
    return x, y - 14, x + 36, y + 14


def most_frequent(part: Image.Image) -> tuple[int, ...]:
    """Return the colour of most pixels."""
    return max(part.getcolors(part.width * part.height) or [])[1]  # type: ignore[return-value]


def test_a_game_without_points_has_a_summary() -> None:
    assert rgb_image(score_bars(["Ana", "Ben"], [{"Cities": 0}, {"Cities": 0}])).width == _WIDTH


def test_the_marks_follow_the_seats() -> None:
    rows = [{"Cities": 1}, {"Cities": 2}]
    assert pixel_bytes(score_bars(["Ana", "Ben"], rows)) == pixel_bytes(score_bars(["Ana", "Ben"], rows, [0, 1]))
    assert pixel_bytes(score_bars(["Ana", "Ben"], rows)) != pixel_bytes(score_bars(["Ana", "Ben"], rows, [1, 0]))


def test_characters_missing_in_all_fonts_are_left_out() -> None:
    assert printable("Ana 💥 Ørsted ж") == "Ana Ørsted ж"
    assert printable("አበበ") == ""


def test_names_are_cut_to_fit() -> None:
    short = fitted("A name of thirty-two characters.", 32, 200)
    assert short.endswith("…")
    assert text_mask(short, 32).width <= 200
    assert fitted("Ana", 32, 200) == "Ana"
    assert fitted("Clemence (CPU)", 32, 200).endswith("… (CPU)")
    assert fitted("Clemence (CPU)", 32, 60).startswith("C")
    assert fitted("W" * 5, 32, 1) == "…"


def test_players_without_printable_names_can_be_drawn() -> None:
    assert rgb_image(score_bars(["💥"], [{"Cities": 3}])).width > 0
