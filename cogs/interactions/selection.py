"""The game or event that somebody means, what they may do there, and who sees where it is played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import discord
from discord import app_commands, ui

from cogs.interactions.admission import admitted, admitted_event, sees_table
from cogs.interactions.context import in_the_language_of, snapshot_of
from cogs.interactions.replies import button, suggesting
from cogs.messages import rows
from cogs.presenting.ids import Op
from cogs.services.lookups import Lookups, sees
from cogs.texts import t
from cogs.texts.languages import folded
from cogs.words.names import called, isolated, others_at
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped, clipped_name
from host import HostError

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from engine import Action
    from host import Game, GameSummary, Table
    from host.events import EventView


MOST_ASKED: Final = 10
"""Games among which one is asked to choose."""
LONGEST_LABEL: Final = 80
LONGEST_TO_ACT: Final = 20
"""Units of the name of who has to decide, in a list."""


async def find_game(interaction: Interaction, code: str | None, *, own: bool, op: Op | None = None) -> Game:
    """The game with a code; without one that which is meant here, as :func:`host.choosing.meant` says.

    Where several may be meant they are asked about, with buttons for ``op`` if there is one.

    Raises:
        HostError: unknown_game, also for a game that somebody neither plays nor may see.
        RefusedError: no game, or several, could be meant.
    """
    if code:
        return await admitted(interaction, code)
    meant = await _meant(interaction, own=own)
    if not meant:
        raise RefusedError("no_game")
    if len(meant) > 1:
        raise _which(meant, op, interaction.user.id)
    return await admitted(interaction, meant[0].code)


async def game_here(interaction: Interaction) -> Game | None:
    """The game that is meant here, if it is one."""
    try:
        return await find_game(interaction, "", own=False)
    except (HostError, RefusedError):
        return None


async def _meant(interaction: Interaction, *, own: bool) -> list[GameSummary]:
    place, thread = interaction.channel_id or 0, isinstance(interaction.channel, discord.Thread)
    meant = await interaction.client.host.game_lists.candidates(
        interaction.user.id, interaction.guild_id or 0, place, own=own, thread=thread
    )
    return [game for game in meant[:MOST_ASKED] if game.playing or await sees_table(interaction, game)]


def _which(games: Sequence[GameSummary], op: Op | None, user_id: int) -> RefusedError:
    """The question which game is meant."""
    codes = ", ".join(game.code for game in games)
    if op is None:
        return RefusedError("which_game", codes=codes)
    labels = [game_label(game, user_id, LONGEST_LABEL) for game in games]
    pairs = zip(games, labels, strict=True)
    buttons: list[ui.Item[Any]] = [button(op, game.code, game.revision, label) for game, label in pairs]
    return RefusedError("which_game_pressed", codes=codes, offers=rows(buttons))


def game_label(game: GameSummary, user_id: int, longest: int) -> str:
    """A game in somebody's list: what has to be told apart stands first, with six long names the last are cut off."""
    key = "game.waiting" if game.waiting_for_me else "game.running"
    to_act = isolated(clipped_name(called(game, game.to_act.user_id), LONGEST_TO_ACT)) if game.to_act else ""
    players = ", ".join(isolated(name) for name in others_at(game, user_id))
    return clipped(t(key, name=game.name, code=game.code, player=to_act, players=players), longest)


async def table_to_move(
    interaction: Interaction, ref: str, revision: int | None = None, actions: Sequence[Action] = ()
) -> Table:
    """The table at which who asks has to decide something, at this revision if one is given; he may do these actions.

    Raises:
        HostError: unknown_game, and as for :meth:`host.Host.moves.table_to_move`.
    """
    look = await snapshot_of(interaction, ref)
    return await interaction.client.host.moves.table_to_move(look, interaction.user.id, revision, actions)


MOST: Final = 25
LONGEST: Final = 100

Command = TypeVar("Command", bound=Callable[..., Awaitable[None]])


async def find_event(interaction: Interaction, code: str) -> EventView:
    """The event with a code; without one the only one of this server that is not over, or the newest that is.

    Raises:
        HostError: ``unknown_event``.
        RefusedError: several could be meant.
    """
    if code:
        return await admitted_event(interaction, code.strip().upper())
    found = await interaction.client.host.events.reader.meant_in(interaction.guild_id or 0)
    if len(found) > 1:
        raise RefusedError("which_event", codes=", ".join(event.code for event in found))
    return await admitted_event(interaction, found[0].code)


async def joinable_event(interaction: Interaction, code: str) -> EventView:
    """The event that somebody wants to enter, from another server, too, if he is known to see where it is played.

    Raises:
        HostError: ``unknown_event``.
        RefusedError: several could be meant.
    """
    events = interaction.client.host.events
    if not code:
        return await find_event(interaction, code)
    view = await events.reader.view(code.strip().upper())
    if view.guild_id == interaction.guild_id:
        return await admitted_event(interaction, view.code)
    await events.reader.check_open_to(view, interaction.user.id)
    in_the_language_of(interaction, view.plan.language)
    return view


@suggesting
async def complete_event(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The events of this server, those that are over behind."""
    events, guild_id = interaction.client.host.events, interaction.guild_id or 0
    found = [*await events.reader.listed(guild_id), *await events.reader.over(guild_id)]
    named = [(clipped(t("event.choice", name=each.name, code=each.code), LONGEST), each.code) for each in found]
    wanted = folded(typed)
    return [app_commands.Choice(name=name, value=code) for name, code in named if wanted in folded(name)][:MOST]


def about_event(command: Command) -> Command:
    """Give a command the option ``event``, described and completed."""
    described = app_commands.describe(event=t("command.tourney.event"))(command)
    return app_commands.autocomplete(event=complete_event)(described)


async def access(client: discord.Client, lookups: Lookups, guild_id: int, channel_id: int, user_id: int) -> bool | None:
    """Whether somebody sees the channel of an event; None where Discord does not say.

    Of a channel that is gone, or not for the bot to see, nobody can say.
    """
    guild = client.get_guild(guild_id)
    if guild is None:
        return None
    try:
        member = await lookups.member(guild_id, user_id)
        place = await lookups.place(guild, channel_id, channel_id)
        if member is None:
            return False
        return None if place is None else await sees(lookups, member, place)
    except RefusedError:
        return None
