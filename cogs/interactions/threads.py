"""Places where games are played: the permissions that the bot needs there, and the threads that it opens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import discord
from discord import ButtonStyle, ui

from cogs.interactions.replies import button
from cogs.presenting.ids import HERE, Op
from cogs.services.bot import Interaction
from cogs.services.lookups import Channel, sees
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.names import isolated
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from host import Game, Label, Lobby, Person, Venue, unique_names

ARCHIVE_MINUTES: Final = 10080
"""Minutes without a message until Discord archives a thread: a week, the longest it offers."""
MAX_THREAD_NAME: Final = 100
"""Maximum characters of a thread's name."""
THREAD_EXISTS: Final = 160004
"""Error code: the message already has a thread."""
_ALWAYS: Final = ("view_channel", "attach_files", "read_message_history")
_THREADS: Final = ("create_public_threads", "send_messages_in_threads")


def require_table_permissions(interaction: Interaction) -> None:
    """Check that the bot may post cards in this channel.

    Raises:
        RefusedError: permissions are missing.
    """
    send = "send_messages_in_threads" if isinstance(interaction.channel, discord.Thread) else "send_messages"
    missing = _missing(interaction, (*_ALWAYS, send))
    if missing:
        raise RefusedError("no_permission", permissions=missing)


def require_thread_permissions(interaction: Interaction, lobby_id: int) -> None:
    """Check that the bot may open a thread for a game.

    Raises:
        RefusedError: permissions are missing; it offers a button to play in the channel instead.
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
    start: ui.Item[Any] = button(Op.START, str(lobby_id), 0, label, argument=HERE, style=ButtonStyle.primary)
    return ui.ActionRow(start)


def channel_around(interaction: Interaction) -> int:
    """Return the id of the interaction's channel, or of the channel its thread is in; 0 if Discord names none."""
    channel = interaction.channel
    return (channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id) or 0


def place_here(interaction: Interaction, unseen_by: Iterable[int] = ()) -> Venue:
    """Return the channel or thread of an interaction as the host's venue."""
    return venue_of(interaction.channel, interaction.channel_id or 0, unseen_by)


async def members_here(interaction: Interaction, game: Game) -> frozenset[int]:
    """Return the players of a game who are members of the interaction's server, asking Discord anew.

    Raises:
        RefusedError: Discord does not say.
    """
    guild_id, member_ids = interaction.guild_id or 0, set[int]()
    for person in game.players:
        is_member = await interaction.client.lookups.is_member(guild_id, person.user_id, anew=True)
        if is_member is None:
            raise RefusedError("not_said")
        member_ids |= {person.user_id} if is_member else set()
    return frozenset(member_ids)


def venue_of(channel: object, channel_id: int, unseen_by: Iterable[int] = ()) -> Venue:
    """Return a channel or thread as the host's venue, with the channel and category around it if cached."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    parents = (getattr(parent, "id", None), getattr(parent, "category_id", None))
    containers = tuple(place for place in parents if place is not None)
    return Venue(channel_id, containers, frozenset(unseen_by))


async def players_unable_to_see(interaction: Interaction, game: Game) -> list[int]:
    """Return the players of a game who are members of this server but cannot see this channel or thread.

    Raises:
        RefusedError: Discord does not say.
    """
    lookups, channel = interaction.client.lookups, interaction.channel
    unable = []
    for person in game.players:
        member = await lookups.member(interaction.guild_id or game.guild_id, person.user_id)
        if member and not (isinstance(channel, Channel) and await sees(lookups, member, channel)):
            unable.append(member.id)
    return unable


def thread_title(name: str, code: str, people: Sequence[Person]) -> str:
    """Return the name of a game's thread: the game's name, its code and its players."""
    players = ", ".join(isolated(name) for name in unique_names(people))
    return clipped(t("game.title", name=name, code=code, players=players), MAX_THREAD_NAME)


async def open_thread(interaction: Interaction, lobby: Lobby, label: Label) -> int:
    """Open a public thread under the lobby card, named after the game, and return its id. This is idempotent.

    A thread that starts from a message has that message's id, so one left by an interrupted start is found again.

    Raises:
        RefusedError: Discord does not allow it.
    """
    with speaking(lobby.settings.language):
        name = thread_title(label.name, label.code, lobby.members)
    channel = interaction.client.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
    message = channel.get_partial_message(interaction.message.id if interaction.message else lobby.message_id or 0)
    try:
        thread = await message.create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)
    except discord.DiscordServerError:
        raise
    except discord.HTTPException as error:
        if error.code == THREAD_EXISTS:
            await _rename(interaction, message.id, name)
            return message.id
        raise RefusedError("thread_failed", offer=_play_here(lobby.id)) from error
    return thread.id


async def _rename(interaction: Interaction, thread_id: int, name: str) -> None:
    """Rename a thread left by an interrupted start after the game that begins now."""
    with suppress(discord.HTTPException):  # the wrong name is no reason to fail
        thread = await interaction.client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread) and thread.name != name:
            await thread.edit(name=name)
