"""The time for which computers may think for a server and for a person in a day.

It is the time for which a worker is occupied, because that is what others wait for meanwhile. A server is charged all
that its computers take, and the people at a table an equal part of it each. When the time of the server, or that of
everybody at the table, is used up, the computers there decide as *quick* until the next day, which takes hundredths of
a second: the game goes on, and the table is told so once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from host.clock import Clock
from host.computers.levels import QUICK
from host.settings import WorkerLimits
from store import Game, Store, Transaction, thinking


def day_of(at: datetime) -> datetime:
    """Return the midnight, by UTC, at which the day of a time began."""
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


@dataclass(eq=False)
class ThinkingTime:
    """Counts the time for which computers think, and says where it is used up."""

    _store: Store
    _clock: Clock
    _limits: WorkerLimits

    async def is_used_up(self, game: Game) -> bool:
        """Return whether the computers of a game have to decide as *quick* for the rest of the day.

        False where all of them do so anyway.
        """
        if all(computer.level == QUICK for computer in game.computers):
            return False
        user_ids = [person.user_id for person in game.players]
        day = day_of(self._clock.now())
        spent = await self._store.read(thinking.spent_on, day, game.guild_id, user_ids)
        of_server, of_person = self._limits.server_seconds, self._limits.person_seconds
        if of_server and game.guild_id and spent.server.total_seconds() >= of_server:
            return True
        people = spent.people.values()
        return bool(of_person and people) and all(each.total_seconds() >= of_person for each in people)

    def renewed_at(self) -> datetime:
        """Return the time at which the present day ends, and everybody has all of their time again."""
        return day_of(self._clock.now()) + timedelta(days=1)

    async def charge(self, tx: Transaction, game: Game, seconds: float) -> None:
        """Count what the computers of a game have taken, in the transaction that stores their decisions."""
        day, people = day_of(self._clock.now()), game.players
        if game.guild_id:
            await thinking.add_spent(tx, day, game.guild_id, timedelta(seconds=seconds))
        for person in sorted(people, key=lambda person: person.user_id):  # in one order, so that none waits for another
            await thinking.add_spent_by(tx, day, person.user_id, timedelta(seconds=seconds / len(people)))
