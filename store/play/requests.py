"""Requests of players to the other players of their game, and the votes of those who agree.

A player asks, for example, to undo a move or to pause the clocks. The request names its *voters*; it is granted once
all of them have agreed, declined as soon as one of them objects, and it lapses when the votes take too long. The
*stamp* of a game is its version, which changes with every action and undo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, insert, select, update

from store.connection.database import Transaction
from store.connection.statements import add_row, changes_row, first_record
from store.records import Stamp, columns_of, record_of
from store.schema.play import answers, requests


class RequestKind(StrEnum):
    """The kind of a request; of the form ``[a-z_]{1,12}``. A newer version may have stored others."""

    UNDO = "undo"
    """Undo everything since the asker's last decision; valid only while the game is still at the request's stamp."""
    REPLACE = "replace"
    """Let the person in ``details`` take over the seat of the subject."""
    WITHDRAW = "withdraw"
    """Let the game go on without the subject."""
    TAKE = "take"
    """Let the person in ``details`` take over the seat of a computer that does not decide."""
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
    """The stamp of the game when the request was made."""
    to_ply: int = 0
    """For an undo: the ply (the number of actions in the log) to which the game would go back."""
    subject: int = 0
    """The person whom the request is about, or 0."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Values that only this kind of request has."""
    voters: tuple[int, ...]
    lapses_at: datetime
    """The time after which it can no longer be granted."""
    state: RequestState = RequestState.OPEN


async def add(tx: Transaction, request: Request, now: datetime) -> int:
    """Store a new request, and return the id that it gets; ``request.id`` is ignored."""
    values = {
        **columns_of(request, "id", "stamp"),
        **request.stamp._asdict(),
        "details": dict(request.details),
        "voters": list(request.voters),
        "asked_at": now,
    }
    return await add_row(tx, requests, values)


async def newest_open(tx: Transaction, game_id: int, kind: RequestKind, subject: int = 0) -> Request | None:
    """Return the newest open request of a game, of this kind and about this person (0 for nobody)."""
    is_open = (requests.c.kind == kind, requests.c.subject == subject, requests.c.state == RequestState.OPEN)
    query = select(requests).where(requests.c.game_id == game_id, *is_open).order_by(requests.c.id.desc()).limit(1)
    return await first_record(tx, query, _request)


async def declined_since(
    tx: Transaction, game_id: int, user_id: int, kind: RequestKind, subject: int, since: datetime
) -> list[Request]:
    """Return the declined requests that a player made after a time, of this kind and about this person."""
    same_request = (requests.c.kind == kind, requests.c.subject == subject, requests.c.user_id == user_id)
    is_declined = (requests.c.state == RequestState.DECLINED, requests.c.asked_at > since)
    query = select(requests).where(requests.c.game_id == game_id, *same_request, *is_declined).order_by(requests.c.id)
    return [_request(row) for row in await tx.execute(query)]


async def get(tx: Transaction, request_id: int) -> Request | None:
    """Return the request with this id, if this version knows its kind."""
    is_known_kind = requests.c.kind.in_([str(kind) for kind in RequestKind])
    return await first_record(tx, select(requests).where(requests.c.id == request_id, is_known_kind), _request)


async def close(tx: Transaction, request_id: int, state: RequestState) -> bool:
    """End a request in a state; return False when it has ended already."""
    return await changes_row(tx, update(requests).filter_by(id=request_id, state=RequestState.OPEN).values(state=state))


async def add_agreement(tx: Transaction, request_id: int, user_id: int, now: datetime) -> Sequence[int]:
    """Store that a person agrees; return the ids of all who agree."""
    agreeing = await agreeing_users(tx, request_id)
    if user_id in agreeing:
        return agreeing
    await tx.execute(insert(answers).values(request_id=request_id, user_id=user_id, at=now))
    return [*agreeing, user_id]


async def agreeing_users(tx: Transaction, request_id: int) -> Sequence[int]:
    """Return the ids of all who have agreed so far."""
    return list(await tx.scalars(select(answers.c.user_id).where(answers.c.request_id == request_id)))


def _request(row: Row[Any]) -> Request:
    """Read a request from a row."""
    return record_of(
        Request,
        row,
        kind=RequestKind(row.kind),
        stamp=Stamp(row.ply, row.epoch, row.taken_back),
        voters=tuple(row.voters),
        state=RequestState(row.state),
    )
