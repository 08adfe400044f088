"""Requests of players to the others at their game, and the answers of those who agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, insert, select, update

from store.connection.database import Transaction
from store.records import Stamp, columns_of, record_of
from store.schema.play import answers, requests


class RequestKind(StrEnum):
    """The kind of a request; of the form ``[a-z_]{1,12}``. A newer version may know others."""

    UNDO = "undo"
    """Undo everything since the asker's last decision; counts only where the game still stands."""
    REPLACE = "replace"
    """Let the person in ``details`` take over the seat of the subject."""
    WITHDRAW = "withdraw"
    """Let the game go on without the subject."""
    PAUSE = "pause"
    """Pause the clocks for the days in the details."""


class RequestState(StrEnum):
    """The state of a request."""

    OPEN = "open"
    GRANTED = "granted"
    DECLINED = "declined"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to which all ``voters`` have to agree before it lapses."""

    id: int = 0
    game_id: int
    kind: RequestKind
    user_id: int
    stamp: Stamp
    """The point at which the game stood."""
    to_ply: int = 0
    """The ply to which the game is to go back, if it is."""
    subject: int = 0
    """The person it is about, or 0."""
    details: Mapping[str, Any] = field(default_factory=dict)
    voters: tuple[int, ...]
    lapses_at: datetime
    state: RequestState = RequestState.OPEN


async def add(tx: Transaction, request: Request, now: datetime) -> int:
    """Store a request, whose id does not count yet, and return its id."""
    values = {
        **columns_of(request, "id", "stamp"),
        **request.stamp._asdict(),
        "details": dict(request.details),
        "voters": list(request.voters),
        "asked_at": now,
    }
    added: int = (await tx.execute(insert(requests).values(values).returning(requests.c.id))).scalar_one()
    return added


async def open_of(tx: Transaction, game_id: int, kind: RequestKind, subject: int = 0) -> Request | None:
    """Return the newest open request of this kind, about this person, in a game."""
    about = (requests.c.kind == kind, requests.c.subject == subject, requests.c.state == RequestState.OPEN)
    query = select(requests).where(requests.c.game_id == game_id, *about).order_by(requests.c.id.desc()).limit(1)
    row = (await tx.execute(query)).first()
    return None if row is None else _request(row)


async def declined_of(
    tx: Transaction, game_id: int, user_id: int, kind: RequestKind, subject: int, since: datetime
) -> list[Request]:
    """Return the declined requests of a player since a time, of this kind and about this person."""
    about = (requests.c.kind == kind, requests.c.subject == subject, requests.c.user_id == user_id)
    ended = (requests.c.state == RequestState.DECLINED, requests.c.asked_at > since)
    query = select(requests).where(requests.c.game_id == game_id, *about, *ended).order_by(requests.c.id)
    return [_request(row) for row in await tx.execute(query)]


async def get(tx: Transaction, request_id: int) -> Request | None:
    """Return the request with this id, if this version knows its kind."""
    known = requests.c.kind.in_([str(kind) for kind in RequestKind])
    row = (await tx.execute(select(requests).where(requests.c.id == request_id, known))).first()
    return None if row is None else _request(row)


async def close(tx: Transaction, request_id: int, state: RequestState) -> bool:
    """End a request; return False when that has happened already."""
    open_one = (requests.c.id == request_id, requests.c.state == RequestState.OPEN)
    closed = await tx.execute(update(requests).where(*open_one).values(state=state))
    return closed.rowcount == 1


async def agree(tx: Transaction, request_id: int, user_id: int, now: datetime) -> Sequence[int]:
    """Store that a person agrees; return all who do."""
    before = await agreed(tx, request_id)
    if user_id in before:
        return before
    await tx.execute(insert(answers).values(request_id=request_id, user_id=user_id, at=now))
    return [*before, user_id]


async def agreed(tx: Transaction, request_id: int) -> Sequence[int]:
    """Return all who agree by now."""
    return list(await tx.scalars(select(answers.c.user_id).where(answers.c.request_id == request_id)))


def _request(row: Row[Any]) -> Request:
    return record_of(
        Request,
        row,
        kind=RequestKind(row.kind),
        stamp=Stamp(row.ply, row.epoch, row.taken_back),
        voters=tuple(row.voters),
        state=RequestState(row.state),
    )
