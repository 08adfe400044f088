"""Actions of the bot's operators: the games that they have frozen, and the log of everything that they did.

An operator runs the bot, and can act on any game. A *hold* keeps a game frozen until they end it: the game accepts no
moves, and its clocks stand still. The log is an audit trail, so that its rows are never changed or deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.records import record_of
from store.schema.admin import operator_holds, operator_log


async def hold(tx: Transaction, game_id: int, reason: str, now: datetime) -> None:
    """Store that an operator has frozen a game, and why.

    A game that the bot itself has frozen, because its log did not replay, thaws once it replays again; a game on hold
    does not.
    """
    await tx.execute(upsert(operator_holds, {"game_id": game_id, "reason": reason[:200], "at": now}))


async def end_hold(tx: Transaction, game_id: int) -> None:
    """Remove the hold on a game."""
    await tx.execute(delete(operator_holds).where(operator_holds.c.game_id == game_id))


async def hold_reason(tx: Transaction, game_id: int) -> str | None:
    """Return why an operator holds a game; None when none does."""
    return await tx.scalar(select(operator_holds.c.reason).where(operator_holds.c.game_id == game_id))


@dataclass(frozen=True, slots=True)
class OperatorAction:
    """An entry of the log: an action of an operator."""

    at: datetime
    by: str
    """The operator: a user id, or an account of the machine on which the command was run."""
    what: str
    """The name of the action, such as ``freeze`` or ``ban``."""
    details: Mapping[str, Any]


async def log_action(tx: Transaction, action: OperatorAction) -> None:
    """Add an action to the log."""
    await tx.execute(
        insert(operator_log).values(at=action.at, by=action.by[:100], what=action.what, details=dict(action.details))
    )


async def newest_actions(tx: Transaction, limit: int) -> list[OperatorAction]:
    """Return the last actions, newest first."""
    query = select(operator_log).order_by(operator_log.c.id.desc()).limit(limit)
    return [record_of(OperatorAction, row) for row in await tx.execute(query)]
