"""Places of games: their threads and channels, and places closed to the bot, where clocks stand still."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, insert, select, update

from store.connection.database import Transaction
from store.schema import IS_UNFINISHED, closed_places, games

_OF: Final = update(closed_places).where(closed_places.c.game_id == bindparam("game"))
_WAITS: Final = closed_places.c.elsewhere.is_(False)


async def close(tx: Transaction, game_id: int, now: datetime, *, anywhere: bool = False) -> bool:
    """Store that the place of a game is closed.

    Return False where that is known, or where its card stands elsewhere, unless ``anywhere``.
    """
    known: bool | None = await tx.scalar(select(closed_places.c.elsewhere).where(closed_places.c.game_id == game_id))
    if known is None:
        await tx.execute(insert(closed_places).values(game_id=game_id, since=now, elsewhere=False))
        return True
    if known and anywhere:
        await tx.execute(_OF.values(since=now, elsewhere=False), {"game": game_id})
        return True
    return False


async def reopen(tx: Transaction, game_id: int) -> bool:
    """Store that a card of a game stands in its place again; return False when that was not closed."""
    found = await tx.execute(delete(closed_places).where(closed_places.c.game_id == game_id))
    return found.rowcount == 1


async def stand_elsewhere(tx: Transaction, game_id: int, now: datetime) -> None:
    """Store that the newest card of a game stands in another place, its own being closed."""
    changed = await tx.execute(_OF.values(elsewhere=True), {"game": game_id})
    if not changed.rowcount:
        await tx.execute(insert(closed_places).values(game_id=game_id, since=now, elsewhere=True))


async def forget(tx: Transaction, game_id: int) -> None:
    """Forget the closed place of a game whose card stands elsewhere: that is its place from now on."""
    await tx.execute(delete(closed_places).where(closed_places.c.game_id == game_id, ~_WAITS))


async def since(tx: Transaction, game_id: int) -> datetime | None:
    """Return since when a game waits for its place; None where it does not."""
    query = select(closed_places.c.since).where(closed_places.c.game_id == game_id, _WAITS)
    found: datetime | None = await tx.scalar(query)
    return found


async def closed(tx: Transaction, game_ids: Collection[int]) -> set[int]:
    """Return those of the games that wait for their place."""
    if not game_ids:
        return set()
    query = select(closed_places.c.game_id).where(closed_places.c.game_id.in_(game_ids), _WAITS)
    return set(await tx.scalars(query))


async def games_at(tx: Transaction, *, place_id: int | None = None, guild_id: int | None = None) -> list[int]:
    """Return the unfinished games that are played in a place, or were opened there, or those of a server."""
    if place_id is not None:
        found: set[int] = set()
        for column in (games.c.thread_id, games.c.channel_id):
            found |= set(await tx.scalars(select(games.c.id).where(column == place_id, IS_UNFINISHED)))
        return sorted(found)
    return sorted(await tx.scalars(select(games.c.id).where(games.c.guild_id == guild_id, IS_UNFINISHED)))


async def servers(tx: Transaction) -> set[int]:
    """Return the servers with unfinished games."""
    return set(await tx.scalars(select(games.c.guild_id).where(IS_UNFINISHED).distinct()))


async def move(tx: Transaction, game_id: int, place_id: int, now: datetime, last_before: datetime) -> bool:
    """Let the cards of a game go to another place; return False when it was moved after ``last_before``."""
    moved = await tx.execute(
        update(games)
        .where(games.c.id == game_id, games.c.moved_at.is_(None) | (games.c.moved_at <= last_before))
        .values(thread_id=place_id, moved_at=now)
    )
    return moved.rowcount == 1


async def moved_at(tx: Transaction, game_id: int) -> datetime | None:
    """Return when the cards of a game were last let go to another place."""
    found: datetime | None = await tx.scalar(select(games.c.moved_at).where(games.c.id == game_id))
    return found


async def move_to_server(tx: Transaction, game_id: int, guild_id: int, channel_id: int) -> None:
    """Let a game belong to another server, and go back to that channel where its place is gone."""
    await tx.execute(update(games).where(games.c.id == game_id).values(guild_id=guild_id, channel_id=channel_id))
