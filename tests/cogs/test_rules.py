"""The English rule book: completeness, sources, topics, and search.

Rules have ids such as BR-09, the ninth rule of the group "bridges"; each cites its source documents and footnotes.
"""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.texts.rule_book import LONGEST_QUERY, Rulebook, RuleBookEntry, Topic, rulebook
from engine import GAMES

SCENARIOS = Path(__file__).parents[1] / "scenarios"
"""The tests of the rules, whose names contain the ids of rules."""
RULE_COUNTS = {
    "SU": 13,
    "BR": 38,
    "CA": 69,
    "BZ": 48,
    "HV": 7,
    "ED": 28,
    "IX": 45,
    "TC": 91,
    "BA": 39,
    "TB": 13,
    "IC": 9,
    "RI": 8,
}
"""Number of rules in these groups, so that none gets lost; expansions may add more groups."""
INSERTED_RULES = {"CA-28a"}
"""Rules that were inserted between two numbers."""
FOOTNOTE_COUNTS = {
    "first": 43,
    "czech": 43,
    "polish": 0,
    "second": 21,
    "castle": 15,
    "base": 0,
    "traders": 0,
    "inns": 0,
    "river": 0,
    "reading": 0,
}
"""Number of footnotes of these documents; others have none."""
RULES_OF_THE_CASTLE = {"HV-06", "ED-26"}
"""Rules of The Castle in groups of Carcassonne."""
CARCASSONNE, THE_CASTLE = "carcassonne", "the-castle"
MAX_RULE_LENGTH = 600
"""Characters of a rule at most."""

BOOK = rulebook()
ENTRIES: tuple[RuleBookEntry, ...] = (*BOOK.topics.values(), *BOOK.rules.values())
"""All topics and rules."""


def ids_of_group(group: str, count: int) -> set[str]:
    """Return the ids of a group."""
    inserted = {rule_id for rule_id in INSERTED_RULES if rule_id.startswith(group)}
    return {f"{group}-{number:02}" for number in range(1, count - len(inserted) + 1)} | inserted


@pytest.mark.parametrize("group", RULE_COUNTS)
def test_every_number_of_a_group_exists(group: str) -> None:
    assert {rule_id for rule_id in BOOK.rules if rule_id.startswith(group)} == ids_of_group(group, RULE_COUNTS[group])


def test_rules_of_other_groups_are_numbered_without_a_gap() -> None:
    others = Counter(
        rule_id.partition("-")[0] for rule_id in BOOK.rules if rule_id.partition("-")[0] not in RULE_COUNTS
    )
    rule_ids = {rule_id for rule_id in BOOK.rules if rule_id.partition("-")[0] in others}
    assert rule_ids == {rule_id for group, count in others.items() for rule_id in ids_of_group(group, count)}


def test_every_rule_with_a_scenario_can_be_read() -> None:
    names = [
        match
        for path in SCENARIOS.rglob("test_*.py")
        for match in re.findall(r"def test_([A-Z]{2})_(\d\d)([a-z]?)_", path.read_text(encoding="utf-8"))
    ]
    tested = {f"{group}-{number}{letter}" for group, number, letter in names}
    assert len(tested) > 150
    assert not [rule_id for rule_id in sorted(tested) if rule_id not in BOOK.rules]


def test_every_rule_is_complete() -> None:
    for rule in BOOK.rules.values():
        assert 3 <= len(rule.title) <= 60
        assert not rule.title.endswith(".")
        assert 20 <= len(rule.text) <= MAX_RULE_LENGTH
        assert rule.text == rule.text.strip()
        assert rule.text.endswith((".", "?", "!"))
        assert "\n" not in rule.text
        assert "  " not in rule.text
        assert rule.sources
        assert rule.id not in rule.related
        assert len(set(rule.related)) == len(rule.related)
        assert not [other for other in rule.related if other not in BOOK.rules]


def test_the_sources_of_every_rule_exist() -> None:
    for rule in BOOK.rules.values():
        for source in rule.sources:
            assert source.document in BOOK.documents
            assert all(1 <= number <= FOOTNOTE_COUNTS.get(source.document, 0) for number in source.footnotes)
        assert len({source.document for source in rule.sources}) == len(rule.sources)


def test_every_document_with_footnotes_exists() -> None:
    assert FOOTNOTE_COUNTS.keys() <= BOOK.documents.keys()


def test_every_game_has_its_rules() -> None:
    assert {rule.game for rule in BOOK.rules.values()} == GAMES.keys() == {topic.game for topic in BOOK.topics.values()}


def test_the_rules_of_a_game_come_from_its_documents() -> None:
    for rule in BOOK.rules.values():
        documents = {source.document for source in rule.sources}
        assert documents <= {"castle", "reading"} if rule.game == THE_CASTLE else "castle" not in documents


def test_every_named_option_belongs_to_the_game() -> None:
    options_named = {(rule.game, name) for rule in BOOK.rules.values() for name in rule.options}
    assert not [(game, name) for game, name in options_named if name not in GAMES[game].options.values()]


def test_every_rule_of_an_option_exists() -> None:
    rules_of_options = {
        (rule_id, name)
        for name, game in GAMES.items()
        for entry in game.options.__dataclass_fields__.values()
        for rule_id in entry.metadata["rules"]
    }
    assert not [(rule_id, game) for rule_id, game in rules_of_options if BOOK.rules[rule_id].game != game]


# -- topics --------------------------------------------------------------------------------------------------------


def test_every_rule_has_a_topic_of_its_own_game() -> None:
    for rule in BOOK.rules.values():
        games_of_topics = {BOOK.topics[topic_id].game for topic_id in rule.topics}
        is_of_the_castle = rule.id.startswith("TC") or rule.id in RULES_OF_THE_CASTLE
        assert games_of_topics == {rule.game} == {THE_CASTLE if is_of_the_castle else CARCASSONNE}


@pytest.mark.parametrize("topic", BOOK.topics.values(), ids=lambda topic: topic.id)
def test_a_topic_is_complete(topic: Topic) -> None:
    assert topic.rules
    assert len(set(topic.rules)) == len(topic.rules)
    assert not [rule_id for rule_id in topic.rules if rule_id not in BOOK.rules]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", topic.id)
    assert 3 <= len(topic.title) <= 34, "it is the label of a button"
    assert 3 <= len(topic.intro) <= 100, "it is the description of a menu option"


@pytest.mark.parametrize("game", [CARCASSONNE, THE_CASTLE])
def test_the_topics_of_a_game_have_distinct_titles(game: str) -> None:
    topics = BOOK.topics_of(game)
    assert len(topics) >= 5
    assert len({topic.title for topic in topics}) == len(topics)


def test_no_topic_has_the_name_of_a_rule_or_a_game() -> None:
    assert not [topic_id for topic_id in BOOK.topics if topic_id in GAMES or topic_id in BOOK.rules]
    assert not [topic_id for topic_id in BOOK.topics if BOOK.find(topic_id) is not BOOK.topics[topic_id]]


# -- finding -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["BR-09", "br9", " Br 09 ", "BR_9", "br-9", "BR09"])
def test_a_rule_is_found_by_any_spelling_of_its_id(text: str) -> None:
    assert BOOK.find(text) is BOOK.rules["BR-09"]


def test_every_entry_is_found_by_its_id_and_by_its_label() -> None:
    for entry in ENTRIES:
        assert BOOK.find(entry.id) is entry
        assert BOOK.find(entry.id.lower()) is entry
        by_label = BOOK.find(entry.label)
        assert by_label is not None
        assert by_label.label == entry.label


@pytest.mark.parametrize("text", ["", " ", "br", "br-00", "br-99", "zz-01", "BR-09 and more", "no such thing", "2²"])
def test_an_unknown_text_finds_nothing(text: str) -> None:
    assert BOOK.find(text) is None


@pytest.mark.parametrize(
    ("text", "game", "title"), [("keep", THE_CASTLE, "The Keep"), ("fief?", CARCASSONNE, "Castles: The Fief")]
)
def test_words_of_a_single_title_find_that_topic(text: str, game: str, title: str) -> None:
    topic = BOOK.sole_topic(text, game)
    assert topic is not None
    assert topic.title == title


@pytest.mark.parametrize("text", ["", "bridges", "keep", "no such thing"])
def test_ambiguous_words_find_nothing(text: str) -> None:
    assert BOOK.sole_topic(text, CARCASSONNE) is None


def test_without_a_text_the_topics_of_the_game_are_offered() -> None:
    for game in (CARCASSONNE, THE_CASTLE):
        assert BOOK.search("", game, 25) == BOOK.topics_of(game)[:25]
        assert BOOK.search(" - ", game, 3) == BOOK.topics_of(game)[:3]


def test_ids_come_first_then_titles_then_texts() -> None:
    ids = [entry.id for entry in BOOK.search("br1", CARCASSONNE, 25)]
    assert ids == ["BR-01", *(f"BR-{number}" for number in range(10, 20))]
    results = BOOK.search("farmer", CARCASSONNE, 25)
    found_in_title = ["farmer" in entry.label.casefold() for entry in results]
    assert found_in_title == sorted(found_in_title, reverse=True)
    assert {True, False} == set(found_in_title)


def test_all_words_have_to_match_in_any_order_and_case() -> None:
    results = BOOK.search("FOLLOWER bridge", CARCASSONNE, 25)
    assert results
    assert results == BOOK.search("bridge, follower", CARCASSONNE, 25)
    assert all("bridge" in entry.words.casefold() and "follower" in entry.words.casefold() for entry in results)


def test_the_game_that_is_played_comes_first() -> None:
    for game in (CARCASSONNE, THE_CASTLE):
        games = [entry.game for entry in BOOK.search("getting ready", game, 25)]
        assert games[0] == game
        assert set(games) == {CARCASSONNE, THE_CASTLE}


def test_a_misspelt_word_is_corrected() -> None:
    assert BOOK.closest("wat is a feif", CARCASSONNE, 5)[0] is BOOK.topics["fief"]
    assert "monastery" in BOOK.closest("monastry", CARCASSONNE, 5)[0].words.casefold()
    assert BOOK.closest("xyzzyxyzzy", CARCASSONNE, 5) == []


@given(st.text(max_size=3 * LONGEST_QUERY), st.sampled_from([CARCASSONNE, THE_CASTLE, "chess"]))
def test_any_text_is_accepted(text: str, game: str) -> None:
    assert len(BOOK.search(text, game, 25)) <= 25
    assert len(BOOK.closest(text, game, 5)) <= 5
    result = BOOK.find(text)
    assert result is None or result in ENTRIES


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        Rulebook("tlh")
