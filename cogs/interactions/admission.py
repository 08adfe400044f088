"""Access control: whatever names a game, lobby or event in an interaction is checked here.

Discord guarantees the user, the server and the channel of an interaction, and nothing else. *Custom ids*, the texts by
which buttons are identified, can be forged, and codes of games can be guessed. A game that a user may not see is
answered as if it did not exist.

The module also reads the bot's own messages in a channel. Among them may be a card that was sent but not recorded, or
one that this database has never sent, because it was restored from a backup. Then the game begins a new *epoch*: it
goes back to an earlier position, and buttons of earlier epochs do not count any more.
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
from host import Asker, CardSeen, Epoch, Game, GameSummary, HostError, Person, Post, PostKind, check_look
from host.events.views import EventView
from host.notifications import KEEPING_CARD

VACATION_OPS: Final = frozenset({Op.VACATION, Op.BACK, Op.DAYS, Op.AWAY})
"""The operations of the panel for vacations."""
UNBOUND_OPS: Final = frozenset(
    {Op.DATA, Op.FORGET, Op.RULE, Op.RECORD, Op.SETTING, Op.HOURS, Op.QUIET, Op.GAMES, Op.MANAGE, Op.AVOID}
    | VACATION_OPS
    | {Op.MEET, Op.MEETING, Op.MEETING_FILE, Op.MEETING_FORM, Op.MEETING_TYPED}
)
"""The operations whose custom ids need not name a game: they are about the user, or check access by themselves."""
MODAL_OPS: Final = frozenset({Op.AWAY, Op.QUIET, Op.NOTED, Op.EVENT_TYPED, Op.REPORTED, Op.MEETING_TYPED})
"""The operations of submitted modals; all others belong to buttons and lists."""
PRIVATE_OPS: Final = (
    MODAL_OPS
    | {Op.CHANGE, Op.REMOVE, Op.READMIT, Op.COMPUTER, Op.CLOSE, Op.MANAGE, Op.EVENT_PAGE, Op.EVENT_FORM}
    | {Op.PLAN, Op.ADVICE, Op.MODE, Op.UNDO, Op.PUBLISH, Op.ASK, Op.SEAT, Op.TELL, Op.NOTE, Op.REPORT, Op.GIVE}
    | {Op.PAUSE, Op.GAMES, Op.SETTING, Op.HOURS, Op.VACATION, Op.BACK, Op.DATA, Op.FORGET}
    | {Op.AVOID, Op.MEETING_FORM}
)
"""The operations that replace their own message with content for one user only."""


def is_private(op: Operation) -> bool:
    """Return whether an operation replaces its own message with content for one user only."""
    return op.private if isinstance(op, OwnOp) else op in PRIVATE_OPS


def is_typed(op: Operation) -> bool:
    """Return whether an operation belongs to a submitted modal."""
    return op.typed if isinstance(op, OwnOp) else op in MODAL_OPS


async def admit(interaction: Interaction, key: Key) -> Game | None:
    """Check that the user has access to the game, lobby or event that a custom id names; return it if it is a game.

    Raises:
        HostError: ``unknown_game``, ``unknown_lobby`` or ``unknown_event``: there is none to which the user has access.
        RefusedError: the custom id is forged, or Discord does not say who may see the game.
    """
    if key.op in UNBOUND_OPS:
        return None
    if key.op in LOBBY_OPS:
        await admit_to_lobby(interaction, key)
        return None
    if key.op in EVENT_OPS:
        await admitted_event(interaction, key.ref)
        return None
    return await admitted(interaction, key.ref)


def require_private(interaction: Interaction, key: Key) -> None:
    """Check that a press does not replace a public message by content for one user.

    Raises:
        RefusedError: ``unknown_button``: the message is public, so the custom id is forged.
    """
    message = interaction.message
    if is_private(key.op) and not (message is not None and message.flags.ephemeral):
        raise RefusedError("unknown_button")


async def admit_to_lobby(interaction: Interaction, key: Key) -> None:
    """Check that the lobby that a button names belongs to the channel of the interaction.

    Raises:
        HostError: ``unknown_lobby``.
        RefusedError: the custom id names no lobby.
    """
    lobbies = interaction.client.host.lobbies
    lobby = await lobbies.get_in(interaction.guild_id, lobby_id(key), interaction.channel_id)
    fall_back_to_language(interaction, lobby.settings.language)
    await lobbies.rename(lobby, person_of(interaction))


async def admitted_event(interaction: Interaction, ref: str) -> EventView:
    """Return the event with this code if it belongs to the server of the interaction, and the user may see it.

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
        RefusedError: ``unknown_button``: it is not a number, so the custom id is forged.
    """
    try:
        return parse_id(key.argument)
    except ValueError as error:
        raise RefusedError("unknown_button") from error


async def admitted(interaction: Interaction, ref: str) -> Game:
    """Return the game with this code if the user may see it, and remember its snapshot for the interaction.

    Raises:
        HostError, RefusedError: those of :func:`admitted_game`.
    """
    remembered = known_game(interaction, ref)
    if remembered is not None:
        return remembered
    snapshot = await interaction.client.host.games.snapshot(ref, interaction.user.id)
    game = await admitted_game(interaction, snapshot.game)
    remember_snapshot(interaction, replace(snapshot, game=game))
    return game


def on_game(run: Callable[[Interaction, Game], Awaitable[None]]) -> Callable[[Interaction, Key], Awaitable[None]]:
    """Turn a function of an interaction and a game into a handler for buttons that name a game."""

    async def press(interaction: Interaction, key: Key) -> None:
        await run(interaction, await admitted(interaction, key.ref))

    return press


async def admitted_game(interaction: Interaction, game: Game) -> Game:
    """Return a game if the user plays it or may watch it, with the present name of the user among its players.

    Raises:
        HostError: ``unknown_game``: the user has left its server, or neither plays it nor can see its place.
        RefusedError: Discord gives no answer.
    """
    in_same_server = (interaction.guild_id or 0) == game.guild_id  # then Discord guarantees that they are a member
    is_member = in_same_server or await _is_member(interaction, game)
    may_watch = is_member and not game.plays(interaction.user.id) and await sees_table(interaction, game)
    check_look(game, interaction.user.id, member=is_member, sees=may_watch)
    bind_game(interaction, game)
    fall_back_to_language(interaction, game.settings.language)
    return await interaction.client.host.seats.rename(game, person_of(interaction)) if in_same_server else game


async def deserted_game(interaction: Interaction, ref: str) -> Game | None:
    """Return a game that the user plays and whose server the bot has left; None for any other game.

    Nobody can see such a game any more, and membership in its server cannot be checked. But a player may move it to
    another server of which all players are members.
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
    """Return whether a player of a game is a member of its server; False for users who do not play the game."""
    user_id = interaction.user.id
    if not game.plays(user_id):
        return False
    return await interaction.client.lookups.belongs(game.guild_id, user_id)


async def sees_table(interaction: Interaction, game: Game | GameSummary) -> bool:
    """Return whether the user can see the place of a game: its thread or, if that is deleted, its channel.

    Raises:
        RefusedError: Discord gives no answer.
    """
    guild, member, lookups = interaction.guild, interaction.user, interaction.client.lookups
    if game.place == interaction.channel_id:
        return True
    if guild is None or guild.id != game.guild_id or not isinstance(member, discord.Member):
        return False
    place = await lookups.place(guild, game.place, game.channel_id)
    return place is not None and await sees(lookups, member, place)


def person_of(interaction: Interaction) -> Person:
    """Return the user with their display name in the server of the interaction."""
    return Person(interaction.user.id, interaction.user.display_name)


def asker_of(interaction: Interaction) -> Asker:
    """Return the user with their roles; the permission to manage threads only counts if they have it server-wide."""
    user = interaction.user
    if not isinstance(user, discord.Member):
        return Asker(user.id, interaction.guild_id or 0)
    roles = frozenset(role.id for role in user.roles)
    return Asker(user.id, user.guild.id, roles, user.guild_permissions.manage_threads)


HISTORY_LIMIT: Final = 50
"""The most messages of a channel that are read to find a card."""
NOTICES: Final = KEEPING_CARD | {PostKind.FROZEN, PostKind.HELD, PostKind.THAWED, PostKind.WENT_BACK}
"""The kinds of posts that are not the card of a position."""
DECIDING_OPS: Final = frozenset(
    {Op.PLAY, Op.PLAN, Op.ADVICE, Op.MODE, Op.GO, Op.ACT, Op.UNDO, Op.PUBLISH, Op.ASK, Op.AGREE, Op.DECLINE}
    | {Op.SEAT, Op.RETURN, Op.TAKE, Op.LESSON}
)
"""The operations that lead to a move or a vote."""


def decides(op: Operation) -> bool:
    """Return whether an operation leads to a move or a vote."""
    return op.decides if isinstance(op, OwnOp) else op in DECIDING_OPS


class PostedMessage(NamedTuple):
    """A message of the bot, with the custom ids of its buttons."""

    message: discord.Message
    ids: tuple[str, ...]


async def posted_in(channel: discord.PartialMessageable, bot_id: int) -> list[PostedMessage]:
    """Return the bot's messages with buttons among the newest in a channel, newest first.

    ``bot_id`` is the bot's user id. If the bot may not read the channel, the list is empty.
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
    """Yield the card to which these custom ids belong, if any. A card is recognised by its board button."""
    for custom_id in ids:
        key = parse_key(custom_id)
        if key is not None and key.op is Op.BOARD and key.ref == code:
            yield CardSeen(epoch_in(key), key.revision)


def marker_of(post: Post) -> str:
    """Return the custom id by which the message of a post is recognised in its channel."""
    game = post.game
    if post.kind in NOTICES or post.kind is PostKind.REOPENED:  # a reopened card shares its revision with another card
        return notice_marker(game.code, post.revision, post.nonce)
    return card_marker(game.code, post.revision, game.epoch)


async def require_current_epoch(interaction: Interaction, key: Key, game: Game) -> None:
    """Check that a pressed message belongs to the present epoch of a game, if the press would decide something.

    Raises:
        RefusedError: ``went_back``: the message was sent before the game went back to an earlier position.
    """
    if not decides(key.op) or interaction.message is None:
        return
    host = interaction.client.host
    epoch = await host.games.epochs.of(key.ref)
    if epoch is not None and _shown_before(interaction.message, key.ref, epoch):
        raise RefusedError("went_back", link=await table_link(host, game))


async def require_current_server(interaction: Interaction, key: Key, game: Game) -> None:
    """Check that a pressed message is in the present server of a game, if the press would decide something.

    Raises:
        RefusedError: ``moved_away``: the game was moved to another server since.
    """
    message = interaction.message
    if decides(key.op) and message and not message.flags.ephemeral and (interaction.guild_id or 0) != game.guild_id:
        raise RefusedError("moved_away", link=await table_link(interaction.client.host, game))


def _shown_before(message: discord.Message, code: str, epoch: Epoch) -> bool:
    """Return whether a message was sent before this epoch.

    The buttons of a card contain its epoch. Any other message is compared, by its id, with the notice of the epoch.
    """
    cards = cards_of(code, [PostedMessage(message, tuple(custom_ids(message)))])
    if cards:
        return all(card.epoch != epoch.number for _, card in cards)
    return epoch.notice_id is not None and message.id < epoch.notice_id
