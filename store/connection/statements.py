"""Execute statements whose result is a single thing: the id of a new row, one record, or whether a row was changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sqlalchemy import Executable, Row, Select, Table, insert

from store.connection.database import Transaction

Record = TypeVar("Record")


async def add_row(tx: Transaction, table: Table, values: Mapping[str, Any]) -> int:
    """Insert a row, and return the id that it got."""
    row_id: int = (await tx.execute(insert(table).values(values).returning(table.c.id))).scalar_one()
    return row_id


async def first_record(tx: Transaction, query: Select[Any], read: Callable[[Row[Any]], Record]) -> Record | None:
    """Return the first row of a query as a record; None where there is none."""
    row = (await tx.execute(query)).first()
    return None if row is None else read(row)


async def changes_row(tx: Transaction, statement: Executable) -> bool:
    """Execute a statement about one row; return whether it changed or deleted it."""
    return (await tx.execute(statement)).rowcount == 1
