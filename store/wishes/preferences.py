"""How people want to play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import preferences
from store.wishes.preference_values import Preferences


async def get(tx: Transaction, user_id: int) -> Preferences:
    """What somebody chose, or the defaults; these also for what cannot be read."""
    query = select(preferences.c.confirm, preferences.c.choices).where(preferences.c.user_id == user_id)
    row = (await tx.execute(query)).first()
    return Preferences() if row is None else chosen(row.confirm, row.choices)


async def some(tx: Transaction, user_ids: Iterable[int]) -> dict[int, Preferences]:
    """The same for several people."""
    wanted = list(dict.fromkeys(user_ids))
    query = select(preferences).where(preferences.c.user_id.in_(wanted))
    found = {row.user_id: chosen(row.confirm, row.choices) for row in await tx.execute(query)}
    return {user_id: found.get(user_id, Preferences()) for user_id in wanted}


def chosen(confirm: bool, choices: object) -> Preferences:  # noqa: FBT001 - the columns of a row
    """What is stored so."""
    return Preferences(confirm=confirm, choices=choices if isinstance(choices, Mapping) else {})


async def put(tx: Transaction, user_id: int, chosen: Preferences) -> None:
    """Store what somebody chose."""
    values = {"user_id": user_id, "confirm": chosen.confirm, "choices": dict(chosen.choices)}
    await tx.execute(upsert(preferences, values))
