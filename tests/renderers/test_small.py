"""Small pictures: the same boards in the same colours, in fewer pixels and bytes, still large enough for a phone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import GAMES, begin
from engine.selfplay import random_action
from renderers import THEMES, Picture, Spot, Theme, carcassonne, small, the_castle
from renderers.carcassonne.cards import views_of
from renderers.theme import LONGEST_SIDE, SMALL_LONGEST_SIDE

LEAST_CELL = 32
"""Pixels of a cell, below which nobody tells the figures of a late board apart on a phone."""


def late(name: str) -> Any:
    """A board on which much lies, and a tile to lay."""
    game, random = GAMES[name], Random(3)
    position = begin(game.new_setup(players=2, seed="7", options=game.options(), expansions=()))
    while position.turn < 40 or position.hand is None:
        position.apply(random_action(position, random))
    return position


def pictures(name: str, theme: Theme) -> dict[str, Picture]:
    position = late(name)
    renderer = carcassonne if name == "carcassonne" else the_castle
    spots = [Spot(cell, "A") for cell in list(position.open_cells())[:12]]
    return {
        "board": renderer.whole_board(position, theme=theme),
        "composer": renderer.composer(position, spots, theme=theme),
    }


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("theme", list(THEMES.values()), ids=lambda theme: theme.name)
def test_a_small_picture_is_small(name: str, theme: Theme) -> None:
    large, little = pictures(name, theme), pictures(name, small(theme))
    for kind, picture in little.items():
        assert max(picture.width, picture.height) <= SMALL_LONGEST_SIDE < max(large[kind].width, large[kind].height)
        assert len(picture.data) < 0.7 * len(large[kind].data), kind


def test_it_shows_the_same_part_of_the_board_large_enough_for_a_phone() -> None:
    position, theme = late("carcassonne"), next(iter(THEMES.values()))
    for usual, little in zip(views_of(position, theme), views_of(position, small(theme)), strict=True):
        assert usual.window == little.window
        assert LEAST_CELL <= little.size < usual.size


def test_what_is_usual_is_as_it_was() -> None:
    for theme in THEMES.values():
        assert theme.longest == LONGEST_SIDE
        assert small(theme).name is theme.name
        assert (small(theme).table, small(theme).road) == (theme.table, theme.road)
