"""Which servers have a copy of the commands of their own."""

from __future__ import annotations

from sqlalchemy import delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import command_copies


async def all_of_them(tx: Transaction) -> frozenset[int]:
    """The ids of these servers."""
    return frozenset((await tx.scalars(select(command_copies.c.guild_id))).all())


async def add(tx: Transaction, guild_id: int) -> None:
    """Remember a server."""
    await tx.execute(upsert(command_copies, {"guild_id": guild_id}))


async def remove(tx: Transaction, guild_id: int) -> None:
    """Forget a server."""
    await tx.execute(delete(command_copies).where(command_copies.c.guild_id == guild_id))
