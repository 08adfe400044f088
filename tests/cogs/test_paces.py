"""The texts about a table's pace (its time control): correct numbers, and no bazaars at tables without bazaars.

A pace has a bank of time, an increment per turn, a cap, and an allowance for castle and bazaar decisions, which are
asked beside a turn. Live paces are counted in minutes and seconds, others in days and hours.
"""

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
from cogs.panels.events.posts import announcement_words
from cogs.texts import t
from cogs.texts.languages import current_language, languages, speaking
from cogs.words.table_options import pace_words
from engine import GAMES, Setup, begin
from engine.carcassonne.expansions import ABBEY_MAYOR, BCB, OFFERED
from host import NO_PACE, PACES, Moment, TableSettings
from host.clocks import DAY, HOUR, MINUTE, SECOND
from tests.cogs.event_views import sign_up_view
from tests.cogs.positions import game_of
from tests.cogs.test_cards import build_card, texts
from tests.cogs.test_choosing_options import OWNER, lobby_of, words
from tournaments.specification import Parameters

THE_CASTLE = "the-castle"
START_PHRASES = {
    "en": "Everyone starts with",
    "de": "Alle beginnen mit",
    "cs": "Každý má na začátku",
    "nl": "Iedereen begint met",
    "pl": "Każdy ma na początku",
}
"""The beginning of the sentence about the bank of time."""
ALLOWANCE_SENTENCES = {
    "en": "The first 45 seconds of a castle or bazaar decision are free.",
    "de": "Bei Entscheidungen über eine Burg oder in einem Basar zählen die ersten 45 Sekunden nicht.",
    "cs": "Při rozhodnutí o hradu nebo v bazaru se nepočítá prvních 45 sekund.",
    "nl": "De eerste 45 seconden van een beslissing over een burcht of in een bazaar tellen niet mee.",
    "pl": "Nie liczy się pierwszych 45 sekund na decyzję o grodzie albo na bazarze.",
}
"""The sentence about the allowance, which only tables with such decisions have."""
BAZAAR_PATTERN = re.compile("ba[sz]a+[rř]", re.IGNORECASE)
"""The stem of the word in all five languages."""
TABLES_WITHOUT_BAZAAR = [
    (THE_CASTLE, ()),
    ("carcassonne", ()),
    ("carcassonne", tuple(name for name in OFFERED if name != BCB)),
]
"""Games and expansions with which no bazaar is held and no castle built."""


def numbers_in(text: str) -> list[int]:
    """Return the numbers in a text, in their order."""
    return [int(number) for number in re.findall(r"\d+", text)]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("pace", PACES.values(), ids=lambda pace: pace.name)
def test_the_text_of_a_pace_has_the_numbers_of_its_clocks(language: str, pace: Any) -> None:
    long_unit, short_unit = (MINUTE, SECOND) if pace.live else (DAY, HOUR)
    grace = [pace.grace // HOUR] if pace.grace else []
    increment = [pace.increment // short_unit, pace.cap // long_unit] if pace.increment else []
    expected = [pace.bank // long_unit, *increment, *grace]
    with speaking(language):
        without_bazaars = pace_words(PRESENTERS["carcassonne"], pace.name, ())
        bazaar_text = pace_words(PRESENTERS["carcassonne"], pace.name, (BCB,)).removeprefix(without_bazaars)
    assert START_PHRASES[language] in without_bazaars
    assert numbers_in(without_bazaars) == expected
    assert ("½" in without_bazaars) == bool(pace.bank % long_unit)
    assert numbers_in(bazaar_text) == [pace.allowance // short_unit]
    assert BAZAAR_PATTERN.search(bazaar_text)


@pytest.mark.parametrize("language", languages())
def test_the_allowance_of_a_live_pace_is_described(language: str) -> None:
    with speaking(language):
        assert pace_words(PRESENTERS["carcassonne"], "live", (BCB,)).endswith(ALLOWANCE_SENTENCES[language])


def setup_of_two(game: str, expansions: tuple[str, ...]) -> Setup:
    """Return the setup of a game for two."""
    return GAMES[game].new_setup(players=2, seed="1", options=GAMES[game].options(), expansions=expansions)


def texts_about_clocks(game: str, expansions: tuple[str, ...], pace: str) -> list[str]:
    """Return what first card, tournament announcement and option page of a table say about its clocks."""
    settings = TableSettings(pace=pace, language=current_language())
    table = lobby_of(game, expansions=expansions, settings=settings)
    position = begin(setup_of_two(game, expansions))
    moment = Moment(replace(game_of(position), settings=settings), position, position, (), ())
    event = sign_up_view("duel-swiss", 8, Parameters(game=game, pace=pace))
    event = replace(event, plan=replace(event.plan, expansions=expansions))
    texts_read = [
        texts(build_card(moment)),
        announcement_words(event, PRESENTERS),
        words(OptionPanels(PRESENTERS[game], table, OWNER).page(TIME)),
    ]
    prefix = t("rules.pace", words=t(f"pace.{pace}"))
    lines = [line for text in texts_read[:2] for line in text.splitlines() if line.startswith(prefix)]
    assert len(lines) == 2
    return [*lines, texts_read[2]]


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no pictures."""
    monkeypatch.setattr(cards, "card_pictures", lambda *_: [])


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("pace", PACES)
def test_bazaars_are_named_only_at_tables_that_may_hold_one(language: str, pace: str) -> None:
    with speaking(language):
        for game, expansions in TABLES_WITHOUT_BAZAAR:
            assert not [text for text in texts_about_clocks(game, expansions, pace) if BAZAAR_PATTERN.search(text)]
        for text in texts_about_clocks("carcassonne", (BCB,), pace):
            assert t(f"pace_aside.{BCB}.{pace}") in text


@pytest.mark.parametrize("pace", [*PACES, NO_PACE])
def test_a_lobby_says_how_often_one_plays_and_leaves_the_clocks_to_its_rules(pace: str) -> None:
    table = lobby_of("carcassonne", settings=TableSettings(pace=pace))
    text = words(lobby_card(table))
    assert t("rules.pace", words=t(f"pace_brief.{pace}")) in text
    assert t(f"pace.{pace}") not in text


def test_every_box_with_decisions_beside_a_turn_describes_its_allowance() -> None:
    boxes_with_decisions = {name for name, box in BOXES.items() if any(step.out_of_turn for step in box.questions)}
    assert boxes_with_decisions == {BCB, ABBEY_MAYOR}
    assert set(PRESENTERS["carcassonne"].expansions_asking_aside(tuple(BOXES))) == boxes_with_decisions


def test_nothing_is_added_without_clocks() -> None:
    assert pace_words(PRESENTERS["carcassonne"], NO_PACE, (BCB,)) == t(f"pace.{NO_PACE}")
