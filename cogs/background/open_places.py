"""Whether the places of games are open to the bot: what the gateway told, and what Discord says when asked."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import discord

from cogs.desk.lookups import CONNECTION_BROKEN
from cogs.panels.posting import stands
from host import complain
from host.traces import about

if TYPE_CHECKING:
    from cogs.desk.interaction import Desk
    from host import Game

log = logging.getLogger(__name__)

AT_A_TIME: Final = 10
"""So many places Discord is asked about without a pause."""
PAUSE_SECONDS: Final = 1.0


class OpenPlaces:
    """Lets the host know which places are closed, and which may be open again."""

    def __init__(self, bot: Desk) -> None:
        self._bot = bot
        self._places = bot.host.places
        self._count = 0

    async def ask(self, game: Game) -> bool | None:
        """Whether the place of a game is open, asking Discord where the cache does not say; None where nobody says."""
        known = stands(self._bot, game)
        guild = self._bot.get_guild(game.guild_id)
        if known is not None or guild is None or guild.unavailable:
            return known
        try:
            found = await self._bot.fetch_channel(game.place)
        except (discord.NotFound, discord.Forbidden):
            return False
        except (discord.DiscordException, *CONNECTION_BROKEN) as error:
            log.info("Discord does not say whether a place is open: %r", error, extra=about(game))
            return None
        return not (isinstance(found, discord.Thread) and found.locked)

    async def review(self, *, place_id: int | None = None, guild_id: int | None = None, ask: bool = False) -> None:
        """Something has changed in a place or a server: look which games can be played there now."""
        try:
            open_ones: list[int] = []
            shut: list[int] = []
            for game in await self._places.going(place_id=place_id, guild_id=guild_id):
                is_open = stands(self._bot, game)
                if is_open is None and ask:
                    is_open = await self._asked(game)
                (shut if is_open is False else open_ones).append(game.id)
            told = await self._places.close(shut, tell=True)
            if await self._places.reopen(open_ones) or told:
                self._bot.publisher.wake()
        except Exception as error:  # noqa: BLE001 - the next change, a card that is refused, or a zero is another chance
            complain(log, "it could not be seen which places are open", error)

    async def _asked(self, game: Game) -> bool | None:
        """What Discord says."""
        await self._pause()
        return await self.ask(game)

    async def _pause(self) -> None:
        """Ask a few times a second: after an outage there may be hundreds of games."""
        self._count += 1
        if self._count % AT_A_TIME == 0:
            await asyncio.sleep(PAUSE_SECONDS)

    async def removed(self, guild_id: int) -> None:
        """The bot was removed from a server: nobody can be told there."""
        await self._places.close([game.id for game in await self._places.going(guild_id=guild_id)])

    async def review_all(self) -> None:
        """Connected anew: what has happened meanwhile nobody has told."""
        for guild_id in sorted(await self._places.servers()):
            if not self._bot.hears(guild_id):
                continue
            if self._bot.get_guild(guild_id) is not None:
                await self.review(guild_id=guild_id, ask=True)
            elif await self._is_gone(guild_id):
                await self.removed(guild_id)

    async def _is_gone(self, guild_id: int) -> bool:
        """Whether Discord says that the bot is in a server no more: that this process does not know it is no proof."""
        await self._pause()
        try:
            await self._bot.fetch_guild(guild_id, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return True
        except (discord.DiscordException, *CONNECTION_BROKEN) as error:
            log.info("Discord does not say whether the bot is in a server: %r", error, extra={"server": guild_id})
        return False
