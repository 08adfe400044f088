"""Access control: every press, modal, command and completion that names a game, lobby or event is checked here.

Discord guarantees the user, server and channel of an interaction and nothing else: custom ids can be forged and codes
guessed. An inaccessible game is answered as if it did not exist.

The module also reads the bot's own messages in a channel. They show a card that was sent but never recorded, or one
that this database has never sent because it was restored from a backup. Such a game begins a new *epoch*: it goes back
to an earlier position, and the cards of earlier epochs no longer count.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import discord

from cogs.interactions.context import bind_game, fall_back_to_language, known_game, remember_snapshot
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
    parse_id,
    parse_key,
)
from cogs.services.bot import Interaction
from cogs.services.lookups import sees
from cogs.words.names import table_link
from cogs.words.refusals import RefusedError
from host import Asker, CardSeen, Epoch, Game, GameSummary, HostError, Lobby, Person, Post, PostKind, check_look
from host.events.views import EventView
from host.notifications import KEEPING_CARD

VACATION_OPS: Final = frozenset({Op.VACATION, Op.BACK, Op.DAYS, Op.AWAY})
UNBOUND_OPS: Final = frozenset(
    {Op.DATA, Op.FORGET, Op.RULE, Op.RECORD, Op.SETTING, Op.HOURS, Op.QUIET, Op.GAMES, Op.MANAGE} | VACATION_OPS
)
"""Operations whose custom ids need not name a game: the rule pages find their game themselves, and the host checks who
manages a server."""
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
"""Operations that replace their own message with content for one user only."""
MODAL_OPS: Final = frozenset({Op.AWAY, Op.QUIET, Op.NOTED, Op.EVENT_TYPED, Op.REPORTED})
"""Operations of submitted modals; all others belong to buttons and lists."""


def is_private(op: Operation) -> bool:
    """Return whether an operation replaces its own message with content for one user only."""
    return op.private if isinstance(op, OwnOp) else op in PRIVATE_OPS


def is_typed(op: Operation) -> bool:
    """Return whether an operation belongs to a submitted modal."""
    return op.typed if isinstance(op, OwnOp) else op in MODAL_OPS


async def admit(interaction: Interaction, key: Key) -> Game | None:
    """Check that the user may use what a custom id names; return the game if it names one.

    Raises:
        HostError: ``unknown_game``, ``unknown_lobby`` or ``unknown_event``: there is none for this user here.
        RefusedError: the id is not one of the bot's, or Discord does not say who may see the game.
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
    """Check that a private panel does not replace a public message.

    Raises:
        RefusedError: ``unknown_button``: the message is public, so the custom id is forged.
    """
    message = interaction.message
    if is_private(key.op) and not (message is not None and message.flags.ephemeral):
        raise RefusedError("unknown_button")


async def admitted_lobby(interaction: Interaction, key: Key) -> Lobby:
    """Return the lobby that a button names, if it belongs to this channel.

    Raises:
        HostError: ``unknown_lobby``.
        RefusedError: the custom id names no lobby.
    """
    lobbies = interaction.client.host.lobbies
    lobby = await lobbies.get_in(interaction.guild_id, lobby_id(key), interaction.channel_id)
    fall_back_to_language(interaction, lobby.settings.language)
    await lobbies.rename(lobby, person_of(interaction))
    return lobby


async def admitted_event(interaction: Interaction, ref: str) -> EventView:
    """Return the event with this code if it belongs to this server; a draft is visible to its organisers alone.

    Raises:
        HostError: ``unknown_event``.
    """
    view = await interaction.client.host.events.reader.view_for(ref, asker_of(interaction))
    fall_back_to_language(interaction, view.plan.language)
    return view


def lobby_id(key: Key) -> int:
    """Return the id of the lobby that a button names.

    Raises:
        RefusedError: the custom id names no lobby.
    """
    if not (key.ref.isascii() and key.ref.isdecimal()):
        raise RefusedError("unknown_button")
    return int(key.ref)


def number_of(key: Key) -> int:
    """Return the argument of a button as a number.

    Raises:
        RefusedError: ``unknown_button``: it is no number, so the custom id is forged.
    """
    try:
        return parse_id(key.argument)
    except ValueError as error:
        raise RefusedError("unknown_button") from error


async def admitted(interaction: Interaction, ref: str) -> Game:
    """Return the game with this code if the user may see it, and remember its snapshot for this interaction.

    Raises:
        HostError, RefusedError: as for :func:`admitted_game`.
    """
    remembered = known_game(interaction, ref)
    if remembered is not None:
        return remembered
    snapshot = await interaction.client.host.games.snapshot(ref, interaction.user.id)
    game = await admitted_game(interaction, snapshot.game)
    remember_snapshot(interaction, replace(snapshot, game=game))
    return game


def on_game(run: Callable[[Interaction, Game], Awaitable[None]]) -> Callable[[Interaction, Key], Awaitable[None]]:
    """Return the handler of a button for a function that needs only the game the button names."""

    async def press(interaction: Interaction, key: Key) -> None:
        await run(interaction, await admitted(interaction, key.ref))

    return press


async def admitted_game(interaction: Interaction, game: Game) -> Game:
    """Return the game with the current name of the user, if they play it or may watch it.

    Raises:
        HostError: ``unknown_game``: the user has left its server, or neither plays it nor can see where it is played.
        RefusedError: Discord does not say.
    """
    in_its_server = interaction.guild_id == game.guild_id  # then Discord guarantees the membership
    member = in_its_server or await _is_member(interaction, game)
    may_watch = member and not game.plays(interaction.user.id) and await sees_table(interaction, game)
    check_look(game, interaction.user.id, member=member, sees=may_watch)
    bind_game(interaction, game)
    fall_back_to_language(interaction, game.settings.language)
    return await interaction.client.host.seats.rename(game, person_of(interaction)) if in_its_server else game


async def deserted_game(interaction: Interaction, ref: str) -> Game | None:
    """Return a game the user plays whose server the bot has left; None for any other game.

    Membership cannot be checked there. A player may move such a game to a server that all its players belong to.
    """
    try:
        game = await interaction.client.host.games.get(ref)
    except HostError:
        return None
    client = interaction.client
    bot_present = client.get_guild(game.guild_id) is not None or not client.serves(game.guild_id)
    if bot_present or not game.plays(interaction.user.id):
        return None
    bind_game(interaction, game)
    return game


async def _is_member(interaction: Interaction, game: Game) -> bool:
    """Return whether the user, outside of the game's server, belongs to it; only looked up for the game's players."""
    user_id = interaction.user.id
    if not game.plays(user_id):
        return False
    return await interaction.client.lookups.belongs(game.guild_id, user_id)


async def sees_table(interaction: Interaction, game: Game | GameSummary) -> bool:
    """Return whether the user can see where a game is played now: its thread, or its channel if that was deleted.

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
    """Return the user as a person, with their display name in this server."""
    return Person(interaction.user.id, interaction.user.display_name)


def asker_of(interaction: Interaction) -> Asker:
    """Return the user with their roles; the permission to manage threads has to be server-wide to count."""
    user = interaction.user
    if not isinstance(user, discord.Member):
        return Asker(user.id, interaction.guild_id or 0)
    roles = frozenset(role.id for role in user.roles)
    return Asker(user.id, user.guild.id, roles, user.guild_permissions.manage_threads)


HISTORY_LIMIT: Final = 50
"""Messages that are read when searching a channel."""
NOTICES: Final = KEEPING_CARD | {PostKind.FROZEN, PostKind.HELD, PostKind.THAWED, PostKind.WENT_BACK}
"""Kinds of posts that are not a card of the newest position."""
DECIDING: Final = frozenset(
    {Op.PLAY, Op.PLAN, Op.MODE, Op.GO, Op.ACT, Op.UNDO, Op.PUBLISH, Op.ASK, Op.AGREE, Op.DECLINE, Op.SEAT}
)
"""Operations that lead to a move or a vote."""


def decides(op: Operation) -> bool:
    """Return whether an operation leads to a move or a vote."""
    return op.decides if isinstance(op, OwnOp) else op in DECIDING


class PostedMessage(NamedTuple):
    """A message of the bot with the custom ids of its buttons; a card loses its buttons when the next one follows."""

    message: discord.Message
    ids: tuple[str, ...]


async def posted_in(channel: discord.PartialMessageable, bot_id: int) -> list[PostedMessage]:
    """Return the bot's newest messages with buttons in a channel; none if it may not read the channel.

    ``bot_id`` is the bot's user id.
    """
    try:
        history = [message async for message in channel.history(limit=HISTORY_LIMIT) if message.author.id == bot_id]
    except (discord.NotFound, discord.Forbidden):
        return []
    return [PostedMessage(message, ids) for message in history if (ids := tuple(custom_ids(message)))]


def cards_of(code: str, posted: list[PostedMessage]) -> list[tuple[PostedMessage, CardSeen]]:
    """Return the messages that are cards of a game, each with its epoch and revision."""
    return [(message, card) for message in posted for card in _seen_cards(code, message.ids)]


def _seen_cards(code: str, ids: tuple[str, ...]) -> Iterator[CardSeen]:
    for custom_id in ids:
        key = parse_key(custom_id)
        if key is not None and key.op is Op.BOARD and key.ref == code:
            yield CardSeen(epoch_in(key), key.revision)


def marker_of(post: Post) -> str:
    """Return the custom id by which the message of a post is recognised in its channel."""
    game = post.game
    if post.kind in NOTICES or post.kind is PostKind.REOPENED:  # a reopened card is not the only one of its revision
        return notice_marker(game.code, post.revision, post.nonce)
    return card_marker(game.code, post.revision, game.epoch)


async def require_current_epoch(interaction: Interaction, key: Key, game: Game) -> None:
    """Check that the pressed message was sent after the game last went back to an earlier position, if it ever did.

    Raises:
        RefusedError: ``went_back``: the message is older.
    """
    if not decides(key.op) or interaction.message is None:
        return
    host = interaction.client.host
    epoch = await host.games.epochs.of(key.ref)
    if epoch is not None and _shown_before(interaction.message, key.ref, epoch):
        raise RefusedError("went_back", link=await table_link(host, game))


async def require_current_server(interaction: Interaction, key: Key, game: Game) -> None:
    """Check that the pressed message is not in a server that the game has left.

    Raises:
        RefusedError: ``moved_away``: it is.
    """
    message = interaction.message
    if decides(key.op) and message and not message.flags.ephemeral and interaction.guild_id != game.guild_id:
        raise RefusedError("moved_away", link=await table_link(interaction.client.host, game))


def _shown_before(message: discord.Message, code: str, epoch: Epoch) -> bool:
    """Return whether a message was sent before this epoch: a card names its epoch, a panel is compared by its id."""
    cards = cards_of(code, [PostedMessage(message, tuple(custom_ids(message)))])
    if cards:
        return all(card.epoch != epoch.number for _, card in cards)
    return epoch.notice_id is not None and message.id < epoch.notice_id
