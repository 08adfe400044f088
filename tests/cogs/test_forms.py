"""Inflected forms (cases, genders): no language lacks a form that a sentence of a whole game needs.

A random game of each kind is described in each language; the catalogue counts the forms that it lacks.
"""

from random import Random

import pytest

from cogs.games.presenters import presenter_of
from cogs.texts import LANGUAGE, catalogue, t
from cogs.texts.languages import languages, speaking
from cogs.words.story import Storyteller
from engine import GAMES, begin
from engine.selfplay import random_action
from tests.e2e.table import NAMES

LANGUAGES = [code for code in languages() if code != LANGUAGE]
"""Languages other than English."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_no_form_is_missing_in_a_whole_game(code: str, name: str) -> None:
    game, rng = GAMES[name], Random(2)
    players = game.players[-1]
    setup = game.new_setup(players=players, seed="7", options=game.options(), expansions=game.expansions)
    position = begin(setup)
    presenter = presenter_of(position)
    with speaking(code):
        storyteller = Storyteller(presenter.sentence, NAMES[:players])
        while not position.is_over:
            action = random_action(position, rng)
            assert presenter.action_words(position, action)
            assert presenter.headline(NAMES, position, "Ana")
            assert all(list(storyteller.sentences(position.apply(action))))
    assert catalogue(code).unsaid == {}


def test_german_sentences_use_the_right_forms() -> None:
    with speaking("de"):
        kind = t("story.at", kind=t("feature.path"), cell="M12")
        assert t("story.scored", player="Ana", count=3, kind=kind, reason="") == "**Ana +3** für einen Weg auf M12."
        place = t("segment.there", kind=t("feature.road"), where="N")
        sentence = t("story.deployed_role", player="Ana", role=t("figure.follower"), segment=place)
        assert sentence == "Ana setzt einen Gefolgsmann ein: Straße N."
