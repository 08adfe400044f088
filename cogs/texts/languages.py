"""Languages of texts: the available ones, the current one, and the comparison of typed text.

A language is a folder in this package. Its ``language.toml`` has the ``name`` of the language in the language itself,
its grammatical ``forms`` (:mod:`cogs.texts.catalogue`), and ``offered``, which is false for an unfinished translation.

The *current language* depends on what is written: an answer is in the language of its reader, the public card of a game
in that of its table. It is a context variable, which tasks and ``asyncio.to_thread`` inherit; other threads get it by
:func:`in_current_language`. A second context variable says whether the reader plays *by ear*, that is with a screen
reader and without pictures.

>>> with speaking("de"):
...     t("button.join")

Typed text is compared without case and diacritics, in the current language and in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import resources
from typing import Final, ParamSpec, TypeVar
from unicodedata import combining, normalize

from engine.caching import thread_safe_cache

P = ParamSpec("P")
T = TypeVar("T")

LANGUAGE: Final = "en"
"""The language that has all texts, and replaces those that another language lacks."""
DESCRIPTION_FILE: Final = "language.toml"
"""Name of the file that describes a language."""
_spoken: ContextVar[str] = ContextVar("spoken", default=LANGUAGE)
"""Code of the current language."""
_by_ear: ContextVar[bool] = ContextVar("by ear", default=False)
"""True if the reader plays in screen reader mode."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language that has texts."""

    code: str
    name: str
    offered: bool = True
    """True if users can choose it; other languages can only be tried in the preview."""
    forms: Mapping[str, str] = field(default_factory=dict)
    """The grammatical forms of its phrases, each with a description."""


@thread_safe_cache
def languages() -> dict[str, Language]:
    """Return all languages by code, English first."""
    available = [
        _language(folder.name)
        for folder in resources.files(__package__).iterdir()
        if folder.joinpath(DESCRIPTION_FILE).is_file()
    ]
    return {
        language.code: language
        for language in sorted(available, key=lambda entry: (entry.code != LANGUAGE, entry.code))
    }


def _language(code: str) -> Language:
    table = tomllib.loads(resources.files(__package__).joinpath(code, DESCRIPTION_FILE).read_text(encoding="utf-8"))
    return Language(code=code, **table)


def offered_languages() -> list[Language]:
    """Return the languages that users can choose."""
    return [language for language in languages().values() if language.offered]


def choosable_codes() -> list[str]:
    """Return the codes of the languages that users can choose; an empty list if there is only one."""
    codes = [language.code for language in offered_languages()]
    return codes if len(codes) > 1 else []


def name_of(code: str) -> str:
    """Return the name of a language in the language itself; English if the code is unknown."""
    return languages()[_known(code)].name


def offered_language_of(locale: str | None) -> str:
    """Return the offered language of a locale such as ``pt-BR``; an empty string if there is none."""
    code = (locale or "").replace("_", "-").partition("-")[0].lower()
    language = languages().get(code)
    return code if language is not None and language.offered else ""


def current_language() -> str:
    """Return the current language."""
    return _spoken.get()


def is_current(language: str) -> bool:
    """Return whether a stored language, which is English if it is unknown, is the current one."""
    return _known(language) == current_language()


def _known(language: str) -> str:
    """Return a language if it exists, otherwise English."""
    return language if language in languages() else LANGUAGE


def speak(language: str) -> None:
    """Set the current language until the end of the task or of the enclosing :func:`speaking` block."""
    _spoken.set(_known(language))


def by_ear() -> bool:
    """Return whether the reader uses a screen reader; then words precede buttons, and symbols are spelled out."""
    return _by_ear.get()


def set_by_ear(listens: bool) -> None:  # noqa: FBT001 - a setter
    """Set whether the reader is in screen reader mode, until the end of the task or the :func:`speaking` block."""
    _by_ear.set(listens)


@contextmanager
def speaking(language: str, *, listens: bool = False) -> Iterator[None]:
    """Set the current language within the block, English for an unknown code; ``listens`` sets :func:`by_ear`."""
    token, before = _spoken.set(_known(language)), _by_ear.set(listens)
    try:
        yield
    finally:
        _spoken.reset(token)
        _by_ear.reset(before)


def in_current_language(work: Callable[P, T]) -> Callable[P, T]:
    """Return a function for another thread that runs in the language that is current now."""
    language, listens = _spoken.get(), _by_ear.get()
    if language == LANGUAGE and not listens:
        return work

    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        with speaking(language, listens=listens):
            return work(*args, **kwargs)

    return wrapped


_STROKES: Final = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "\u2068": None, "\u2069": None})
"""Letters that Unicode does not decompose into a base letter; the isolating marks around names are dropped."""


def folded(text: str) -> str:
    """Return a text without case and diacritics, so that ``zdvojna`` finds ``Zdvojnásobíte``."""
    if text.isascii():
        return text.lower()
    plain = normalize("NFKD", text.casefold().translate(_STROKES))
    return "".join(sign for sign in plain if not combining(sign))


def folded_versions(say: Callable[[], str]) -> Iterator[str]:
    """Yield a text in the current language and in English, folded for comparison; ``say`` returns the text."""
    yield folded(say())
    if current_language() != LANGUAGE:
        with speaking(LANGUAGE):
            words = say()
        yield folded(words)


def matches_typed(typed: str, say: Callable[[], str]) -> bool:
    """Return whether typed text is a part of the text that ``say`` returns, in the current language or in English."""
    query = folded(typed)
    return any(query in words for words in folded_versions(say))
