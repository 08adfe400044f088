"""Opening the thread in which a game is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord

from cogs.texts import t
from cogs.ui.story import clipped

if TYPE_CHECKING:
    from cogs.client import Interaction
    from host import Lobby

A_WEEK: Final = 10080
"""Minutes without a message until Discord archives the thread: the most it offers."""
LONGEST_NAME: Final = 100
THREAD_EXISTS: Final = 160004


async def open_thread(interaction: Interaction, lobby: Lobby) -> int:
    """A public thread under the lobby card; its id. Asking twice gives the same thread.

    A thread that begins at a message has that message's id, so one that an interrupted start left behind is found.
    """
    names = ", ".join(person.name for person in lobby.members)
    name = clipped(t("lobby.thread", players=names), LONGEST_NAME)
    channel = interaction.client.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
    message = channel.get_partial_message(interaction.message.id if interaction.message else lobby.message_id or 0)
    try:
        thread = await message.create_thread(name=name, auto_archive_duration=A_WEEK)
    except discord.HTTPException as error:
        if error.code == THREAD_EXISTS:
            return message.id
        raise
    return thread.id
