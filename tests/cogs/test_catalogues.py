"""The text catalogues of all languages: their memory together, and glyphs for their letters in pictures.

A catalogue holds the texts of one language as they are loaded from TOML files; a glyph is the drawing of a letter in
the font of the pictures.
"""
# ruff: noqa: RUF001 - the test is about ambiguous letters

import gc
import tracemalloc

import pytest

from cogs.texts import LANGUAGE, Catalogue, catalogue, tables_of
from cogs.texts.catalogue import texts_of
from cogs.texts.languages import languages
from cogs.texts.rule_book import Rulebook, rulebook
from renderers.lettering import MAIN_FONT, printable, runs

LANGUAGES = ("cs", "de", "en", "nl", "pl")
"""The offered and planned languages."""
MAX_CATALOGUE_BYTES = 10 * 2**20
"""Memory of all catalogues together."""
ALPHABETS = {
    "cs": "aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž",
    "de": "aäbcdefghijklmnoöpqrsßtuüvwxyzẞ",
    "en": "abcdefghijklmnopqrstuvwxyz",
    "nl": "aáäbcdeéèëfghiíïjklmnoóöpqrstuúüvwxyzĳ",
    "pl": "aąbcćdeęfghijklłmnńoóprsśtuwyzźż",
}
"""The letters of each language."""
PUNCTUATION = "„“”‚‘’«»–—…·×−\N{NO-BREAK SPACE}"
"""Punctuation beyond ASCII in any of them."""


def test_all_catalogues_fit_into_ten_mebibytes() -> None:
    """A planned language without texts is counted with the size of the English one."""
    catalogue(), rulebook()  # exclude what Python and Babel load once
    gc.collect()
    tracemalloc.start()
    try:
        loaded: list[object] = []
        for code in LANGUAGES:
            tables = tables_of(code if code in languages() else LANGUAGE)
            loaded += [Catalogue(code, tables, {"form": "as some have"}), _book(code)]
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < MAX_CATALOGUE_BYTES
    finally:
        tracemalloc.stop()


def _book(code: str) -> Rulebook:
    """Return the rule book in a language, or in English where there is none."""
    try:
        return Rulebook(code)
    except FileNotFoundError:
        return Rulebook(LANGUAGE)


@pytest.mark.parametrize("code", LANGUAGES)
def test_fonts_have_every_letter_of_the_alphabets(code: str) -> None:
    letters = ALPHABETS[code] + ALPHABETS[code].upper().replace("SS", "") + PUNCTUATION
    assert printable("".join(letters.split())) == "".join(letters.split())
    assert {run.font for run in runs(letters)} == {MAIN_FONT}


@pytest.mark.parametrize("code", list(languages()))
def test_fonts_have_every_letter_of_the_texts(code: str) -> None:
    letters = {letter for text in catalogue(code).sentences.values() for form in texts_of(text) for letter in form}
    words = "".join(sorted(letter for letter in letters if letter.isalpha()))
    assert printable(words) == words
    assert {run.font for run in runs(words)} == {MAIN_FONT}
