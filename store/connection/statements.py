"""Helpers for the most common statements: inserting a row, reading a single record, and changing a single row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sqlalchemy import Executable, Row, Select, Table, insert

from store.connection.database import Transaction
from store.errors import PlyConflictError

Record = TypeVar("Record")


async def add_row(tx: Transaction, table: Table, values: Mapping[str, Any]) -> int:
    """Insert a row, and return the id that the database has given it."""
    row_id: int = (await tx.execute(insert(table).values(values).returning(table.c.id))).scalar_one()
    return row_id


async def first_record(tx: Transaction, query: Select[Any], read: Callable[[Row[Any]], Record]) -> Record | None:
    """Return the first row of a query as a record, which ``read`` builds from the row; None if there is no row."""
    row = (await tx.execute(query)).first()
    return None if row is None else read(row)


async def changes_row(tx: Transaction, statement: Executable) -> bool:
    """Execute a statement that changes or deletes at most one row; return whether it did."""
    return (await tx.execute(statement)).rowcount == 1


async def change_or_conflict(tx: Transaction, statement: Executable, subject_id: int, ply: int) -> None:
    """Execute a statement that changes a row only if it is as it was read.

    Raises:
        PlyConflictError: it has changed; the transaction has to be given up.
    """
    if not await changes_row(tx, statement):
        raise PlyConflictError(subject_id, ply)
