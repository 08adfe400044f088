"""Languages: the available ones, the current one, and how typed text is compared in it.

A language is a folder here with a ``language.toml``: its ``name`` in the language itself; whether it is ``offered``,
which an unfinished translation is not; and its ``forms`` (:mod:`cogs.texts.catalogue`). The current language depends on
the work: an answer is in the language of its reader, a card in that of its table. It is a context variable, which tasks
and ``asyncio.to_thread`` inherit; other threads get it by :func:`in_current_language`. A second context variable tells
whether the reader plays *By Ear*, with a screen reader and without pictures; a table never does.

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
"""The language with all texts, the fallback for the others."""
ABOUT: Final = "language.toml"
"""Name of the file that describes a language."""
_spoken: ContextVar[str] = ContextVar("spoken", default=LANGUAGE)
"""Code of the current language."""
_by_ear: ContextVar[bool] = ContextVar("by ear", default=False)
"""True if the reader plays By Ear."""


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
        _language(folder.name) for folder in resources.files(__package__).iterdir() if folder.joinpath(ABOUT).is_file()
    ]
    return {
        language.code: language
        for language in sorted(available, key=lambda entry: (entry.code != LANGUAGE, entry.code))
    }


def _language(code: str) -> Language:
    table = tomllib.loads(resources.files(__package__).joinpath(code, ABOUT).read_text(encoding="utf-8"))
    return Language(code=code, **table)


def offered() -> list[Language]:
    """Return the languages that users can choose."""
    return [language for language in languages().values() if language.offered]


def choice() -> list[str]:
    """Return the codes of the languages to choose from; an empty list if there is only one."""
    codes = [language.code for language in offered()]
    return codes if len(codes) > 1 else []


def name_of(code: str) -> str:
    """Return the name of a language in the language itself; that of English for an unknown code."""
    return languages()[_known(code)].name


def matched(locale: str | None) -> str:
    """Return the offered language of a locale, also of a regional one (``pt-BR``), or an empty string."""
    code = (locale or "").replace("_", "-").partition("-")[0].lower()
    language = languages().get(code)
    return code if language is not None and language.offered else ""


def spoken() -> str:
    """Return the current language."""
    return _spoken.get()


def _known(language: str) -> str:
    return language if language in languages() else LANGUAGE


def speak(language: str) -> None:
    """Set the current language until the end of the task or of the enclosing :func:`speaking` block."""
    _spoken.set(_known(language))


def by_ear() -> bool:
    """Return whether the reader plays By Ear: then words come before controls, and symbols are spelled out."""
    return _by_ear.get()


def set_by_ear(listens: bool) -> None:  # noqa: FBT001 - a setter
    """Set whether the reader plays By Ear, until the end of the task or of the enclosing :func:`speaking` block."""
    _by_ear.set(listens)


@contextmanager
def speaking(language: str, *, listens: bool = False) -> Iterator[None]:
    """Set the current language within the block; English for an unknown code. ``listens``: the reader plays By Ear."""
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


def typed_for(say: Callable[[], str]) -> Iterator[str]:
    """Yield a text, folded, in the current language and in English; ``say`` returns it in the current language."""
    yield folded(say())
    if spoken() != LANGUAGE:
        with speaking(LANGUAGE):
            words = say()
        yield folded(words)


def is_typed_for(typed: str, say: Callable[[], str]) -> bool:
    """Return whether typed text is a part of another text in the current language or in English."""
    query = folded(typed)
    return any(query in words for words in typed_for(say))
