"""Noticing that a game went back: in its place stand cards that this file, put back from a copy, never sent."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import discord

from cogs.interactions.admission import Posted, cards_of, posted_in
from cogs.panels.card_messages import take_buttons
from cogs.services.lookups import CONNECTION_BROKEN
from host.observability import about

if TYPE_CHECKING:
    from cogs.services.bot import BotServices
    from host import Game, Host, Post

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 60.0
"""How long nobody looks again because of a card from ahead."""


class Restored:
    """Looks into the places of games, of each once after a start, and when somebody holds a card from ahead.

    ``beside`` does what nobody waits for, under a name.
    """

    def __init__(self, bot: BotServices, host: Host, beside: Callable[[Coroutine[Any, Any, None], str], None]) -> None:
        self._bot = bot
        self._host = host
        self._beside = beside
        self.looked: set[int] = set()
        """Games in whose place it was looked for cards of a newer file since the start, or since one went back."""
        self._doubted: dict[int, float] = {}
        """When it was looked because somebody holds a card from ahead."""
        host.games.epochs.when_noticed = self.looked.clear

    def is_to_be_looked(self, game_id: int) -> bool:
        """Whether to look because somebody holds a card from ahead: once a minute, whatever is pressed."""
        now = monotonic()
        self._doubted = {game: at for game, at in self._doubted.items() if now - at < AGAIN_SECONDS}
        if game_id in self._doubted:
            return False
        self._doubted[game_id] = now
        return True

    async def posted_in(self, game: Game, place: int) -> list[Posted]:
        """The newest messages of ours in a place of a game.

        Raises:
            discord.HTTPException: Discord does not show them.
        """
        channel = self._bot.get_partial_messageable(place, guild_id=game.guild_id)
        return await posted_in(channel, self._bot.user.id if self._bot.user else 0)

    async def look(self, game: Game) -> bool:
        """Whether a game went back, as far as the newest cards in its place tell."""
        try:
            return await self.went_back(game, await self.posted_in(game, game.place), game.ply)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("the newest cards could not be looked at: %r", error, extra=about(game))
            return False

    async def went_back(self, game: Game, posted: list[Posted], ply: int, trying: Post | None = None) -> bool:
        """Whether these messages are ahead of the game; then it goes on from ``ply``, and they lose their buttons."""
        cards = cards_of(game.code, posted)
        seen = [card for _, card in cards]
        if not seen or not await self._host.games.epochs.is_ahead(game, seen, trying):
            return False
        if await self._host.games.epochs.begin(game, seen, ply):
            details = {"game": game.code, "ply": ply, "cards": [tuple(card) for card in seen]}
            log.error("a game went back: its thread shows cards that this file never sent; restored?", extra=details)
        for entry, _ in cards:
            self._beside(take_buttons(entry.message), f"retire {entry.message.id}")
        self.looked.add(game.id)
        return True
