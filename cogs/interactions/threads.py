"""Where a game may be played: what the bot has to be allowed there, and opening a thread for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ButtonStyle, ui

from cogs.interactions.replies import button
from cogs.presenting.ids import HERE, Op
from cogs.services.lookups import Channel, sees
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.names import isolated
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from host import Venue, told_apart

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game, Label, Lobby, Person

A_WEEK: Final = 10080
"""Minutes without a message until Discord archives the thread: the most it offers."""
LONGEST_NAME: Final = 100
THREAD_EXISTS: Final = 160004
_ALWAYS: Final = ("view_channel", "attach_files", "read_message_history")
_THREADS: Final = ("create_public_threads", "send_messages_in_threads")


def require_table_permissions(interaction: Interaction) -> None:
    """Make sure that cards can be posted in this channel.

    Raises:
        RefusedError: permissions are missing; nothing has been changed.
    """
    send = "send_messages_in_threads" if isinstance(interaction.channel, discord.Thread) else "send_messages"
    missing = _missing(interaction, (*_ALWAYS, send))
    if missing:
        raise RefusedError("no_permission", permissions=missing)


def require_thread_permissions(interaction: Interaction, lobby_id: int) -> None:
    """Make sure that a thread can be opened for a game; if not, playing in the channel is offered.

    Raises:
        RefusedError: permissions are missing; nothing has been changed.
    """
    missing = _missing(interaction, _THREADS)
    if missing:
        raise RefusedError("no_threads", permissions=missing, offer=_play_here(lobby_id))


def _missing(interaction: Interaction, names: Iterable[str]) -> str:
    granted = interaction.app_permissions
    missing = [name for name in names if not (granted.administrator or getattr(granted, name))]
    return ", ".join(t(f"permission.{name}") for name in missing)


def _play_here(lobby_id: int) -> ui.ActionRow[ui.LayoutView]:
    label = t("button.start_here")
    here: ui.Item[Any] = button(Op.START, str(lobby_id), 0, label, argument=HERE, style=ButtonStyle.primary)
    return ui.ActionRow(here)


def channel_around(interaction: Interaction) -> int:
    """The channel of an interaction, of one in a thread that in which the thread lies; 0 where Discord names none."""
    channel = interaction.channel
    return (channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id) or 0


def place_here(interaction: Interaction, unseen_by: Iterable[int] = ()) -> Venue:
    """The channel or thread of an interaction, for the host."""
    return venue_of(interaction.channel, interaction.channel_id or 0, unseen_by)


async def members_here(interaction: Interaction, game: Game) -> frozenset[int]:
    """Who plays a game and is a member of the server of an interaction, as Discord says at this moment.

    Raises:
        RefusedError: it does not say.
    """
    guild_id, found = interaction.guild_id or 0, set[int]()
    for person in game.players:
        here = await interaction.client.lookups.is_member(guild_id, person.user_id, anew=True)
        if here is None:
            raise RefusedError("not_said")
        found |= {person.user_id} if here else set()
    return frozenset(found)


def venue_of(channel: object, channel_id: int, unseen_by: Iterable[int] = ()) -> Venue:
    """A channel or thread for the host, as far as it is known."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    around = (getattr(parent, "id", None), getattr(parent, "category_id", None))
    within = tuple(place for place in around if place is not None)
    return Venue(channel_id, within, frozenset(unseen_by))


async def blind_here(interaction: Interaction, game: Game) -> list[int]:
    """Who plays a game, is a member of this server, and cannot see this channel or thread.

    Raises:
        RefusedError: Discord does not say.
    """
    lookups, channel = interaction.client.lookups, interaction.channel
    blind = []
    for person in game.players:
        member = await lookups.member(interaction.guild_id or game.guild_id, person.user_id)
        if member and not (isinstance(channel, Channel) and await sees(lookups, member, channel)):
            blind.append(member.id)
    return blind


def thread_title(name: str, code: str, people: Sequence[Person]) -> str:
    """What the thread of a game is called, in a list of channels."""
    players = ", ".join(isolated(name) for name in told_apart(people))
    return clipped(t("game.title", name=name, code=code, players=players), LONGEST_NAME)


async def open_thread(interaction: Interaction, lobby: Lobby, label: Label) -> int:
    """A public thread under the lobby card, called like the game; its id. Asking twice gives the same thread.

    A thread that begins at a message has that message's id, so one that an interrupted start left behind is found.

    Raises:
        RefusedError: Discord does not allow it.
    """
    with speaking(lobby.settings.language):
        name = thread_title(label.name, label.code, lobby.members)
    channel = interaction.client.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
    message = channel.get_partial_message(interaction.message.id if interaction.message else lobby.message_id or 0)
    try:
        thread = await message.create_thread(name=name, auto_archive_duration=A_WEEK)
    except discord.DiscordServerError:
        raise
    except discord.HTTPException as error:
        if error.code == THREAD_EXISTS:
            await _rename(interaction, message.id, name)
            return message.id
        raise RefusedError("thread_failed", offer=_play_here(lobby.id)) from error
    return thread.id


async def _rename(interaction: Interaction, thread_id: int, name: str) -> None:
    """Call a thread that an interrupted start left behind by the name of the game that begins now."""
    with suppress(discord.HTTPException):  # it can be played in under another name, too
        thread = await interaction.client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread) and thread.name != name:
            await thread.edit(name=name)
