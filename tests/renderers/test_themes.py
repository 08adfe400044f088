"""Every theme: legible, complete, within the limits, and different from the others."""

from __future__ import annotations

from itertools import combinations

import pytest

from renderers import CONTRAST, DAY, NIGHT, PLAYER_MARKS, THEMES, Theme, ThemeName
from renderers.carcassonne import turn_card
from renderers.palette import palette_colours
from renderers.theme import Colour
from tests.renderers.carcassonne.boards import last_marks, small_board, wide_board
from tests.renderers.colour_vision import contrast, perceived_lab
from tests.renderers.image_checks import colour_distance, count_pixels, rgb_image

EACH = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
LARGEST_FILE = 2 * 2**20
LONGEST = 4096


def test_themes_are_found_by_name() -> None:
    assert list(THEMES) == list(ThemeName)
    assert [THEMES[name].name for name in ThemeName] == list(ThemeName)
    assert (THEMES[ThemeName.DAY], THEMES[ThemeName.NIGHT], THEMES[ThemeName.CONTRAST]) == (DAY, NIGHT, CONTRAST)


def test_night_lies_on_the_grey_of_discords_dark_mode() -> None:
    assert NIGHT.table == (0x31, 0x33, 0x38)


@EACH
def test_words_are_legible_where_they_stand(theme: Theme) -> None:
    least = 7.0 if theme is CONTRAST else 4.5
    for ink, ground in (
        (theme.text, theme.panel),
        (theme.rim_text, theme.rim),
        (theme.muted_text, theme.panel),
        (theme.highlight_dark, theme.highlight),
        (theme.ink, theme.halo),
    ):
        assert contrast(ink, ground) >= least, (ink, ground)


@EACH
def test_road_field_and_city_keep_apart_in_grey(theme: Theme) -> None:
    least = 12.0 if theme is CONTRAST else 8.0
    for one, other in combinations((theme.meadow, theme.road, theme.street), 2):
        assert abs(_lightness(one) - _lightness(other)) >= least


def _lightness(colour: Colour) -> float:
    return perceived_lab(colour, "greyscale")[0]


@EACH
def test_the_palette_is_small_and_holds_no_colour_twice_and_every_players(theme: Theme) -> None:
    for veiled in (False, True):
        colours = palette_colours(theme, veiled=veiled)
        assert len(set(colours)) == len(colours) <= 256
        assert {mark.colour for mark in PLAYER_MARKS} <= set(colours)
    assert len(palette_colours(theme)) <= 128


@EACH
def test_a_board_shows_the_colours_of_its_theme_and_of_no_other(theme: Theme) -> None:
    image = rgb_image(turn_card(small_board(), theme=theme).board)
    assert count_pixels(image, theme.table, 0) > 1000
    for other in THEMES.values():
        if (
            min(colour_distance(other.meadow, own) for own in (theme.meadow, theme.meadow_light, theme.meadow_dark))
            > 24
        ):
            assert count_pixels(image, other.meadow, 2) < count_pixels(image, theme.meadow, 14) / 50


@EACH
@pytest.mark.parametrize(("columns", "rows"), [(40, 40), (40, 3), (2, 40)])
def test_any_board_keeps_within_the_limits(theme: Theme, columns: int, rows: int) -> None:
    position = wide_board(columns, rows)
    card = turn_card(position, last_marks(position), theme=theme)
    for picture in (card.focus, card.board):
        assert max(picture.width, picture.height) <= LONGEST
        assert len(picture.data) <= LARGEST_FILE
