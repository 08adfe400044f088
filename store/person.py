"""People on Discord, and names that can be shown in a line: nothing in them turns, breaks or hides the words around."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

_SHOWN_DIGITS: Final = 4
"""Digits of an id that stand for a name, unless more are needed to tell people apart."""
_BREAKS: Final = frozenset({"Cc", "Zl", "Zp", "Zs"})
"""Categories of controls and of separators of lines and words: each becomes a blank."""
_INVISIBLE: Final = frozenset({"Cf", "Cs"})
"""Categories of marks of direction and joining, signs without width, halves of signs."""
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user of Discord, under the name that was last seen.

    A name of which nothing can be seen is replaced by the last digits of the id; that of a person who asked to be
    forgotten, by the number of the seat.
    """

    user_id: int
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", cleaned(self.name) or self.number())

    def number(self, digits: int = _SHOWN_DIGITS) -> str:
        """Return the last digits of the id, by which people of the same name are told apart."""
        if self.user_id < 0:
            return f"#{-self.user_id % 100 if digits <= _SHOWN_DIGITS else -self.user_id}"
        return f"#{self.user_id % 10**digits:0{digits}}"


def cleaned(text: str) -> str:
    """Return a text of somebody else in one line of visible signs; empty if it has none."""
    if not text.isprintable() or not _FILLERS.isdisjoint(text):
        text = "".join(map(_visible, text))
    return " ".join(text.split())


def _visible(sign: str) -> str:
    category = unicodedata.category(sign)
    if category in _BREAKS:
        return " "
    return "" if category in _INVISIBLE or sign in _FILLERS else sign
