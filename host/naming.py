"""Names: unambiguous names of people within a game or an event, and random codes and names of games.

Players type the *code* of a game, such as ``K7PX``, to refer to it. They recognise it by its *name*, such as "Amber
Abbey".
"""

from __future__ import annotations

import secrets
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from store import Person

_DIGIT_STEP: Final = 4
"""The number of digits of the user id that are added to equal names at a time, until all names differ."""
_MAX_DIGITS: Final = 20
"""The number of digits of the longest user id."""


def unique_names(people: Sequence[Person]) -> list[str]:
    """Return an unambiguous name for each person, in the same order; names that differ only in case count as equal.

    People of the same name get the last digits of their user ids appended, as many as are needed to tell them apart.
    So does a person whose own name equals another person's name with digits.
    """
    digits = {person.user_id: 0 for person in people}
    while True:
        names = [_with_digits(person, digits[person.user_id]) for person in people]
        people_by_name: defaultdict[str, set[int]] = defaultdict(set)
        for person, name in zip(people, names, strict=True):
            people_by_name[name.casefold()].add(person.user_id)
        extended = {
            user_id
            for user_ids in people_by_name.values()
            if len(user_ids) > 1
            for user_id in _with_fewest_digits(user_ids, digits)
        }
        if not extended:
            return names
        for user_id in extended:
            digits[user_id] += _DIGIT_STEP


def unique_name_of(people: Sequence[Person], user_id: int | None) -> str:
    """Return the unambiguous name of one of these people, by user id; empty if the user is not among them."""
    named = zip(people, unique_names(people), strict=True)
    return next((name for person, name in named if person.user_id == user_id), "")


def _with_digits(person: Person, digits: int) -> str:
    """Return a person's name, followed by this number of digits of their user id."""
    return f"{person.name} {person.number(digits)}" if digits else person.name


def _with_fewest_digits(people: set[int], digits: dict[int, int]) -> list[int]:
    """Return the user ids of which the fewest digits are shown, without those that are shown in full already."""
    fewest = min(digits[user_id] for user_id in people)
    return [user_id for user_id in people if digits[user_id] == fewest < _MAX_DIGITS]


_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters of codes: no vowels and no Y, so that no code reads as a word."""
_CODE_CHARACTERS: Final = _LETTERS + "23456789"
"""The characters of codes: without 0 and 1, which look like the letters O and I."""
_CODE_LENGTH: Final = 4
"""Short enough to be typed by hand."""

_NAMES: Final = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
"""The words from which names of games are made."""
_FIRST_WORDS: Final[list[str]] = _NAMES["first"]
_SECOND_WORDS: Final[list[str]] = _NAMES["second"]


def new_code() -> str:
    """Return a random code of four characters that begins with a letter.

    It has no vowels, so that it spells no word, and neither 0 nor 1, which look like letters.
    """
    rest = (secrets.choice(_CODE_CHARACTERS) for _ in range(_CODE_LENGTH - 1))
    return secrets.choice(_LETTERS) + "".join(rest)


class Label(NamedTuple):
    """A game's public code and its name."""

    code: str
    name: str


def new_label() -> Label:
    """Return a random code and name."""
    return Label(new_code(), new_name())


def new_name() -> str:
    """Return a random name of two words, easier to recognise than the code."""
    return f"{secrets.choice(_FIRST_WORDS)} {secrets.choice(_SECOND_WORDS)}"
