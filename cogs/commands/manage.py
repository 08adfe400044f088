"""For those who manage a server: ``/carc manage`` and its private panel."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from cogs.commands.lobbies.lobby import show_lobby
from cogs.interactions.admission import asker_of
from cogs.interactions.replies import acknowledge, guarded
from cogs.messages import chosen_values
from cogs.panels import server_settings as panels
from cogs.presenting.ids import Key, Op, number_in
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.texts.languages import choice
from cogs.words.names import called, safe
from cogs.words.refusals import RefusedError
from host import NO_PACE, PACES
from host.observability import about

if TYPE_CHECKING:
    from discord import ui

    from cogs.services.bot import Interaction
    from host import Game, Lobby

log = logging.getLogger(__name__)

MOST_GAMES: Final = 60
"""Games that a member may play at a time anywhere."""
Details: TypeAlias = tuple[str, ...]
"""What follows the first word of an argument, and what was chosen in a list."""


class ManageCommands(commands.Cog):
    """``/carc manage``."""

    @app_commands.command(name="manage", description=t("command.manage.description"))
    @app_commands.describe(
        openers=t("command.manage.openers"),
        organisers=t("command.manage.organisers"),
        most=t("command.manage.most"),
        aids=t("command.manage.aids"),
        pace=t("command.manage.pace"),
    )
    @app_commands.choices(
        pace=[
            app_commands.Choice(name=t(f"manage.pace_{name}"), value=name) for name in (panels.USUAL, *PACES, NO_PACE)
        ]
    )
    async def manage(
        self,
        interaction: Interaction,
        openers: discord.Role | None = None,
        organisers: discord.Role | None = None,
        most: app_commands.Range[int, 1, MOST_GAMES] | None = None,
        aids: bool | None = None,  # noqa: FBT001 - how a command has its options
        pace: str | None = None,
    ) -> None:
        """Open the panel of those who manage the server, or decide what is typed."""
        typed = {
            panels.OPENERS: None if openers is None else str(openers.id),
            panels.ORGANISERS: None if organisers is None else str(organisers.id),
            panels.MOST_GAMES: None if most is None else str(most),
            panels.AIDS: None if aids is None else panels.ON if aids else panels.OFF,
            panels.PACE: pace,
        }
        await guarded(interaction, _manage(interaction, typed))


async def _manage(interaction: Interaction, typed: Mapping[str, str | None]) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    decided = [(word, value) for word, value in typed.items() if value is not None]
    for word, value in decided or [(panels.HOME, "")]:
        await _show(interaction, word, (value,))


async def press_manage(interaction: Interaction, key: Key) -> None:
    """Turn a page, or do what the button or list says."""
    word, *details = key.argument.split() or [panels.HOME]
    await _show(interaction, word, (*details, *chosen_values(interaction)))


async def _show(interaction: Interaction, word: str, details: Details) -> None:
    """Do what is asked, and show what comes of it; whether it may be asked is looked at each time."""
    await interaction.client.host.servers.managed_by(asker_of(interaction))
    if word not in DEEDS:
        raise RefusedError("unknown_button")
    try:
        view = await DEEDS[word](interaction, details)
    except (ValueError, IndexError) as error:
        raise RefusedError("unknown_button") from error
    await interaction.edit_original_response(view=view)


async def _home(interaction: Interaction, _: Details = ()) -> ui.LayoutView:
    servers, guild_id = interaction.client.host.servers, interaction.guild_id or 0
    return panels.home(await servers.get(guild_id), await servers.counts(guild_id))


async def _channels(interaction: Interaction, details: Details) -> ui.LayoutView:
    await interaction.client.host.servers.set_channels(asker_of(interaction), tuple(map(number_in, details)))
    return await _home(interaction)


async def _role(interaction: Interaction, details: Details) -> ui.LayoutView:
    role = number_in(details[0]) if details else None
    await interaction.client.host.servers.set_role(asker_of(interaction), role)
    return await _home(interaction)


async def _opening(interaction: Interaction, _: Details = ()) -> ui.LayoutView:
    return panels.opening(await interaction.client.host.servers.get(interaction.guild_id or 0))


async def _openers(interaction: Interaction, details: Details) -> ui.LayoutView:
    role = number_in(details[0]) if details else None
    return panels.opening(await interaction.client.host.servers.set_openers(asker_of(interaction), role))


async def _organisers(interaction: Interaction, details: Details) -> ui.LayoutView:
    role = number_in(details[0]) if details else None
    return panels.opening(await interaction.client.host.servers.set_organisers(asker_of(interaction), role))


async def _most(interaction: Interaction, details: Details) -> ui.LayoutView:
    most = None if details[0] == panels.ANY else number_in(details[0])
    return panels.opening(await interaction.client.host.servers.set_games_of_member(asker_of(interaction), most))


async def _aids(interaction: Interaction, details: Details) -> ui.LayoutView:
    hints = (panels.OFF, panels.ON).index(details[0]) == 1
    return panels.opening(await interaction.client.host.servers.set_hints(asker_of(interaction), hints=hints))


async def _pace(interaction: Interaction, details: Details) -> ui.LayoutView:
    pace = "" if details[0] == panels.USUAL else details[0]
    return panels.opening(await interaction.client.host.servers.set_pace(asker_of(interaction), pace))


async def _language(interaction: Interaction, details: Details) -> ui.LayoutView:
    if details[0] not in (panels.USUAL, *choice()):
        raise ValueError(details[0])
    language = "" if details[0] == panels.USUAL else details[0]
    return panels.opening(await interaction.client.host.servers.set_language(asker_of(interaction), language))


async def _tables(interaction: Interaction, _: Details) -> ui.LayoutView:
    return panels.tables(await interaction.client.host.lobbies.open_in(interaction.guild_id or 0))


async def _table(interaction: Interaction, details: Details) -> ui.LayoutView:
    return panels.table(await _lobby(interaction, details[0]))


async def _close(interaction: Interaction, details: Details) -> ui.LayoutView:
    client, lobby = interaction.client, await _lobby(interaction, details[0])
    async with client.lobby_edits.setdefault(lobby.id, asyncio.Lock()):
        closed = await client.host.lobbies.close(lobby.id, asker_of(interaction), interaction.id)
        await show_lobby(client, closed)
    log.info("a manager has closed a lobby", extra={"lobby": lobby.id, "by": interaction.user.id})
    return panels.told(t("manage.closed"))


async def _games(interaction: Interaction, details: Details) -> ui.LayoutView:
    before = number_in(details[0]) if details else None
    return panels.games(
        await interaction.client.host.game_lists.of_guild(interaction.guild_id or 0, panels.MOST + 1, before)
    )


async def _seats(interaction: Interaction, details: Details) -> ui.LayoutView:
    return panels.game(await _game(interaction, details[0]))


async def _removing(interaction: Interaction, details: Details) -> ui.LayoutView:
    return panels.removing(await _game(interaction, details[0]), number_in(details[1]))


async def _remove(interaction: Interaction, details: Details) -> ui.LayoutView:
    client, user_id = interaction.client, number_in(details[1])
    outcome = await client.host.substitutions.remove(details[0], asker_of(interaction), user_id, interaction.id)
    game = outcome.game
    client.publisher.moved_on(outcome)
    told = {**about(game), "player": user_id, "by": interaction.user.id}
    log.info("a manager has taken a player out", extra=told)
    return panels.told(t("manage.removed", player=safe(called(game, user_id)), name=game.name, code=game.code))


async def _lobby(interaction: Interaction, number: str) -> Lobby:
    """A lobby of this server."""
    return await interaction.client.host.lobbies.get_in(interaction.guild_id, number_in(number))


async def _game(interaction: Interaction, code: str) -> Game:
    """A game of this server."""
    return await interaction.client.host.games.get_in(interaction.guild_id, code)


DEEDS: Final[Mapping[str, Callable[[Interaction, Details], Awaitable[ui.LayoutView]]]] = {
    panels.HOME: _home,
    panels.CHANNELS: _channels,
    panels.EVERYWHERE: _channels,
    panels.ROLE: _role,
    panels.OPENING: _opening,
    panels.OPENERS: _openers,
    panels.ORGANISERS: _organisers,
    panels.MOST_GAMES: _most,
    panels.AIDS: _aids,
    panels.PACE: _pace,
    panels.LANGUAGE: _language,
    panels.TABLES: _tables,
    panels.TABLE: _table,
    panels.CLOSE: _close,
    panels.GAMES: _games,
    panels.GAME: _seats,
    panels.REMOVING: _removing,
    panels.REMOVE: _remove,
}
"""What a button or list does, by the first word of its argument: the page to which it leads, after its deed.

A ValueError or an IndexError says that no button of ours has these details.
"""
HANDLINGS: Final = {Op.MANAGE: Handling(Ack.UPDATE, press_manage)}
