"""More words, for the scenarios of builders, pigs, goods and double turns.

The usual builder of the scenarios is Red's: on the road that runs from (0, 0) to (1, 0) and is open on both ends.
"""

from __future__ import annotations

from typing import Any

from engine.actions import Place
from engine.carcassonne import Position
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.steps import PlaceTile
from engine.events import Event
from tests.scenarios.vocabulary import cell, passing

BUILDERS_ONLY = ("traders-builders",)
WITH_BAZAARS = ("bridges-castles-bazaars", "traders-builders")
RED_ROAD = ["base/U 0,0", "base/U 1,0"]
RED_BUILDER = ["0 0,0 road.E", "0 1,0 road.E builder"]
BLUE_ROAD = ["base/U 0,9", "base/U 1,9"]
BLUE_BUILDER = ["1 0,9 road.E", "1 1,9 road.E builder"]
GREEN_ROAD = ["base/U 0,18", "base/U 1,18"]
GREEN_BUILDER = ["2 0,18 road.E", "2 1,18 road.E builder"]


def builders(*, tiles: list[str] | None = None, followers: list[str] | None = None, **given: Any) -> Position:
    """A position with Red's builder in it, and what is given besides."""
    return arrange(
        tiles=[*RED_ROAD, *(tiles or ())],
        followers=[*RED_BUILDER, *(followers or ())],
        **{"expansions": WITH_BAZAARS, **given},
    )


def aside(position: Position) -> list[Event]:
    """Place the tile in hand far from every builder, on the first spot south of row 20, and deploy no one."""
    assert isinstance(position.step, PlaceTile)
    spot = next(
        action
        for action in position.legal_actions
        if isinstance(action, Place) and action.aid is None and action.cell.y >= cell("0,20").y
    )
    return list(position.apply(spot)) + passing(position)
