"""What belongs to one person: how they want to play, and what they write down about their games."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.people.tongues import Tongues
from host.time.zones import moment
from store import LANGUAGE, Game, Preferences, Store, cleaned, preferences, private

LONGEST_NOTE: Final = 1500
"""Characters that somebody may write down about a game."""


class PersonalPreferences:
    """How people want to play."""

    def __init__(self, store: Store, tongues: Tongues) -> None:
        self._store = store
        self._tongues = tongues

    async def get(self, user_id: int) -> Preferences:
        """What somebody chose, or the defaults."""
        async with self._store.reading() as tx:
            return await preferences.get(tx, user_id)

    async def set(self, user_id: int, chosen: Preferences) -> None:
        """Store what somebody chose."""
        async with self._store.writing() as tx:
            await preferences.put(tx, user_id, chosen)
        self._tongues.chose(user_id, chosen.choices.get(LANGUAGE, ""))
        self._tongues.listen(user_id, by_ear=chosen.by_ear)

    async def end_of_day(self, user_id: int, day: date) -> datetime:
        """When a day is over where somebody lives."""
        return moment(day + timedelta(days=1), time(0), (await self.get(user_id)).zone)


class PersonalNotes:
    """What people have written down about their games, each for himself."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def get(self, game: Game, user_id: int) -> str:
        """What somebody has written down about a game.

        Raises:
            HostError: ``not_a_player``.
        """
        _require_seat(game, user_id)
        async with self._store.reading() as tx:
            return await private.note_of(tx, game.id, user_id)

    async def set(self, game: Game, user_id: int, text: str) -> str:
        """Keep what somebody writes down, in place of what stood there; what is kept of it.

        Raises:
            HostError: ``not_a_player``, ``note_too_long``.
        """
        _require_seat(game, user_id)
        kept = "\n".join(map(cleaned, text.splitlines())).strip()
        if len(kept) > LONGEST_NOTE:
            raise HostError(ErrorCode.NOTE_TOO_LONG, most=LONGEST_NOTE, length=len(kept))
        async with self._store.writing() as tx:
            await private.put_note(tx, game.id, user_id, kept, self._clock.now())
        return kept


def _require_seat(game: Game, user_id: int) -> None:
    if game.seat_of(user_id) is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)
