"""Typed words are understood without diacritics, and in English as well as in the user's language.

The user's language is the pseudo-language, whose texts are in brackets and have accents on their letters.
"""

from collections.abc import Iterator

import pytest

from cogs.commands.autocomplete import options_of, preset_choices
from cogs.commands.board import suggestions
from cogs.commands.settings import SETTINGS, complete_setting
from cogs.commands.table import _typed_player
from cogs.commands.tourneys.managing import complete_plan_setting
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.panels.rule_book_pages import RuleBookPanels
from cogs.texts import t
from cogs.texts.languages import folded, folded_versions, speaking
from cogs.texts.rule_book import Topic, rulebook
from cogs.words.refusals import RefusedError
from cogs.words.typed_moves import typed_moves
from gallery.built_positions import arrange
from tests.cogs.positions import game_of
from tests.cogs.test_telling import table_of
from tests.pseudo_language import OPENING_BRACKET, PSEUDO_CODE, install_pseudo_language

POSITION = arrange(players=2, tiles=["base/D 0,0 0"], player=0, hand="base/U", pile=["base/V"] * 9)
"""A position after the start tile, with a tile in hand."""


@pytest.fixture
def _pseudo_language() -> Iterator[None]:
    """Set the pseudo-language as the user's."""
    with install_pseudo_language(), speaking(PSEUDO_CODE):
        yield


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Žluťoučký kůň", "zlutoucky kun"),
        ("Łąka ŁĄKI", "laka laki"),
        ("Straße", "strasse"),
        ("M12 90 Road", "m12 90 road"),
    ],
)
def test_diacritics_are_removed(text: str, plain: str) -> None:
    assert folded(text) == plain


@pytest.mark.usefixtures("_pseudo_language")
@pytest.mark.parametrize("query", ["no follower", "őw", "road", "řőáď", "roadöö"])
def test_moves_are_found_in_both_languages(query: str) -> None:
    suggestions = typed_moves(presenter_of(POSITION), POSITION, query, 5)
    assert suggestions
    assert all("\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}" in move.words for move in suggestions), (
        "suggestions are in the user's language"
    )


@pytest.mark.usefixtures("_pseudo_language")
async def test_settings_and_editions_are_found_in_both_languages() -> None:
    own_text = t("setting.reminders.none")
    for typed in ("reminders never", own_text, folded(own_text)):
        assert "reminders none" in [choice.value for choice in await complete_setting(None, typed)]  # type: ignore[arg-type]
    assert [choice.value for choice in preset_choices("carcassonne", "polish")] == ["pl_2010"]
    for words in folded_versions(lambda: t("preset.pl_2010")):
        assert options_of("carcassonne", words) == options_of("carcassonne", "pl_2010")
    assert SETTINGS


@pytest.mark.usefixtures("_pseudo_language")
async def test_parts_of_a_description_and_settings_of_events_are_found_in_both_languages() -> None:
    table = table_of("carcassonne", 3)
    for typed in ("supplies", t("tell.part.supplies"), folded(t("tell.part.supplies"))):
        assert [part for _, part in suggestions(presenter_of(table.position), table, 100, typed)] == ["supplies"]
    for typed in ("language", folded(t("event.choosing.language"))):
        choices = await complete_plan_setting(None, typed)  # type: ignore[arg-type]
        assert "language" in [choice.value for choice in choices]
        assert all(OPENING_BRACKET in choice.name for choice in choices)


def test_a_player_is_found_without_diacritics() -> None:
    game = game_of(POSITION, ("Žaneta", "Łukasz"))
    assert [_typed_player(game, typed) for typed in ("zaneta", "@Žaneta", "LUKASZ")] == [100, 100, 101]
    with pytest.raises(RefusedError):
        _typed_player(game, "Ana")


@pytest.mark.parametrize(("language", "typed"), [("en", "Never "), ("cs", "nikdy"), ("de", "NIE"), ("pl", "never")])
def test_never_can_be_typed_in_the_users_language_or_in_english(language: str, typed: str) -> None:
    with speaking(language):
        assert t("setting.no_hours") in t("command.time.date")
        assert folded(typed.strip()) in folded_versions(lambda: t("setting.no_hours"))


def test_rules_are_found_by_their_english_names() -> None:
    panels = RuleBookPanels("0", 0, None, rulebook("cs"), PRESENTERS)
    english, czech = (rulebook(language).topics["fields"].title for language in ("en", "cs"))
    panel_text = str(panels.named(english).to_components())
    assert czech in panel_text
    assert english not in panel_text


def test_rules_are_found_without_diacritics() -> None:
    book = rulebook("cs")
    accented_topic = next(topic for topic in book.topics.values() if not topic.title.isascii())
    assert isinstance(book.find(folded(accented_topic.title)), Topic)
    assert accented_topic in book.search(folded(accented_topic.title), accented_topic.game, 5)
