"""When people were called, and what they want of it in this turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select, update

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import calls, games, outbox, playing, seats, turns


class Called(NamedTuple):
    """That somebody was reminded."""

    at: datetime
    exempt: bool


async def since(tx: Transaction, user_id: int, at: datetime) -> Sequence[Called]:
    """When somebody was reminded after a time, in order."""
    query = select(calls.c.at, calls.c.exempt).where(calls.c.user_id == user_id, calls.c.at > at).order_by(calls.c.at)
    return [Called(row.at, row.exempt) for row in await tx.execute(query)]


async def add(tx: Transaction, user_id: int, game_id: int, called: Called, *, forget: datetime) -> None:
    """Somebody is reminded; what was before ``forget`` counts no longer."""
    await tx.execute(delete(calls).where(calls.c.user_id == user_id, calls.c.at < forget))
    await tx.execute(insert(calls).values(user_id=user_id, at=called.at, game_id=game_id, exempt=called.exempt))


async def begin(tx: Transaction, game_id: int, user_id: int, revision: int, *, hushed: bool | None = None) -> None:
    """Somebody has a wish for this turn; whether he wants no more reminders stays as it was where that is not said."""
    if hushed is None:
        hushed = await is_hushed(tx, game_id, user_id, revision)
    wish = {"game_id": game_id, "user_id": user_id, "revision": revision, "hushed": hushed}
    await tx.execute(upsert(turns, wish))


async def is_hushed(tx: Transaction, game_id: int, user_id: int, revision: int) -> bool:
    """Whether somebody wants no more reminders of what a game asks at this revision."""
    mine = (turns.c.game_id == game_id, turns.c.user_id == user_id, turns.c.revision == revision)
    return bool(await tx.scalar(select(turns.c.hushed).where(*mine)))


async def turn_of(tx: Transaction, game_id: int, user_id: int) -> int | None:
    """The revision of the turn for which somebody has a wish."""
    found: int | None = await tx.scalar(
        select(turns.c.revision).where(turns.c.game_id == game_id, turns.c.user_id == user_id)
    )
    return found


async def waiting_for(tx: Transaction, user_id: int) -> int:
    """How many games wait for somebody."""
    query = (
        select(func.count())
        .select_from(playing)
        .join(games, games.c.id == playing.c.game_id)
        .join(seats, (seats.c.game_id == games.c.id) & (seats.c.seat == games.c.seat_to_act))
        .where(playing.c.user_id == user_id, seats.c.user_id == user_id)
    )
    found: int = (await tx.execute(query)).scalar_one()
    return found


async def drop(tx: Transaction, post_id: int, now: datetime) -> None:
    """A message that nobody needs any more is never sent."""
    mine = (outbox.c.id == post_id, outbox.c.sent_at.is_(None))
    await tx.execute(update(outbox).where(*mine).values(sent_at=now, leased_until=None))
