"""Texts for who hears them: no signs that stand for words, and pages that end with a sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from cogs.words.story import units

ROOM: Final = 600
"""Units of what somebody who plays by ear hears before the first control."""
_KEPT: Final = frozenset(
    "→°+<>=|~$^`\N{MULTIPLICATION SIGN}\N{MINUS SIGN}\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
)
"""Signs that are read out as a word, belong to Discord's marks and to notation, or keep names apart from words."""
_SMALL: Final = re.compile(r"^-# ", re.MULTILINE)
_DOTS: Final = re.compile(r" *· *")
_ARROWS: Final = re.compile(r" *→ *")
_BLANKS: Final = re.compile(r"(?<=\S) {2,}")
_BREAKS: Final = re.compile(r"(?<=[;,.:!?]) ")
_LINES: Final = re.compile(r"\n")
_WORDS: Final = re.compile(r" ")
_SENTENCES: Final = re.compile(r"(?<=[.!?]) ")
_SIGNS: Final = frozenset({"So", "Sm", "Sk", "Cf", "Mn"})
"""Categories of emoji, arrows and shapes, and of what only changes how the sign before it looks."""


def aloud(text: str) -> str:
    """A text without what only the eye reads: marks of players, dots between parts, small print, emoji."""
    said = _SMALL.sub("", text if text.isascii() else _said(text))
    said = _ARROWS.sub(": ", _DOTS.sub(", ", said))
    return "\n".join(_BLANKS.sub(" ", line).strip() for line in said.splitlines())


def _said(text: str) -> str:
    return "".join(sign for sign in text if sign in _KEPT or unicodedata.category(sign) not in _SIGNS or _accent(sign))


def _accent(sign: str) -> bool:
    """A combining mark that belongs to a letter, as names have them; not one that only chooses a look."""
    return unicodedata.category(sign) == "Mn" and not "\ufe00" <= sign <= "\ufe0f"


def sentence(words: str) -> str:
    """Words that end as a sentence does."""
    words = words.rstrip(" ;,:")
    return words if not words or words[-1] in ".!?" else f"{words}."


def pages(entries: Iterable[str], room: int) -> list[str]:
    """Entries, one a line, on as many pages as they need; each page ends with a sentence."""
    told: list[str] = []
    for entry in (part for whole in entries for part in _parts(sentence(whole), room)):
        if told and units(told[-1]) + 1 + units(entry) <= room:
            told[-1] = f"{told[-1]}\n{entry}"
        else:
            told.append(entry)
    return told


def begun(text: str, most: int) -> tuple[str, str]:
    """As many whole lines, or sentences, of a text as stand in so many units, and what follows them."""
    if units(text) <= most:
        return text, ""
    for end in (_LINES, _SENTENCES, _BREAKS, _WORDS):
        places = [found.start() for found in end.finditer(text) if 0 < units(text[: found.start()]) < most]
        if places:
            first = text[: places[-1]].rstrip()
            return first if end is _LINES else sentence(first), text[places[-1] :].strip()
    return text, ""


def whole(text: str, most: int) -> str:
    """As many whole lines, or sentences, as stand in so many units; a word that is longer is cut where it has to be."""
    first, _ = begun(text, most)
    if units(first) <= most:
        return first
    return first.encode("utf-16-le", "surrogatepass")[: 2 * most].decode("utf-16-le", "ignore")


def _parts(entry: str, room: int) -> Iterator[str]:
    """An entry in parts that fit onto a page, each made a sentence."""
    part = ""
    for piece in _BREAKS.split(entry):
        longer = f"{part} {piece}" if part else piece
        if part and units(longer) > room:
            yield sentence(part)
            part = piece
        else:
            part = longer
    yield sentence(part)
