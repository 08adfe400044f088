"""Suggestions while somebody types: they come in time, or not at all, and nobody needs to hear of those that do not.

discord.py takes whatever goes wrong with them for an error of the bot. Yet in a restart another process may have
suggested first, the next key may have been pressed, and the database may be away, which it says itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from cogs.interactions.replies import ALREADY_ACKNOWLEDGED, UNKNOWN_INTERACTION
from cogs.services.lookups import CONNECTION_BROKEN
from host import PassingError

if TYPE_CHECKING:
    from cogs.services.bot import Interaction

log = logging.getLogger(__name__)

TOO_LATE: Final = frozenset({ALREADY_ACKNOWLEDGED, UNKNOWN_INTERACTION})

Suggester = Callable[["Interaction", str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class _InTime(AsyncWebhookAdapter):
    """By this discord.py sends suggestions; that they come too late is nothing to it."""

    def __init__(self, usual: AsyncWebhookAdapter) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._usual = usual

    async def create_interaction_response(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401
        """Send them."""
        try:
            return await self._usual.create_interaction_response(*args, **options)
        except discord.HTTPException as error:
            if error.code not in TOO_LATE:
                raise
            log.debug("suggestions came too late: %s", error)
        except CONNECTION_BROKEN as error:
            log.debug("suggestions got lost: %r", error)
        return None


def begin_to_suggest(interaction: Interaction) -> None:
    """For the task of an interaction, if somebody is typing."""
    if interaction.type is discord.InteractionType.autocomplete:
        async_context.set(_InTime(async_context.get()))


def suggesting(complete: Suggester) -> Suggester:
    """Suggestions that look into the database: none while it is away."""

    @wraps(complete)
    async def suggested(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            return await complete(interaction, typed)
        except PassingError as error:
            log.debug("nothing is suggested: %r", error)
            return []

    return suggested
