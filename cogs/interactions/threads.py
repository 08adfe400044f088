"""The channels and threads in which games are played.

Checks of the permissions that the bot and the players need there, and the opening of a thread for a new game.
"""

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
from cogs.words.names import isolate, player_names
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from host import Game, Label, Lobby, Person, Player, Venue

ARCHIVE_MINUTES: Final = 10080
"""The minutes without a message after which Discord archives a thread: a week, the longest that it offers."""
MAX_THREAD_NAME: Final = 100
"""The most characters of a thread's name."""
THREAD_EXISTS: Final = 160004
"""Discord's error code for a message that has a thread already."""
_CARD_PERMISSIONS: Final = ("view_channel", "attach_files", "read_message_history")
"""The permissions that posting cards needs, beside that of sending messages."""
_THREAD_PERMISSIONS: Final = ("create_public_threads", "send_messages_in_threads")
"""The permissions that playing in a new thread needs."""


def require_table_permissions(interaction: Interaction) -> None:
    """Check that the bot may post cards in the channel or thread of an interaction.

    Raises:
        RefusedError: permissions are missing.
    """
    send = "send_messages_in_threads" if isinstance(interaction.channel, discord.Thread) else "send_messages"
    missing = _missing(interaction, (*_CARD_PERMISSIONS, send))
    if missing:
        raise RefusedError("no_permission", permissions=missing)


def require_thread_permissions(interaction: Interaction, lobby_id: int) -> None:
    """Check that the bot may open a thread for the game of a lobby.

    Raises:
        RefusedError: permissions are missing; the refusal has a button to play in the channel instead.
    """
    missing = _missing(interaction, _THREAD_PERMISSIONS)
    if missing:
        raise RefusedError("no_threads", permissions=missing, offer=_play_here(lobby_id))


def _missing(interaction: Interaction, names: Iterable[str]) -> str:
    """Return in words the permissions that the bot lacks; empty if it has them all."""
    permissions = interaction.app_permissions
    missing = [name for name in names if not (permissions.administrator or getattr(permissions, name))]
    return permission_words(missing)


def permission_words(names: Iterable[str]) -> str:
    """Return permissions in the words of Discord."""
    return ", ".join(t(f"permission.{name}") for name in names)


def _play_here(lobby_id: int) -> ui.ActionRow[ui.LayoutView]:
    """Return a button that starts the game of a lobby in its channel, without a thread."""
    label = t("button.start_here")
    start: ui.Item[Any] = button(Op.START, str(lobby_id), 0, label, argument=HERE, style=ButtonStyle.primary)
    return ui.ActionRow(start)


def parent_channel_id(interaction: Interaction) -> int:
    """Return the id of the interaction's channel, or of the channel of its thread; 0 if Discord names none."""
    channel = interaction.channel
    return (channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id) or 0


def current_venue(interaction: Interaction, unseen_by: Iterable[int] = ()) -> Venue:
    """Return the channel or thread of an interaction as the host describes it; ``unseen_by`` cannot see it."""
    return venue_of(interaction.channel, interaction.channel_id or 0, unseen_by)


async def players_in_server(interaction: Interaction, game: Game) -> frozenset[int]:
    """Return the ids of a game's players who are members of the interaction's server; ask Discord, not the cache.

    Raises:
        RefusedError: Discord gives no answer.
    """
    guild_id, member_ids = interaction.guild_id or 0, set[int]()
    for person in game.players:
        is_member = await interaction.client.lookups.is_member(guild_id, person.user_id, refresh=True)
        if is_member is None:
            raise RefusedError("not_said")
        member_ids |= {person.user_id} if is_member else set()
    return frozenset(member_ids)


def venue_of(channel: object, channel_id: int, unseen_by: Iterable[int] = ()) -> Venue:
    """Return a channel or thread as the host describes it, with the channel and category that contain it if cached."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    parents = (getattr(parent, "id", None), getattr(parent, "category_id", None))
    containers = tuple(place for place in parents if place is not None)
    return Venue(channel_id, containers, frozenset(unseen_by))


async def players_unable_to_see(interaction: Interaction, game: Game) -> list[int]:
    """Return the ids of a game's players who are members of this server but cannot see this channel or thread.

    Raises:
        RefusedError: Discord gives no answer.
    """
    lookups, channel = interaction.client.lookups, interaction.channel
    unable = []
    for person in game.players:
        member = await lookups.member(interaction.guild_id or game.guild_id, person.user_id)
        if member and not (isinstance(channel, Channel) and await sees(lookups, member, channel)):
            unable.append(member.id)
    return unable


def thread_title(name: str, code: str, players: Sequence[Player]) -> str:
    """Return the name for the thread of a game: the game's name, its code and its players."""
    names = ", ".join(isolate(name) for name in player_names(players))
    return clip(t("game.title", name=name, code=code, players=names), MAX_THREAD_NAME)


def lesson_title(learner: Person) -> str:
    """Return the name for the private thread of a first lesson."""
    return clip(t("lesson.thread", player=isolate(learner.name)), MAX_THREAD_NAME)


async def open_thread(interaction: Interaction, lobby: Lobby, label: Label) -> int:
    """Open a public thread for a new game under the message of its lobby, and return its id. This is idempotent.

    A thread under a message has the message's id, so one that an interrupted start has left behind is found again.

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
    """Rename a thread that an interrupted start has left behind after the game that begins now."""
    with suppress(discord.HTTPException):  # the wrong name is no reason to fail
        thread = await interaction.client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread) and thread.name != name:
            await thread.edit(name=name)
