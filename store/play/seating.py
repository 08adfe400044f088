"""Who sits at a game under which name, who has left it, and where it is played."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select, update

from store.connection.database import Transaction
from store.person import Person
from store.schema import games, playing, seats


async def move(tx: Transaction, game_id: int, place_id: int, now: datetime, last_before: datetime) -> bool:
    """Let the cards of a game go somewhere else; False when it was moved after ``last_before``."""
    moved = await tx.execute(
        update(games)
        .where(games.c.id == game_id, games.c.moved_at.is_(None) | (games.c.moved_at <= last_before))
        .values(thread_id=place_id, moved_at=now)
    )
    return moved.rowcount == 1


async def moved_at(tx: Transaction, game_id: int) -> datetime | None:
    """When the cards of a game were last let go somewhere else."""
    found: datetime | None = await tx.scalar(select(games.c.moved_at).where(games.c.id == game_id))
    return found


async def withdraw(tx: Transaction, game_id: int, seat: int) -> None:
    """Remember that a player has left a game."""
    mine = (seats.c.game_id == game_id, seats.c.seat == seat)
    await tx.execute(update(seats).where(*mine).values(withdrawn=True))
    leaver = select(seats.c.user_id).where(*mine).scalar_subquery()
    await tx.execute(delete(playing).where(playing.c.game_id == game_id, playing.c.user_id == leaver))


async def rename(tx: Transaction, game_id: int, person: Person) -> None:
    """Remember how a player is called now."""
    mine = (seats.c.game_id == game_id, seats.c.user_id == person.user_id)
    await tx.execute(update(seats).where(*mine).values(name=person.name))
