"""Members and servers that open and join no games: who, and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import and_, delete, or_, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import bans


class BanKind(StrEnum):
    """Who is kept out."""

    USER = "user"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Ban:
    """Somebody is kept out."""

    kind: BanKind
    subject: int
    reason: str
    at: datetime


async def put(tx: Transaction, ban: Ban) -> None:
    """Keep somebody out, for this reason from now on."""
    await tx.execute(upsert(bans, {**asdict(ban), "reason": ban.reason[:200]}))


async def take(tx: Transaction, kind: BanKind, subject: int) -> bool:
    """Let somebody in again; False when nobody kept them out."""
    gone = await tx.execute(delete(bans).where(bans.c.kind == kind, bans.c.subject == subject))
    return gone.rowcount == 1


async def about(tx: Transaction, user_id: int, guild_id: int) -> BanKind | None:
    """Whether a member or a server is kept out; the member before the server."""
    member = and_(bans.c.kind == BanKind.USER, bans.c.subject == user_id)
    server = and_(bans.c.kind == BanKind.SERVER, bans.c.subject == guild_id)
    kinds = set(await tx.scalars(select(bans.c.kind).where(or_(member, server))))
    return next((kind for kind in (BanKind.USER, BanKind.SERVER) if kind in kinds), None)


async def all_of_them(tx: Transaction) -> list[Ban]:
    """Everybody who is kept out, the newest last."""
    query = select(bans).order_by(bans.c.at)
    return [Ban(BanKind(row.kind), row.subject, row.reason, row.at) for row in await tx.execute(query)]
