"""The gate through which every press, modal, command and completion goes that names a game or a table that gathers.

Discord vouches for the server and the channel of an interaction, for nothing else that stands in it: an id can be
forged, and a code be guessed. What is refused here is answered as if it did not exist.

The messages of a thread say what stands there already: a card that nobody recorded, or one that this database, restored
from a copy, has never sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import discord

from cogs.interactions.context import in_the_language_of, is_about, known_game, remember_snapshot
from cogs.messages import custom_ids
from cogs.presenting.ids import (
    EVENT_OPS,
    LOBBY_OPS,
    Key,
    Op,
    Operation,
    OwnOp,
    card_marker,
    epoch_in,
    notice_marker,
    number_in,
    parse_key,
)
from cogs.services.lookups import sees
from cogs.words.names import table_link
from cogs.words.refusals import RefusedError
from host import Asker, CardSeen, Epoch, HostError, Person, PostKind, check_look
from host.notifications import KEEPING_CARD

if TYPE_CHECKING:
    from cogs.presenting.ids import Key
    from cogs.services.bot import Interaction
    from host import Game, GameSummary, Lobby, Post
    from host.events.views.values import EventView


VACATION_OPS: Final = frozenset({Op.VACATION, Op.BACK, Op.DAYS, Op.AWAY})
UNBOUND_OPS: Final = frozenset(
    {Op.DATA, Op.FORGET, Op.RULE, Op.RECORD, Op.SETTING, Op.HOURS, Op.QUIET, Op.GAMES, Op.MANAGE} | VACATION_OPS
)
"""Operations whose ids need not name anything: the pages of the rules find their game themselves, and the host looks
after the managers."""
PRIVATE_OPS: Final = frozenset(
    {
        Op.CHANGE,
        Op.REMOVE,
        Op.READMIT,
        Op.CLOSE,
        Op.MANAGE,
        Op.GAMES,
        Op.PLAN,
        Op.MODE,
        Op.UNDO,
        Op.PUBLISH,
        Op.ASK,
        Op.SEAT,
    }
    | {Op.VACATION, Op.BACK, Op.AWAY, Op.DATA, Op.FORGET, Op.EVENT_PAGE, Op.EVENT_FORM, Op.EVENT_TYPED}
    | {Op.TELL, Op.SETTING, Op.HOURS, Op.QUIET, Op.NOTE, Op.NOTED, Op.GIVE, Op.PAUSE}
    | {Op.REPORT, Op.REPORTED}
)
"""Operations that fill the message on which they stand with what is only for one person."""
MODAL_OPS: Final = frozenset({Op.AWAY, Op.QUIET, Op.NOTED, Op.EVENT_TYPED, Op.REPORTED})
"""Operations of submitted modals; all others are those of buttons and lists."""


def is_private(op: Operation) -> bool:
    """Whether an operation fills the message on which it stands with what is only for one person."""
    return op.private if isinstance(op, OwnOp) else op in PRIVATE_OPS


def is_typed(op: Operation) -> bool:
    """Whether an operation is a modal's."""
    return op.typed if isinstance(op, OwnOp) else op in MODAL_OPS


async def admit(interaction: Interaction, key: Key) -> Game | None:
    """Let a press or modal through to what its id names; the game, if that is one.

    Raises:
        HostError: ``unknown_game``, ``unknown_lobby``, ``unknown_event``: there is none, or none for who pressed, here.
        RefusedError: the id is none of ours, or Discord does not say who may see the game.
    """
    if key.op in UNBOUND_OPS:
        return None
    if key.op in LOBBY_OPS:
        await admitted_lobby(interaction, key)
        return None
    if key.op in EVENT_OPS:
        await admitted_event(interaction, key.ref)
        return None
    return await admitted(interaction, key.ref)


def require_private(interaction: Interaction, key: Key) -> None:
    """Make sure that a private panel does not take the place of a message that everybody sees.

    Raises:
        RefusedError: it would.
    """
    message = interaction.message
    if is_private(key.op) and not (message is not None and message.flags.ephemeral):
        raise RefusedError("unknown_button")


async def admitted_lobby(interaction: Interaction, key: Key) -> Lobby:
    """The lobby that a button names, in the channel to which it belongs.

    Raises:
        HostError: ``unknown_lobby``.
        RefusedError: it is none of ours.
    """
    lobbies = interaction.client.host.lobbies
    lobby = await lobbies.get_in(interaction.guild_id, lobby_id(key), interaction.channel_id)
    in_the_language_of(interaction, lobby.settings.language)
    await lobbies.rename(lobby, person_of(interaction))
    return lobby


async def admitted_event(interaction: Interaction, ref: str) -> EventView:
    """The event with this code, in its own server; one that is still being planned only for its organisers.

    Raises:
        HostError: ``unknown_event``.
    """
    view = await interaction.client.host.events.reader.view_for(ref, asker_of(interaction))
    in_the_language_of(interaction, view.plan.language)
    return view


def lobby_id(key: Key) -> int:
    """The number of the lobby that a button names.

    Raises:
        RefusedError: it is none of ours.
    """
    if not (key.ref.isascii() and key.ref.isdecimal()):
        raise RefusedError("unknown_button")
    return int(key.ref)


def number_of(key: Key) -> int:
    """Return the number that is the argument of a button.

    Raises:
        RefusedError: ``unknown_button``: it is no number, so no button of ours has it.
    """
    try:
        return number_in(key.argument)
    except ValueError as error:
        raise RefusedError("unknown_button") from error


async def admitted(interaction: Interaction, ref: str) -> Game:
    """Let an interaction through to the game with this code.

    Raises:
        HostError, RefusedError: as for :func:`admitted_game`.
    """
    known = known_game(interaction, ref)
    if known is not None:
        return known
    look = await interaction.client.host.games.snapshot(ref, interaction.user.id)
    game = await admitted_game(interaction, look.game)
    remember_snapshot(interaction, replace(look, game=game))
    return game


async def admitted_game(interaction: Interaction, game: Game) -> Game:
    """The game, with the present name of who plays in it; what follows is about this game.

    Raises:
        HostError: ``unknown_game`` for who is no member of its server any more, or neither plays it nor can see where
            it is played.
        RefusedError: Discord does not say.
    """
    here = interaction.guild_id == game.guild_id  # then Discord vouches for the membership
    member = here or await _is_member(interaction, game)
    looks_on = member and not game.plays(interaction.user.id) and await sees_table(interaction, game)
    check_look(game, interaction.user.id, member=member, sees=looks_on)
    is_about(interaction, game)
    in_the_language_of(interaction, game.settings.language)
    return await interaction.client.host.seats.rename(game, person_of(interaction)) if here else game


async def deserted_game(interaction: Interaction, ref: str) -> Game | None:
    """The game with this code that somebody plays, where the bot is in its server no more; None for all others.

    Nobody can say who is a member there. Whoever plays it may let it go on where all of them are.
    """
    try:
        game = await interaction.client.host.games.get(ref)
    except HostError:
        return None
    client = interaction.client
    is_there = client.get_guild(game.guild_id) is not None or not client.hears(game.guild_id)
    if is_there or not game.plays(interaction.user.id):
        return None
    is_about(interaction, game)
    return game


async def _is_member(interaction: Interaction, game: Game) -> bool:
    """Whether who asks from somewhere else belongs to the server of the game; asked only for those who play it."""
    user_id = interaction.user.id
    if not game.plays(user_id):
        return False
    return await interaction.client.lookups.belongs(game.guild_id, user_id)


async def sees_table(interaction: Interaction, game: Game | GameSummary) -> bool:
    """Whether who asks sees the place where a game is played now; that of a deleted thread is its channel.

    Raises:
        RefusedError: Discord does not say.
    """
    guild, member, lookups = interaction.guild, interaction.user, interaction.client.lookups
    if game.place == interaction.channel_id:
        return True
    if guild is None or guild.id != game.guild_id or not isinstance(member, discord.Member):
        return False
    place = await lookups.place(guild, game.place, game.channel_id)
    return place is not None and await sees(lookups, member, place)


def person_of(interaction: Interaction) -> Person:
    """Who asks, under the name that is seen in this server."""
    return Person(interaction.user.id, interaction.user.display_name)


def asker_of(interaction: Interaction) -> Asker:
    """Who asks, with what Discord says of their roles; the permission counts only if it is that of the whole server."""
    user = interaction.user
    if not isinstance(user, discord.Member):
        return Asker(user.id, interaction.guild_id or 0)
    roles = frozenset(role.id for role in user.roles)
    return Asker(user.id, user.guild.id, roles, user.guild_permissions.manage_threads)


SEARCHED: Final = 50
"""Messages looked through."""
NOTICES: Final = KEEPING_CARD | {PostKind.FROZEN, PostKind.HELD, PostKind.THAWED, PostKind.WENT_BACK}
DECIDING: Final = frozenset(
    {Op.PLAY, Op.PLAN, Op.MODE, Op.GO, Op.ACT, Op.UNDO, Op.PUBLISH, Op.ASK, Op.AGREE, Op.DECLINE, Op.SEAT}
)
"""Operations that lead to a move."""


def decides(op: Operation) -> bool:
    """Whether an operation leads to a move."""
    return op.decides if isinstance(op, OwnOp) else op in DECIDING


class Posted(NamedTuple):
    """A message of ours with buttons: cards lose theirs when the next one follows."""

    message: discord.Message
    ids: tuple[str, ...]


async def posted_in(channel: discord.PartialMessageable, me: int) -> list[Posted]:
    """Our newest messages that have buttons; none where we may not look."""
    try:
        history = [message async for message in channel.history(limit=SEARCHED) if message.author.id == me]
    except (discord.NotFound, discord.Forbidden):
        return []
    return [Posted(message, ids) for message in history if (ids := tuple(custom_ids(message)))]


def cards_of(code: str, posted: list[Posted]) -> list[tuple[Posted, CardSeen]]:
    """Those which are cards of a game."""
    return [(found, seen) for found in posted for seen in _cards(code, found.ids)]


def _cards(code: str, ids: tuple[str, ...]) -> Iterator[CardSeen]:
    for custom_id in ids:
        key = parse_key(custom_id)
        if key is not None and key.op is Op.BOARD and key.ref == code:
            yield CardSeen(epoch_in(key), key.revision)


def marker_of(post: Post) -> str:
    """The custom id by which the message of a post is recognised."""
    game = post.game
    if post.kind in NOTICES or post.kind is PostKind.REOPENED:  # which is not the only card of its revision
        return notice_marker(game.code, post.revision, post.nonce)
    return card_marker(game.code, post.revision, game.epoch)


async def require_present(interaction: Interaction, key: Key, game: Game) -> None:
    """Make sure that a decision is made on something that was shown since the game went back, if it ever did.

    Raises:
        RefusedError: it was shown before.
    """
    if not decides(key.op) or interaction.message is None:
        return
    host = interaction.client.host
    epoch = await host.games.epochs.of(key.ref)
    if epoch is not None and _shown_before(interaction.message, key.ref, epoch):
        raise RefusedError("went_back", link=await table_link(host, game))


async def require_here(interaction: Interaction, key: Key, game: Game) -> None:
    """Make sure that a decision is not made on what was posted in a server in which the game was played before.

    Raises:
        RefusedError: it was.
    """
    message = interaction.message
    if decides(key.op) and message and not message.flags.ephemeral and interaction.guild_id != game.guild_id:
        raise RefusedError("moved_away", link=await table_link(interaction.client.host, game))


def _shown_before(message: discord.Message, code: str, epoch: Epoch) -> bool:
    """A card says of which epoch it is; a private panel is older than the notice, or it is not."""
    cards = cards_of(code, [Posted(message, tuple(custom_ids(message)))])
    if cards:
        return all(seen.epoch != epoch.number for _, seen in cards)
    return epoch.notice_id is not None and message.id < epoch.notice_id
