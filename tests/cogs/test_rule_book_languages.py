"""The rule book in every language: the same rules, numbers and options as in English, and no text too long.

Numbers are compared whether written in digits or in words; ``NUMBER_WORDS`` lists the words of each language.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from cogs.games.presenters import PRESENTERS
from cogs.panels.rule_book_pages import RuleBookPanels
from cogs.texts import LANGUAGE, rule_book
from cogs.texts.rule_book import Rule, Rulebook, RuleBookEntry, Topic, read_files, rulebook
from engine.carcassonne import Options, Position, new_setup
from tests.cogs.positions import LONG_NAMES, game_of
from tests.discord_limits.components import Kind, component_problems, walk

LANGUAGES = ("cs", "de", "nl", "pl")
"""The translations."""
MAX_TEXT_LENGTH = 660
"""Maximal length of a text: a tenth more than in English."""
MAX_TITLE_LENGTH, MAX_BUTTON_LENGTH, MAX_INTRO_LENGTH = 60, 34, 100
"""Limits in characters, so that titles and buttons fit on a phone."""
NUMBER_WORDS = {
    "cs": "dva,dvě,dvou,dvěma tři,tří,třech,třem,třemi,třikrát čtyři,čtyř,čtyřech,čtyřem,čtyřmi,čtyřikrát pět,pěti "
    "šest,šesti sedm,sedmi osm,osmi devět,devíti deset,deseti jedenáct,jedenácti dvanáct,dvanácti|padesát|šedesát",
    "en": "two three four five six seven eight nine ten eleven twelve|fifty|sixty",
    "de": "zwei,zweien drei,dreimal vier,viermal fünf sechs sieben acht neun zehn elf zwölf|fünfzig|sechzig",
    "nl": "twee drie,driemaal vier,viermaal vijf zes zeven acht negen tien elf twaalf|vijftig|zestig",
    "pl": "dwa,dwie,dwóch,dwu,dwoma,dwiema,dwaj trzy,trzech,trzem,trzema cztery,czterech,czterem,czterema pięć,pięciu "
    "sześć,sześciu,sześcioma siedem,siedmiu osiem,ośmiu dziewięć,dziewięciu dziesięć,dziesięciu "
    "jedenaście,jedenastu dwanaście,dwunastu|pięćdziesiąt|sześćdziesiąt",
}
"""Words for 2 to 12, 50 and 60; forms of one number are separated by commas."""
WORDS_FOR_TWO = {
    "cs": "oba obě obou oběma",
    "de": "beide beiden beides zweit",
    "en": "both",
    "nl": "allebei beide weerszijden",
    "pl": "oba obie obu obaj oboma",
}
"""Words that mean two without counting: a language may use them in place of a number."""
ENGLISH = rulebook()
IDS = (*ENGLISH.topics, *ENGLISH.rules)
"""Ids of all topics and rules."""
GROUPS = {"topics": [*ENGLISH.topics], **{id_[:2]: [] for id_ in ENGLISH.rules}}
"""Groups of entries per test: a test per rule and language would take longer to set up than to run."""
for id_ in ENGLISH.rules:
    GROUPS[id_[:2]].append(id_)


def entry_of(book: Rulebook, name: str) -> RuleBookEntry:
    """Return a rule or topic by its id."""
    return book.rules.get(name) or book.topics[name]


def texts_of_entry(entry: RuleBookEntry) -> list[str]:
    """Return all texts of an entry, including those of option values."""
    text = entry.text if isinstance(entry, Rule) else entry.intro
    return [entry.title, text, *(words for _, words in entry.ties.meanings)]


def numbers_in(language: str, text: str) -> tuple[set[int], set[int]]:
    """Return the numbers of a text, and the same with words that may be numbers (such as "one")."""
    two_to_twelve, fifty, sixty = NUMBER_WORDS[language].split("|")
    values = {**dict(zip(range(2, 13), two_to_twelve.split(), strict=True)), 50: fifty, 60: sixty}
    words = {form: value for value, forms in values.items() for form in forms.split(",")}
    numbers = {int(token) for token in re.findall(r"\d+", text)}
    numbers |= {words[token] for token in re.findall(r"[^\W\d_]+", text.casefold()) if token in words}
    optional_two = {2} if set(WORDS_FOR_TWO[language].split()) & set(re.findall(r"\w+", text.casefold())) else set()
    return numbers, numbers | optional_two


def translated(language: str, group: str) -> list[str]:
    """Return the entries of a group that are not read in English; ``check --release`` lists the others."""
    return [name for name in GROUPS[group] if name not in rulebook(language).untranslated]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_entries_are_known(language: str) -> None:
    assert read_files(language).unknown == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_structure_equals_the_english_one(language: str) -> None:
    book = rulebook(language)
    assert list(book.rules) == list(ENGLISH.rules)
    assert list(book.topics) == list(ENGLISH.topics)
    assert book.short == ENGLISH.short
    assert book.documents.keys() == ENGLISH.documents.keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", GROUPS)
def test_the_ties_to_options_equal_the_english_ones(language: str, group: str) -> None:
    for name in GROUPS[group]:
        own, english = entry_of(rulebook(language), name), entry_of(ENGLISH, name)
        for field in ("box", "needed", "elsewhere", "only", "expects", "options", "tells"):
            assert getattr(own.ties, field) == getattr(english.ties, field)
        assert [value for value, _ in own.ties.meanings] == [value for value, _ in english.ties.meanings]
        if isinstance(own, Rule) and isinstance(english, Rule):
            assert (own.sources, own.related, own.topics) == (english.sources, english.related, english.topics)
            assert bool(own.needs) == bool(english.needs)
            assert bool(own.certainty) == bool(english.certainty)
            assert len(own.editions) == len(english.editions)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", GROUPS)
def test_the_numbers_and_rule_ids_equal_the_english_ones(language: str, group: str) -> None:
    for name in translated(language, group):
        own, english = texts_of_entry(entry_of(rulebook(language), name)), texts_of_entry(entry_of(ENGLISH, name))
        for own_texts, english_texts in [
            (own[:2], english[:2]),
            *(([a], [b]) for a, b in zip(own[2:], english[2:], strict=True)),
        ]:
            (written, possible), (english_written, allowed) = (
                numbers_in(language, " ".join(own_texts)),
                numbers_in(LANGUAGE, " ".join(english_texts)),
            )
            assert english_written <= possible
            assert written <= allowed
            assert sorted(untranslatable_parts(own_texts)) == sorted(untranslatable_parts(english_texts))


def untranslatable_parts(texts: list[str]) -> Iterator[str]:
    """Yield rule ids, commands, and the labels of tiles and bids."""
    for text in texts:
        yield from re.findall(r"`[^`]*`|\b[A-Z]{2}-\d\d\b|\bT\d\b", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", GROUPS)
def test_all_translated_texts_are_short_enough(language: str, group: str) -> None:
    for name in translated(language, group):
        entry = entry_of(rulebook(language), name)
        title, text, *here = texts_of_entry(entry)
        assert 3 <= len(title) <= (MAX_BUTTON_LENGTH if isinstance(entry, Topic) else MAX_TITLE_LENGTH)
        assert len(text) <= (MAX_INTRO_LENGTH if isinstance(entry, Topic) else MAX_TEXT_LENGTH)
        assert not title.endswith(".")
        assert text.endswith((".", "?", "!"))
        assert not [words for words in here if words.endswith(".")], "the list is followed by a sentence"
        for words in (title, text, *here):
            assert words == words.strip()
            assert not re.search(r'\s\s|\n|[{}"]|\.\.\.|…', words)
        assert text != texts_of_entry(entry_of(ENGLISH, name))[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_find_their_entries(language: str) -> None:
    book = rulebook(language)
    for game in PRESENTERS:
        titles = [topic.title for topic in book.topics_of(game)]
        assert len(set(titles)) == len(titles)
    for name in IDS:
        found = book.find(entry_of(book, name).label)
        assert found is not None
        assert found.label == entry_of(book, name).label


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_panel_keeps_the_limits(language: str) -> None:
    setup = new_setup(players=2, seed="1", options=Options(bridge_timing="any_time", small_city_points=2))
    table = game_of(Position(setup), LONG_NAMES)
    panels = RuleBookPanels(table.code, table.revision, setup, rulebook(language), PRESENTERS)
    for name in IDS:
        page: str | None = name
        while page is not None:
            view: Any = panels.pressed(page)
            payload = view.to_components()
            assert not list(component_problems(payload, v2=True))
            labels = [part["label"] for _, part in walk(payload) if part["type"] == Kind.BUTTON]
            assert all(len(label) <= MAX_BUTTON_LENGTH for label in labels)
            number = int(page.partition(" ")[2] or 0)
            page = f"{name} {number + 1}" if name in ENGLISH.topics and has_next_page(payload, name, number) else None


def has_next_page(payload: Any, name: str, number: int) -> bool:
    """Return whether a button leads to the next page of a topic."""
    return any(f"{name} {number + 1}" in part.get("custom_id", "") for _, part in walk(payload))


@pytest.mark.parametrize(
    ("language", "typed", "topic"),
    [
        ("cs", "okoli", "fief"),
        ("cs", "HRADY: okolí hradu", "fief"),
        ("cs", "fief", "fief"),
        ("de", "staedte", None),
        ("de", "stadte", "cities"),
        ("nl", "leengoed", "fief"),
        ("pl", "laki i chlopi", "fields"),
    ],
)
def test_topics_can_be_typed_in_english_or_without_diacritics(language: str, typed: str, topic: str | None) -> None:
    book = rulebook(language)
    found = book.find(typed) or book.sole_topic(typed, "carcassonne")
    assert found is (book.topics[topic] if topic else None)
    if topic:
        assert found in book.search(typed, "carcassonne", 25)
        assert found in book.closest(typed, "carcassonne", 25)


def test_missing_entries_fall_back_to_english_and_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    original_files, before = rule_book._files, Rulebook("de").missing

    def incomplete_files(language: str) -> Iterator[tuple[str, Any]]:
        """Yield the original files; in translations one rule lacks its title and another is unknown."""
        for name, table in original_files(language):
            if language != LANGUAGE and name == "bridges":
                yield name, {**table, "BR-01": {"text": "Nur das."}, "BR-99": {"text": "Nichts."}}
            else:
                yield name, table

    monkeypatch.setattr(rule_book, "_files", incomplete_files)
    book = Rulebook("de")
    assert book.rules["BR-01"].title == ENGLISH.rules["BR-01"].title
    assert book.rules["BR-01"].text == "Nur das."
    assert {*book.missing} == {*before, "bridges.BR-01.title"}
    assert "BR-01" in book.untranslated
    assert read_files("de").unknown == (("bridges", "BR-99", "text"),)
    assert "BR-99" not in book.rules


def test_a_file_of_rules_may_contain_its_topic_source_and_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box may have one file instead of entries in the three shared ones, in a translation as well."""
    original_files = rule_book._files
    rule = {"title": "A Barn", "text": "It stands.", "sources": "barns", "needs": "Barns"}
    topic = {"game": "carcassonne", "title": "Barns", "intro": "All about them.", "rules": "XX-01"}
    box_files: dict[str, Any] = {
        "en": {
            "XX-01": rule,
            "topics": {"barns": topic},
            "sources": {"barns": "Barns, as played"},
            "ties": {"boxes": {"XX": "barns"}, "short": {"barns": {"expects": "farmers=True"}, "hay": {}}},
        },
        "de": {
            "XX-01": {"title": "Eine Scheune", "text": "Sie steht."},
            "topics": {"barns": {"title": "Scheunen", "intro": "Alles dazu."}},
            "sources": {"barns": "Scheunen, wie gespielt"},
            "needs": {"Barns": "Scheunen"},
        },
    }
    monkeypatch.setattr(rule_book, "_files", lambda code: (*original_files(code), ("barns", deepcopy(box_files[code]))))
    english = Rulebook("en")
    monkeypatch.setattr(rule_book, "_read", lambda _: english)
    german = Rulebook("de")
    expected = {"Barns": (english, "Barns, as played"), "Scheunen": (german, "Scheunen, wie gespielt")}
    for title, (book, document) in expected.items():
        assert list(book.topics)[-1] >= "barns", "after all others, those of boxes in the order of their names"
        assert (book.topics["barns"].title, book.topics["barns"].rules) == (title, ("XX-01",))
        assert book.documents["barns"] == document
        assert (book.rules["XX-01"].ties.box, book.rules["XX-01"].topics) == ("barns", ("barns",))
        assert book.short["barns"].names == ("farmers",)
        assert book.short["hay"].names == ()
    assert german.rules["XX-01"].needs == "Scheunen"
    assert not [place for place in german.missing if "barns" in place or "XX-01" in place]


def test_english_is_complete() -> None:
    assert ENGLISH.missing == []
