"""Somebody on Discord."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from store.cleaning import cleaned

_FEW: Final = 4
"""Digits of an id that are shown, unless it takes more."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord, under the name that was last seen.

    Whoever is called something that cannot be seen goes by the last digits of the id; who asked to be forgotten, by
    the number of the seat.
    """

    user_id: int
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", cleaned(self.name) or self.number())

    def number(self, digits: int = _FEW) -> str:
        """So many of the last digits of the id, by which those are told apart who are called the same."""
        if self.user_id < 0:
            return f"#{-self.user_id % 100 if digits <= _FEW else -self.user_id}"
        return f"#{self.user_id % 10**digits:0{digits}}"
