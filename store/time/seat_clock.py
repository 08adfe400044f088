"""The clock of a seat, as it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


class Spent(NamedTuple):
    """What a decision, which begins at a ply, has cost of the bank, and what it has brought."""

    ply: int
    used: int
    earned: int
    chance: int
    """The second chance, if time ran out in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatClock:
    """How much time somebody has at a table; all spans are milliseconds.

    ``granted`` is the bank, increments, gifts and second chances; ``given_back`` what came back of it.
    """

    game_id: int
    seat: int
    granted: int
    given_back: int = 0
    used: int = 0
    timeouts: int = 0
    """How often nothing was left."""
    reminders: int = 0
    """How often its player was reminded."""
    asked: int | None = None
    """The revision of the card that asks for a decision; None while nothing is asked."""
    free: int = 0
    """What may pass from ``since`` on without a cost: grace of a turn, allowance of a decision."""
    since: datetime | None = None
    """From when it runs; None while it does not."""
    held: bool = False
    """It stands still whatever is asked: a pause, a vacation, a place that is closed to us."""
    late: bool = False
    """Time ran out in this turn, which earns nothing."""
    reminded_at: datetime | None = None
    """When its player was last reminded of what is asked."""
    untold: int = 0
    """Downtime that was given back, and of which no message has told yet."""
    settled: int = 0
    """What was used, less what was given back, when it was last asked: the rest is the cost of what is asked now."""
    decisions: tuple[Spent, ...] = ()
    """The newest decisions, the oldest first, for as long as they may be undone."""
    spent: int = 0
    """For how long it ran before the present run, what was free with it: so long the others have waited."""

    @property
    def left(self) -> int:
        """What is left of the bank when nothing of the present run is counted: never negative."""
        return self.granted + self.given_back - self.used
