"""What players ask of each other: that something is undone. A request counts only where the game still stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Row, insert, select, update

from store.database import Transaction
from store.records import Stamp
from store.schema import answers, requests


class RequestState(StrEnum):
    """What has become of a request; an open one of a game that has moved on means nothing any more."""

    OPEN = "open"
    GRANTED = "granted"
    DECLINED = "declined"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest:
    """Somebody asks to go back to ``to_ply``; all ``voters`` have to agree, before it lapses."""

    id: int
    game_id: int
    user_id: int
    stamp: Stamp
    """Where the game stood."""
    to_ply: int
    voters: tuple[int, ...]
    lapses_at: datetime
    state: RequestState


UNDO: Final = "undo"
"""The kind of these requests: a newer version may know others."""


async def add(tx: Transaction, request: UndoRequest, now: datetime) -> int:
    """Store a request; its id, which is not the one that it has yet."""
    values = {
        "game_id": request.game_id,
        "kind": UNDO,
        "user_id": request.user_id,
        "ply": request.stamp.ply,
        "epoch": request.stamp.epoch,
        "taken_back": request.stamp.taken_back,
        "to_ply": request.to_ply,
        "voters": list(request.voters),
        "asked_at": now,
        "lapses_at": request.lapses_at,
        "state": request.state,
    }
    added: int = (await tx.execute(insert(requests).values(values).returning(requests.c.id))).scalar_one()
    return added


async def open_of(tx: Transaction, game_id: int, stamp: Stamp) -> UndoRequest | None:
    """The request that is open in a game that stands there."""
    row = (await tx.execute(select(requests).where(*_open(game_id)).order_by(requests.c.id.desc()).limit(1))).first()
    found = None if row is None else _request(row)
    return found if found is not None and found.stamp == stamp else None


async def get(tx: Transaction, request_id: int) -> UndoRequest | None:
    """The request with this id."""
    row = (await tx.execute(select(requests).where(requests.c.id == request_id, requests.c.kind == UNDO))).first()
    return None if row is None else _request(row)


async def close(tx: Transaction, request_id: int, state: RequestState) -> bool:
    """End a request; False when that has happened already."""
    open_one = (requests.c.id == request_id, requests.c.state == RequestState.OPEN)
    closed = await tx.execute(update(requests).where(*open_one).values(state=state))
    return closed.rowcount == 1


async def agree(tx: Transaction, request_id: int, user_id: int, now: datetime) -> Sequence[int]:
    """Keep that somebody agrees; all who do."""
    mine = select(answers.c.user_id).where(answers.c.request_id == request_id)
    agreed = list(await tx.scalars(mine))
    if user_id not in agreed:
        await tx.execute(insert(answers).values(request_id=request_id, user_id=user_id, at=now))
        agreed.append(user_id)
    return agreed


def _open(game_id: int) -> tuple[Any, ...]:
    return requests.c.game_id == game_id, requests.c.kind == UNDO, requests.c.state == RequestState.OPEN


def _request(row: Row[Any]) -> UndoRequest:
    return UndoRequest(
        id=row.id,
        game_id=row.game_id,
        user_id=row.user_id,
        stamp=Stamp(row.ply, row.epoch, row.taken_back),
        to_ply=row.to_ply,
        voters=tuple(row.voters),
        lapses_at=row.lapses_at,
        state=RequestState(row.state),
    )
