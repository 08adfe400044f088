"""What has to be looked after now and then: tables that gather and are forgotten close by themselves."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import discord
from discord.ext import tasks

from cogs.lobby import show_lobby
from cogs.ui.answers import CONNECTION_BROKEN

if TYPE_CHECKING:
    from cogs.client import CastellanBot
    from host import Lobby

log = logging.getLogger(__name__)

HOURS: Final = 1.0
"""How often to look."""


class Housekeeping:
    """Closes what has expired, and says so on its card."""

    def __init__(self, bot: CastellanBot) -> None:
        self._bot = bot

    def start(self) -> None:
        """Look at once, then now and then."""
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Look no more; what is left is found after the next start."""
        task = self._round.get_task()
        self._round.cancel()
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)

    @tasks.loop(hours=HOURS)
    async def _round(self) -> None:
        try:
            await self.close_expired()
        except Exception:  # the next round looks again
            log.exception("the tables that gather could not be looked through")

    async def close_expired(self) -> None:
        """Close every table in which nothing has changed for too long."""
        while expired := await self._bot.host.lobbies.expire():
            for lobby in expired:
                await self._say_so(lobby)

    async def _say_so(self, lobby: Lobby) -> None:
        log.info("a lobby has expired", extra={"lobby": lobby.id, "server": lobby.guild_id})
        try:
            await show_lobby(self._bot, lobby)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("the card of a lobby stays as it was: %s", error, extra={"lobby": lobby.id})
