"""What belongs to one person: drafts of moves, and how they want to play."""

from __future__ import annotations

from host.clock import Clock
from store import Draft, Preferences, Store, drafts, preferences


class Drafts:
    """Moves that were put together in the composer and not confirmed; they outlive a restart."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def get(self, game_id: int, user_id: int) -> Draft | None:
        """The draft of a player, which may be older than the game's present ply."""
        async with self._store.reading() as tx:
            return await drafts.get(tx, game_id, user_id)

    async def put(self, draft: Draft) -> None:
        """Store a draft in place of the player's former one."""
        async with self._store.writing() as tx:
            await drafts.put(tx, draft, self._clock.now())

    async def drop(self, game_id: int, user_id: int) -> None:
        """Throw a draft away, if there is one."""
        async with self._store.writing() as tx:
            await drafts.drop(tx, game_id, user_id)


class PersonalPreferences:
    """How people want to play."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, user_id: int) -> Preferences:
        """What somebody chose, or the defaults."""
        async with self._store.reading() as tx:
            return await preferences.get(tx, user_id)

    async def set(self, user_id: int, chosen: Preferences) -> None:
        """Store what somebody chose."""
        async with self._store.writing() as tx:
            await preferences.put(tx, user_id, chosen)
