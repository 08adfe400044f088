"""The computer's value of the King and the Robber Baron, the markers for the largest city and the longest road."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from computer.candidates import stakes_of
from computer.carcassonne.boxes.king_robber import NOT_HELD, completed_sizes, standing_after
from computer.carcassonne.boxes.terms import BoxTerms, Change
from computer.carcassonne.survey import Survey
from computer.carcassonne.trials import Trial, try_placement
from computer.weights import TUNED, read_weights
from engine import GAMES, Position, begin
from engine.actions import Pass, Place
from engine.carcassonne import PlaceTile
from engine.carcassonne import Position as CarcassonneGame
from engine.carcassonne.expansions.king_robber import NAME, Marker, completed_features, holding_of
from tests.computer.positions import random_positions


class Recorder(BoxTerms):
    """Terms that keep the last change that they were asked about."""

    change: Change

    def add(self, parts: dict[str, float], stakes: object, change: Change) -> None:  # noqa: ARG002
        """Keep the change."""
        self.change = change


def completions(seed: int) -> Iterator[tuple[CarcassonneGame, Place, Trial, Change]]:
    """Yield placements that complete a city or road, each with its trial and the change that boxes are asked about."""
    for position in random_positions("carcassonne", 3, (NAME,), "", seed=seed):
        if not isinstance(position.step, PlaceTile):
            continue
        assert isinstance(position, CarcassonneGame)
        survey = Survey(position, read_weights(TUNED, "carcassonne"))
        recorder = Recorder()
        survey.terms = (*survey.terms, recorder)
        for action in position.legal_actions:
            if isinstance(action, Place):
                face = position.step.tile.faces[action.rotation // 90]
                trial = try_placement(survey, action.cell.square, face, position.step.player)
                trial.parts(stakes_of(position, position.step.player))
                if any(completed_sizes(recorder.change).values()):
                    yield position, action, trial, recorder.change
                    break


def after(position: CarcassonneGame, action: Place) -> CarcassonneGame:
    """Return the position after a placement without a figure."""
    played = position.copy()
    played.play(action)
    played.play(Pass())
    return played


def test_markers_are_expected_to_move_as_they_do() -> None:
    """KR-03 to KR-09: the player who completes the largest feature takes its marker."""
    taken = 0
    for position, action, _, change in completions(seed=1):
        played = after(position, action)
        for marker, sizes in completed_sizes(change).items():
            expected = standing_after(change, marker, sizes)
            assert expected.holding == (holding_of(played, marker) or NOT_HELD)
            assert expected.features == completed_features(played, marker)
            taken += expected.holding != (holding_of(position, marker) or NOT_HELD)
    assert taken > 3


def test_a_taken_marker_is_worth_more_to_the_player_and_a_lost_one_less() -> None:
    gains = losses = 0
    for position, action, trial, _ in completions(seed=2):
        mover, played = position.step.player, after(position, action)
        changed = [marker for marker in Marker if holding_of(position, marker) != holding_of(played, marker)]
        if not changed:
            continue
        own, rival = stakes_of(position, mover), stakes_of(position, (mover + 1) % position.players)
        assert trial.parts(own)["markers"] > 0
        gains += 1
        held = [holding for marker in changed if (holding := holding_of(position, marker)) is not None]
        if any((mover + 1) % position.players in holding.holders for holding in held):
            assert trial.parts(rival)["markers"] < 0
            losses += 1
    assert gains > 3
    assert losses


@pytest.mark.parametrize("scoring", ["ten_each", "fifteen_forty", "continuous"])
def test_every_way_to_score_markers_is_valued(scoring: str) -> None:
    """KR-11: taking the first marker is worth something by every option, and less than all that it may bring."""
    game = GAMES["carcassonne"]
    options = game.options().of({"king_robber_scoring": scoring})
    position: Position = begin(game.new_setup(players=2, seed="5", options=options, expansions=(NAME,)))
    survey = None
    while not isinstance(survey, Survey):
        assert isinstance(position, CarcassonneGame)
        assert isinstance(position.step, PlaceTile)
        survey = Survey(position, read_weights(TUNED, "carcassonne"))
        for action in position.legal_actions:
            assert isinstance(action, Place)
            face = position.step.tile.faces[action.rotation // 90]
            trial = try_placement(survey, action.cell.square, face, position.step.player)
            if any(trial.land.kind[root] in {"city", "road"} for root in trial.completed):
                break
        else:
            position.play(position.legal_actions[0])
            position.play(Pass())
            survey = None
    parts = trial.parts(stakes_of(position, position.step.player))
    assert 0 < parts["markers"] < 25
