"""Servers: the settings that their managers chose, and which have a copy of the commands of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from sqlalchemy import delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import command_copies, guild_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildSettings:
    """The choices of a server's managers: where games may be opened, and by whom.

    Without any ``channels`` games may be opened everywhere, without an ``opener_role`` by everybody.
    """

    channels: tuple[int, ...] = ()
    manager_role: int | None = None
    """A role that manages the server for the bot, beside Discord's own permissions."""
    opener_role: int | None = None
    """The role that may open games."""
    organiser_role: int | None = None
    """The role that may create events, beside the managers."""
    games_of_member: int | None = None
    """The number of games that a member may play here at a time; as many as anywhere when None."""
    hints: bool = True
    """The default of tables: whether hints are given."""
    pace: str = ""
    """The default of tables; the bot's own when empty."""
    language: str = ""
    """The language of tables; when empty, that of the server at Discord, or of the person who opens a table."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> GuildSettings:
        """Read stored settings; unknown ones are ignored."""
        known: dict[str, Any] = {entry.name: values[entry.name] for entry in fields(cls) if entry.name in values}
        return cls(**{**known, "channels": tuple(known.get("channels", ()))})


async def get(tx: Transaction, guild_id: int) -> GuildSettings:
    """Return the settings of a server, or the defaults."""
    query = select(guild_settings.c.settings).where(guild_settings.c.guild_id == guild_id)
    values = (await tx.execute(query)).scalar_one_or_none()
    return GuildSettings() if values is None else GuildSettings.of(values)


async def put(tx: Transaction, guild_id: int, settings: GuildSettings) -> None:
    """Store the settings of a server."""
    await tx.execute(upsert(guild_settings, {"guild_id": guild_id, "settings": asdict(settings)}))


async def with_command_copies(tx: Transaction) -> frozenset[int]:
    """Return the ids of the servers that have a copy of the commands of their own."""
    return frozenset((await tx.scalars(select(command_copies.c.guild_id))).all())


async def add_command_copy(tx: Transaction, guild_id: int) -> None:
    """Store that a server has a copy of the commands."""
    await tx.execute(upsert(command_copies, {"guild_id": guild_id}))


async def remove_command_copy(tx: Transaction, guild_id: int) -> None:
    """Store that a server has no copy of the commands any more."""
    await tx.execute(delete(command_copies).where(command_copies.c.guild_id == guild_id))
