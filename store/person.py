"""Somebody on Discord, and what those are called who share a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from store.cleaning import cleaned

_LONGEST_NAME: Final = 32
"""Of a member of a server, by Discord."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord, under the name that was last seen.

    Whoever is called something that cannot be seen goes by the last digits of the id; who asked to be forgotten, by
    the number of the seat.
    """

    user_id: int
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", cleaned(self.name) or self.number)

    @property
    def number(self) -> str:
        """The last digits of the id, by which those are told apart who are called the same."""
        return f"#{self.user_id % 10_000:04}" if self.user_id >= 0 else f"#{-self.user_id % 100}"

    @property
    def numbered(self) -> str:
        """The name with the number, cut to be no longer than a name may be."""
        return f"{self.name[: _LONGEST_NAME - len(self.number) - 1].rstrip()} {self.number}"


def told_apart(people: Sequence[Person]) -> list[str]:
    """What each of some people is called among them: where several go by one name, their numbers stand behind it."""
    folded = Counter(person.name.casefold() for person in people)
    if len(folded) == len(people):
        return [person.name for person in people]
    return [person.name if folded[person.name.casefold()] == 1 else person.numbered for person in people]
