"""Checks of a translation: each text is compared with the English one.

Problems are texts that are missing, unknown, empty or too long, and texts with other values, markup or plural forms
than the English ones. ``python -m cogs.texts check`` prints them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from cogs.texts.catalogue import PLURAL_CATEGORIES, Branching, Catalogue, Sentence, texts_of, values_of
from cogs.texts.rule_book import read_files, texts_in

MAX_BUTTON_LABEL: Final = 40
"""Maximum characters of a button's label in a translation; English ones stay below 34."""
MAX_LENGTHS: Final = (
    (re.compile(r"command\..*"), 100),
    (re.compile(r"button\..*"), MAX_BUTTON_LABEL),
    (re.compile(r"setting\.(?!title|typed)[\w.]+\.(?!title|test|none|some|typed)\w+"), MAX_BUTTON_LABEL),
    (re.compile(r"modal\.\w*title"), 45),
    (re.compile(r"modal\.\w*(says|example|_ask|_pass|_least|_leap)|modal\.placeholder"), 100),
    (re.compile(r"modal\..*"), 45),
    (re.compile(r"(expansion|preset|game_choice|rulebook\.game)\..*"), 100),
    (re.compile(r"option\.\w+\..*|manage\.(pace_\w+|\w+_menu|most_any|language_usual)"), 100),
    (re.compile(r"rulebook\.(menu|more|previous|next|short)|ruling\.page\..*"), MAX_BUTTON_LABEL),
    (re.compile(r"legend\..*|sheet\.(player|total)"), 24),
)
"""Maximum characters of a text by a pattern of its key; the first match counts."""
_VALUE: Final = re.compile(r"\{[^{}]*\}")
_SAMPLE: Final = "12"
"""The text that stands for each value when the length of a sentence is measured."""

MAX_RULE_BOOK_LENGTHS: Final = {("topics", "title"): 34, ("", "title"): 60, ("", "text"): 660, ("", "intro"): 100}
"""Maximum characters of a text in the rule book, by file and field; titles of topics are labels of buttons."""


def max_rule_book_length(path: tuple[str, ...]) -> int | None:
    """Return the maximum characters of a text in the rule book; None for no limit."""
    file, *_ = path
    field = path[2] if len(path) == 3 and file != "documents" else ""
    return MAX_RULE_BOOK_LENGTHS.get((file, field), MAX_RULE_BOOK_LENGTHS.get(("", field)))


def max_length(key: str) -> int | None:
    """Return the most characters that the text with this key may have; None for no limit of its own."""
    return next((limit for pattern, limit in MAX_LENGTHS if pattern.fullmatch(key)), None)


def length(sentence: Sentence) -> int:
    """Return the number of characters of a sentence's longest form."""
    return max(len(_VALUE.sub(_SAMPLE, text)) for text in texts_of(sentence))


MISSING: Final = "is missing"
UNKNOWN: Final = "is unknown: there is no such text in English"
_UNTRANSLATED: Final = re.compile(r"`[^`]*`|<[^<>]*>")
"""Parts that are the same in all languages: commands, links and times."""
_PAIRED: Final = ("**", "~~", "```")
"""Marks of Discord's markup that a text has to open and close."""
_FORMS: Final = re.compile(r"\{\w+:(\w+)\}")


class Problem(NamedTuple):
    """A problem of a translated text."""

    key: str
    what: str
    """The problem in words, which follow the key: ``is missing``."""


def problems(english: Catalogue, translation: Catalogue) -> Iterator[Problem]:
    """Yield the problems of a language's sentences, compared with English."""
    for key in english.sentences.keys() - translation.sentences.keys():
        yield Problem(key, MISSING)
    categories = translation.categories()
    for key, sentence in translation.sentences.items():
        form, _, base = key.partition(".")
        original = english.sentences.get(base if form in translation.forms else key)
        if original is None:
            yield Problem(key, UNKNOWN)
            continue
        yield from (Problem(key, text) for text in _of_sentence(sentence, original, translation.forms, categories))
        if form not in translation.forms and (limit := max_length(key)) is not None and length(sentence) > limit:
            yield Problem(key, f"is too long: {length(sentence)} characters, at most {limit}")
    yield from (Problem(key, MISSING) for key in missing_forms(english.sentences, translation))


def _of_sentence(
    sentence: Sentence, english: Sentence, known_forms: Mapping[str, str], categories: frozenset[str]
) -> Iterator[str]:
    """Yield the problems of one sentence, compared with the English one."""
    surplus, lacking = values_of(sentence) - values_of(english), values_of(english) - values_of(sentence)
    if surplus:
        yield f"takes what it is not given: {_listed(surplus)}"
    if lacking:
        yield f"leaves out what English tells: {_listed(lacking)}"
    yield from _categories(sentence, categories)
    for text in texts_of(sentence):
        if not text.strip():
            yield "is empty"
        if differing := _untranslated_parts(text) ^ {
            sign for form in texts_of(english) for sign in _untranslated_parts(form)
        }:
            yield f"has other commands, links or times than English: {_listed(differing)}"
        if odd := [mark for mark in _PAIRED if text.count(mark) % 2]:
            yield f"has marks that do not pair: {' '.join(odd)}"
        yield from (f"wants an unknown form: {form}" for form in _FORMS.findall(text) if form not in known_forms)


def _untranslated_parts(text: str) -> set[str]:
    """Return the parts of a text that must be the same in all languages."""
    return set(_UNTRANSLATED.findall(text))


def _listed(names: set[str] | frozenset[str]) -> str:
    return ", ".join(sorted(names))


def _categories(sentence: Sentence, expected: frozenset[str]) -> Iterator[str]:
    """Yield problems of a sentence's branches: wrong plural categories, or no branch for all other values."""
    match sentence:
        case str():
            return
        case Branching(forms=forms):
            before = {key[:place] for key in forms for place in range(len(key))}
            branches = [{key[len(start)] for key in forms if key[: len(start)] == start} for start in before]
        case _:
            branches = [set(sentence)]
    for branch in branches:
        if branch <= PLURAL_CATEGORIES and branch != {"other"}:
            if branch != expected:
                yield f"has other plural categories than {_listed(expected)}: {_listed(branch)}"
        elif "other" not in branch:
            yield f"chooses by kind and has nothing for other ones: {_listed(branch)}"


def missing_forms(english: Mapping[str, Sentence], translation: Catalogue) -> Iterator[str]:
    """Yield the keys of missing grammatical forms: if some phrases of a group have a form, all of them need it."""
    for form in translation.forms:
        inflected = {key.partition(".")[2] for key in translation.sentences if key.startswith(f"{form}.")}
        groups = {key.rpartition(".")[0] for key in inflected}
        for key in english:
            group = key.rpartition(".")[0]
            if group in groups and group in _INTERCHANGEABLE and key not in inflected:
                yield f"{form}.{key}"


def rule_book_problems(language: str) -> Iterator[Problem]:
    """Yield the texts that are missing, unknown or too long in the rule book of a language."""
    try:
        files = read_files(language)
    except FileNotFoundError:
        yield Problem("rulebook", MISSING)
        return
    yield from (Problem(".".join(("rulebook", *path)), MISSING) for path in files.missing)
    yield from (Problem(".".join(("rulebook", *path)), UNKNOWN) for path in files.unknown)
    for path, words in texts_in(files):
        if (limit := max_rule_book_length(path)) is not None and len(words) > limit:
            yield Problem(".".join(("rulebook", *path)), f"is too long: {len(words)} characters, at most {limit}")


_INTERCHANGEABLE: Final = ("feature", "role", "figure", "expansion")
"""Groups of phrases that are interchangeable as values of sentences."""


def summary(listed: list[Problem]) -> str:
    """Return the number of problems of each kind, in words."""
    kinds = Counter(problem.what.partition(":")[0] for problem in listed)
    return ", ".join(f"{count} x {kind}" for kind, count in kinds.most_common()) or "no problems"
