"""What stands in a game's thread already: a card that nobody recorded, or one that this file has never sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import discord

from cogs.messages import custom_ids
from cogs.presenting.ids import Op, Operation, OwnOp, card_marker, epoch_in, notice_marker, parse_key
from cogs.words.names import table_link
from cogs.words.refusals import RefusedError
from host import CardSeen, Epoch, PostKind
from host.notifications import KEEPING_CARD

if TYPE_CHECKING:
    from cogs.presenting.ids import Key
    from cogs.services.bot import Interaction
    from host import Game, Post

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
