"""The texts of every language are right, whole where it can be chosen; its rule book is read where it is spoken."""

import re

import pytest

from cogs.texts import LANGUAGE, catalogue
from cogs.texts.__main__ import counts
from cogs.texts.catalogue import texts_of
from cogs.texts.check import problems
from cogs.texts.languages import languages, speaking
from cogs.texts.rule_book import rulebook

TRANSLATED = [code for code in languages() if code != LANGUAGE]


@pytest.mark.parametrize("code", TRANSLATED)
def test_nothing_is_wrong_with_a_translation(code: str) -> None:
    assert not [problem for problem in problems(catalogue(), catalogue(code)) if counts(code, problem)]


@pytest.mark.parametrize("code", languages())
def test_no_ending_is_put_onto_a_name(code: str) -> None:
    """Whatever is filled in but numbers stands as a word of its own."""
    glued = re.compile(r"\{(?!count)\w+(:\w+)?\}['\N{RIGHT SINGLE QUOTATION MARK}]?[^\W\d_]")
    texts = catalogue(code).sentences
    assert not [(key, text) for key in texts for text in texts_of(texts[key]) if glued.search(text)]


@pytest.mark.parametrize(("code", "past"), [("cs", r"\b(sis|ses|kdybys|abys) "), ("pl", r"\w(łeś|łaś|łbyś|łabyś)\b")])
def test_nobody_is_spoken_to_in_a_past_tense_that_knows_a_persons_sex(code: str, past: str) -> None:
    texts = catalogue(code).sentences
    assert not [key for key in texts for text in texts_of(texts[key]) if re.search(past, text)]


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_rule_book_is_read_in_the_language_that_is_spoken(code: str) -> None:
    with speaking(code):
        assert rulebook() is rulebook(code)
    assert rulebook() is rulebook(LANGUAGE)


def test_where_a_language_has_no_rule_book_the_english_one_is_read() -> None:
    assert rulebook("tlh") is rulebook(LANGUAGE)
