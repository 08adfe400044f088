"""Access to the channel of an event: whether a member sees it, as far as Discord says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from store import EventRecord

Access = Callable[[int, int, int], Awaitable[bool | None]]
"""Returns whether somebody (third) sees a channel (second) of a server (first); None if Discord does not say."""


async def nobody_says(_guild_id: int, _channel_id: int, _user_id: int) -> bool | None:
    """Answer as if Discord did not say."""
    return None


class ChannelAccess:
    """Asks who sees the channel of an event; ``sees`` is set by whoever is connected to Discord."""

    def __init__(self) -> None:
        self.sees: Access = nobody_says

    async def of(self, record: EventRecord, user_id: int) -> bool | None:
        """Return whether somebody sees the event's channel; None if Discord does not say."""
        return await self.sees(record.guild_id, record.channel_id, user_id)

    async def blind(self, record: EventRecord, user_ids: Iterable[int]) -> list[int]:
        """Return those of some users who do not see the event's channel."""
        ids = list(user_ids)
        sees = await asyncio.gather(*(self.of(record, user_id) for user_id in ids))
        return [user_id for user_id, seen in zip(ids, sees, strict=True) if seen is False]
