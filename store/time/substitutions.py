"""Seats that somebody else has taken over: the game stands where it stood, under a new revision."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from store.connection.database import Transaction
from store.errors import PlyConflictError
from store.person import Person
from store.play.pending import waits_for
from store.records import GameStatus, Stamp
from store.schema import games, plans, playing, seats, substitutions


class Substitution(NamedTuple):
    """Who has taken over a seat from whom, and the revision and ply of the game then."""

    revision: int
    ply: int
    seat: int
    before: Person
    after: Person
    at: datetime


async def replace(
    tx: Transaction, game_id: int, at: Stamp, seat: int, before: Person, after: Person, now: datetime
) -> Stamp:
    """Let somebody take over a seat of a game that stands where it was seen; where it stands then.

    What was planned in that seat is gone; notes stay with who wrote them.

    Raises:
        PlyConflictError: it has moved on, or a move waits; the transaction has to be given up.
    """
    stamp = at._replace(taken_back=at.taken_back + 1)
    stands = (games.c.ply == at.ply, games.c.epoch == at.epoch, games.c.taken_back == at.taken_back)
    going = (games.c.id == game_id, games.c.status == GameStatus.RUNNING, ~waits_for(games.c.id))
    moved = await tx.execute(update(games).where(*going, *stands).values(taken_back=stamp.taken_back, updated_at=now))
    if moved.rowcount != 1:
        raise PlyConflictError(game_id, at.ply)
    mine = (seats.c.game_id == game_id, seats.c.seat == seat)
    await tx.execute(update(seats).where(*mine).values(user_id=after.user_id, name=after.name))
    for table in (playing, plans):
        await tx.execute(delete(table).where(table.c.game_id == game_id, table.c.user_id == before.user_id))
    await tx.execute(insert(playing).values(user_id=after.user_id, game_id=game_id))
    kept = {
        "before_id": before.user_id,
        "before_name": before.name,
        "after_id": after.user_id,
        "after_name": after.name,
    }
    await tx.execute(
        insert(substitutions).values(game_id=game_id, revision=stamp.revision, ply=stamp.ply, seat=seat, at=now, **kept)
    )
    return stamp


async def of_game(tx: Transaction, game_id: int) -> tuple[Substitution, ...]:
    """All that there were in a game, in their order."""
    query = select(substitutions).where(substitutions.c.game_id == game_id).order_by(substitutions.c.revision)
    return tuple(
        Substitution(
            revision=row.revision,
            ply=row.ply,
            seat=row.seat,
            before=Person(row.before_id, row.before_name),
            after=Person(row.after_id, row.after_name),
            at=row.at,
        )
        for row in await tx.execute(query)
    )
