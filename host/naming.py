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

from store import Computer, Person, Player

_DIGIT_STEP: Final = 4
"""The number of digits of the user id that are added to equal names at a time, until all names differ."""
_MAX_DIGITS: Final = 20
"""The number of digits of the longest user id."""


def unique_names(players: Sequence[Player]) -> list[str]:
    """Return an unambiguous name for each player, in the same order; names that differ only in case count as equal.

    People of the same name get the last digits of their user ids appended, as many as are needed to tell them apart.
    So does a person whose own name equals another player's name with digits. The computers at a table have different
    names, which stay as they are.
    """
    digits = {player.user_id: 0 for player in players if isinstance(player, Person)}
    taken = {player.name.casefold() for player in players if isinstance(player, Computer)}
    while True:
        names = [
            _with_digits(player, digits[player.user_id]) if isinstance(player, Person) else player.name
            for player in players
        ]
        people_by_name: defaultdict[str, set[int]] = defaultdict(set)
        for player, name in zip(players, names, strict=True):
            if isinstance(player, Person):
                people_by_name[name.casefold()].add(player.user_id)
        extended = {
            user_id
            for name, user_ids in people_by_name.items()
            if len(user_ids) > 1 or name in taken
            for user_id in _with_fewest_digits(user_ids, digits)
        }
        if not extended:
            return names
        for user_id in extended:
            digits[user_id] += _DIGIT_STEP


def unique_name_of(players: Sequence[Player], user_id: int) -> str:
    """Return the unambiguous name of one of these players, by user id; empty if the user is not among them."""
    named = zip(players, unique_names(players), strict=True)
    return next((name for player, name in named if player.user_id == user_id), "")


def _with_digits(person: Person, digits: int) -> str:
    """Return a person's name, followed by this number of digits of their user id."""
    return f"{person.name} {person.number(digits)}" if digits else person.name


def _with_fewest_digits(people: set[int], digits: dict[int, int]) -> list[int]:
    """Return the user ids of which the fewest digits are shown, without those that are shown in full already."""
    fewest = min(digits[user_id] for user_id in people)
    return [user_id for user_id in people if digits[user_id] == fewest < _MAX_DIGITS]


def free_computer_name(players: Sequence[Player]) -> str:
    """Return a name for one more computer at a table or in an event, which none of its computers has.

    Raises:
        StopIteration: there are :data:`MAX_COMPUTERS`.
    """
    taken = {player.name for player in players if isinstance(player, Computer)}
    return next(name for name in _COMPUTER_NAMES if name not in taken)


def computers_named(levels: Sequence[str]) -> tuple[Computer, ...]:
    """Return computers of these levels with different names, in the same order."""
    return tuple(Computer(name, level) for name, level in zip(_COMPUTER_NAMES, levels, strict=False))


_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters of codes: no vowels and no Y, so that no code reads as a word."""
_CODE_CHARACTERS: Final = _LETTERS + "23456789"
"""The characters of codes: without 0 and 1, which look like the letters O and I."""
_CODE_LENGTH: Final = 4
"""Short enough to be typed by hand."""

_NAMES: Final = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
"""The words from which names of games are made."""
_COMPUTER_NAMES: Final[list[str]] = _NAMES["computers"]
MAX_COMPUTERS: Final = len(_COMPUTER_NAMES)
"""The most computers at a table or in an event."""
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
