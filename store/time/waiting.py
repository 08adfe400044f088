"""Tables without a pace: from when on they have waited, and whether they are about to be closed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select, update

from store.connection.database import Transaction
from store.errors import PlyConflictError
from store.play.pending import waits_for
from store.records import GameStatus, Stamp, TimerKind
from store.schema import clocks, games, playing, timers, waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class PacelessWait:
    """How long a table without a pace has waited, as far as its log does not say it."""

    game_id: int
    since: datetime
    """Nothing before this counts: the game began, or this version came to it, or it could be played again."""
    looked_at: datetime
    """Everybody was told of what was due by then."""
    kept_at: datetime | None = None
    """When somebody last said that the table is not to be closed."""
    warnings: int = 0
    """How often it was said that it will be."""
    warned_at: datetime | None = None


async def begin(tx: Transaction, game_id: int, now: datetime, look: datetime) -> None:
    """A table without a pace begins; when somebody first looks at it."""
    await tx.execute(insert(waiting).values(asdict(PacelessWait(game_id=game_id, since=now, looked_at=now))))
    await tx.execute(insert(timers).values(game_id=game_id, kind=TimerKind.IDLE, subject=0, due_at=look, attempts=0))


async def adopt(tx: Transaction, now: datetime, look: datetime) -> None:
    """The same for all that an older version began, which knew of none of this: as if they had begun now."""
    known = select(waiting.c.game_id).where(waiting.c.game_id == games.c.id).exists()
    paced = select(clocks.c.game_id).where(clocks.c.game_id == games.c.id).exists()
    going = games.c.status.in_([GameStatus.RUNNING, GameStatus.FROZEN])
    found = list(await tx.scalars(select(games.c.id).where(going, ~known, ~paced)))
    for game_id in found:
        await begin(tx, game_id, now, look)


async def get(tx: Transaction, game_id: int) -> PacelessWait | None:
    """What is known of a table; None for one with a pace."""
    row = (await tx.execute(select(waiting).where(waiting.c.game_id == game_id))).first()
    return None if row is None else PacelessWait(**{column.name: getattr(row, column.name) for column in waiting.c})


async def save(tx: Transaction, changed: PacelessWait) -> None:
    """Store what has changed."""
    await tx.execute(update(waiting).where(waiting.c.game_id == changed.game_id).values(asdict(changed)))


async def again(tx: Transaction, game_id: int, now: datetime) -> None:
    """A table can be played again from now on: what it waited before does not count. One with a pace is left alone."""
    values = {"since": now, "looked_at": now, "warnings": 0, "warned_at": None}
    await tx.execute(update(waiting).where(waiting.c.game_id == game_id).values(values))


async def close(tx: Transaction, game_id: int, at: Stamp, now: datetime) -> None:
    """End a game that still stands where it was seen, without a result; the log, and whom it asks, stay as they are.

    Raises:
        PlyConflictError: it has moved on; the transaction has to be given up.
    """
    stands = (games.c.ply == at.ply, games.c.epoch == at.epoch, games.c.taken_back == at.taken_back)
    closed = await tx.execute(
        update(games)
        .where(games.c.id == game_id, games.c.status == GameStatus.RUNNING, *stands, ~waits_for(games.c.id))
        .values(status=GameStatus.FINISHED, updated_at=now)
    )
    if closed.rowcount != 1:
        raise PlyConflictError(game_id, at.ply)
    await tx.execute(delete(playing).where(playing.c.game_id == game_id))
