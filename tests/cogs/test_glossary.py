"""The rule book uses the terms of the glossary, in the listed forms, and no synonyms.

The check is by words: if an English rule contains a form of an English term, its translation has to contain a form of
the translated term, unless the rule is listed as an exception.
"""

import re

import pytest

from tests.cogs.glossary import (
    BOTH_GAMES,
    ENGLISH_TERMS,
    GENDERS,
    LANGUAGES,
    ROOT,
    SOURCES,
    Term,
    button_table,
    rule_texts,
    term_table,
    terms,
)

TEXTS = {language: rule_texts(language) for language in ("en", *LANGUAGES)}
"""The texts of each rule, by language."""
NO_TERM = {
    "turn": {"BA-05", "BA-07", "BR-06", "BZ-12", "BZ-13", "BZ-23", "BZ-25", "BZ-30", "BZ-37", "BZ-40", "ED-03", "ED-04"}
    | {"RI-05", "bought-tiles"},
    "pass": {"BR-23", "IX-15"},
    "well": {"TC-19", "TC-51"},
    "keep": {"TC-09", "TC-64"},
    "house": {"HV-06", "tc-editions"},
    "bazaar": {"SU-03", "SU-13"},
    "builder": {"CA-64"},
}
"""Texts in which the English word has another meaning, or is part of a name."""
OMISSIONS = {"follower": {"BA-25"}, "town": {"CA-62", "CA-63"}}
"""Texts in which a language may leave the term out."""
UNRELATED = {"cs": {"hradby"}, "de": {"burgfräulein"}, "nl": {"boerderij", "tegelijk"}, "pl": set()}
"""Words that only begin like a term."""
WALL_TILE = ("the-castle", "wall tile")
"""English abbreviates it to tile."""


def words(text: str) -> set[str]:
    """Return the words of a text."""
    return set(re.findall(r"[^\W\d_]+", text))


def uses(text: str, forms: tuple[str, ...]) -> bool:
    """Return whether a text contains one of the forms as a whole word."""
    return re.search(rf"\b(?:{'|'.join(map(re.escape, forms))})\b", text) is not None


def forms_of(language: str, key: tuple[str, str]) -> tuple[str, ...]:
    """Return the forms of a term; none as long as the language lacks it, as a new English term may be lacking."""
    return next((term.forms for term in terms(language) if term.key == key), ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terms_of_a_language_are_those_of_english(language: str) -> None:
    own = list(terms(language))
    keys = [term.key for term in own]
    assert keys == [term.key for term in ENGLISH_TERMS if term.key in keys]
    for term in own:
        assert term.gender in GENDERS
        assert term.source in SOURCES
        assert all(term.forms)
        assert len(set(term.forms)) == len(term.forms)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("english", ENGLISH_TERMS, ids=lambda term: "-".join(term.key))
def test_each_term_of_english_is_translated_by_its_term(english: Term, language: str) -> None:
    own_forms = forms_of(language, english.key)
    if english.name in ("tile", "wall"):
        own_forms += forms_of(language, WALL_TILE)
    exceptions = NO_TERM.get(english.name, set()) | OMISSIONS.get(english.name, set())
    used_terms = {
        name for name, (game, text) in TEXTS["en"].items() if english.covers(game) and uses(text, english.forms)
    }
    assert used_terms
    translated = used_terms & TEXTS[language].keys() if own_forms else set()
    assert not [name for name in sorted(translated - exceptions) if not uses(TEXTS[language][name][1], own_forms)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_used_form_is_listed(language: str) -> None:
    own = list(terms(language))
    listed = {word for term in own for form in term.forms for word in words(form)} | UNRELATED[language]
    stems = {(term.game, term.stem) for term in own if term.stem}
    used = [
        (name, word)
        for name, (game, text) in TEXTS[language].items()
        for word in words(text)
        if any(term_game in (BOTH_GAMES, game) and word.startswith(stem) for term_game, stem in stems)
    ]
    assert used
    assert not [(name, word) for name, word in used if word not in listed]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_synonym_is_used_for_a_term(language: str) -> None:
    synonyms = [(term.game, word) for term in terms(language) for word in term.never if word]
    assert synonyms
    assert not [
        (name, word)
        for name, (game, text) in TEXTS[language].items()
        for term_game, word in synonyms
        if term_game in (BOTH_GAMES, game) and uses(text, (word,))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glossary_contains_the_table_of_each_language(language: str) -> None:
    assert term_table(language) in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def test_the_glossary_contains_the_table_of_buttons() -> None:
    assert button_table() in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
