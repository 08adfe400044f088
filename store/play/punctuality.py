"""Records of punctuality: how many games people have finished, and how often they ran out of time or left.

The numbers are counted where they change, so that nothing has to read the games of a person, of which there are ever
more. Games of one person, alone or against computers, do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from store.connection.database import Transaction
from store.records import columns_of, record_of
from store.schema.people import punctuality

_COUNTS: Final = ("finished", "timeouts", "withdrawals")


@dataclass(frozen=True, slots=True)
class PunctualityRecord:
    """The record of a person, or what is to be added to it."""

    user_id: int
    finished: int = 0
    """The games that they have played to the end."""
    timeouts: int = 0
    """The number of times that their time has run out."""
    withdrawals: int = 0
    """The games that they have left before the end."""

    @property
    def percent(self) -> int:
        """The games finished, in per cent of these and of all timeouts and withdrawals; 0 without any."""
        total = self.finished + self.timeouts + self.withdrawals
        return 100 * self.finished // total if total else 0


async def of_users(tx: Transaction, user_ids: Collection[int]) -> dict[int, PunctualityRecord]:
    """Return the records of these people, by user."""
    rows = await tx.execute(select(punctuality).where(punctuality.c.user_id.in_(user_ids)))
    stored = {row.user_id: record_of(PunctualityRecord, row) for row in rows}
    return {user_id: stored.get(user_id, PunctualityRecord(user_id)) for user_id in user_ids}


async def add(tx: Transaction, changes: Iterable[PunctualityRecord]) -> None:
    """Add to the records of people, each of whom is named once."""
    # Sorted, so that two transactions with the same people never wait for each other.
    rows = [columns_of(change) for change in sorted(changes, key=lambda change: change.user_id)]
    if rows:
        await tx.execute(_ADD, rows)


_NEW: Final = insert(punctuality)
_ADD: Final = _NEW.on_conflict_do_update(
    index_elements=[punctuality.c.user_id], set_={name: punctuality.c[name] + _NEW.excluded[name] for name in _COUNTS}
)
