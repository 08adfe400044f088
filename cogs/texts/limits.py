"""How long a text may be: what Discord takes, and what fits on a phone."""

from __future__ import annotations

import re
from typing import Final

from cogs.texts.catalogue import Sentence, texts_of

BUTTON: Final = 40
"""Of a button in a translation; English ones stay below 34."""
LIMITS: Final = (
    (re.compile(r"command\..*"), 100),
    (re.compile(r"button\..*"), BUTTON),
    (re.compile(r"setting\.(?!title|typed)[\w.]+\.(?!title|test|none|some|typed)\w+"), BUTTON),
    (re.compile(r"modal\.\w*title"), 45),
    (re.compile(r"modal\.\w*(says|example|_ask|_pass|_least|_leap)|modal\.placeholder"), 100),
    (re.compile(r"modal\..*"), 45),
    (re.compile(r"(expansion|preset|game_choice|rulebook\.game)\..*"), 100),
    (re.compile(r"option\.\w+\..*|manage\.(pace_\w+|\w+_menu|most_any|language_usual)"), 100),
    (re.compile(r"rulebook\.(menu|more|previous|next|short)|ruling\.page\..*"), BUTTON),
    (re.compile(r"legend\..*|sheet\.(player|total)"), 24),
)
"""Characters of a text by its key; the first that fits holds."""
_FILLED: Final = re.compile(r"\{[^{}]*\}")
_USUAL: Final = "12"
"""What is filled in for the measure; names are cut where they stand."""

RULE_BOOK: Final = {("topics", "title"): 34, ("", "title"): 60, ("", "text"): 660, ("", "intro"): 100}
"""Characters of what an entry of the rule book says, by its file and field; the titles of topics stand on buttons."""


def most_in_rule_book(path: tuple[str, ...]) -> int | None:
    """How many characters the words at this place of the rule book may have."""
    file, *_ = path
    field = path[2] if len(path) == 3 and file != "documents" else ""
    return RULE_BOOK.get((file, field), RULE_BOOK.get(("", field)))


def most(key: str) -> int | None:
    """How many characters the text with this key may have; None where it is part of a longer one."""
    return next((limit for pattern, limit in LIMITS if pattern.fullmatch(key)), None)


def length(sentence: Sentence) -> int:
    """How many characters the longest form of a sentence has."""
    return max(len(_FILLED.sub(_USUAL, text)) for text in texts_of(sentence))
