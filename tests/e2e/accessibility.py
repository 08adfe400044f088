"""Checks that no message conveys information by colour, position or emoji alone, without words for screen readers.

The fixtures of tests run them on all messages that were sent. A *sign* is a character that is seen but not read
aloud, such as an emoji or an arrow.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from simcord.components import walk_components

from renderers import PLAYER_MARKS
from tests.discord_limits.recorder import Recorder
from tests.discord_limits.routes import Request
from tests.e2e.screen import BUTTON, TEXT

SELECT_TYPES = frozenset({3, 5, 6, 7, 8})
"""Discord's numbers of the component types that are select menus."""
_READ_ALOUD = frozenset("+<>=|~$^`→°\N{MULTIPLICATION SIGN}\N{MINUS SIGN}\n")
"""Characters that screen readers read as words, or that belong to Discord's markup or to notation."""
_VARIATIONS = frozenset({"\ufe0f", "\ufe0e", "\u20e3"})
"""Variation selectors and combining marks: they only choose how the previous character looks."""
_REDUNDANT = frozenset({*(sign for mark in PLAYER_MARKS for sign in mark.symbol + mark.emoji), *"🥇🥈🥉"})
"""Marks of players, which always stand beside a name, and medals, which always stand beside a place."""
_HARMLESS = _READ_ALOUD | _REDUNDANT
"""Signs that may stand anywhere."""


@cache
def spoken_words(text: str) -> str:
    """Return a text without its visual-only characters."""
    if text.isascii():
        return " ".join(text.split())
    return " ".join("".join(sign for sign in text if sign in _READ_ALOUD or not _is_sign(sign)).split())


@cache
def unspoken_signs(text: str) -> str:
    """Return the visual-only characters of a text, except marks that never stand alone."""
    return "" if text.isascii() else "".join(sign for sign in text if _is_sign(sign) and sign not in _HARMLESS)


@cache
def _is_sign(sign: str) -> bool:
    """Return whether a character is a symbol, or changes how one looks."""
    return sign in _VARIATIONS or unicodedata.category(sign)[0] in "SC"


def has_words(text: str) -> bool:
    """Return whether a text contains a word or a number."""
    return any(map(str.isalnum, spoken_words(text)))


def message_components(requests: Iterable[Request]) -> Iterator[Sequence[Any]]:
    """Yield the components of each message in these requests; modals, which have titles, are left out."""
    for request in requests:
        payload = request.payload if isinstance(request.payload, dict) else {}
        payload = payload.get("data") or payload
        if payload.get("components") and not payload.get("title"):
            yield payload["components"]


def accessibility_problems(recorder: Recorder) -> list[str]:
    """Return the problems of all messages that were sent, without duplicates."""
    messages = list(message_components(recorder.requests))
    problems = [problem for message in messages for problem in message_problems(message)]
    return list(dict.fromkeys([*problems, *indistinguishable_messages(messages)]))


def message_problems(components: Sequence[Any]) -> Iterator[str]:
    """Yield lines and controls without words, and controls that share a name below the same text.

    A button and a menu option may share a name: screen readers announce the kind of control.
    """
    seen: set[tuple[str, str, bool]] = set()
    preceding_text = ""
    for part in walk_components(components):
        if part["type"] == TEXT:
            yield from (f"no words: {line!r}" for line in _lines(part["content"]) if not has_words(line))
            preceding_text = spoken_words(part["content"])
        for label in _labels(part):
            if not has_words(label):
                yield f"no words: [{label}] below {preceding_text!r}"
            if (name := (preceding_text, spoken_words(label), part["type"] == BUTTON)) in seen:
                yield f"distinguished by position: [{label}] below {preceding_text!r}"
            seen.add(name)


def indistinguishable_messages(messages: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield pairs of messages, and of lines, with the same words but different colours or emoji."""
    appearance_by_words: dict[str, str] = {}
    line_by_words: dict[str, str] = {}
    for message in messages:
        parts = list(walk_components(message))
        texts = [part["content"] for part in parts if part["type"] == TEXT]
        spoken = [*texts, *(label for part in parts for label in _labels(part))]
        words = "\n".join(map(spoken_words, spoken))
        colours = [part.get("style") or part.get("accent_color") for part in parts]
        appearance = f"{[*filter(None, colours)]} {[*map(unspoken_signs, spoken)]}"
        if appearance_by_words.setdefault(words, appearance) != appearance:
            yield f"distinguished by colour or emoji: {words!r} is {appearance} or {appearance_by_words[words]}"
        for line in (line for text in texts for line in _lines(text)):
            if unspoken_signs(line_by_words.setdefault(spoken_words(line), line)) != unspoken_signs(line):
                yield f"distinguished by emoji: {line!r} or {line_by_words[spoken_words(line)]!r}"


def _labels(part: Any) -> Iterator[str]:
    """Yield the names of the buttons and menu options of a component."""
    if part["type"] == BUTTON:
        yield part.get("label") or ""
    elif part["type"] in SELECT_TYPES:
        yield from (option["label"] for option in part.get("options", ()))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that are not empty."""
    return (line for line in text.splitlines() if line.strip())
