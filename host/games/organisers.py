"""Who may decide about a game without playing it: the organisers of its event, else the managers of its server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from host.errors import ErrorCode, HostError
from host.rights import Asker, is_manager, require_manager
from store import Game, Store, guilds


@dataclass(frozen=True, slots=True)
class EventGame:
    """The event of which a game is part."""

    code: str
    rated: bool
    going: bool
    """Whether the event has begun and is not over: then its rules say who may move the game's end date."""
    organises: Callable[[Asker], bool]
    """Returns whether somebody organises the event."""


EventOf = Callable[[Game], Awaitable[EventGame | None]]
"""Returns the event of which a game is part, if there is one."""


class Organisers:
    """Decides who organises a game; nobody with a seat in it ever does."""

    def __init__(self, store: Store, event_of: EventOf) -> None:
        self._store = store
        self.event_of = event_of

    async def organises(self, game: Game, asker: Asker) -> bool:
        """Return whether somebody organises the game's event or, if it has none, manages its server."""
        if game.seat_of(asker.user_id) is not None:
            return False
        event = await self.event_of(game)
        if event is not None:
            return event.organises(asker)
        if asker.guild_id != game.guild_id:
            return False
        async with self._store.reading() as tx:
            return is_manager(asker, await guilds.get(tx, game.guild_id))

    async def organises_or_plays(self, game: Game, asker: Asker) -> bool:
        """Return whether somebody organises the game; False if they have a seat in it.

        Raises:
            HostError: ``not_organiser``: neither.
        """
        if game.seat_of(asker.user_id) is not None:
            return False
        if not await self.organises(game, asker):
            raise HostError(ErrorCode.NOT_ORGANISER, code=game.code)
        return True

    async def require_manager(self, game: Game, asker: Asker) -> None:
        """Make sure that somebody manages the server of a game.

        Raises:
            HostError: ``not_manager``.
        """
        async with self._store.reading() as tx:
            settings = await guilds.get(tx, game.guild_id)
        require_manager(asker, settings, game.guild_id)
