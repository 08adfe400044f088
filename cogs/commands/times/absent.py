"""A seat of somebody who does not play on: ``/carc absent`` asks for a substitute, or to go on without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game, complete_player
from cogs.interactions.admission import admitted, asker_of
from cogs.interactions.replies import acknowledge, button, guarded
from cogs.interactions.selection import find_game
from cogs.messages import layout, notice, rows
from cogs.presenting.ids import Key, Op, number_in
from cogs.services.bot import Ack, Handling
from cogs.services.lookups import sees
from cogs.texts import t
from cogs.texts.languages import folded
from cogs.words.asking import offer_words, outcome_words
from cogs.words.names import called, safe
from cogs.words.refusals import RefusedError
from host import Person, RequestState

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game

NOBODY: Final = 0
"""Instead of a substitute: the game goes on without."""


class AbsentCommands(commands.Cog):
    """``/carc absent``."""

    @app_commands.command(name="absent", description=t("command.absent.description"))
    @app_commands.describe(player=t("command.absent.player"), substitute=t("command.absent.substitute"))
    @app_commands.autocomplete(player=complete_player)
    @about_game
    async def absent(
        self, interaction: Interaction, player: str, substitute: discord.Member | None = None, game: str = ""
    ) -> None:
        """Offer to ask for a substitute, or to go on without."""
        await guarded(interaction, _absent(interaction, player, substitute, game))


async def _absent(interaction: Interaction, player: str, substitute: discord.Member | None, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    game = await find_game(interaction, code, own=False)
    user_id = _player(game, player)
    person = None if substitute is None else await _playable(interaction, game, substitute)
    host = interaction.client.host
    asked = await host.substitutions.draft(game.code, asker_of(interaction), user_id, substitute=person)
    silent = person is not None and await host.substitutions.silence_agrees(game, user_id)
    argument = f"{user_id} {NOBODY if person is None else person.user_id}"
    label = t("button.ask" if asked.voters else "button.withdraw")
    ask = button(Op.SEAT, game.code, game.revision, label, argument=argument, style=ButtonStyle.primary)
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(offer_words(game, asked, silent=silent))
    await interaction.edit_original_response(view=layout(text, rows([ask])))


async def press_seat(interaction: Interaction, key: Key) -> None:
    """Ask, as the panel says."""
    client = interaction.client
    words = key.argument.split()
    try:
        user_id, substitute_id = (number_in(word) for word in words)
    except ValueError as error:
        raise RefusedError("unknown_button") from error
    game = await admitted(interaction, key.ref)
    person = None
    if substitute_id != NOBODY:
        member = await client.lookups.member(game.guild_id, substitute_id)
        if member is None:
            raise RefusedError("no_member")
        person = await _playable(interaction, game, member)
    asker = asker_of(interaction)
    asked = await client.host.substitutions.request(key.ref, asker, user_id, interaction.id, substitute=person)
    client.publisher.wake()
    if asked.state is RequestState.GRANTED:
        text = outcome_words(game, asked, asker.user_id)
    else:
        text = t("asking.asked", at=int(asked.lapses_at.timestamp()))
    await interaction.edit_original_response(view=notice(text), attachments=[])


def _player(game: Game, typed: str) -> int:
    """Whom somebody means: by the id that a suggestion gives, or by name.

    Raises:
        RefusedError: nobody at the table is called so.
    """
    wanted = folded(typed.strip().lstrip("@"))
    names = [(person.user_id, called(game, person.user_id)) for person in game.players]
    for user_id, name in names:
        if wanted in {str(user_id), f"<@{user_id}>", folded(name)}:
            return user_id
    raise RefusedError("no_such_player", players=", ".join(safe(name) for _, name in names))


async def _playable(interaction: Interaction, game: Game, member: discord.Member) -> Person:
    """Somebody who can take over a seat: a member of the game's server who sees where it is played.

    Raises:
        RefusedError: he cannot, or Discord does not say.
    """
    lookups = interaction.client.lookups
    if member.guild.id != game.guild_id:
        raise RefusedError("no_member")
    if member.bot:
        raise RefusedError("no_bots")
    place = await lookups.place(member.guild, game.place, game.channel_id)
    if place is None or not await sees(lookups, member, place):
        raise RefusedError("sees_nothing", place=f"<#{game.place}>")
    return Person(member.id, member.display_name)


HANDLINGS: Final = {Op.SEAT: Handling(Ack.UPDATE, press_seat)}
