"""Paces: how much time a table gives. All spans are milliseconds, so that nothing is ever rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

NO_PACE: Final = "none"
"""The pace of a table without clocks, as are all that were opened before there were any."""
USUAL_PACE: Final = "standard"
"""The pace of a new table whose owner has chosen none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How much time a table gives.

    A turn begins with its ``grace``, a decision beside it with its ``allowance``; what is needed
    beyond that comes from the ``bank``. A turn that was taken in time adds the ``increment``, up to the ``cap``.
    Whoever has run out of time gets a second ``chance``.
    """

    name: str
    bank: int
    increment: int
    cap: int
    allowance: int
    grace: int
    chance: int

    @property
    def live(self) -> bool:
        """Whether everybody sits at the table: nobody is reminded of hours."""
        return self.bank < HOUR


PACES: Final[Mapping[str, Pace]] = MappingProxyType(
    {
        pace.name: pace
        for pace in (
            Pace(
                name="live",
                bank=15 * MINUTE,
                increment=30 * SECOND,
                cap=15 * MINUTE,
                allowance=45 * SECOND,
                grace=0,
                chance=MINUTE,
            ),
            Pace(
                name="fast",
                bank=72 * HOUR,
                increment=12 * HOUR,
                cap=120 * HOUR,
                allowance=4 * HOUR,
                grace=8 * HOUR,
                chance=12 * HOUR,
            ),
            Pace(
                name="standard",
                bank=72 * HOUR,
                increment=18 * HOUR,
                cap=120 * HOUR,
                allowance=6 * HOUR,
                grace=8 * HOUR,
                chance=12 * HOUR,
            ),
            Pace(
                name="slow",
                bank=72 * HOUR,
                increment=36 * HOUR,
                cap=240 * HOUR,
                allowance=12 * HOUR,
                grace=8 * HOUR,
                chance=12 * HOUR,
            ),
        )
    }
)
"""The paces that a table can choose, beside :data:`NO_PACE`."""

MOST_TIMEOUTS: Final = 3
"""With how many a player is out of the game."""
DUEL: Final = 2
"""Seats of a game that is lost with the first."""


def pace_of(name: str) -> Pace | None:
    """The pace with this name; None where no clocks run, also for a name that only a newer version knows."""
    return PACES.get(name)


def is_out(timeouts: int, seats: int) -> bool:
    """Whether somebody whose time has run out so often leaves the game: a duel is lost at once."""
    return timeouts >= (1 if seats == DUEL else MOST_TIMEOUTS)
