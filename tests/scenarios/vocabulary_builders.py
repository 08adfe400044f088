"""Helpers for the scenarios of builders, pigs, goods and double turns.

Unless a scenario says otherwise, the builder is Red's, on the road that runs from (0, 0) to (1, 0) and is open at both
ends. Blue and Green may have roads of the same shape further south, in rows 9 and 18.
"""

from __future__ import annotations

from typing import Any

from engine.actions import Place
from engine.carcassonne import Position
from engine.carcassonne.steps import PlaceTile
from engine.events import Event
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import cell, skip_deployment

BUILDERS_ONLY = ("traders-builders",)
"""The box alone."""
WITH_BAZAARS = ("bridges-castles-bazaars", "traders-builders")
"""The box together with Bridges, Castles & Bazaars."""
RED_ROAD = ["base/U 0,0", "base/U 1,0"]
"""The tiles of Red's road."""
RED_BUILDER = ["0 0,0 road.E", "0 1,0 road.E builder"]
"""Red's follower and builder on it."""
BLUE_ROAD = ["base/U 0,9", "base/U 1,9"]
"""The tiles of Blue's road."""
BLUE_BUILDER = ["1 0,9 road.E", "1 1,9 road.E builder"]
"""Blue's follower and builder on it."""
GREEN_ROAD = ["base/U 0,18", "base/U 1,18"]
"""The tiles of Green's road."""
GREEN_BUILDER = ["2 0,18 road.E", "2 1,18 road.E builder"]
"""Green's follower and builder on it."""


def arrange_builders(
    *, tiles: list[str] | None = None, followers: list[str] | None = None, **overrides: Any
) -> Position:
    """Arrange a position with Red's builder, further tiles and followers, and other arguments of ``arrange``."""
    return arrange(
        tiles=[*RED_ROAD, *(tiles or ())],
        followers=[*RED_BUILDER, *(followers or ())],
        **{"expansions": WITH_BAZAARS, **overrides},
    )


def place_far_away(position: Position) -> list[Event]:
    """Place the tile in hand far from every builder, in row 20 or further south; deploy no figure."""
    assert isinstance(position.step, PlaceTile)
    spot = next(
        action
        for action in position.legal_actions
        if isinstance(action, Place) and action.aid is None and action.cell.y >= cell("0,20").y
    )
    return list(position.apply(spot)) + skip_deployment(position)
