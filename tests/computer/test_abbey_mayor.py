"""Figures whose weight depends on where they stand, as the computer player values them: the mayor (AM-22)."""

from __future__ import annotations

import pytest

from computer import Level, Player
from engine.actions import Deploy
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import place_tile


@pytest.mark.parametrize(("middle", "is_strong"), [("base/G", False), ("base/F", True)])
def test_a_mayor_is_worth_something_where_there_are_pennants(middle: str, is_strong: bool) -> None:
    position = arrange(tiles=["base/E 0,0 90", f"{middle} 1,0"], hand="base/E", expansions=("abbey-mayor",))
    place_tile(position, "2,0", 270)
    values = {candidate.action: candidate.value for candidate in Player(Level.QUICK).candidates(position)}
    mayor, follower = values[Deploy("city.W", "mayor")], values[Deploy("city.W")]
    assert (mayor >= follower) == is_strong
