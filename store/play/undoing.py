"""Going back in a log: what is undone stays, marked, in a table of its own, and the cards of it are known to be so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, insert, literal, select, update

from store.connection.database import Transaction
from store.errors import PlyConflictError
from store.play.pending import drop
from store.records import ActionRecord, GameStatus, PostKind, Stamp
from store.schema import actions, games, outbox, undone

_TOLD: tuple[str, ...] = (PostKind.CARD, PostKind.FINAL, PostKind.UNDONE, PostKind.REPLACED)
"""What tells of moves, or of going back."""


class Undone(NamedTuple):
    """An action that was undone, and the revision of the game after that."""

    by: int
    action: ActionRecord


async def go_back(
    tx: Transaction, game_id: int, at: Stamp, to_ply: int, digest: str, seat_to_act: int, now: datetime
) -> Stamp:
    """Take the actions from a ply on out of the log of a game that stands where it was seen; where it stands then.

    A move that waits is dropped, and so is what tells of the undone ones and is not sent yet.

    Raises:
        PlyConflictError: it has moved on; the transaction has to be given up.
    """
    after = Stamp(to_ply, at.epoch, at.taken_back + at.ply - to_ply + 1)
    stands = (games.c.ply == at.ply, games.c.epoch == at.epoch, games.c.taken_back == at.taken_back)
    reached = {"ply": to_ply, "taken_back": after.taken_back, "digest": digest, "seat_to_act": seat_to_act}
    gone = await tx.execute(
        update(games)
        .where(games.c.id == game_id, games.c.status == GameStatus.RUNNING, *stands)
        .values(**reached, updated_at=now)
    )
    if gone.rowcount != 1:
        raise PlyConflictError(game_id, at.ply)
    await _keep_apart(tx, game_id, to_ply, after.revision, now)
    told = (outbox.c.game_id == game_id, outbox.c.ply > to_ply, outbox.c.undone_by.is_(None))
    its_cards = (*told, outbox.c.kind.in_(_TOLD))
    dropped = {"sent_at": now, "leased_until": None}
    await tx.execute(update(outbox).where(*its_cards, outbox.c.sent_at.is_(None)).values(**dropped))
    await tx.execute(update(outbox).where(*its_cards).values(undone_by=after.revision))
    await drop(tx, game_id)
    return after


async def _keep_apart(tx: Transaction, game_id: int, to_ply: int, by: int, now: datetime) -> None:
    its_end = (actions.c.game_id == game_id, actions.c.ply >= to_ply)
    same = ("ply", "seat", "user_id", "text", "at", "preset")
    copied = select(
        actions.c.game_id, *(actions.c[name] for name in same), literal(now, undone.c.undone_at.type), literal(by)
    ).where(*its_end)
    await tx.execute(insert(undone).from_select(["game_id", *same, "undone_at", "undone_by"], copied))
    await tx.execute(delete(actions).where(*its_end))


async def of_game(tx: Transaction, game_id: int) -> Sequence[Undone]:
    """What was undone in a game, in the order of the undos, and of each in that of the log."""
    rows = await tx.execute(
        select(undone).where(undone.c.game_id == game_id).order_by(undone.c.undone_by, undone.c.ply)
    )
    return [
        Undone(row.undone_by, ActionRecord(row.ply, row.seat, row.user_id, row.text, row.at, row.preset))
        for row in rows
    ]


async def is_undone(tx: Transaction, post_id: int) -> bool:
    """Whether what a post tells of was undone."""
    by: int | None = await tx.scalar(select(outbox.c.undone_by).where(outbox.c.id == post_id))
    return by is not None


async def cards(tx: Transaction, game_id: int, by: int) -> Sequence[int]:
    """The messages that tell of what was undone with this revision."""
    found = select(outbox.c.message_id).where(
        outbox.c.game_id == game_id, outbox.c.undone_by == by, outbox.c.message_id.is_not(None)
    )
    return list(await tx.scalars(found.order_by(outbox.c.id)))
