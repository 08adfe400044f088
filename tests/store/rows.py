"""Sample rows for the store's tests; their setups, actions and digests are arbitrary text.

Ids are at least as large as Discord's, so that a test fails if a column is too small for them.
"""

from __future__ import annotations

from datetime import UTC, datetime

from store import ActionRecord, Advance, GameStatus, NewGame, NewPost, Person, PostKind, Store, games, outbox

NOW = datetime(2030, 1, 1, 12, 0, 0, 123_000, tzinfo=UTC)
"""A time with milliseconds, which a column must not lose."""
ADA, BEN = Person(1 << 62, "Ada"), Person(2, "Ben 🏰")
"""Players with a large id and with an emoji in the name."""


def new_game(code: str = "BCDF") -> NewGame:
    """Return a game for two with this code."""
    return NewGame(
        code=code,
        name="Amber Gate",
        guild_id=(1 << 63) - 1,
        channel_id=12,
        seats=(BEN, ADA),
        setup='{"any": "text"}',
        digest="a" * 64,
        seat_to_act=0,
    )


async def store_game(store: Store, code: str = "BCDF") -> int:
    """Store a game with this code and return its id."""
    async with store.writing() as tx:
        return await games.add(tx, new_game(code), NOW)


async def store_post(store: Store, game_id: int, ply: int) -> int:
    """Store the post of a game's card after this many actions (plies), and return its id."""
    post = NewPost(game_id=game_id, from_ply=ply, ply=ply, kind=PostKind.CARD, nonce=f"{game_id}-{ply}")
    async with store.writing() as tx:
        return await outbox.add(tx, post, NOW)


def new_advance(ply: int, *texts: str, status: GameStatus = GameStatus.RUNNING) -> Advance:
    """Return an advance, which adds actions with these texts to a game; the first of them has this ply."""
    rows = tuple(ActionRecord(ply + index, 0, BEN.user_id, text, NOW) for index, text in enumerate(texts))
    finished = status is GameStatus.FINISHED
    return Advance(rows, digest="b" * 64, seat_to_act=None if finished else 1, status=status)
