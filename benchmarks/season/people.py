"""The players of a season: their sleep, their speed, their settings, and those who vanish or go away."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

START: Final = datetime(2030, 1, 7, 9, tzinfo=UTC)
"""The beginning of the season."""
_HOMES: Final = (
    (-8.0, "America/Los_Angeles"),
    (-5.0, "America/New_York"),
    (0.0, "Europe/London"),
    (1.0, "Europe/Prague"),
    (5.5, "Asia/Kolkata"),
    (9.0, "Asia/Tokyo"),
)
"""Hours from UTC, in winter, at which people live, and their zones."""
_DAY: Final = timedelta(days=1)


class Hands:
    """The clock that everything is handed."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        """The simulated time."""
        return self.time


@dataclass(frozen=True, slots=True)
class Trip:
    """A vacation that somebody will announce: after so many days of the season, from another one on, so many days."""

    announced: float
    first: int
    days: int


@dataclass(frozen=True, slots=True)
class SeasonPlayer:
    """A player who answers some time after a card, when awake, and never again after ``gone_at``.

    ``window`` are the seconds after which his moves are published, where he has chosen any; ``plans`` is whether he
    writes plans for bazaars; ``away`` are his vacations, as they were announced.
    """

    user_id: int
    name: str
    offset: timedelta
    sleeps: tuple[int, int]
    """Local hours."""
    median: timedelta
    gone_at: datetime | None
    zone: str = "UTC"
    window: str = ""
    quiet: bool = False
    plans: bool = False
    trip: Trip | None = None
    away: list[tuple[datetime, datetime]] = field(default_factory=list)

    def answers_at(self, asked: datetime, random: Random) -> datetime | None:
        """Return the time at which the player answers a card; None if they have vanished before."""
        spread = random.lognormvariate(0, 0.9)
        at = self._awake(self._back(asked + self.median * spread))
        return None if self.gone_at is not None and at >= self.gone_at else at

    def _back(self, at: datetime) -> datetime:
        """Return this time, or the end of the player's vacation."""
        return next((end for start, end in self.away if start <= at < end), at)

    def _awake(self, at: datetime) -> datetime:
        """This time, or the next morning."""
        local, (bed, morning) = at + self.offset, self.sleeps
        hour = local.hour
        asleep = hour >= bed or hour < morning if bed > morning else bed <= hour < morning
        if not asleep:
            return at
        wakes = local.replace(hour=morning, minute=local.minute, second=local.second)
        return (wakes if wakes > local else wakes + _DAY) - self.offset


def crowd(count: int, random: Random) -> list[SeasonPlayer]:
    """So many people, some of them slow, one in twelve about to vanish."""
    return [_player(number, random) for number in range(count)]


def _player(number: int, random: Random) -> SeasonPlayer:
    bed = random.choice([21, 22, 23])
    vanishes = number % 12 == 11
    offset, zone = random.choice(_HOMES)
    announced = random.uniform(1, 20)
    return SeasonPlayer(
        user_id=1000 + number,
        name=f"Player {number + 1}",
        offset=timedelta(hours=offset),
        sleeps=(bed, (bed + 8) % 24),
        median=timedelta(minutes=random.choice([10, 60, 150, 400])),
        gone_at=START + _DAY * random.uniform(2, 25) if vanishes else None,
        zone=zone,
        window=random.choice(["", "", "0", "30", "120"]),
        quiet=random.random() < 0.5,
        plans=random.random() < 0.6,
        trip=Trip(announced, int(announced) + random.randint(3, 9), random.randint(2, 9)) if number % 5 == 2 else None,
    )
