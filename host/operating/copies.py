"""Which servers have a copy of the commands of their own, over all starts."""

from __future__ import annotations

from store import Store, guilds


class CommandCopies:
    """Servers for which the commands were registered apart."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self) -> frozenset[int]:
        """The ids of these servers."""
        async with self._store.reading() as tx:
            return await guilds.with_command_copies(tx)

    async def remember(self, guild_id: int) -> None:
        """A server has a copy, or is about to."""
        if guild_id not in await self.all():
            async with self._store.writing() as tx:
                await guilds.add_command_copy(tx, guild_id)

    async def forget(self, guild_id: int) -> None:
        """A server has none any more."""
        async with self._store.writing() as tx:
            await guilds.remove_command_copy(tx, guild_id)
