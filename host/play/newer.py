"""What processes of a newer release wrote: an older one beside them leaves it alone, since they can read it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from store import UnreadableError


async def nobody_is() -> bool:
    """As if this process were alone."""
    return False


class Newer:
    """Whether one lives, and what is left to it."""

    def __init__(self) -> None:
        self.is_about: Callable[[], Awaitable[bool]] = nobody_is
        """Whether a process of a newer release lives; set by the crew."""
        self.posts: set[int] = set()
        """Posts that this release cannot read; looked at again now and then."""

    async def leaves(self, unreadable: Mapping[int, UnreadableError]) -> Mapping[int, UnreadableError]:
        """Those of what cannot be read that are left to a newer release: all or none."""
        if not unreadable or not await self.is_about():
            return {}
        self.posts |= unreadable.keys()
        return unreadable
