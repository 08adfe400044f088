"""Translations: no problems, completeness of offered languages, grammar checks, and the rule book's language.

The grammar checks are regular expressions for mistakes that translators have made.
"""

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
"""Languages other than English."""
DANGLING_PATTERNS = {
    "en": r"\bwithout\s*($|[.,;:!?])|\binvites to\b",
    "de": r"\bohne weiter|\bzu weniger weiter|\bohne\s*($|[.,;:!?])",
    "cs": r"\b(bez|beze|pro|do|od|ode|ze|ke|ve|při|přes)\s*($|[.,;:!?])",
    "nl": r"\bzonder verder|\bzonder\s*($|[.,;:!?])",
    "pl": r"\b(bez|beze|dla|od|ode|ze|we|przez|przy)\s*($|[.,;:!?])",
}
"""Prepositions and verbs that require an object."""
GIFT_SENTENCES = {
    "en": "You have given **Ana** 1 hour.",
    "de": "Du hast **Ana** 1 Stunde gegeben.",
    "cs": "Přidáváš čas: **Ana**, 1 hodinu.",
    "nl": "Je hebt **Ana** 1 uur gegeven.",
    "pl": "Dodano graczowi **Ana** 1 godzinę.",
}
"""A sentence with a name in it, in each language."""


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_has_no_problems(code: str) -> None:
    assert not [problem for problem in problems(catalogue(), catalogue(code)) if counts(code, problem)]


@pytest.mark.parametrize("code", languages())
def test_no_suffix_is_attached_to_a_placeholder(code: str) -> None:
    """Every placeholder except numbers is a separate word; English may add 's, which fits every name."""
    suffix_after_placeholder = re.compile(r"\{(?!count)\w+(:\w+)?\}['\N{RIGHT SINGLE QUOTATION MARK}]?[^\W\d_]")
    if code == LANGUAGE:
        suffix_after_placeholder = re.compile(r"\{(?!count)\w+\}(?!'s\b)'?[^\W\d_]")
    texts = catalogue(code).sentences
    assert not [(key, text) for key in texts for text in texts_of(texts[key]) if suffix_after_placeholder.search(text)]


@pytest.mark.parametrize(("code", "past"), [("cs", r"\b(sis|ses|kdybys|abys) "), ("pl", r"\w(łeś|łaś|łbyś|łabyś)\b")])
def test_no_past_tense_depends_on_the_gender_of_the_reader(code: str, past: str) -> None:
    texts = catalogue(code).sentences
    assert not [key for key in texts for text in texts_of(texts[key]) if re.search(past, text)]


@pytest.mark.parametrize("code", languages())
def test_prepositions_and_verbs_have_their_object(code: str) -> None:
    texts, pattern = catalogue(code).sentences, re.compile(DANGLING_PATTERNS[code], re.IGNORECASE | re.MULTILINE)
    assert not [(key, text) for key in texts for text in texts_of(texts[key]) if pattern.search(text)]


@pytest.mark.parametrize("code", languages())
def test_the_name_of_a_game_does_not_read_as_an_address(code: str) -> None:
    """An uninflected name after a comma reads as the person who is addressed."""
    vocative = re.compile(r", \**\{name\}\**( \(\{code\}\))?($|[.,;:!?])", re.MULTILINE)
    texts = catalogue(code).sentences
    assert not [(key, text) for key in texts for text in texts_of(texts[key]) if vocative.search(text)]


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_leading_mention_is_separated_from_the_text(code: str) -> None:
    leading_mention, english = re.compile(r"\{players?\}(?P<stop>.)"), catalogue().sentences
    for key, sentence in catalogue(code).sentences.items():
        stops = {match["stop"] for text in texts_of(english.get(key, "")) if (match := leading_mention.match(text))}
        if stops == {":"}:
            own = [match["stop"] for text in texts_of(sentence) if (match := leading_mention.match(text))]
            assert set(own) <= {":", ","}, key


@pytest.mark.parametrize("code", languages())
def test_a_gift_of_one_hour_uses_the_right_case(code: str) -> None:
    with speaking(code):
        assert t("gift.done", player="Ana", amount=span_words(timedelta(hours=1))) == GIFT_SENTENCES[code]


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_rule_book_uses_the_current_language(code: str) -> None:
    with speaking(code):
        assert rulebook() is rulebook(code)
    assert rulebook() is rulebook(LANGUAGE)


def test_a_language_without_a_rule_book_uses_the_english_one() -> None:
    assert rulebook("tlh") is rulebook(LANGUAGE)
