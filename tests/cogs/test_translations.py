"""The texts of every language are right, whole where it can be chosen; its rule book is read where it is spoken."""

import re
from datetime import timedelta

import pytest

from cogs.panels.side_messages import span_words
from cogs.texts import LANGUAGE, catalogue, t
from cogs.texts.__main__ import counts
from cogs.texts.catalogue import texts_of
from cogs.texts.check import problems
from cogs.texts.languages import languages, speaking
from cogs.texts.rule_book import rulebook

TRANSLATED = [code for code in languages() if code != LANGUAGE]
DANGLING = {
    "en": r"\bwithout\s*($|[.,;:!?])|\binvites to\b",
    "de": r"\bohne weiter|\bzu weniger weiter|\bohne\s*($|[.,;:!?])",
    "cs": r"\b(bez|beze|pro|do|od|ode|ze|ke|ve|při|přes)\s*($|[.,;:!?])",
    "nl": r"\bzonder verder|\bzonder\s*($|[.,;:!?])",
    "pl": r"\b(bez|beze|dla|od|ode|ze|we|przez|przy)\s*($|[.,;:!?])",
}
"""Prepositions, and verbs, that lack whom or what they are about."""
GIFTS = {
    "en": "You have given **Ana** 1 hour.",
    "de": "Du hast **Ana** 1 Stunde gegeben.",
    "cs": "Přidáváš čas: **Ana**, 1 hodinu.",
    "nl": "Je hebt **Ana** 1 uur gegeven.",
    "pl": "Dodano graczowi **Ana** 1 godzinę.",
}


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


@pytest.mark.parametrize("code", languages())
def test_nothing_is_done_without_saying_without_whom(code: str) -> None:
    texts, dangling = catalogue(code).sentences, re.compile(DANGLING[code], re.IGNORECASE | re.MULTILINE)
    assert not [(key, text) for key in texts for text in texts_of(texts[key]) if dangling.search(text)]


@pytest.mark.parametrize("code", languages())
def test_nobody_is_spoken_to_by_the_name_of_a_game(code: str) -> None:
    """Set off by a comma, what is not inflected reads as the name of who is spoken to."""
    vocative = re.compile(r", \**\{name\}\**( \(\{code\}\))?($|[.,;:!?])", re.MULTILINE)
    texts = catalogue(code).sentences
    assert not [(key, text) for key in texts for text in texts_of(texts[key]) if vocative.search(text)]


@pytest.mark.parametrize("code", TRANSLATED)
def test_whoever_is_called_first_is_set_off_from_what_they_are_told(code: str) -> None:
    called, english = re.compile(r"\{players?\}(?P<stop>.)"), catalogue().sentences
    for key, sentence in catalogue(code).sentences.items():
        stops = {begun["stop"] for text in texts_of(english.get(key, "")) if (begun := called.match(text))}
        if stops == {":"}:
            own = [begun["stop"] for text in texts_of(sentence) if (begun := called.match(text))]
            assert set(own) <= {":", ","}, key


@pytest.mark.parametrize("code", languages())
def test_a_gift_of_one_hour_is_told_in_the_right_case(code: str) -> None:
    with speaking(code):
        assert t("gift.done", player="Ana", amount=span_words(timedelta(hours=1))) == GIFTS[code]


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_rule_book_is_read_in_the_language_that_is_spoken(code: str) -> None:
    with speaking(code):
        assert rulebook() is rulebook(code)
    assert rulebook() is rulebook(LANGUAGE)


def test_where_a_language_has_no_rule_book_the_english_one_is_read() -> None:
    assert rulebook("tlh") is rulebook(LANGUAGE)
