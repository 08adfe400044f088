"""Reminders: those that players got and want in a turn; and untimed games, which are reminded of and then closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.records import GameStatus, TimerKind
from store.schema import calls, clocks, games, timers, turns, waiting


class Reminder(NamedTuple):
    """A reminder that a player got; an exempt one does not count towards the daily limit."""

    at: datetime
    exempt: bool


async def since(tx: Transaction, user_id: int, at: datetime) -> Sequence[Reminder]:
    """Return the reminders that a player got after a time, in order."""
    query = select(calls.c.at, calls.c.exempt).where(calls.c.user_id == user_id, calls.c.at > at).order_by(calls.c.at)
    return [Reminder(row.at, row.exempt) for row in await tx.execute(query)]


async def add(tx: Transaction, user_id: int, game_id: int, reminder: Reminder, *, forget: datetime) -> None:
    """Store a reminder, and delete those before ``forget``, which count no longer."""
    await tx.execute(delete(calls).where(calls.c.user_id == user_id, calls.c.at < forget))
    await tx.execute(insert(calls).values(user_id=user_id, at=reminder.at, game_id=game_id, exempt=reminder.exempt))


async def put_wish(tx: Transaction, game_id: int, user_id: int, revision: int, *, hushed: bool | None = None) -> None:
    """Store what a player wants for a turn; ``hushed``, without further reminders, stays as it was when None."""
    if hushed is None:
        hushed = await is_hushed(tx, game_id, user_id, revision)
    wish = {"game_id": game_id, "user_id": user_id, "revision": revision, "hushed": hushed}
    await tx.execute(upsert(turns, wish))


async def is_hushed(tx: Transaction, game_id: int, user_id: int, revision: int) -> bool:
    """Return whether a player wants no more reminders of what a game asks at this revision."""
    mine = (turns.c.game_id == game_id, turns.c.user_id == user_id, turns.c.revision == revision)
    return bool(await tx.scalar(select(turns.c.hushed).where(*mine)))


async def turn_of(tx: Transaction, game_id: int, user_id: int) -> int | None:
    """Return the revision of the turn for which a player wants something."""
    found: int | None = await tx.scalar(
        select(turns.c.revision).where(turns.c.game_id == game_id, turns.c.user_id == user_id)
    )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class UntimedGame:
    """An untimed game, as far as its log does not tell how long it has waited."""

    game_id: int
    since: datetime
    """The start of waiting: the game began, or this version came to it, or it could be played again."""
    looked_at: datetime
    """The time up to which everything due was told."""
    kept_at: datetime | None = None
    """The last time that a player asked not to close the game."""
    warnings: int = 0
    """The number of warnings that it will be closed."""
    warned_at: datetime | None = None


async def begin_untimed(tx: Transaction, game_id: int, now: datetime, look: datetime) -> None:
    """Store an untimed game that begins, and when it is first looked at."""
    await tx.execute(insert(waiting).values(asdict(UntimedGame(game_id=game_id, since=now, looked_at=now))))
    await tx.execute(insert(timers).values(game_id=game_id, kind=TimerKind.IDLE, subject=0, due_at=look, attempts=0))


async def adopt_untimed(tx: Transaction, now: datetime, look: datetime) -> None:
    """Store all untimed games of an older version, which knew of none of this, as if they had begun now."""
    known = select(waiting.c.game_id).where(waiting.c.game_id == games.c.id).exists()
    paced = select(clocks.c.game_id).where(clocks.c.game_id == games.c.id).exists()
    going = games.c.status.in_([GameStatus.RUNNING, GameStatus.FROZEN])
    found = list(await tx.scalars(select(games.c.id).where(going, ~known, ~paced)))
    for game_id in found:
        await begin_untimed(tx, game_id, now, look)


async def untimed(tx: Transaction, game_id: int) -> UntimedGame | None:
    """Return what is known of an untimed game; None for a timed one."""
    row = (await tx.execute(select(waiting).where(waiting.c.game_id == game_id))).first()
    return None if row is None else UntimedGame(**{column.name: getattr(row, column.name) for column in waiting.c})


async def save_untimed(tx: Transaction, changed: UntimedGame) -> None:
    """Store an untimed game that has changed."""
    await tx.execute(update(waiting).where(waiting.c.game_id == changed.game_id).values(asdict(changed)))


async def restart_untimed(tx: Transaction, game_id: int, now: datetime) -> None:
    """Let an untimed game wait from now on: it can be played again. A timed one is left alone."""
    values = {"since": now, "looked_at": now, "warnings": 0, "warned_at": None}
    await tx.execute(update(waiting).where(waiting.c.game_id == game_id).values(values))
