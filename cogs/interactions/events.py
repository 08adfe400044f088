"""Finding the event that somebody means, and who sees where it is played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

import discord
from discord import app_commands

from cogs.interactions.admission import admitted_event
from cogs.interactions.reader import in_the_language_of
from cogs.interactions.suggesting import suggesting
from cogs.services.lookups import Lookups, sees
from cogs.texts import t
from cogs.texts.languages import folded
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host.events import EventView

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
