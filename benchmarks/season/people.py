"""The simulated players of a season: their sleep, the speed of their answers, their settings and vacations.

Some players vanish in the course of the season, and never answer again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

START: Final = datetime(2030, 1, 7, 9, tzinfo=UTC)
"""The simulated time at which the season begins."""
_TIME_ZONES: Final = (
    (-8.0, "America/Los_Angeles"),
    (-5.0, "America/New_York"),
    (0.0, "Europe/London"),
    (1.0, "Europe/Prague"),
    (5.5, "Asia/Kolkata"),
    (9.0, "Asia/Tokyo"),
)
"""Time zones of players: hours from UTC in winter, and the name of the zone."""
_DAY: Final = timedelta(days=1)


class SimulatedClock:
    """The clock of the host, which the simulation sets."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        """Return the simulated time."""
        return self.time


@dataclass(frozen=True, slots=True)
class Trip:
    """A vacation: the day of the season on which it is announced, its first day, and its length in days."""

    announced: float
    first: int
    days: int


@dataclass(frozen=True, slots=True)
class SeasonPlayer:
    """A player who answers some time after a card, when awake, and never again after ``gone_at``."""

    user_id: int
    name: str
    offset: timedelta
    """Difference from UTC."""
    sleeps: tuple[int, int]
    """Local hours of going to bed and of waking."""
    median: timedelta
    """Median time until an answer."""
    gone_at: datetime | None
    """Time at which the player vanishes; None for never."""
    zone: str = "UTC"
    window: str = ""
    """Seconds after which their moves are published; empty for the default."""
    quiet: bool = False
    """True if they have set quiet hours."""
    plans: bool = False
    """True if they write plans for bazaars."""
    trip: Trip | None = None
    """A vacation that they will announce."""
    away: list[tuple[datetime, datetime]] = field(default_factory=list)
    """Announced vacations."""

    def answers_at(self, asked: datetime, random: Random) -> datetime | None:
        """Return the time at which the player answers a card; None if they have vanished by then."""
        factor = random.lognormvariate(0, 0.9)  # its median is 1; one answer in twenty takes 4.4 times as long
        at = self._when_awake(self._when_back(asked + self.median * factor))
        return None if self.gone_at is not None and at >= self.gone_at else at

    def _when_back(self, at: datetime) -> datetime:
        """Return this time, or the end of the player's vacation."""
        return next((end for start, end in self.away if start <= at < end), at)

    def _when_awake(self, at: datetime) -> datetime:
        """Return this time, or the next morning if the player sleeps then."""
        local, (bed, morning) = at + self.offset, self.sleeps
        hour = local.hour
        asleep = hour >= bed or hour < morning if bed > morning else bed <= hour < morning
        if not asleep:
            return at
        wakes = local.replace(hour=morning, minute=local.minute, second=local.second)
        return (wakes if wakes > local else wakes + _DAY) - self.offset


def create_players(count: int, random: Random) -> list[SeasonPlayer]:
    """Create players, some of them slow; one in twelve will vanish, one in five will take a vacation."""
    return [_create_player(number, random) for number in range(count)]


def _create_player(number: int, random: Random) -> SeasonPlayer:
    """Create a player with random habits."""
    bed = random.choice([21, 22, 23])
    vanishes = number % 12 == 11
    offset, zone = random.choice(_TIME_ZONES)
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
