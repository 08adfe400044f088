"""What somebody types, compared with what is said: however it is written, and in English too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final
from unicodedata import combining, normalize

from cogs.texts.languages import LANGUAGE, speaking, spoken

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
