"""Who plays: when they sleep, how long they take, and whether they vanish."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

START: Final = datetime(2030, 1, 7, 9, tzinfo=UTC)
"""When the season begins."""
_OFFSETS: Final = (-8.0, -5.0, 0.0, 1.0, 5.5, 9.0)
"""Hours from UTC at which people live."""
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who answers some time after a card, when awake; ``gone_at`` is when he never answers any more."""

    user_id: int
    name: str
    offset: timedelta
    sleeps: tuple[int, int]
    """Local hours."""
    median: timedelta
    gone_at: datetime | None

    def answers_at(self, asked: datetime, random: Random) -> datetime | None:
        """When he answers a card; None when he has vanished before."""
        spread = random.lognormvariate(0, 0.9)
        at = self._awake(asked + self.median * spread)
        return None if self.gone_at is not None and at >= self.gone_at else at

    def _awake(self, at: datetime) -> datetime:
        """This time, or the next morning."""
        local, (bed, morning) = at + self.offset, self.sleeps
        hour = local.hour
        asleep = hour >= bed or hour < morning if bed > morning else bed <= hour < morning
        if not asleep:
            return at
        wakes = local.replace(hour=morning, minute=local.minute, second=local.second)
        return (wakes if wakes > local else wakes + _DAY) - self.offset


def crowd(count: int, random: Random) -> list[Player]:
    """So many people, some of them slow, one in twelve about to vanish."""
    return [_player(number, random) for number in range(count)]


def _player(number: int, random: Random) -> Player:
    bed = random.choice([21, 22, 23])
    vanishes = number % 12 == 11
    return Player(
        user_id=1000 + number,
        name=f"Player {number + 1}",
        offset=timedelta(hours=random.choice(_OFFSETS)),
        sleeps=(bed, (bed + 8) % 24),
        median=timedelta(minutes=random.choice([10, 60, 150, 400])),
        gone_at=START + _DAY * random.uniform(2, 25) if vanishes else None,
    )
