"""Servers, which Discord calls guilds, and the limits for servers and people.

The managers of a server choose its *settings*. The operators of the bot can grant a server an *allowance* of games, and
*ban* members or whole servers. A *quota* limits the expensive requests of one person, such as pictures and exports: a
token bucket that refills with time, and is stored in the table ``shares``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import and_, delete, or_, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.connection.statements import changes_row
from store.records import record_of
from store.schema.admin import allowances, bans, command_copies, guild_settings
from store.schema.people import shares


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildSettings:
    """The choices of a server's managers: where games may be opened, by whom, and the defaults of new tables.

    If ``channels`` is empty, games may be opened in every channel.
    """

    channels: tuple[int, ...] = ()
    manager_role: int | None = None
    """A role that makes its members managers for the bot, as Discord's own permissions do."""
    opener_role: int | None = None
    """The role that may open games; None for everyone."""
    organiser_role: int | None = None
    """The role that may create events, as the managers may."""
    games_of_member: int | None = None
    """The most games that a member may play in this server at a time; None for the bot's own limit."""
    hints: bool = True
    """The default of new tables: True if players get hints."""
    pace: str = ""
    """The default of new tables: the time that players have for their moves; empty for the bot's own default."""
    language: str = ""
    """The language of tables; if empty, that of the server at Discord, or of the person who opens a table."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> GuildSettings:
        """Read stored settings; unknown ones are ignored."""
        chosen: dict[str, Any] = {entry.name: values[entry.name] for entry in fields(cls) if entry.name in values}
        return cls(**{**chosen, "channels": tuple(chosen.get("channels", ()))})


async def get(tx: Transaction, guild_id: int) -> GuildSettings:
    """Return the settings of a server, or the defaults."""
    query = select(guild_settings.c.settings).where(guild_settings.c.guild_id == guild_id)
    values = (await tx.execute(query)).scalar_one_or_none()
    return GuildSettings() if values is None else GuildSettings.of(values)


async def save_settings(tx: Transaction, guild_id: int, settings: GuildSettings) -> None:
    """Store the settings of a server."""
    await tx.execute(upsert(guild_settings, {"guild_id": guild_id, "settings": asdict(settings)}))


async def with_command_copies(tx: Transaction) -> frozenset[int]:
    """Return the ids of the servers with their own copy of the bot's commands, in addition to the global ones."""
    return frozenset((await tx.scalars(select(command_copies.c.guild_id))).all())


async def add_command_copy(tx: Transaction, guild_id: int) -> None:
    """Store that a server has its own copy of the commands."""
    await tx.execute(upsert(command_copies, {"guild_id": guild_id}))


async def remove_command_copy(tx: Transaction, guild_id: int) -> None:
    """Store that a server no longer has its own copy of the commands."""
    await tx.execute(delete(command_copies).where(command_copies.c.guild_id == guild_id))


class BanKind(StrEnum):
    """The kind of a ban: of a member, or of a whole server."""

    USER = "user"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Ban:
    """A ban of a member or a server, which may not open or join games."""

    kind: BanKind
    subject: int
    reason: str
    at: datetime


async def save_ban(tx: Transaction, ban: Ban) -> None:
    """Store a ban, in place of an earlier one."""
    await tx.execute(upsert(bans, {**asdict(ban), "reason": ban.reason[:200]}))


async def lift_ban(tx: Transaction, kind: BanKind, subject: int) -> bool:
    """Remove a ban; return False when there was none."""
    return await changes_row(tx, delete(bans).where(bans.c.kind == kind, bans.c.subject == subject))


async def find_ban(tx: Transaction, user_id: int, guild_id: int) -> BanKind | None:
    """Return the kind of the ban on a member or on their server, the member's first; None if neither is banned."""
    member = and_(bans.c.kind == BanKind.USER, bans.c.subject == user_id)
    server = and_(bans.c.kind == BanKind.SERVER, bans.c.subject == guild_id)
    kinds = set(await tx.scalars(select(bans.c.kind).where(or_(member, server))))
    return next((kind for kind in (BanKind.USER, BanKind.SERVER) if kind in kinds), None)


async def all_bans(tx: Transaction) -> list[Ban]:
    """Return all bans, the newest last."""
    query = select(bans).order_by(bans.c.at)
    return [record_of(Ban, row, kind=BanKind(row.kind)) for row in await tx.execute(query)]


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most games and open lobbies that a server may have at once; None for the bot's own limits."""

    games: int | None = None
    lobbies: int | None = None


async def allowance_of(tx: Transaction, guild_id: int) -> Allowance:
    """Return the allowance of a server."""
    row = (await tx.execute(select(allowances).where(allowances.c.guild_id == guild_id))).first()
    return Allowance() if row is None else Allowance(row.games, row.lobbies)


async def save_allowance(tx: Transaction, guild_id: int, allowed: Allowance) -> None:
    """Store the allowance of a server."""
    if allowed == Allowance():
        await tx.execute(delete(allowances).where(allowances.c.guild_id == guild_id))
    else:
        await tx.execute(upsert(allowances, {"guild_id": guild_id, **asdict(allowed)}))


async def quota_free_at(tx: Transaction, user_id: int) -> datetime | None:
    """Return the time at which a person's quota is full again; None if no time is stored, so that it is full."""
    return await tx.scalar(select(shares.c.free_at).where(shares.c.user_id == user_id))


async def save_quota(tx: Transaction, user_id: int, free_at: datetime) -> None:
    """Store the time at which a person's quota is full again."""
    await tx.execute(upsert(shares, {"user_id": user_id, "free_at": free_at}))
