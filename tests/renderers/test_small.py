"""Small pictures, for slow connections: the same boards and colours in fewer pixels, large enough for a phone.

Users choose small pictures in their preferences. Their theme then limits the longest side of a picture to fewer pixels.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import GAMES, begin
from engine.selfplay import random_action
from renderers import THEMES, Picture, Theme, carcassonne, small, the_castle
from renderers.carcassonne.cards import focus_view
from renderers.theme import LONGEST_SIDE, SMALL_LONGEST_SIDE

MIN_CELL_PIXELS = 32
"""Size of a cell below which the figures of a late board cannot be distinguished on a phone."""


def late_position(name: str) -> Any:
    """Return a random game after 40 turns, with a tile in hand."""
    game, rng = GAMES[name], Random(3)
    position = begin(game.new_setup(players=2, seed="7", options=game.options(), expansions=()))
    while position.turn < 40 or position.hand is None:
        position.apply(random_action(position, rng))
    return position


def pictures(name: str, theme: Theme) -> dict[str, Picture]:
    """Draw the pictures that small themes make smaller."""
    position = late_position(name)
    renderer = carcassonne if name == "carcassonne" else the_castle
    spots = list(position.open_cells())[:12]
    return {
        "board": renderer.whole_board(position, theme=theme),
        "composer": renderer.composer(position, spots, theme=theme),
    }


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("theme", list(THEMES.values()), ids=lambda theme: theme.name)
def test_a_small_picture_has_fewer_pixels_and_bytes(name: str, theme: Theme) -> None:
    large, little = pictures(name, theme), pictures(name, small(theme))
    for kind, picture in little.items():
        assert max(picture.width, picture.height) <= SMALL_LONGEST_SIDE < max(large[kind].width, large[kind].height)
        assert len(picture.data) < 0.8 * len(large[kind].data), kind


def test_a_small_picture_shows_the_same_cells_large_enough_for_a_phone() -> None:
    position, theme = late_position("carcassonne"), next(iter(THEMES.values()))
    normal_view, little = focus_view(position, theme), focus_view(position, small(theme))
    assert normal_view.window == little.window
    assert MIN_CELL_PIXELS <= little.size < normal_view.size


def test_small_themes_keep_name_and_colours() -> None:
    for theme in THEMES.values():
        assert theme.longest == LONGEST_SIDE
        assert small(theme).name is theme.name
        assert (small(theme).table, small(theme).road) == (theme.table, theme.road)
