"""[Rematch]: the same table again, for those who have played a game."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle, ui

from cogs.commands.lobbies.lobby import lobby_card
from cogs.interactions.admission import admitted, asker_of, person_of
from cogs.interactions.threads import venue_of
from cogs.messages import notice
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.names import link, table_link
from cogs.words.refusals import RefusedError
from host import LobbyState

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Lobby


async def press_rematch(interaction: Interaction, key: Key) -> None:
    """Open a table in the channel of the game, or point to the one that somebody has opened."""
    client = interaction.client
    game, guild = await admitted(interaction, key.ref), interaction.guild
    if guild is None or game.guild_id != guild.id:
        raise RefusedError("other_server")
    venue = venue_of(guild.get_channel_or_thread(game.channel_id), game.channel_id)
    person, asker = person_of(interaction), asker_of(interaction)
    lobby = await client.host.lobbies.rematch(key.ref, person, interaction.id, venue, asker)
    opened = lobby.message_id is None
    if opened:
        lobby = await _post(interaction, lobby)
    await interaction.edit_original_response(view=await _answer(interaction, lobby, opened=opened))


async def _post(interaction: Interaction, lobby: Lobby) -> Lobby:
    """Post the card of the lobby, once; those who played are invited with it.

    Raises:
        RefusedError: the channel is gone, or closed to the bot.
    """
    host = interaction.client.host
    async with interaction.client.lobby_edits.setdefault(lobby.id, asyncio.Lock()):
        lobby = await host.lobbies.get(lobby.id)
        if lobby.message_id is not None:
            return lobby
        invited = [person.user_id for person in lobby.former if person.user_id != lobby.owner_id]
        with speaking(lobby.settings.language):
            call = t("lobby.invited", players=" ".join(f"<@{user_id}>" for user_id in invited))
        asleep = await host.news.asleep(await host.games.get(lobby.rematch_of or 0), invited)
        awake = [discord.Object(user_id) for user_id in invited if user_id not in asleep]
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=awake)
        channel = interaction.client.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
        try:
            message = await channel.send(view=lobby_card(lobby, call), allowed_mentions=allowed)
        except (discord.NotFound, discord.Forbidden) as error:
            raise RefusedError("rematch_nowhere") from error
        await host.lobbies.set_message(lobby.id, message.id)
        return await host.lobbies.get(lobby.id)


async def _answer(interaction: Interaction, lobby: Lobby, *, opened: bool) -> ui.LayoutView:
    """A private sign to the table."""
    if lobby.state is LobbyState.STARTED and lobby.game_id is not None:
        host = interaction.client.host
        url = await table_link(host, await host.games.get(lobby.game_id))
        text = t("rematch.begun")
    else:
        url = link(lobby.guild_id, lobby.channel_id, lobby.message_id)
        text = t("rematch.opened" if opened else "rematch.there")
    return notice(text, ui.ActionRow(ui.Button(style=ButtonStyle.link, label=t("button.to_table"), url=url)))


HANDLINGS: Final = {Op.REMATCH: Handling(Ack.PANEL, press_rematch)}
