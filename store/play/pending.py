"""Confirmed moves that are not published yet: they lie beside the log, and nothing that is looked at shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, bindparam, delete, exists, insert, select

from store.connection.database import Transaction
from store.errors import PlyConflictError
from store.records import Stamp
from store.schema import games, pending, processed_interactions


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingMove:
    """What somebody decided in a game at a revision; ``actions`` is the text of them, separated by blanks.

    ``at`` is when it was confirmed, and ``due_at`` when it will be published.
    """

    game_id: int
    seat: int
    user_id: int
    stamp: Stamp
    actions: str
    at: datetime
    interaction_id: int
    due_at: datetime


_COLUMNS: Final = (
    "game_id",
    "seat",
    "user_id",
    "ply",
    "epoch",
    "taken_back",
    "actions",
    "at",
    "interaction_id",
    "due_at",
)
_STANDS: Final = (
    games.c.id == bindparam("of_game"),
    games.c.ply == bindparam("of_ply"),
    games.c.epoch == bindparam("of_epoch"),
    games.c.taken_back == bindparam("of_taken_back"),
    games.c.status == "running",
)
_CARRIED_OUT: Final = select(processed_interactions.c.id).where(
    processed_interactions.c.id == bindparam("the_interaction_id")
)
_DROP_OLDER: Final = delete(pending).where(
    pending.c.game_id == bindparam("of_game"), pending.c.ply + pending.c.taken_back < bindparam("revision")
)


def waits_for(game_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a move waits in a game of which it was decided where the game stands now."""
    stands = (pending.c.ply == games.c.ply, pending.c.taken_back == games.c.taken_back)
    return exists(select(pending.c.game_id).where(pending.c.game_id == game_id, *stands))


_ADD: Final = insert(pending).from_select(
    _COLUMNS,
    select(
        games.c.id, *(bindparam(f"the_{name}", type_=pending.c[name].type) for name in _COLUMNS if name != "game_id")
    ).where(*_STANDS, ~waits_for(games.c.id), ~exists(_CARRIED_OUT)),
)


async def add(tx: Transaction, move: PendingMove) -> None:
    """Keep a move of a game that still stands where it was seen, and of which no other move waits.

    Raises:
        PlyConflictError: it does not, another one does, or the interaction was carried out before; the transaction
            has to be given up.
    """
    stamp = move.stamp
    await tx.execute(_DROP_OLDER, {"of_game": move.game_id, "revision": stamp.revision})
    at = {"of_game": move.game_id, "of_ply": stamp.ply, "of_epoch": stamp.epoch, "of_taken_back": stamp.taken_back}
    values = {
        "the_seat": move.seat,
        "the_user_id": move.user_id,
        "the_ply": stamp.ply,
        "the_epoch": stamp.epoch,
        "the_taken_back": stamp.taken_back,
        "the_actions": move.actions,
        "the_at": move.at,
        "the_interaction_id": move.interaction_id,
        "the_due_at": move.due_at,
    }
    added = await tx.execute(_ADD, {**at, **values})
    if added.rowcount != 1:
        raise PlyConflictError(move.game_id, stamp.ply)


async def of_game(tx: Transaction, game_id: int) -> PendingMove | None:
    """The move of a game that waits to be published."""
    row = (await tx.execute(select(pending).where(pending.c.game_id == game_id))).first()
    return None if row is None else _pending(row)


async def take(tx: Transaction, move: PendingMove) -> bool:
    """Do with a move what is to be done, in this transaction alone; False when somebody else has."""
    same = (pending.c.game_id == move.game_id, pending.c.interaction_id == move.interaction_id)
    taken = await tx.execute(delete(pending).where(*same))
    return taken.rowcount == 1


async def drop(tx: Transaction, game_id: int) -> None:
    """No move of a game waits any more."""
    await tx.execute(delete(pending).where(pending.c.game_id == game_id))


def _pending(row: Row[Any]) -> PendingMove:
    return PendingMove(
        game_id=row.game_id,
        seat=row.seat,
        user_id=row.user_id,
        stamp=Stamp(row.ply, row.epoch, row.taken_back),
        actions=row.actions,
        at=row.at,
        interaction_id=row.interaction_id,
        due_at=row.due_at,
    )
