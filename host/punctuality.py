"""Punctuality: the games that people have finished, and how often they ran out of time or left.

Only games of several people count. Others see somebody's record if that person allows it, and a table may ask for a
least punctuality; then only people join who show theirs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from host.errors import ErrorCode, HostError
from store import Game, PunctualityRecord, Store, Transaction, moves, preferences, punctuality

LEAST_PUNCTUALITIES: Final = (0, 50, 75, 90)
"""The least punctualities that a table may ask for, in per cent; the first asks for nothing."""


@dataclass(eq=False)
class Punctuality:
    """Reads records of punctuality."""

    _store: Store

    async def of(self, user_id: int) -> PunctualityRecord:
        """Return the record of a user, for themselves."""
        return (await self._store.read(punctuality.of_users, [user_id]))[user_id]

    async def shown_by(self, user_ids: Collection[int]) -> dict[int, PunctualityRecord]:
        """Return the records of those of these users who let others see them, by user."""
        async with self._store.reading() as tx:
            chosen = await preferences.of_users(tx, user_ids)
            showing = [user_id for user_id in user_ids if chosen[user_id].shows_punctuality]
            return await punctuality.of_users(tx, showing)


async def require_punctual(tx: Transaction, user_id: int, least: int) -> None:
    """Check that a user may join a table that asks for a least punctuality.

    Raises:
        HostError: ``punctuality_hidden``, ``not_punctual``.
    """
    if not least:
        return
    if not (await preferences.get(tx, user_id)).shows_punctuality:
        raise HostError(ErrorCode.PUNCTUALITY_HIDDEN, least=least)
    percent = (await punctuality.of_users(tx, [user_id]))[user_id].percent
    if percent < least:
        raise HostError(ErrorCode.NOT_PUNCTUAL, least=least, percent=percent)


async def count(
    tx: Transaction,
    game: Game,
    *,
    finished: Collection[int] = (),
    timeouts: Collection[int] = (),
    left: Collection[int] = (),
) -> None:
    """Count in the records of a game's people whose seats finish it, run out of time, or leave it."""
    if not (finished or timeouts or left) or not await _concerns_others(tx, game):
        return
    changes = {
        person.user_id: PunctualityRecord(person.user_id, *(int(seat in seats) for seats in (finished, timeouts, left)))
        for seat, person in enumerate(game.seats)
        if person.user_id is not None and person.user_id > 0
    }
    nothing = PunctualityRecord(0)
    await punctuality.add(tx, [change for change in changes.values() if replace(change, user_id=0) != nothing])


async def _concerns_others(tx: Transaction, game: Game) -> bool:
    """Return whether a game is, or was until a computer took over, one of several people."""
    return len(game.players) > 1 or (bool(game.computers) and bool(await moves.substitutions_in(tx, game.id)))
