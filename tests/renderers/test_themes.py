"""Every theme is legible, distinct from the others, and keeps pictures within Discord's limits.

A theme has all colours of a picture: by day, by night, or in high contrast.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from renderers import CONTRAST, DAY, NIGHT, PLAYER_MARKS, THEMES, Theme, ThemeName
from renderers.carcassonne import turn_card, whole_board
from renderers.palette import palette_colours
from renderers.theme import Colour
from tests.renderers.carcassonne.boards import last_marks, small_board, wide_board
from tests.renderers.colour_vision import contrast, perceived_lab
from tests.renderers.image_checks import colour_distance, count_pixels, rgb_image

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
MAX_FILE_BYTES = 2 * 2**20
"""The size that no picture may exceed."""
MAX_SIDE_PIXELS = 4096
"""The longest side that a picture may have."""


def test_themes_are_found_by_name() -> None:
    assert list(THEMES) == list(ThemeName)
    assert [THEMES[name].name for name in ThemeName] == list(ThemeName)
    assert (THEMES[ThemeName.DAY], THEMES[ThemeName.NIGHT], THEMES[ThemeName.CONTRAST]) == (DAY, NIGHT, CONTRAST)


def test_night_lies_on_the_grey_of_discords_dark_mode() -> None:
    assert NIGHT.table == (0x31, 0x33, 0x38)


@every_theme
def test_text_is_legible_on_its_ground(theme: Theme) -> None:
    minimum = 7.0 if theme is CONTRAST else 4.5
    for ink, ground in (
        (theme.text, theme.panel),
        (theme.rim_text, theme.rim),
        (theme.muted_text, theme.panel),
        (theme.highlight_dark, theme.highlight),
        (theme.ink, theme.halo),
    ):
        assert contrast(ink, ground) >= minimum, (ink, ground)


@every_theme
def test_road_field_and_city_differ_in_greyscale(theme: Theme) -> None:
    minimum = 12.0 if theme is CONTRAST else 8.0
    for first, second in combinations((theme.meadow, theme.road, theme.street), 2):
        assert abs(_lightness(first) - _lightness(second)) >= minimum


def _lightness(colour: Colour) -> float:
    """Return the lightness of a colour without its hue."""
    return perceived_lab(colour, "greyscale")[0]


@every_theme
def test_the_palette_is_small_without_duplicates_and_contains_every_players_colour(theme: Theme) -> None:
    for veiled in (False, True):
        colours = palette_colours(theme, veiled=veiled)
        assert len(set(colours)) == len(colours) <= 256
        assert {mark.colour for mark in PLAYER_MARKS} <= set(colours)
    assert len(palette_colours(theme)) <= 128


@every_theme
def test_a_board_has_the_colours_of_its_theme_alone(theme: Theme) -> None:
    image = rgb_image(whole_board(small_board(), theme=theme))
    assert count_pixels(image, theme.table, 0) > 1000
    for other in THEMES.values():
        if (
            min(colour_distance(other.meadow, own) for own in (theme.meadow, theme.meadow_light, theme.meadow_dark))
            > 24
        ):
            assert count_pixels(image, other.meadow, 2) < count_pixels(image, theme.meadow, 14) / 50


@every_theme
@pytest.mark.parametrize(("columns", "rows"), [(40, 40), (40, 3), (2, 40)])
def test_boards_of_any_shape_stay_within_the_limits(theme: Theme, columns: int, rows: int) -> None:
    position = wide_board(columns, rows)
    for draw in (turn_card, whole_board):
        picture = draw(position, last_marks(position), theme=theme)
        assert max(picture.width, picture.height) <= MAX_SIDE_PIXELS
        assert len(picture.data) <= MAX_FILE_BYTES
