"""The computer's trial placements find the same changes as a survey of the whole table.

A trial values only the features that a placement changes; a survey values all features of a position.
"""

from __future__ import annotations

from itertools import count, islice
from typing import Final

import pytest

from computer.candidates import stakes_of
from computer.carcassonne.evaluator import Evaluator
from computer.carcassonne.survey import Survey
from computer.carcassonne.trials import Trial, try_placement
from computer.games import evaluator_for
from computer.the_castle.evaluator import Evaluation as CastleEvaluation
from computer.weights import TUNED, read_weights
from engine.actions import FOLLOWER, Pass, Place, Seat
from engine.carcassonne import Decline, FeatureKind, PlaceTile, Position
from engine.carcassonne.expansions import INNS_CATHEDRALS, PHANTOM
from engine.carcassonne.expansions.inns_cathedrals import BIG_FOLLOWER
from engine.the_castle import PlaceTile as CastlePlaceTile
from tests.computer.positions import ALL_BOXES, random_positions

WEIGHTS = read_weights(TUNED, "carcassonne")
"""The weights with which the computer plays."""
HAIR: Final = 1e-12
"""A difference between values that decides nothing."""


@pytest.mark.parametrize("expansions", [(), ALL_BOXES])
def test_a_trial_sees_what_a_survey_of_the_land_after_it_sees(expansions: tuple[str, ...]) -> None:
    """Compare gaps, cities beside fields, attributes and outlooks. All other features are unchanged."""
    compared = bridges = 0
    for position in random_positions("carcassonne", 2, expansions, "", seed=11):
        step = position.step
        if not isinstance(step, PlaceTile) or position.ply % 5:
            continue
        assert isinstance(position, Position)
        survey = Survey(position, WEIGHTS)
        actions = [action for action in position.legal_actions if isinstance(action, Place)]
        for action in islice(actions, 0, None, max(1, len(actions) // 12)):
            face = step.tile.faces[action.rotation // 90]
            trial = try_placement(survey, action.cell.square, face, step.player, action.aid)
            after = position.copy()
            after.land = trial.land
            survey_after = Survey(after, WEIGHTS)
            bridges += action.aid is not None
            for root, outlook in trial.outlooks.items():
                assert trial.gaps.get(root, {}) == survey_after.gaps.get(root, {})
                assert trial.traits.get(root, frozenset()) == survey_after.traits.get(root, frozenset())
                assert outlook.worth == pytest.approx(survey_after.outlook(root).worth)
                assert outlook.chance == pytest.approx(survey_after.outlook(root).chance)
                assert outlook.holders == survey_after.outlook(root).holders
                compared += 1
            for root in survey_after.gaps.keys() - trial.outlooks.keys():
                assert survey.outlook(root) == survey_after.outlook(root)._replace(land=survey.land)
            occupied = [root for root, holders in enumerate(trial.land.holders) if holders]
            for root in occupied:
                if trial.land.kind[root] == FeatureKind.FIELD and root not in trial.outlooks:
                    assert survey.outlook(root) == survey_after.outlook(root)._replace(land=survey.land)
    assert compared > 1000
    assert bool(bridges) == bool(expansions)


@pytest.mark.parametrize("expansions", [(), ALL_BOXES])
def test_a_figure_gains_the_difference_that_it_makes_to_the_parts(expansions: tuple[str, ...]) -> None:
    """Figures that return at the same time, from what the tile completes, lower the price of the one deployed."""
    compared = returning = 0
    for position in random_positions("carcassonne", 2, expansions, "", seed=12):
        step = position.step
        if not isinstance(step, PlaceTile) or position.ply % 3:
            continue
        assert isinstance(position, Position)
        evaluator, stakes = Evaluator(position, WEIGHTS), stakes_of(position, step.player)
        actions = [action for action in position.legal_actions if isinstance(action, Place)]
        for action in islice(actions, 0, None, max(1, len(actions) // 12)):
            face = step.tile.faces[action.rotation // 90]
            trial = try_placement(evaluator.survey, action.cell.square, face, step.player, action.aid)
            without = sum(trial.parts(stakes).values())
            roots = evaluator.roots_by_name(trial)
            for deploy in evaluator.figures(trial):
                root = roots[deploy.segment]
                gain = trial.gain_of_figure(stakes, root, deploy.figure)
                with_figure = trial.parts(stakes, (root, deploy.figure))
                assert gain == pytest.approx(sum(with_figure.values()) - without, abs=1e-6)
                compared += 1
                returning += any(trial.outlooks[completed].holders for completed in trial.completed)
    assert compared > 100
    assert returning


@pytest.mark.parametrize("gain", [0.0, 1.0])
def test_the_first_of_equal_figures_is_expected_whatever_the_last_bits_of_their_gains(
    gain: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passing comes first. Here every figure gains a hair more than the one before it."""
    hairs = count(1)
    monkeypatch.setattr(Trial, "gain_of_figure", lambda *_: gain + HAIR * next(hairs))
    compared = 0
    for position in islice(random_positions("carcassonne", 2, (), "", seed=12), 60):
        step = position.step
        if not isinstance(step, PlaceTile):
            continue
        assert isinstance(position, Position)
        evaluator = Evaluator(position, WEIGHTS)
        for candidate in evaluator.candidates():
            assert isinstance(candidate.action, Place)
            cell, rotation = candidate.action.cell, candidate.action.rotation
            figures = evaluator.figures(
                try_placement(evaluator.survey, cell.square, step.tile.faces[rotation // 90], step.player)
            )
            assert candidate.follow_up == (figures[0] if gain and figures else Pass())
            compared += len(figures) > 1
    assert compared > 100


def test_a_hair_is_no_reason_for_an_action_instead_of_a_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trial, "gain_of_figure", lambda *_: 0.0)
    monkeypatch.setattr(Evaluator, "_instead_of_figure", lambda *_: {Decline(): {"points": HAIR}})
    position = next(iter(random_positions("carcassonne", 2, (), "", seed=12)))
    candidates = evaluator_for(position, WEIGHTS).candidates()
    assert candidates
    assert {candidate.follow_up for candidate in candidates} == {Pass()}


def test_a_hair_puts_no_figure_down_in_the_castle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures cost nothing here, and no open feature brings more than a hair."""
    monkeypatch.setattr(CastleEvaluation, "followers", lambda *_: 0.0)
    monkeypatch.setattr(CastleEvaluation, "feature", lambda *_: HAIR)
    compared = 0
    for position in islice(random_positions("the-castle", 2, (), "", seed=12), 40):
        if isinstance(position.step, CastlePlaceTile):
            for candidate in evaluator_for(position, read_weights(TUNED, "the-castle")).candidates():
                assert "figure" not in candidate.parts
                compared += candidate.follow_up == Pass()
    assert compared > 100


def test_a_follower_is_dearer_the_fewer_of_any_kind_remain() -> None:
    """A big follower does all that a follower does, so the last ordinary one is not the last while it is there."""
    position = next(iter(random_positions("carcassonne", 2, (INNS_CATHEDRALS,), "", seed=13))).copy()
    assert isinstance(position, Position)
    prices = []
    for ordinary, big in ((0, 0), (0, 1), (1, 1), (2, 0)):
        position.supply[FOLLOWER][0], position.supply[BIG_FOLLOWER][0] = ordinary, big
        prices.append(Survey(position, WEIGHTS).price(FOLLOWER, Seat(0)))
    assert prices[0] > prices[1] > prices[2] == pytest.approx(prices[3])


def test_a_phantom_in_the_supply_makes_the_last_follower_cheaper() -> None:
    position = next(iter(random_positions("carcassonne", 2, (PHANTOM,), "", seed=13))).copy()
    assert isinstance(position, Position)
    position.supply[FOLLOWER][0], position.supply[FOLLOWER][1] = 1, 1
    position.supply[PHANTOM][1] = 0
    survey = Survey(position, WEIGHTS)
    assert survey.price(FOLLOWER, Seat(0)) < survey.price(FOLLOWER, Seat(1))
