"""Limits: bans of members and servers, allowances of servers, and how much people have asked for lately."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import and_, delete, or_, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import allowances, bans, shares


class BanKind(StrEnum):
    """The kind of those who may be banned."""

    USER = "user"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Ban:
    """A member or server that may not open or join games."""

    kind: BanKind
    subject: int
    reason: str
    at: datetime


async def put_ban(tx: Transaction, ban: Ban) -> None:
    """Store a ban, in place of an earlier one."""
    await tx.execute(upsert(bans, {**asdict(ban), "reason": ban.reason[:200]}))


async def lift_ban(tx: Transaction, kind: BanKind, subject: int) -> bool:
    """Remove a ban; return False when there was none."""
    gone = await tx.execute(delete(bans).where(bans.c.kind == kind, bans.c.subject == subject))
    return gone.rowcount == 1


async def banned(tx: Transaction, user_id: int, guild_id: int) -> BanKind | None:
    """Return which of a member and a server is banned, the member first; None when neither is."""
    member = and_(bans.c.kind == BanKind.USER, bans.c.subject == user_id)
    server = and_(bans.c.kind == BanKind.SERVER, bans.c.subject == guild_id)
    kinds = set(await tx.scalars(select(bans.c.kind).where(or_(member, server))))
    return next((kind for kind in (BanKind.USER, BanKind.SERVER) if kind in kinds), None)


async def all_bans(tx: Transaction) -> list[Ban]:
    """Return all bans, the newest last."""
    query = select(bans).order_by(bans.c.at)
    return [Ban(BanKind(row.kind), row.subject, row.reason, row.at) for row in await tx.execute(query)]


@dataclass(frozen=True, slots=True)
class Allowance:
    """The numbers of games and open lobbies that a server may have at once; None for the usual ones."""

    games: int | None = None
    lobbies: int | None = None


async def allowance_of(tx: Transaction, guild_id: int) -> Allowance:
    """Return the allowance of a server."""
    row = (await tx.execute(select(allowances).where(allowances.c.guild_id == guild_id))).first()
    return Allowance() if row is None else Allowance(row.games, row.lobbies)


async def put_allowance(tx: Transaction, guild_id: int, allowed: Allowance) -> None:
    """Store the allowance of a server."""
    if allowed == Allowance():
        await tx.execute(delete(allowances).where(allowances.c.guild_id == guild_id))
    else:
        await tx.execute(upsert(allowances, {"guild_id": guild_id, **asdict(allowed)}))


async def quota_free_at(tx: Transaction, user_id: int) -> datetime | None:
    """Return when a person has their whole quota of expensive requests again; None for long ago."""
    found: datetime | None = await tx.scalar(select(shares.c.free_at).where(shares.c.user_id == user_id))
    return found


async def put_quota(tx: Transaction, user_id: int, free_at: datetime) -> None:
    """Store when a person has their whole quota again."""
    await tx.execute(upsert(shares, {"user_id": user_id, "free_at": free_at}))
