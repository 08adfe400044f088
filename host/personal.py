"""What belongs to one person: how they want to play."""

from __future__ import annotations

from store import Preferences, Store, preferences


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
