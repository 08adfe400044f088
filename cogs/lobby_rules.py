"""The rules of a table before its game begins: the private panel behind the lobby card's [Rules] button."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from cogs.lobby import lobby_card, lobby_id
from cogs.ui.answers import Ack
from cogs.ui.ids import Key, Op
from cogs.ui.press import Handling
from cogs.ui.ruling_panels import RulingPanels, Wish
from host import LobbyState

if TYPE_CHECKING:
    import discord

    from cogs.client import Interaction
    from host import Lobby


async def press_ruling(interaction: Interaction, key: Key) -> None:
    """Open the panel: what is going to be played; the owner can change it."""
    lobby = await interaction.client.host.lobbies.get(lobby_id(key))
    await interaction.edit_original_response(view=RulingPanels(lobby, interaction.user.id).page(""))


async def press_change(interaction: Interaction, key: Key) -> None:
    """Turn to another page, or change what the button says."""
    client = interaction.client
    async with client.lobby_edits.setdefault(lobby_id(key), asyncio.Lock()):
        lobby = await client.host.lobbies.get(lobby_id(key))
        wish = Wish.parse(key.argument, lobby)
        changed = wish.changed(lobby)
        if wish.changes:
            rules = (wish.options(lobby), wish.settings(lobby))
            lobby = await client.host.lobbies.set_rules(lobby.id, interaction.user.id, *rules, interaction.id)
            await _redraw_card(interaction, lobby)
    await interaction.edit_original_response(view=RulingPanels(lobby, interaction.user.id).page(wish.page, changed))


async def _redraw_card(interaction: Interaction, lobby: Lobby) -> None:
    """The lobby card tells everybody at once."""
    if lobby.message_id is None or lobby.state is not LobbyState.OPEN:
        return
    channel: discord.PartialMessageable = interaction.client.get_partial_messageable(
        lobby.channel_id, guild_id=lobby.guild_id
    )
    await channel.get_partial_message(lobby.message_id).edit(view=lobby_card(lobby))


HANDLINGS: Final = {Op.RULING: Handling(Ack.PANEL, press_ruling), Op.CHANGE: Handling(Ack.UPDATE, press_change)}
