"""The points that a placement brings at once with its best figure, beside a slow twin that tries every figure."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from cogs.games.presenters import PRESENTERS
from cogs.presenting.turn import LaidTile, Plan, Turn, placements
from engine import GAMES, Pass, Place, Position, begin
from engine.carcassonne.expansions import OFFERED
from engine.selfplay import random_action
from tests.soak import first

PLACEMENTS_PER_TILE = 5
"""Placements of each tile that are compared."""


def slow_benefit(turn: Turn[Any], position: Position, place: Place) -> tuple[int, int]:
    """Return the same as `Turn.benefit`, from a turn with each figure that may be deployed."""

    def lead(scores: Sequence[int]) -> int:
        return scores[position.player] - max(score for seat, score in enumerate(scores) if seat != position.player)

    laid = LaidTile(turn, position, Plan(place=place))
    leads = [lead(laid.turn_with(figure).after.scores) for figure in (Pass(), *laid.deployments)]
    ends = sum(max(feature.open_ends, 0) for feature in laid.after.features_at(place.cell))
    return max(leads) - lead(position.scores), -ends


@pytest.mark.parametrize(
    ("game", "expansions"), [("carcassonne", tuple(OFFERED)), ("carcassonne", ()), ("the-castle", ())]
)
@pytest.mark.parametrize("seed", first(1, range(12)))
def test_the_benefit_of_a_placement_is_that_of_its_best_figure(
    game: str, expansions: tuple[str, ...], seed: int
) -> None:
    rng, turn = Random(seed), PRESENTERS[game].turn
    position = begin(GAMES[game].new_setup(players=2, seed=str(seed), expansions=expansions))
    benefits: set[int] = set()
    while position.step is not None:
        places = placements(position)
        for place in rng.sample(places, min(len(places), PLACEMENTS_PER_TILE)):
            benefit = turn.benefit(position, place)
            assert benefit == slow_benefit(turn, position, place)
            benefits.add(benefit[0])
        position.apply(random_action(position, rng))
    assert len(benefits) > 2, "some placements score at once"
