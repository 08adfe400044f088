"""What people are called among others: at a table, or in an event."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from store import Person

_MORE: Final = 4
"""Digits that are added at a time, until nobody has the same."""
_ALL: Final = 20
"""Digits of the longest id."""


def told_apart(people: Sequence[Person]) -> list[str]:
    """What each of some people is called among them: no two alike, whatever they call themselves.

    Where several go by one name, the last digits of their ids stand behind it, as many as it takes. Somebody whose own
    name is that of another one with the digits gets some, too.
    """
    digits = {person.user_id: 0 for person in people}
    while True:
        called = [_called(person, digits[person.user_id]) for person in people]
        alike: defaultdict[str, set[int]] = defaultdict(set)
        for person, name in zip(people, called, strict=True):
            alike[name.casefold()].add(person.user_id)
        longer = {user_id for its in alike.values() if len(its) > 1 for user_id in _shortest(its, digits)}
        if not longer:
            return called
        for user_id in longer:
            digits[user_id] += _MORE


def called_among(people: Sequence[Person], user_id: int | None) -> str:
    """What one of some people is called among them; nothing of somebody else."""
    named = zip(people, told_apart(people), strict=True)
    return next((name for person, name in named if person.user_id == user_id), "")


def _called(person: Person, digits: int) -> str:
    return f"{person.name} {person.number(digits)}" if digits else person.name


def _shortest(people: set[int], digits: dict[int, int]) -> list[int]:
    """Those with the fewest digits, if they have more."""
    fewest = min(digits[user_id] for user_id in people)
    return [user_id for user_id in people if digits[user_id] == fewest < _ALL]


_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
_SIGNS: Final = _LETTERS + "23456789"
_CODE_LENGTH: Final = 4

_FIRST_WORDS: Final = (
    "Amber",
    "Ashen",
    "Autumn",
    "Bright",
    "Copper",
    "Distant",
    "Early",
    "Fallow",
    "Golden",
    "Hidden",
    "Hollow",
    "Lofty",
    "Mossy",
    "Quiet",
    "Silver",
    "Winding",
)
_SECOND_WORDS: Final = (
    "Abbey",
    "Arch",
    "Barrow",
    "Brook",
    "Chapel",
    "Crossing",
    "Garden",
    "Gate",
    "Harvest",
    "Lane",
    "Mill",
    "Orchard",
    "Rampart",
    "Spring",
    "Valley",
    "Well",
)


def new_code() -> str:
    """Four signs to say aloud: a letter first, no vowels (so no words), neither 0 nor 1."""
    rest = (secrets.choice(_SIGNS) for _ in range(_CODE_LENGTH - 1))
    return secrets.choice(_LETTERS) + "".join(rest)


class Label(NamedTuple):
    """What a game is called: its public code and its name."""

    code: str
    name: str


def new_label() -> Label:
    """A code and a name by chance."""
    return Label(new_code(), new_name())


def new_name() -> str:
    """Two words, a proper name that tells a player's games apart at a glance."""
    return f"{secrets.choice(_FIRST_WORDS)} {secrets.choice(_SECOND_WORDS)}"
