"""Names as they may stand in a line: nothing in them can turn, break or hide the words around them."""

from __future__ import annotations

import unicodedata
from typing import Final

_BREAKS: Final = frozenset({"Cc", "Zl", "Zp", "Zs"})
"""Controls, separators of lines and of words: each is a blank."""
_UNSEEN: Final = frozenset({"Cf", "Cs"})
"""Marks of direction and joining, signs without width, halves of signs."""
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""


def cleaned(text: str) -> str:
    """Text of somebody else in one line, of signs that are seen; empty if it has none."""
    if not text.isprintable() or not _FILLERS.isdisjoint(text):
        text = "".join(map(_shown, text))
    return " ".join(text.split())


def _shown(sign: str) -> str:
    category = unicodedata.category(sign)
    if category in _BREAKS:
        return " "
    return "" if category in _UNSEEN or sign in _FILLERS else sign
