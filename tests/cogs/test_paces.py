"""Paces in words: the figures are those of the clocks, and bazaars are named only where the table can hold one."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from cogs.commands.lobby import lobby_card
from cogs.commands.table_options import TIME, OptionPanels
from cogs.games.carcassonne.box import BOXES
from cogs.games.presenters import PRESENTERS
from cogs.panels import cards
from cogs.panels.events.announcement import announcement_words
from cogs.texts import t
from cogs.texts.languages import languages, speaking, spoken
from cogs.words.table_options import pace_words
from engine import GAMES, Setup, begin
from engine.carcassonne.expansions import BCB, OFFERED
from host import NO_PACE, PACES, Moment, TableSettings
from host.clocks import DAY, HOUR, MINUTE, SECOND
from tests.cogs.event_views import sign_up_view
from tests.cogs.positions import game_of
from tests.cogs.test_cards import build_card, texts
from tests.cogs.test_choosing_options import OWNER, lobby_of, words
from tournaments.specification import Parameters

THE_CASTLE = "the-castle"
BEGINS = {
    "en": "Everyone starts with",
    "de": "Alle beginnen mit",
    "cs": "Každý začíná s",
    "nl": "Iedereen begint met",
    "pl": "Każdy zaczyna z",
}
NOT_CHARGED = {
    "en": "The first 45 seconds of a castle or bazaar decision are free.",
    "de": "Bei Entscheidungen über eine Burg oder in einem Basar zählen die ersten 45 Sekunden nicht.",
    "cs": "Při rozhodnutí o hradu nebo v bazaru se nepočítá prvních 45 sekund.",
    "nl": "De eerste 45 seconden van een beslissing over een burcht of in een bazaar tellen niet mee.",
    "pl": "Pierwszych 45 sekund decyzji o grodzie albo na bazarze się nie liczy.",
}
BAZAAR = re.compile("ba[sz]a+[rř]", re.IGNORECASE)
"""The stem of the word in all five languages."""
WITHOUT = [(THE_CASTLE, ()), ("carcassonne", ()), ("carcassonne", tuple(name for name in OFFERED if name != BCB))]
"""Games and expansions with which no bazaar is held and no castle built."""


def figures(text: str) -> list[int]:
    """Find the numbers of a text in their order."""
    return [int(found) for found in re.findall(r"\d+", text)]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("pace", PACES.values(), ids=lambda pace: pace.name)
def test_a_pace_is_told_as_its_clocks_run(language: str, pace: Any) -> None:
    whole, part = (MINUTE, SECOND) if pace.live else (DAY, HOUR)
    grace = [pace.grace // HOUR] if pace.grace else []
    told = [pace.bank // whole, pace.increment // part, pace.cap // whole, *grace]
    with speaking(language):
        alone = pace_words(PRESENTERS["carcassonne"], pace.name, ())
        beside = pace_words(PRESENTERS["carcassonne"], pace.name, (BCB,)).removeprefix(alone)
    assert BEGINS[language] in alone
    assert figures(alone) == told
    assert figures(beside) == [pace.allowance // part]
    assert BAZAAR.search(beside)


@pytest.mark.parametrize("language", languages())
def test_the_first_seconds_at_a_live_table_are_told_as_free(language: str) -> None:
    with speaking(language):
        assert pace_words(PRESENTERS["carcassonne"], "live", (BCB,)).endswith(NOT_CHARGED[language])


def setup_with(game: str, expansions: tuple[str, ...]) -> Setup:
    """Set up a game for two."""
    return GAMES[game].new_setup(players=2, seed="1", options=GAMES[game].options(), expansions=expansions)


def clocks_told(game: str, expansions: tuple[str, ...], pace: str) -> list[str]:
    """Read what a table's lobby, rules, first card and event say of its clocks, without what they say of its boxes."""
    settings = TableSettings(pace=pace, language=spoken())
    table = lobby_of(game, expansions=expansions, settings=settings)
    begun = begin(setup_with(game, expansions))
    moment = Moment(replace(game_of(begun), settings=settings), begun, begun, (), ())
    event = sign_up_view("duel-swiss", 8, Parameters(game=game, pace=pace))
    event = replace(event, plan=replace(event.plan, expansions=expansions))
    read = [
        words(lobby_card(table)),
        texts(build_card(moment)),
        announcement_words(event, PRESENTERS),
        words(OptionPanels(PRESENTERS[game], table, OWNER).page(TIME)),
    ]
    mark = t("rules.pace", words=t(f"pace.{pace}"))
    told = [line for text in read[:3] for line in text.splitlines() if line.startswith(mark)]
    assert len(told) == 3
    return [*told, read[3]]


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "card_pictures", lambda *_: [])


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("pace", PACES)
def test_bazaars_are_named_only_at_tables_that_may_hold_one(language: str, pace: str) -> None:
    with speaking(language):
        for game, expansions in WITHOUT:
            assert not [text for text in clocks_told(game, expansions, pace) if BAZAAR.search(text)]
        for text in clocks_told("carcassonne", (BCB,), pace):
            assert t(f"pace_aside.{BCB}.{pace}") in text


def test_every_box_that_asks_beside_a_turn_tells_its_time() -> None:
    asking = {name for name, box in BOXES.items() if any(step.out_of_turn for step in box.questions)}
    assert asking == {BCB}
    assert set(PRESENTERS["carcassonne"].expansions_asking_aside(tuple(BOXES))) == asking


def test_nothing_is_added_where_no_clocks_run() -> None:
    assert pace_words(PRESENTERS["carcassonne"], NO_PACE, (BCB,)) == t(f"pace.{NO_PACE}")
