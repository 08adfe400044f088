"""What all languages together need: memory, and letters in pictures."""
# ruff: noqa: RUF001 - letters that look like others are what this is about

import gc
import tracemalloc

import pytest

from cogs.texts import LANGUAGE, Catalogue, catalogue, tables_of
from cogs.texts.catalogue import texts_of
from cogs.texts.languages import languages
from cogs.texts.rule_book import Rulebook, rulebook
from renderers.lettering import MAIN_FONT, printable, runs

OURS = ("cs", "de", "en", "nl", "pl")
MOST = 10 * 2**20
ALPHABETS = {
    "cs": "aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž",
    "de": "aäbcdefghijklmnoöpqrsßtuüvwxyzẞ",
    "en": "abcdefghijklmnopqrstuvwxyz",
    "nl": "aáäbcdeéèëfghiíïjklmnoóöpqrstuúüvwxyzĳ",
    "pl": "aąbcćdeęfghijklłmnńoóprsśtuwyzźż",
}
SIGNS = "„“”‚‘’«»–—…·×−\N{NO-BREAK SPACE}"


def test_all_catalogues_fit_into_ten_mebibytes() -> None:
    """A language that is not there yet counts like English."""
    catalogue(), rulebook()  # what Python and Babel load once is not theirs
    gc.collect()
    tracemalloc.start()
    try:
        kept: list[object] = []
        for code in OURS:
            own = tables_of(code if code in languages() else LANGUAGE)
            kept += [Catalogue(code, own, {"form": "as some have"}), _book(code)]
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < MOST
    finally:
        tracemalloc.stop()


def _book(code: str) -> Rulebook:
    try:
        return Rulebook(code)
    except FileNotFoundError:
        return Rulebook(LANGUAGE)


@pytest.mark.parametrize("code", OURS)
def test_pictures_have_every_letter(code: str) -> None:
    letters = ALPHABETS[code] + ALPHABETS[code].upper().replace("SS", "") + SIGNS
    assert printable("".join(letters.split())) == "".join(letters.split())
    assert {run.font for run in runs(letters)} == {MAIN_FONT}


@pytest.mark.parametrize("code", list(languages()))
def test_pictures_have_every_letter_of_the_texts(code: str) -> None:
    letters = {letter for text in catalogue(code).sentences.values() for form in texts_of(text) for letter in form}
    words = "".join(sorted(letter for letter in letters if letter.isalpha()))
    assert printable(words) == words
    assert {run.font for run in runs(words)} == {MAIN_FONT}
