"""Stored posts, each with its game."""

from __future__ import annotations

from collections.abc import Mapping

from host.values import Post
from store import Game, PostRecord, Transaction, UnreadableError, games


async def post_of(tx: Transaction, record: PostRecord) -> Post:
    """A stored post with its game, which is read.

    Raises:
        UnreadableError: there is none that can be.
    """
    return post_with(record, await games.some(tx, [record.game_id]))


def post_with(record: PostRecord | UnreadableError, of: Mapping[int, Game | UnreadableError]) -> Post:
    """A stored post with its game.

    Raises:
        UnreadableError: one of them cannot be read, or there is no such game.
    """
    if isinstance(record, UnreadableError):
        raise record
    game = of.get(record.game_id) or UnreadableError("outbox", record.id, f"there is no game {record.game_id}")
    if isinstance(game, UnreadableError):
        raise game
    return post_of_game(record, game)


def post_of_game(record: PostRecord, game: Game) -> Post:
    """A stored post of this game."""
    return Post(
        id=record.id,
        game=game,
        from_ply=record.from_ply,
        ply=record.ply,
        kind=record.kind,
        nonce=record.nonce,
        attempts=record.attempts,
        first_attempt_at=record.first_attempt_at,
        message_id=record.message_id,
        refused=record.refused,
        taken_back=record.taken_back,
    )
