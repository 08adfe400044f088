"""Languages: those there are, the one that is spoken, and what somebody types in it.

A language is a folder here with a ``language.toml``: its ``name``, as those who speak it call it; whether it is
``offered``, which a translation that is still being made is not; and its ``forms`` (:mod:`cogs.texts.catalogue`).
The spoken one depends on what is being done: an answer speaks to one reader, a card to a table. It is a context
variable, so tasks and ``asyncio.to_thread`` take it along; other threads are given it by :func:`taking_along`.
With it goes whether that reader listens, and sees no pictures (*By Ear*); a table never does.

What somebody types is compared without capitals and diacritics, in that language and in English.
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
"""What has no text in another language is read in this one."""
ABOUT: Final = "language.toml"
_spoken: ContextVar[str] = ContextVar("spoken", default=LANGUAGE)
_by_ear: ContextVar[bool] = ContextVar("by ear", default=False)


@dataclass(frozen=True, slots=True)
class Language:
    """A language in which there are texts."""

    code: str
    name: str
    offered: bool = True
    """Whether it can be chosen; what is not offered can only be tried."""
    forms: Mapping[str, str] = field(default_factory=dict)
    """The forms that its phrases have, each with what it is."""


@thread_safe_cache
def languages() -> dict[str, Language]:
    """All languages by their codes, English first."""
    found = [
        _language(folder.name) for folder in resources.files(__package__).iterdir() if folder.joinpath(ABOUT).is_file()
    ]
    return {
        language.code: language for language in sorted(found, key=lambda entry: (entry.code != LANGUAGE, entry.code))
    }


def _language(code: str) -> Language:
    about = tomllib.loads(resources.files(__package__).joinpath(code, ABOUT).read_text(encoding="utf-8"))
    return Language(code=code, **about)


def offered() -> list[Language]:
    """The languages that can be chosen."""
    return [language for language in languages().values() if language.offered]


def choice() -> list[str]:
    """The codes of the languages among which one can choose; none where there is no choice."""
    codes = [language.code for language in offered()]
    return codes if len(codes) > 1 else []


def name_of(code: str) -> str:
    """How those who speak a language call it; English for one that is none, or none any more."""
    return languages()[_known(code)].name


def matched(locale: str | None) -> str:
    """The language of a locale, be it one of a region (``pt-BR``); empty where there are no texts in it."""
    code = (locale or "").replace("_", "-").partition("-")[0].lower()
    language = languages().get(code)
    return code if language is not None and language.offered else ""


def spoken() -> str:
    """The language that is spoken here."""
    return _spoken.get()


def _known(language: str) -> str:
    return language if language in languages() else LANGUAGE


def speak(language: str) -> None:
    """From here on speak a language, to the end of the task or of what :func:`speaking` was said for."""
    _spoken.set(_known(language))


def by_ear() -> bool:
    """Whether who is spoken to here listens: then words come first, and nothing is told by a sign."""
    return _by_ear.get()


def to_listener(listens: bool) -> None:  # noqa: FBT001 - the one thing that is said
    """From here on speak to somebody who listens, or does not."""
    _by_ear.set(listens)


@contextmanager
def speaking(language: str, *, listens: bool = False) -> Iterator[None]:
    """Speak a language meanwhile; English where it is none, or none any more; ``listens``: to who plays by ear."""
    token, before = _spoken.set(_known(language)), _by_ear.set(listens)
    try:
        yield
    finally:
        _spoken.reset(token)
        _by_ear.reset(before)


def taking_along(work: Callable[P, T]) -> Callable[P, T]:
    """Some work for another thread, which speaks there what is spoken here."""
    language, listens = _spoken.get(), _by_ear.get()
    if language == LANGUAGE and not listens:
        return work

    def taken(*args: P.args, **kwargs: P.kwargs) -> T:
        with speaking(language, listens=listens):
            return work(*args, **kwargs)

    return taken


_STROKES: Final = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "\u2068": None, "\u2069": None})
"""Letters that are no letter with a mark to be taken away; what keeps names apart from words, nobody types."""


def folded(text: str) -> str:
    """A text without capitals and diacritics: ``Zdvojnásobíte`` is found by ``zdvojna``."""
    if text.isascii():
        return text.lower()
    plain = normalize("NFKD", text.casefold().translate(_STROKES))
    return "".join(sign for sign in plain if not combining(sign))


def typed_for(say: Callable[[], str]) -> Iterator[str]:
    """How something may be typed, folded: in the language that is spoken, and in English."""
    yield folded(say())
    if spoken() != LANGUAGE:
        with speaking(LANGUAGE):
            words = say()
        yield folded(words)


def is_typed_for(typed: str, say: Callable[[], str]) -> bool:
    """Whether what is typed is a part of something, as it is said here or in English."""
    wanted = folded(typed)
    return any(wanted in words for words in typed_for(say))
