"""Texts in pictures are translated and not truncated, even in a language with long words.

The pseudo-language puts every text into brackets and makes it longer; a text without brackets is untranslated.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cogs.games.presenters import presenter_of
from cogs.panels.cards import card_pictures, final_pictures, tiles_pictures
from cogs.texts.languages import speaking
from engine import GAMES, begin
from engine.selfplay import random_action
from host import Moment
from renderers import DAY, lettering
from tests.cogs.positions import game_of
from tests.e2e.table import NAMES
from tests.e2e.test_sixth_language import untranslated_part
from tests.pseudo_language import OPENING_BRACKET, PSEUDO_CODE, install_pseudo_language


@pytest.fixture
def drawn_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record all texts that are drawn into pictures, in order."""
    texts: list[str] = []
    original = lettering.placed_text

    def recording_placed_text(text: str, *place: Any, **anchor: Any) -> tuple[int, int]:
        """Record a text and draw it."""
        texts.append(text)
        return original(text, *place, **anchor)

    monkeypatch.setattr(lettering, "placed_text", recording_placed_text)
    return texts


def moments_of_game(name: str) -> Iterator[Moment]:
    """Yield moments of a game with all expansions: some moves, then the whole game."""
    game = GAMES[name]
    setup = game.new_setup(players=game.players[-1], seed="sixth", options=game.options(), expansions=game.expansions)
    position, events, rng = begin(setup), [], Random(6)
    while not position.is_over:
        before = position.copy()
        action_events = position.apply(random_action(position, rng))
        events += action_events
        if position.ply % 40 == 1 and not position.is_over:
            yield Moment(game_of(position, NAMES), before, position.copy(), (), action_events)
    yield Moment(game_of(position, NAMES), begin(setup), position, (), tuple(events))


@pytest.mark.parametrize("name", GAMES)
def test_texts_in_pictures_are_translated_and_complete(name: str, drawn_texts: list[str]) -> None:
    with install_pseudo_language(), speaking(PSEUDO_CODE):
        *moments, finished = moments_of_game(name)
        presenter = presenter_of(finished.after)
        for moment in moments:
            card_pictures(presenter, moment)
        first = moments[0].after
        tiles_pictures(presenter, first, {}, "", DAY)
        final_pictures(presenter, finished, presenter.points(finished.events, finished.after.players))
    assert sum(OPENING_BRACKET in text for text in drawn_texts) > 5
    assert not [text for text in drawn_texts if "…" in text]
    assert untranslated_part(" ".join(drawn_texts)) == "", "wrapped lines are joined before the check"
