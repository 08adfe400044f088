"""``python -m cogs.texts check`` finds each kind of problem in a translation, and none in the existing ones.

The examples are a small English catalogue and a valid Czech translation, which each case changes in one place.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from cogs.texts import LANGUAGE, Catalogue, __main__, catalogue, rule_book
from cogs.texts.check import MISSING, Problem, problems, rule_book_problems, summary
from cogs.texts.languages import Language, languages

ENGLISH = Catalogue(
    LANGUAGE,
    {
        "feature": {"city": "city", "road": "road"},
        "button": {"play": "Play"},
        "story": {"scored": "**{player} +{count}** for a {kind}."},
        "game": {"none": "You play in no game. `/carc new` opens a table."},
        "pile": {"one": "{count} tile", "other": "{count} tiles"},
    },
)
"""The original of the examples."""
VALID_CZECH: Mapping[str, Any] = {
    "feature": {"city": "město", "road": "cesta"},
    "za": {"feature": {"city": "za město", "road": "za cestu"}},
    "button": {"play": "Hrát"},
    "story": {"scored": "**{player} +{count}** {kind:za}."},
    "game": {"none": "Nehraješ žádnou hru. `/carc new` otevře stůl."},
    "pile": {"one": "{count} kartička", "few": "{count} kartičky", "other": "{count} kartiček"},
}
"""A translation without problems."""


def problems_with(**changes: Any) -> list[Problem]:
    """Return the problems of the valid translation with these changes."""
    tables = {name: table for name, table in {**VALID_CZECH, **changes}.items() if table is not None}
    return sorted(problems(ENGLISH, Catalogue("cs", tables, {"za": "za koho, co"})))


def test_a_valid_translation_has_no_problems() -> None:
    assert problems_with() == []
    assert summary(problems_with()) == "no problems"


@pytest.mark.parametrize(
    ("changes", "key", "expected"),
    [
        ({"button": None}, "button.play", MISSING),
        ({"bouton": {"play": "Hrát"}}, "bouton.play", "unknown"),
        ({"button": {"play": "Hrát " * 9}}, "button.play", "too long: 45 characters, at most 40"),
        ({"button": {"play": "Hrát {game}"}}, "button.play", "takes what it is not given: game"),
        ({"story": {"scored": "**{player} +{count}**"}}, "story.scored", "leaves out what English tells: kind"),
        ({"story": {"scored": "**{player} +{count} {kind}"}}, "story.scored", "marks that do not pair: **"),
        ({"story": {"scored": "{player} {count} {kind:po}"}}, "story.scored", "unknown form: po"),
        ({"game": {"none": "`/carc nova` otevře stůl."}}, "game.none", "`/carc new`, `/carc nova`"),
        ({"game": {"none": " "}}, "game.none", "is empty"),
        ({"pile": {"one": "{count} k.", "other": "{count} k."}}, "pile", "plural categories than few, one, other"),
        ({"pile": {**VALID_CZECH["pile"], "many": "{count} k."}}, "pile", "few, many, one, other"),
        ({"za": {"feature": {"city": "za město"}}}, "za.feature.road", MISSING),
        (
            {"story": {"scored": {"by": "kind", "city": "{player} {count} {kind}"}}},
            "story.scored",
            "nothing for other ones: city",
        ),
        (
            {"story": {"scored": {"by": "kind count", "other": {"one": "{player} {kind} {count}"}}}},
            "story.scored",
            "plural categories than few, one, other: one",
        ),
    ],
)
def test_each_problem_is_found(changes: Mapping[str, Any], key: str, expected: str) -> None:
    reported = problems_with(**changes)
    assert [problem.key for problem in reported if expected in problem.what] == [key], reported


def test_english_has_no_problems() -> None:
    english = catalogue()
    assert list(problems(english, english)) == []


@pytest.mark.parametrize("code", [code for code in languages() if code != LANGUAGE])
def test_the_existing_translations_have_no_problems(code: str) -> None:
    reported = [*problems(catalogue(), catalogue(code)), *rule_book_problems(code)]
    assert [problem for problem in reported if __main__.counts(code, problem)] == []


def test_a_rule_book_may_be_missing() -> None:
    assert list(rule_book_problems("tlh")) == [Problem("rulebook", MISSING)]
    assert list(rule_book_problems(LANGUAGE)) == []


def test_long_texts_of_the_rule_book_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    original_files = rule_book._files

    def longer(language: str) -> Iterator[tuple[str, Any]]:
        for name, table in original_files(language):
            changed = {"BR-01": {**table["BR-01"], "title": "x" * 61}} if language == "de" and name == "bridges" else {}
            yield name, {**table, **changed}

    monkeypatch.setattr(rule_book, "_files", longer)
    assert [problem for problem in rule_book_problems("de") if problem.what != MISSING] == [
        Problem("rulebook.bridges.BR-01.title", "is too long: 61 characters, at most 60")
    ]


@pytest.fixture
def incomplete_czech(monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """Make Czech an offered language that lacks most texts."""
    czech = Catalogue("cs", {"feature": {"city": "město"}})
    monkeypatch.setattr(__main__, "catalogue", lambda code=LANGUAGE: czech if code == "cs" else ENGLISH)
    monkeypatch.setitem(languages(), "cs", Language("cs", "Čeština"))  # type: ignore[misc]
    return czech


def test_a_missing_text_is_listed_but_no_error(incomplete_czech: Catalogue, capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["check", "cs"]) == 0
    assert "cs: feature.road is missing" in capsys.readouterr().out


def test_a_missing_text_is_an_error_for_a_release(
    incomplete_czech: Catalogue, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert __main__.main(["check", "cs", "--release"]) == 1
    assert "cs: feature.road is missing" in capsys.readouterr().out
    monkeypatch.setitem(languages(), "cs", Language("cs", "Čeština", offered=False))  # type: ignore[misc]
    assert __main__.main(["check", "cs", "--release"]) == 0, "unfinished translations may lack texts"


def test_any_other_problem_is_always_an_error(incomplete_czech: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    incomplete_czech.sentences = {**incomplete_czech.sentences, "feature.castle": "hrad"}
    assert __main__.main(["check", "cs"]) == 1
    with pytest.raises(SystemExit):
        __main__.main(["check", "tlh"])
