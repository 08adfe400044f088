"""Castle questions of the moving player are asked in the composer, before the move is confirmed."""

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
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseCastleSource, DecideTown, castles_of
from host import Preferences, TableSettings
from tests.cogs.positions import game_of, random_game
from tests.scenarios.vocabulary_castles import SOUTH_CAP

CLOSING = "M14/0"
"""The placement of the other half of the town."""


def closing(*followers: str, hand: str = "base/E", castles: tuple[int, int] = (3, 3)) -> Position:
    """Return a position in which Ana can complete a town."""
    position = arrange(players=2, tiles=[SOUTH_CAP], followers=followers, hand=hand, pile=["base/V"] * 5)
    position.supply["castle"][:] = castles
    return position


def panel(position: Position, plan: str, *, confirm: bool = True, **settings: Any) -> TilePanel:
    """Return the composer's panel of a plan."""
    game = replace(game_of(position), settings=TableSettings(**settings))
    return Composer(presenter_of(position), game, position, Preferences(confirm=confirm)).panel(Plan.parse(plan))


def offers(shown: TilePanel) -> dict[str, ButtonSpec]:
    """Return the buttons by their labels."""
    return {offer.label: offer for group in shown.offers for offer in group}


OWN = "0 0,0 city.S"
THEIRS = "1 0,0 city.S"


def test_the_owner_of_a_completed_town_is_asked_before_confirming() -> None:
    position = closing(OWN)
    asked = panel(position, f"{CLOSING} pass")
    assert "You close the town on M13 and M14: 4 points now, or a castle?" in asked.text
    assert list(offers(asked)) == ["Build a Castle", "Score 4 Points", "Decide Later", "Change"]
    assert {offer.op for offer in offers(asked).values()} == {Op.PLAN}


@pytest.mark.parametrize(("label", "actions"), [("Build a Castle", "castle"), ("Score 4 Points", "town")])
def test_the_answer_is_part_of_the_move(label: str, actions: str) -> None:
    position = closing(OWN)
    chosen = offers(panel(position, f"{CLOSING} pass"))[label]
    confirming = panel(position, chosen.argument)
    confirm = offers(confirming)[t("button.confirm")]
    assert (confirm.op, confirm.argument) == (Op.GO, f"{CLOSING} pass {actions}")
    assert t(f"action.{'BuildCastle' if actions == 'castle' else 'ScoreTown'}") in confirming.text
    for token in confirm.argument.split():
        position.apply(parse_action(token))
    assert not isinstance(position.step, DecideTown)
    assert bool(castles_of(position)) is (actions == "castle")
    assert position.scores[0] == (0 if actions == "castle" else 4)


def test_a_skipped_question_is_asked_on_the_card() -> None:
    position = closing(OWN)
    later = offers(panel(position, f"{CLOSING} pass"))[t("button.leave_open")]
    assert later.argument == f"{CLOSING} pass open"
    confirming = panel(position, later.argument)
    assert "You decide about the town on M13 and M14 when the move is made." in confirming.text
    confirm = offers(confirming)[t("button.confirm")]
    assert confirm.argument == f"{CLOSING} pass"
    for token in confirm.argument.split():
        position.apply(parse_action(token))
    assert isinstance(position.step, DecideTown)


def test_in_quick_mode_the_answer_is_one_tap_more() -> None:
    position = closing(OWN)
    nobody = offers(panel(position, CLOSING, confirm=False))[t("button.no_follower")]
    assert nobody.op is Op.PLAN
    asked = offers(panel(position, nobody.argument, confirm=False))
    assert [(offer.op, offer.argument) for offer in asked.values()] == [
        (Op.GO, f"{CLOSING} pass castle"),
        (Op.GO, f"{CLOSING} pass town"),
        (Op.GO, f"{CLOSING} pass"),
        (Op.PLAN, CLOSING),
    ]


def test_another_players_town_is_not_asked_about() -> None:
    confirming = panel(closing(THEIRS), f"{CLOSING} pass")
    assert "Then Ben decides about the town on M13 and M14." in confirming.text
    assert offers(confirming)[t("button.confirm")].argument == f"{CLOSING} pass"


def test_no_question_is_asked_without_a_choice() -> None:
    for position in (closing(), closing(OWN, castles=(0, 3))):
        assert t("button.confirm") in offers(panel(position, f"{CLOSING} pass"))


@pytest.mark.parametrize(
    "plan", [f"{CLOSING} pass take:M13.road.W", f"{CLOSING} pass castle castle", f"{CLOSING} pass town castle"]
)
def test_a_forged_answer_is_refused(plan: str) -> None:
    with pytest.raises(IllegalActionError):
        panel(closing(OWN), plan)


def test_the_confirmation_names_completed_features_and_scorers() -> None:
    position = closing(THEIRS, castles=(3, 0))
    assert "**Ben +4** for a city" in panel(position, f"{CLOSING} pass").text
    assert "+4" not in panel(position, f"{CLOSING} pass", hints=False).text
    assert "+4" not in panel(position, f"{CLOSING} pass", hints_off=("completion",)).text


def test_a_castle_is_not_listed_as_an_unscored_city() -> None:
    assert "nobody scores" not in panel(closing(OWN), f"{CLOSING} pass castle").text


@pytest.mark.parametrize("seed", range(6))
def test_every_castle_question_can_be_answered_in_the_composer(seed: int) -> None:
    """The composer asks every castle decision that follows the player's own move, and every answer is legal."""
    random, asked = Random(seed), 0
    for position, _, _ in random_game(3, seed):
        if position.hand is None or random.random() < 0.5:
            continue
        laying = Composer(presenter_of(position), game_of(position), position, Preferences(confirm=True))
        spots = [offer for offer in laying.panel(Plan()).offers[0] if offer.op is Op.PLAN]
        for spot in random.sample(spots, min(4, len(spots))):
            for figure in laying.panel(Plan.parse(spot.argument)).offers[1]:
                shown = laying.panel(Plan.parse(figure.argument))
                for offer in offers(shown).values():
                    assert len(offer.argument) <= MAX_ARGUMENT_LENGTH
                    if offer.op is Op.GO:
                        after = position.copy()
                        for token in offer.argument.split():
                            after.apply(parse_action(token))
                        own = isinstance(after.step, DecideTown | ChooseCastleSource) and after.step.player
                        assert own != position.player or own is False
                asked += t("button.leave_open") in offers(shown)
    assert asked or seed
