"""What is told by signs alone: by a colour, a place or an emoji, and by no word beside it."""

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

SELECTS = frozenset({3, 5, 6, 7, 8})
_READ = frozenset("+<>=|~$^`→°\N{MULTIPLICATION SIGN}\N{MINUS SIGN}\n")
"""Signs that are read out as a word, or belong to Discord's marks and to notation."""
_LOOKS = frozenset({"\ufe0f", "\ufe0e", "\u20e3"})
"""Signs that only choose how the one before them looks."""
_WHOSE = frozenset({*(mark.symbol for mark in PLAYER_MARKS), *"🥇🥈🥉"})
"""Those of the players, which never stand without a name, and medals, which never stand without the place."""


@cache
def spoken_words(text: str) -> str:
    """A text without what only the eye reads."""
    if text.isascii():
        return " ".join(text.split())
    return " ".join("".join(sign for sign in text if sign in _READ or not _is_sign(sign)).split())


@cache
def unspoken_signs(text: str) -> str:
    """What only the eye reads in a text, but for the marks of the players."""
    return "" if text.isascii() else "".join(sign for sign in text if _is_sign(sign) and sign not in _READ | _WHOSE)


@cache
def _is_sign(sign: str) -> bool:
    return sign in _LOOKS or unicodedata.category(sign)[0] in "SC"


def has_words(text: str) -> bool:
    """Whether there is a word in it, or a number."""
    return any(map(str.isalnum, spoken_words(text)))


def message_components(requests: Iterable[Request]) -> Iterator[Sequence[Any]]:
    """The components of each message among what was sent."""
    for request in requests:
        payload = request.payload if isinstance(request.payload, dict) else {}
        payload = payload.get("data") or payload
        if payload.get("components") and not payload.get("title"):
            yield payload["components"]


def accessibility_problems(recorder: Recorder) -> list[str]:
    """Whatever is told by signs alone in all that was sent, each sentence once."""
    messages = list(message_components(recorder.requests))
    found = [problem for message in messages for problem in message_problems(message)]
    return list(dict.fromkeys([*found, *indistinguishable_messages(messages)]))


def message_problems(components: Sequence[Any]) -> Iterator[str]:
    """What has no words, and what is called alike below the same words; a button is told from an entry of a list."""
    called: set[tuple[str, str, bool]] = set()
    above = ""
    for part in walk_components(components):
        if part["type"] == TEXT:
            yield from (f"no words: {line!r}" for line in _lines(part["content"]) if not has_words(line))
            above = spoken_words(part["content"])
        for label in _labels(part):
            if not has_words(label):
                yield f"no words: [{label}] below {above!r}"
            if (name := (above, spoken_words(label), part["type"] == BUTTON)) in called:
                yield f"told by place: [{label}] below {above!r}"
            called.add(name)


def indistinguishable_messages(messages: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Messages, and lines of them, that only signs tell apart: colours, emoji."""
    whole: dict[str, str] = {}
    seen: dict[str, str] = {}
    for message in messages:
        parts = list(walk_components(message))
        texts = [part["content"] for part in parts if part["type"] == TEXT]
        said = [*texts, *(label for part in parts for label in _labels(part))]
        words = "\n".join(map(spoken_words, said))
        colours = [part.get("style") or part.get("accent_color") for part in parts]
        looks = f"{[*filter(None, colours)]} {[*map(unspoken_signs, said)]}"
        if whole.setdefault(words, looks) != looks:
            yield f"told by colour or emoji: {words!r} is {looks} or {whole[words]}"
        for line in (line for text in texts for line in _lines(text)):
            if unspoken_signs(seen.setdefault(spoken_words(line), line)) != unspoken_signs(line):
                yield f"told by an emoji: {line!r} or {seen[spoken_words(line)]!r}"


def _labels(part: Any) -> Iterator[str]:
    """What can be pressed, or chosen, there, by what it is called."""
    if part["type"] == BUTTON:
        yield part.get("label") or ""
    elif part["type"] in SELECTS:
        yield from (option["label"] for option in part.get("options", ()))


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line.strip())
