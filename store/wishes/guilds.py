"""What the managers of servers have decided."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import guild_settings
from store.settings import GuildSettings


async def get(tx: Transaction, guild_id: int) -> GuildSettings:
    """What was decided in a server, or the defaults."""
    query = select(guild_settings.c.settings).where(guild_settings.c.guild_id == guild_id)
    values = (await tx.execute(query)).scalar_one_or_none()
    return GuildSettings() if values is None else GuildSettings.of(values)


async def put(tx: Transaction, guild_id: int, decided: GuildSettings) -> None:
    """Store what was decided in a server."""
    await tx.execute(upsert(guild_settings, {"guild_id": guild_id, "settings": asdict(decided)}))
