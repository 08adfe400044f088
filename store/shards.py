"""Which of Discord's shards somebody has: whatever happens in a server comes by one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import gcd
from typing import Final, Self

_FORM: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)
_SHARDED: Final = 22
"""The bits of a server's id that do not say which shard looks after it."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Those from the first to the last of so many, as text ``0-3/16`` or ``5/16``."""

    first: int
    last: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text form.

        Raises:
            ValueError: it is none, or there are no such shards.
        """
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"no shards: {text!r}")
        first, last, of = int(match[1]), int(match[2] or match[1]), int(match[3])
        if not first <= last < of:
            raise ValueError(f"no shards: {text!r}")
        return cls(first, last, of)

    def __str__(self) -> str:
        span = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{span}/{self.of}"

    @property
    def numbers(self) -> range:
        """The numbers of the single shards."""
        return range(self.first, self.last + 1)

    def look_after(self, guild_id: int) -> bool:
        """Whether what happens in a server comes by one of them; direct messages are those of server 0."""
        return (guild_id >> _SHARDED) % self.of in self.numbers

    def meet(self, other: Shards) -> bool:
        """Whether some server may be looked after by both, be they of different numbers: 3/16 meets 19/32."""
        common = gcd(self.of, other.of)
        mine = {number % common for number in self.numbers}
        return any(number % common in mine for number in other.numbers)
