"""The database as a whole: its revision, checks of all values, and copying it into another database.

The *revision* of a database is the name of the last migration that changed its tables.

Operators use these functions to move from SQLite to PostgreSQL. SQLite accepts values that PostgreSQL refuses: texts
that are too long or contain the character NUL, numbers that are too large, invalid JSON, references to missing rows.
They are found by :func:`misfits` and :func:`orphans` before anything is written. Copied rows keep their ids, times and
texts.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, Column, Integer, String, Table, and_, func, insert, inspect, select, text, tuple_
from sqlalchemy.sql.elements import ColumnElement

from store.connection import migrating
from store.connection.database import Transaction
from store.connection.dialect import delete_all
from store.schema.columns import Document, metadata

MOVED_MARK: Final = "moved"
"""The mark of a database whose games were moved to another one; its value says to which."""
CHUNK_ROWS: Final = 1000
"""The number of rows that are read, and kept in memory, at a time."""
_INT32_LIMIT: Final = 2**31
"""One more than the largest value of an INTEGER column of PostgreSQL."""
_INT64_LIMIT: Final = 2**63
"""One more than the largest value of a BIGINT column of PostgreSQL."""

OnTableProgress = Callable[[str, int], None]
"""Called with a table's name and the number of its rows that are copied."""


class Misfit(NamedTuple):
    """A value that not every kind of database accepts."""

    table: str
    row: tuple[object, ...]
    column: str
    why: str

    @property
    def where(self) -> str:
        """The place of the value, in words for the operator."""
        return _place(self.table, self.row, self.column)


class Orphan(NamedTuple):
    """A row with a reference to a row that does not exist."""

    table: str
    row: tuple[object, ...]
    column: str
    refers_to: object

    @property
    def where(self) -> str:
        """The place of the reference, in words for the operator."""
        return _place(self.table, self.row, self.column)


def _place(table: str, row: tuple[object, ...], column: str) -> str:
    """Return the place of a value in words: table, primary key and column."""
    return f"{table} {'/'.join(map(str, row))}, {column}"


def tables() -> tuple[Table, ...]:
    """Return all tables, referenced ones before those that refer to them."""
    return tuple(metadata.sorted_tables)


async def revision(tx: Transaction) -> str | None:
    """Return the revision of the tables; None if there are no tables."""
    return await tx.run_sync(migrating.revision_of)


async def has_rows(tx: Transaction) -> bool:
    """Return whether any table exists and has rows."""
    existing = set(await tx.run_sync(lambda connection: inspect(connection).get_table_names()))
    for table in tables():
        if table.name in existing and (await tx.execute(select(table).limit(1))).first() is not None:
            return True
    return False


async def count_rows(tx: Transaction) -> dict[str, int]:
    """Return the number of rows in each table, by its name."""
    return {table.name: await tx.scalar(select(func.count()).select_from(table)) or 0 for table in tables()}


async def chunks(tx: Transaction, table: Table) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield all rows of a table in the order of their keys, in chunks."""
    keys = list(table.primary_key.columns)
    last: tuple[object, ...] | None = None
    while True:
        conditions = () if last is None else (_after_key(keys, last),)
        chunk = (await tx.execute(select(table).where(*conditions).order_by(*keys).limit(CHUNK_ROWS))).mappings().all()
        if not chunk:
            return
        rows = [dict(row) for row in chunk]
        last = key_of(table, rows[-1])
        yield rows


def _after_key(keys: list[Column[Any]], last: tuple[object, ...]) -> ColumnElement[bool]:
    """Return the condition of the rows after a key.

    SQLite does not use the index for a comparison of tuples, so the first column is compared separately, too.
    """
    if len(keys) == 1:
        return keys[0] > last[0]
    return and_(keys[0] >= last[0], tuple_(*keys) > tuple_(*last))


def key_of(table: Table, row: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the primary key of a row."""
    return tuple(row[column.name] for column in table.primary_key.columns)


async def misfits(tx: Transaction) -> AsyncIterator[Misfit]:
    """Yield every value that not every kind of database accepts."""
    for table in tables():
        async for rows in chunks(tx, table):
            for row in rows:
                for misfit in _misfits(table, row):
                    yield misfit


def _misfits(table: Table, row: Mapping[str, Any]) -> Iterator[Misfit]:
    """Yield the values of a row that not every kind of database accepts."""
    for column in table.columns:
        why = _misfit(column, row[column.name])
        if why:
            yield Misfit(table.name, key_of(table, row), column.name, why)


def _misfit(column: Column[Any], value: object) -> str:
    """Return the reason why some kind of database refuses a value; an empty text if none does."""
    match column.type, value:
        case Document(), Exception():
            return f"is no JSON: {value}"
        case String(length=length), str() if length is not None and len(value) > length:
            return f"has {len(value)} characters of at most {length}"
        case ((String() | Document()), _) if _holds_nul(value):
            return "holds the character NUL"
        case BigInteger(), int() if not -_INT64_LIMIT <= value < _INT64_LIMIT:
            return f"is too large: {value}"
        case Integer(), int() if not isinstance(column.type, BigInteger) and abs(value) >= _INT32_LIMIT:
            return f"is too large: {value}"
        case _:
            return ""


def _holds_nul(value: object) -> bool:
    """Return whether a text, or a text in a JSON value, contains the character NUL."""
    match value:
        case str():
            return "\0" in value
        case Mapping():
            return any(map(_holds_nul, (*value, *value.values())))
        case list():
            return any(map(_holds_nul, value))
        case _:
            return False


async def orphans(tx: Transaction) -> AsyncIterator[Orphan]:
    """Yield every row with a reference to a row that does not exist."""
    for table in tables():
        for key in table.foreign_keys:
            target = key.column.table.alias("target")
            target_exists = select(target.c[key.column.name]).where(target.c[key.column.name] == key.parent).exists()
            query = select(*table.primary_key.columns, key.parent.label("refers_to")).where(
                key.parent.is_not(None), ~target_exists
            )
            for row in await tx.execute(query):
                *row_key, refers_to = row
                reference = f"{key.column.table.name} {refers_to}"
                yield Orphan(table.name, tuple(row_key), key.parent.name, reference)


async def copy_rows(source: Transaction, target: Transaction, on_progress: OnTableProgress) -> None:
    """Copy all rows; ids stay, and new rows get larger ones."""
    for table in tables():
        done = 0
        async for rows in chunks(source, table):
            await target.execute(insert(table), rows)
            done += len(rows)
            on_progress(table.name, done)
    await _settle_sequences(target)


async def delete_all_rows(tx: Transaction) -> None:
    """Delete all rows of all tables."""
    await delete_all(tx, tables())


async def _settle_sequences(tx: Transaction) -> None:
    """Set the sequences of PostgreSQL, which copied rows do not advance, so that new rows get larger ids."""
    if tx.dialect.name != "postgresql":
        return
    for table in tables():
        numbered = table.autoincrement_column
        if numbered is None:
            continue
        largest = await tx.scalar(select(func.max(numbered)))
        sequence = await tx.scalar(select(func.pg_get_serial_sequence(table.name, numbered.name)))
        if sequence is not None and largest is not None:
            await tx.execute(text("SELECT setval(:sequence, :largest)"), {"sequence": sequence, "largest": largest})
