"""Games, their seats and their logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, func, insert, select, update

from store.database import Transaction
from store.errors import PlyConflictError
from store.records import ActionRecord, Advance, GameRecord, GameStatus, NewGame, Person, TableSettings
from store.schema import actions, games, seats


async def add(tx: Transaction, new: NewGame, now: datetime) -> int:
    """Store a game before its first move; its id."""
    result = await tx.execute(
        insert(games)
        .values(
            code=new.code,
            name=new.name,
            guild_id=new.guild_id,
            channel_id=new.channel_id,
            thread_id=new.thread_id,
            setup=new.setup,
            settings=asdict(new.settings),
            ply=0,
            digest=new.digest,
            seat_to_act=new.seat_to_act,
            status=GameStatus.RUNNING,
            created_at=now,
            updated_at=now,
        )
        .returning(games.c.id)
    )
    game_id: int = result.scalar_one()
    rows = [
        {"game_id": game_id, "seat": seat, "user_id": person.user_id, "name": person.name}
        for seat, person in enumerate(new.seats)
    ]
    await tx.execute(insert(seats), rows)
    return game_id


async def by_id(tx: Transaction, game_id: int) -> GameRecord | None:
    """The game with this id."""
    return await _first(tx, games.c.id == game_id)


async def get(tx: Transaction, game_id: int) -> GameRecord:
    """The game with this id, of which another row speaks.

    Raises:
        LookupError: there is none.
    """
    found = await by_id(tx, game_id)
    if found is None:
        raise LookupError(f"no game {game_id}")
    return found


async def by_code(tx: Transaction, code: str) -> GameRecord | None:
    """The game with this public code."""
    return await _first(tx, games.c.code == code)


async def in_place(tx: Transaction, place_id: int) -> GameRecord | None:
    """The game of a thread or channel: running before over, then those that live there, then the newest."""
    query = (
        select(games)
        .where((games.c.thread_id == place_id) | (games.c.channel_id == place_id))
        .order_by(
            (games.c.status == GameStatus.RUNNING).desc(),
            (func.coalesce(games.c.thread_id, games.c.channel_id) == place_id).desc(),
            games.c.id.desc(),
        )
        .limit(1)
    )
    found = await _records(tx, (await tx.execute(query)).all())
    return found[0] if found else None


async def of_user(tx: Transaction, user_id: int) -> list[GameRecord]:
    """All games in which somebody has a seat, oldest first."""
    query = (
        select(games).join(seats, seats.c.game_id == games.c.id).where(seats.c.user_id == user_id).order_by(games.c.id)
    )
    return await _records(tx, (await tx.execute(query)).all())


async def unfinished(tx: Transaction) -> list[int]:
    """The ids of all games that are running or frozen."""
    query = select(games.c.id).where(games.c.status != GameStatus.FINISHED).order_by(games.c.id)
    return list((await tx.scalars(query)).all())


async def log(tx: Transaction, game_id: int, from_ply: int = 0) -> list[ActionRecord]:
    """The actions of a game in order, from a ply on."""
    query = (
        select(actions.c.ply, actions.c.seat, actions.c.user_id, actions.c.text, actions.c.at)
        .where(actions.c.game_id == game_id, actions.c.ply >= from_ply)
        .order_by(actions.c.ply)
    )
    return [ActionRecord(*row) for row in await tx.execute(query)]


async def advance(tx: Transaction, game_id: int, ply: int, step: Advance, now: datetime) -> None:
    """Append actions to the log of a game that still stands at ``ply``.

    Raises:
        PlyConflictError: it has moved on; the transaction has to be given up.
    """
    moved = await tx.execute(
        update(games)
        .where(games.c.id == game_id, games.c.ply == ply, games.c.status == GameStatus.RUNNING)
        .values(
            ply=ply + len(step.actions),
            digest=step.digest,
            seat_to_act=step.seat_to_act,
            status=step.status,
            updated_at=now,
        )
    )
    if moved.rowcount != 1:
        raise PlyConflictError(game_id, ply)
    rows = [
        {
            "game_id": game_id,
            "ply": action.ply,
            "seat": action.seat,
            "user_id": action.user_id,
            "text": action.text,
            "at": action.at,
        }
        for action in step.actions
    ]
    await tx.execute(insert(actions), rows)


async def restamp(tx: Transaction, game_id: int, ply: int, old: str, new: str) -> bool:
    """Replace the digest of a game that still stands at ``ply`` with the old one; False when it does not."""
    where = (games.c.id == game_id, games.c.ply == ply, games.c.digest == old)
    changed = await tx.execute(update(games).where(*where).values(digest=new))
    return changed.rowcount == 1


async def set_status(tx: Transaction, game_id: int, old: GameStatus, new: GameStatus) -> bool:
    """Change the status of a game; False when it is not the old one any more."""
    changed = await tx.execute(update(games).where(games.c.id == game_id, games.c.status == old).values(status=new))
    return changed.rowcount == 1


async def set_thread(tx: Transaction, game_id: int, thread_id: int) -> bool:
    """Say where the cards of a game go; False when there is no such game."""
    changed = await tx.execute(update(games).where(games.c.id == game_id).values(thread_id=thread_id))
    return changed.rowcount == 1


async def _first(tx: Transaction, condition: ColumnElement[bool]) -> GameRecord | None:
    found = await _records(tx, (await tx.execute(select(games).where(condition))).all())
    return found[0] if found else None


async def _records(tx: Transaction, rows: Sequence[Row[Any]]) -> list[GameRecord]:
    query = (
        select(seats.c.game_id, seats.c.user_id, seats.c.name)
        .where(seats.c.game_id.in_([row.id for row in rows]))
        .order_by(seats.c.game_id, seats.c.seat)
    )
    people: dict[int, list[Person]] = {}
    for game_id, user_id, name in (await tx.execute(query)) if rows else ():
        people.setdefault(game_id, []).append(Person(user_id, name))
    return [_record(row, tuple(people[row.id])) for row in rows]


def _record(row: Row[Any], people: tuple[Person, ...]) -> GameRecord:
    return GameRecord(
        id=row.id,
        code=row.code,
        name=row.name,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        thread_id=row.thread_id,
        seats=people,
        setup=row.setup,
        settings=TableSettings.of(row.settings),
        ply=row.ply,
        digest=row.digest,
        seat_to_act=row.seat_to_act,
        status=GameStatus(row.status),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
