"""What is typed is understood without diacritics, and in English too."""

from collections.abc import Iterator

import pytest

from cogs.commands.settings import SETTINGS, complete_setting
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.panels.new_tables import options_of, preset_choices
from cogs.panels.rule_book_pages import RuleBookPanels
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.texts.rule_book import Topic, rulebook
from cogs.texts.typed import folded, typed_for
from cogs.words.typed_moves import typed_moves
from engine.carcassonne.built_positions import arrange
from tests.sixth import CODE, with_sixth

ALONE = arrange(players=2, tiles=["base/D 0,0 0"], player=0, hand="base/U", pile=["base/V"] * 9)


@pytest.fixture
def _sixth() -> Iterator[None]:
    """Whoever types has all in the sixth language."""
    with with_sixth(), speaking(CODE):
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
def test_marks_of_letters_do_not_matter(text: str, plain: str) -> None:
    assert folded(text) == plain


@pytest.mark.usefixtures("_sixth")
@pytest.mark.parametrize("query", ["no follower", "őw", "road", "řőáď", "roadöö"])
def test_moves_are_found_in_both_languages(query: str) -> None:
    found = typed_moves(presenter_of(ALONE), ALONE, query, 5)
    assert found
    assert all("\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}" in move.words for move in found), "told in one's own"


@pytest.mark.usefixtures("_sixth")
async def test_settings_and_editions_are_found_in_both_languages() -> None:
    own = t("setting.reminders.none")
    for typed in ("reminders never", own, folded(own)):
        assert "reminders none" in [choice.value for choice in await complete_setting(None, typed)]  # type: ignore[arg-type]
    assert [choice.value for choice in preset_choices("carcassonne", "polish")] == ["pl_2010"]
    for words in typed_for(lambda: t("preset.pl_2010")):
        assert options_of("carcassonne", words) == options_of("carcassonne", "pl_2010")
    assert SETTINGS


def test_rules_are_found_by_their_english_names() -> None:
    panels = RuleBookPanels("0", 0, None, rulebook("cs"), PRESENTERS)
    english, czech = (rulebook(language).topics["fields"].title for language in ("en", "cs"))
    shown = str(panels.named(english).to_components())
    assert czech in shown
    assert english not in shown


def test_rules_are_found_without_marks() -> None:
    book = rulebook("cs")
    marked = next(topic for topic in book.topics.values() if not topic.title.isascii())
    assert isinstance(book.find(folded(marked.title)), Topic)
    assert marked in book.search(folded(marked.title), marked.game, 5)
