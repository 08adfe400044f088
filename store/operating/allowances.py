"""How much may go on in a server at once, where an operator has decided something else than the settings say."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import allowances


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many games and open tables a server may have at once; None for as many as any other."""

    games: int | None = None
    lobbies: int | None = None


async def get(tx: Transaction, guild_id: int) -> Allowance:
    """What a server may have."""
    row = (await tx.execute(select(allowances).where(allowances.c.guild_id == guild_id))).first()
    return Allowance() if row is None else Allowance(row.games, row.lobbies)


async def put(tx: Transaction, guild_id: int, allowed: Allowance) -> None:
    """Decide what a server may have."""
    if allowed == Allowance():
        await tx.execute(delete(allowances).where(allowances.c.guild_id == guild_id))
    else:
        await tx.execute(upsert(allowances, {"guild_id": guild_id, **asdict(allowed)}))
