"""The composer asks the castle questions of the moving player before the move is confirmed.

A placement completes a town on M13 and M14 (two city tiles with semicircular fronts), whose owner may build a castle
instead of scoring 4 points. "Ana" (0) moves; the tests put the follower in the town for her or for "Ben" (1).
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.games.presenters import presenter_of
from cogs.panels.composer import Composer
from cogs.presenting.ids import Op
from cogs.presenting.presenter import ButtonSpec, TilePanel
from cogs.presenting.turn import MAX_ARGUMENT_LENGTH, Plan
from cogs.texts import t
from engine import IllegalActionError, parse_action
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseCastleSource, DecideTown, castles_of
from gallery.built_positions import arrange
from host import Preferences, TableSettings
from tests.cogs.positions import game_of, random_game
from tests.scenarios.vocabulary_castles import SOUTH_CAP

COMPLETING_PLACEMENT = "M14/0"
"""The placement of the other half of the town."""


def completable_town(*followers: str, hand: str = "base/E", castles: tuple[int, int] = (3, 3)) -> Position:
    """Return a position in which Ana can complete a town."""
    position = arrange(players=2, tiles=[SOUTH_CAP], followers=followers, hand=hand, pile=["base/V"] * 5)
    position.supply["castle"][:] = castles
    return position


def panel(position: Position, plan: str, *, confirm: bool = True, **settings: Any) -> TilePanel:
    """Return the composer's panel of a plan."""
    game = replace(game_of(position), settings=TableSettings(**settings))
    return Composer(presenter_of(position), game, position, Preferences(confirm=confirm)).panel(Plan.parse(plan))


def offers(tile_panel: TilePanel) -> dict[str, ButtonSpec]:
    """Return the buttons by their labels."""
    return {offer.label: offer for group in tile_panel.offers for offer in group}


ANAS_FOLLOWER = "0 0,0 city.S"
"""Ana's follower in the town."""
BENS_FOLLOWER = "1 0,0 city.S"
"""Ben's follower in the town."""


def test_the_owner_of_a_completed_town_is_asked_before_confirming() -> None:
    position = completable_town(ANAS_FOLLOWER)
    asking = panel(position, f"{COMPLETING_PLACEMENT} pass")
    assert "You close the town on M13 and M14: 4 points now, or a castle?" in asking.text
    assert list(offers(asking)) == ["Build a Castle", "Score 4 Points", "Decide Later", "Change"]
    assert {offer.op for offer in offers(asking).values()} == {Op.PLAN}


@pytest.mark.parametrize(("label", "actions"), [("Build a Castle", "castle"), ("Score 4 Points", "town")])
def test_the_answer_is_part_of_the_move(label: str, actions: str) -> None:
    position = completable_town(ANAS_FOLLOWER)
    chosen = offers(panel(position, f"{COMPLETING_PLACEMENT} pass"))[label]
    confirming = panel(position, chosen.argument)
    confirm = offers(confirming)[t("button.confirm")]
    assert (confirm.op, confirm.argument) == (Op.GO, f"{COMPLETING_PLACEMENT} pass {actions}")
    assert t(f"action.{'BuildCastle' if actions == 'castle' else 'ScoreTown'}") in confirming.text
    for token in confirm.argument.split():
        position.apply(parse_action(token))
    assert not isinstance(position.step, DecideTown)
    assert bool(castles_of(position)) is (actions == "castle")
    assert position.scores[0] == (0 if actions == "castle" else 4)


def test_a_skipped_question_is_asked_on_the_card() -> None:
    position = completable_town(ANAS_FOLLOWER)
    later = offers(panel(position, f"{COMPLETING_PLACEMENT} pass"))[t("button.leave_open")]
    assert later.argument == f"{COMPLETING_PLACEMENT} pass open"
    confirming = panel(position, later.argument)
    assert "You decide about the town on M13 and M14 after this move." in confirming.text
    confirm = offers(confirming)[t("button.confirm")]
    assert confirm.argument == f"{COMPLETING_PLACEMENT} pass"
    for token in confirm.argument.split():
        position.apply(parse_action(token))
    assert isinstance(position.step, DecideTown)


def test_in_quick_mode_the_answer_is_one_tap_more() -> None:
    position = completable_town(ANAS_FOLLOWER)
    no_follower = offers(panel(position, COMPLETING_PLACEMENT, confirm=False))[t("button.no_follower")]
    assert no_follower.op is Op.PLAN
    asking = offers(panel(position, no_follower.argument, confirm=False))
    assert [(offer.op, offer.argument) for offer in asking.values()] == [
        (Op.GO, f"{COMPLETING_PLACEMENT} pass castle"),
        (Op.GO, f"{COMPLETING_PLACEMENT} pass town"),
        (Op.GO, f"{COMPLETING_PLACEMENT} pass"),
        (Op.PLAN, COMPLETING_PLACEMENT),
    ]


def test_another_players_town_is_not_asked_about() -> None:
    confirming = panel(completable_town(BENS_FOLLOWER), f"{COMPLETING_PLACEMENT} pass")
    assert "Then Ben decides about the town on M13 and M14." in confirming.text
    assert offers(confirming)[t("button.confirm")].argument == f"{COMPLETING_PLACEMENT} pass"


def test_no_question_is_asked_without_a_choice() -> None:
    for position in (completable_town(), completable_town(ANAS_FOLLOWER, castles=(0, 3))):
        assert t("button.confirm") in offers(panel(position, f"{COMPLETING_PLACEMENT} pass"))


@pytest.mark.parametrize(
    "plan",
    [
        f"{COMPLETING_PLACEMENT} pass take:M13.road.W",
        f"{COMPLETING_PLACEMENT} pass castle castle",
        f"{COMPLETING_PLACEMENT} pass town castle",
    ],
)
def test_a_forged_answer_is_refused(plan: str) -> None:
    with pytest.raises(IllegalActionError):
        panel(completable_town(ANAS_FOLLOWER), plan)


def test_the_confirmation_names_completed_features_and_scorers() -> None:
    position = completable_town(BENS_FOLLOWER, castles=(3, 0))
    assert "**Ben +4** for a city" in panel(position, f"{COMPLETING_PLACEMENT} pass").text
    assert "+4" not in panel(position, f"{COMPLETING_PLACEMENT} pass", hints=False).text
    assert "+4" not in panel(position, f"{COMPLETING_PLACEMENT} pass", hints_off=("completion",)).text


def test_a_castle_is_not_listed_as_an_unscored_city() -> None:
    assert "nobody scores" not in panel(completable_town(ANAS_FOLLOWER), f"{COMPLETING_PLACEMENT} pass castle").text


@pytest.mark.parametrize("seed", range(6))
def test_every_castle_question_can_be_answered_in_the_composer(seed: int) -> None:
    """The composer asks every castle decision that follows the player's own move, and every answer is legal."""
    rng, skippable_questions = Random(seed), 0
    for position, _, _ in random_game(3, seed):
        if position.hand is None or rng.random() < 0.5:
            continue  # a sample of the turns is enough
        composer = Composer(presenter_of(position), game_of(position), position, Preferences(confirm=True))
        spots = [offer for offer in composer.panel(Plan()).offers[0] if offer.op is Op.PLAN]
        for spot in rng.sample(spots, min(4, len(spots))):
            for figure in composer.panel(Plan.parse(spot.argument)).offers[1]:
                tile_panel = composer.panel(Plan.parse(figure.argument))
                for offer in offers(tile_panel).values():
                    assert len(offer.argument) <= MAX_ARGUMENT_LENGTH
                    if offer.op is Op.GO:
                        after = position.copy()
                        for token in offer.argument.split():
                            after.apply(parse_action(token))
                        asked_player = isinstance(after.step, DecideTown | ChooseCastleSource) and after.step.player
                        assert asked_player != position.player or asked_player is False
                skippable_questions += t("button.leave_open") in offers(tile_panel)
    assert skippable_questions or seed
