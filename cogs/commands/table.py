"""A player's place at the table: leaving the game, and moving the table to another channel."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.interactions.admission import admitted, deserted_game, person_of
from cogs.interactions.context import table_of
from cogs.interactions.replies import acknowledge, button, guarded
from cogs.interactions.selection import find_game
from cogs.interactions.threads import blind_here, members_here, place_here, require_table_permissions
from cogs.messages import layout, notice, rows
from cogs.panels.deciding import show_done
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.names import link, safe
from cogs.words.refusals import RefusedError
from host import check_playing
from host.observability import about

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game

log = logging.getLogger(__name__)


class TableCommands(commands.Cog):
    """``/carc resign``, ``/carc here``."""

    @app_commands.command(name="resign", description=t("command.resign.description"))
    @about_game
    async def resign(self, interaction: Interaction, game: str = "") -> None:
        """Ask whether the player really means to leave."""
        await guarded(interaction, _resign(interaction, game))

    @app_commands.command(name="here", description=t("command.here.description"))
    @about_game
    async def here(self, interaction: Interaction, game: str = "") -> None:
        """Go on with a game in this channel."""
        await guarded(interaction, _here(interaction, game))


async def _resign(interaction: Interaction, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        await ask_to_resign(interaction, await find_game(interaction, code, own=True, op=Op.RESIGNING))


async def press_resigning(interaction: Interaction, key: Key) -> None:
    """Ask whether the player really means to leave."""
    await ask_to_resign(interaction, await admitted(interaction, key.ref))


async def ask_to_resign(interaction: Interaction, game: Game) -> None:
    """Ask in the private answer; leaving a game is never done with one word or one tap.

    Raises:
        HostError: not_a_player, game_over, frozen, resigned.
    """
    check_playing(game, interaction.user.id)
    position = (await table_of(interaction, game.code)).position
    last = position.withdrawn.count(False) <= 2
    text = ui.TextDisplay[ui.LayoutView](t("resign.ask_last" if last else "resign.ask", name=game.name, code=game.code))
    confirm = button(Op.RESIGN, game.code, game.revision, t("button.resign"), style=ButtonStyle.danger)
    await interaction.edit_original_response(view=layout(text, rows([confirm])))


async def press_resign(interaction: Interaction, key: Key) -> None:
    """Leave the game."""
    client = interaction.client
    outcome = await client.host.moves.resign(key.ref, interaction.user.id, interaction.id)
    client.publisher.moved_on(outcome)
    await show_done(interaction, outcome)


async def _here(interaction: Interaction, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        deserted = await deserted_game(interaction, code) if code else None
        await _move_here(interaction, deserted or await find_game(interaction, code, own=True, op=Op.HERE))


async def press_here(interaction: Interaction, key: Key) -> None:
    """Go on with the game in this channel."""
    await _move_here(interaction, await admitted(interaction, key.ref))


async def _move_here(interaction: Interaction, game: Game) -> None:
    """Let the game go on here, if all who play it can see this place, and tell them; be it another server."""
    client, user_id = interaction.client, interaction.user.id
    check_playing(game, user_id)
    if interaction.guild_id is None:
        raise RefusedError("other_server")
    require_table_permissions(interaction)
    members: frozenset[int] = frozenset()
    if interaction.guild_id != game.guild_id:
        members = await members_here(interaction, game)
    place = place_here(interaction, await blind_here(interaction, game))
    place = replace(place, guild_id=interaction.guild_id, members=members)
    moved = await client.host.places.move_here(game.code, user_id, place)
    if moved.place != game.place:
        await _announce(interaction, game, moved)
    client.publisher.wake()
    await client.publisher.show_again(moved, before=game.place)
    key = "here.copied" if moved.place == game.place else "here.done"
    await interaction.edit_original_response(view=notice(t(key, name=game.name, code=game.code)))


async def _announce(interaction: Interaction, before: Game, moved: Game) -> None:
    """Tell those who play where the game goes on: all of them in the new place, and whoever looks in the old one."""
    values = {"player": safe(person_of(interaction).name), "name": moved.name, "code": moved.code}
    players = " ".join(f"<@{person.user_id}>" for person in moved.players)
    others = [person.user_id for person in moved.players if person.user_id != interaction.user.id]
    asleep = await interaction.client.host.news.asleep(moved, others)
    awake = [discord.Object(person.user_id) for person in moved.players if person.user_id not in asleep]
    told = discord.AllowedMentions(users=awake)
    same = before.guild_id == moved.guild_id  # what lies in another server has no name here
    old_place = f"<#{before.place}>" if same else link(before.guild_id, before.place)
    new_place = f"<#{moved.place}>" if same else link(moved.guild_id, moved.place)
    with speaking(moved.settings.language):
        moved_in = t("here.moved_in", place=old_place, players=players, **values)
        moved_out = t("here.moved_out", place=new_place, **values)
    await _say(interaction, moved, moved_in, told)
    await _say(interaction, before, moved_out, discord.AllowedMentions.none())


async def _say(interaction: Interaction, game: Game, text: str, told: discord.AllowedMentions) -> None:
    """Say something where a game is; a place that is gone or closed hears nothing."""
    channel = interaction.client.get_partial_messageable(game.place, guild_id=game.guild_id)
    try:
        await channel.send(view=notice(text), allowed_mentions=told)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.info("a place was not told that its game has moved: %s", error, extra=about(game))


HANDLINGS: Final = {
    Op.RESIGN: Handling(Ack.UPDATE, press_resign),
    Op.RESIGNING: Handling(Ack.PANEL, press_resigning),
    Op.HERE: Handling(Ack.PANEL, press_here),
}
