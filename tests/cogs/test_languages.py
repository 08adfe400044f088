"""The catalogue of texts in a language: forms by count and kind, inflection, and the fallback to English.

The examples use a small Czech catalogue, since Czech has cases ("za" takes the accusative) and three plural forms.
``t`` looks up a text by its key. Missing texts are counted in ``FAILED_TEXTS``, missing forms of a phrase in
``unsaid``.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from babel.lists import format_list

from cogs import texts
from cogs.texts import FAILED_TEXTS, Catalogue, catalogue, listed, missing_in, t
from cogs.texts.languages import (
    LANGUAGE,
    Language,
    current_language,
    in_current_language,
    languages,
    offered_language_of,
    speak,
    speaking,
)

CZECH_TEXTS = {
    "feature": {"city": "město", "road": "cesta"},
    "story": {
        "at": "{kind} na {cell}",
        "scored": "**{player} +{count}** {kind:za}{reason}.",
        "scored_final": {
            "by": "kind count",
            "city": {"one": "{player}: bod za město", "few": "{count} body za město", "other": "{count} bodů za město"},
            "other": {"one": "bod", "few": "{count} body", "other": "{count} bodů"},
        },
        "passed": "{player} {nobody} passuje.",
    },
    "headline": {"pile": {"one": "{count} kartička", "few": "{count} kartičky", "other": "{count} kartiček"}},
    "term": {"tiles": {"one": "{count} kartička", "other": "{count} kartiček"}},
    "za": {"feature": {"city": "za město", "road": "za cestu"}, "story": {"at": "{kind:za} na {cell}"}},
}
"""The texts of the examples."""


@pytest.fixture
def czech(monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalogue]:
    """Install a small inflected language and make it the current one."""
    czech_catalogue = Catalogue("cs", CZECH_TEXTS, {"za": "za koho, co"})
    monkeypatch.setattr(
        texts, "catalogue", lambda language=LANGUAGE: czech_catalogue if language == "cs" else catalogue(language)
    )
    monkeypatch.setitem(languages(), "cs", Language("cs", "Čeština"))  # type: ignore[misc]
    FAILED_TEXTS.clear()
    with speaking("cs"):
        yield czech_catalogue
    FAILED_TEXTS.clear()


def test_a_sentence_uses_the_required_form_of_a_phrase(czech: Catalogue) -> None:
    phrase = t("story.at", kind=t("feature.road"), cell="M12")
    assert phrase == "cesta na M12"
    assert t("story.scored", player="Ana", count=3, kind=phrase, reason="") == "**Ana +3** za cestu na M12."
    assert t("story.scored", player="Ana", count=3, kind="fairy", reason="") == "**Ana +3** fairy.", (
        "no phrase: as it is"
    )
    space = "\N{NO-BREAK SPACE}"
    two_features = listed([t("feature.city"), t("feature.road")])
    assert two_features == f"město a{space}cesta"
    assert (
        t("story.scored", player="Ana", count=3, kind=two_features, reason="")
        == f"**Ana +3** za město a{space}za cestu."
    )
    assert not czech.unsaid


def test_a_missing_form_is_counted(czech: Catalogue) -> None:
    with speaking(LANGUAGE):
        english_word = t("feature.field")
    assert t("story.scored", player="Ana", count=3, kind=english_word, reason="") == "**Ana +3** field."
    assert (
        t("story.scored", player="Ana", count=3, kind=t("headline.pile", count=5), reason="!")
        == "**Ana +3** 5 kartiček!."
    )
    assert czech.unsaid == {"za.headline.pile": 1}


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 kartička"), (-1, "\N{MINUS SIGN}1 kartička"), (4, "4 kartičky"), (5, "5 kartiček")]
)
def test_a_sentence_is_chosen_by_plural_category(czech: Catalogue, count: int, words: str) -> None:
    assert t("headline.pile", count=count) == words
    assert czech.categories() == {"one", "few", "other"}


def test_a_sentence_is_chosen_by_kind_and_count(czech: Catalogue) -> None:
    city = t("story.at", kind=t("feature.city"), cell="M12")
    assert t("story.scored_final", player="Ana", kind=city, count=1, reason="") == "Ana: bod za město"
    assert t("story.scored_final", player="Ana", kind=city, count=3, reason="") == "3 body za město"
    assert t("story.scored_final", player="Ana", kind=t("feature.road"), count=5, reason="") == "5 bodů"
    assert t("story.scored_final", player="Ana", kind="city", count=5, reason="") == "5 bodů za město"


def test_missing_texts_fall_back_to_english_and_are_counted(czech: Catalogue) -> None:
    assert t("turn.none") == "not turned"
    assert t("turn.none") == "not turned"
    assert t("story.passed", player="Ana") == "Ana passes.", "falls back if a placeholder is not provided"
    assert t("term.tiles", count=3) == "3 tiles", "falls back to English, not to another plural category"
    assert FAILED_TEXTS == {("cs", "turn.none"): 2, ("cs", "story.passed"): 1, ("cs", "term.tiles"): 1}


def test_english_plurals_are_used_in_an_english_text(czech: Catalogue) -> None:
    assert [t("term.pennants", count=count) for count in (1, 2, 5)] == ["1 pennant", "2 pennants", "5 pennants"]


def test_an_english_phrase_fills_a_translated_text(czech: Catalogue) -> None:
    phrase = t("story.at", kind=t("feature.monastery"), cell="M12")
    assert t("story.scored", player="Ana", count=3, kind=phrase, reason="") == "**Ana +3** monastery na M12."
    assert not czech.unsaid


def test_missing_texts_are_logged_once_and_together(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """All missing texts are logged at the first use of the language."""
    keys = catalogue().sentences.keys()
    caplog.set_level("INFO", "cogs.texts")
    monkeypatch.setattr(texts, "tables_of", lambda _: {"turn": {"none": "kiel tirita"}})
    monkeypatch.setitem(languages(), "eo", Language("eo", "Esperanto"))  # type: ignore[misc]
    with speaking("eo"):
        assert [t("turn.none"), t("button.play"), t("button.play")] == ["kiel tirita", "Play", "Play"]
    (record,) = (record for record in caplog.records if record.name == "cogs.texts")
    assert record.levelname == "INFO"
    assert record.__dict__["count"] == len(keys) - 1
    assert len(record.__dict__["texts"]) == texts.MAX_KEYS_LOGGED
    assert {*missing_in(catalogue("eo"))} == keys - {"turn.none"}
    FAILED_TEXTS.clear()


@pytest.mark.parametrize("language", [LANGUAGE, "cs"])
def test_a_text_missing_in_all_languages_is_replaced_by_its_key_and_logged_once(
    czech: Catalogue, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    with speaking(language):
        texts_shown = {t("term.no_such_term", count=2) for _ in range(3)}
        assert texts_shown == {"no such term"}
        assert t("story.scored", player="Ana", count=3, kind=t("feature.dragon"), reason="").startswith("**Ana +3**")
        assert t("headline.pile") == "pile", "a text with a missing value"
    missing = {"term.no_such_term": 3, "feature.dragon": 1, "headline.pile": 1}
    assert {(code, key): count for code in {language, LANGUAGE} for key, count in missing.items()} == FAILED_TEXTS
    logged_keys = [record.__dict__["text"] for record in caplog.records if record.levelname == "ERROR"]
    assert sorted(logged_keys) == sorted(missing)


def test_the_current_language_is_set_per_context(czech: Catalogue) -> None:
    assert current_language() == "cs"
    with speaking(LANGUAGE):
        assert t("feature.city") == "city"
        with speaking("tlh"):
            assert current_language() == LANGUAGE, "a removed language"
        with speaking("cs"):
            speak(LANGUAGE)
            assert current_language() == LANGUAGE
        assert current_language() == LANGUAGE
    assert t("feature.city") == "město"


async def test_threads_use_the_language_of_their_caller(czech: Catalogue) -> None:
    with ThreadPoolExecutor(1) as pool:
        loop = asyncio.get_running_loop()
        assert await loop.run_in_executor(pool, in_current_language(lambda: t("feature.city"))) == "město"
        assert await loop.run_in_executor(pool, current_language) == LANGUAGE, "the thread's own language is restored"
    assert await asyncio.to_thread(current_language) == "cs"


@pytest.mark.parametrize("language", ["en", "cs", "de", "nl", "pl", "sv"])
@pytest.mark.parametrize("count", range(6))
def test_lists_equal_those_of_babel(language: str, count: int) -> None:
    items = [f"{{{number}}}" for number in range(count)]
    assert Catalogue(language, {}).listed(items) == format_list(items, locale=language)


@pytest.mark.parametrize(
    ("locale", "language"),
    [("cs", "cs"), ("en-GB", "en"), ("en_US", "en"), ("CS-CZ", "cs"), ("pt-BR", ""), ("", ""), (None, ""), ("?", "")],
)
def test_a_locale_is_matched_to_a_language_by_its_prefix(czech: Catalogue, locale: str | None, language: str) -> None:
    assert offered_language_of(locale) == language
