"""The database as a whole: its revision, checks of all values, and copying it into another one.

Copied rows keep their ids, times and texts. Values that one kind of database takes and another refuses (texts that are
too long or hold NUL, numbers that are too large, invalid JSON) are found before anything is written.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, Column, Integer, String, Table, and_, func, insert, inspect, select, text, tuple_
from sqlalchemy.sql.elements import ColumnElement

from store.connection import migrating
from store.connection.database import Transaction
from store.connection.dialect import delete_all
from store.schema.columns import Document, metadata

MOVED: Final = "moved"
"""The mark of a database whose games were moved to another one; its value says to which."""
CHUNK: Final = 1000
"""Rows that are in memory at a time."""
_LARGEST_INTEGER: Final = 2**31
_LARGEST: Final = 2**63

OnTableProgress = Callable[[str, int], None]
"""Called with how many rows of a table are done."""


class Misfit(NamedTuple):
    """A value that not every database takes."""

    table: str
    row: tuple[object, ...]
    column: str
    why: str

    @property
    def where(self) -> str:
        """The value's place, in words."""
        return _place(self.table, self.row, self.column)


class Orphan(NamedTuple):
    """A row that refers to one that is not there."""

    table: str
    row: tuple[object, ...]
    column: str
    refers_to: object

    @property
    def where(self) -> str:
        """The reference's place, in words."""
        return _place(self.table, self.row, self.column)


def _place(table: str, row: tuple[object, ...], column: str) -> str:
    return f"{table} {'/'.join(map(str, row))}, {column}"


def tables() -> tuple[Table, ...]:
    """Return all tables, referenced ones before those that refer to them."""
    return tuple(metadata.sorted_tables)


def newest_revision() -> str:
    """Return the newest revision of the tables that this version knows."""
    return migrating.known()[-1]


async def revision(tx: Transaction) -> str | None:
    """Return the revision of the tables; None where there are none."""
    return await tx.run_sync(migrating.revision_of)


def is_older(found: str) -> bool:
    """Return whether this version can bring tables of a revision up to date."""
    return found in migrating.known()


async def has_rows(tx: Transaction) -> bool:
    """Return whether any table exists and has rows."""
    there = set(await tx.run_sync(lambda connection: inspect(connection).get_table_names()))
    for table in tables():
        if table.name in there and (await tx.execute(select(table).limit(1))).first() is not None:
            return True
    return False


async def counts(tx: Transaction) -> dict[str, int]:
    """Return the number of rows of each table."""
    return {table.name: await tx.scalar(select(func.count()).select_from(table)) or 0 for table in tables()}


async def chunks(tx: Transaction, table: Table) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield all rows of a table in the order of their keys, in chunks."""
    keys = list(table.primary_key.columns)
    last: tuple[object, ...] | None = None
    while True:
        beyond = () if last is None else (_beyond(keys, last),)
        found = (await tx.execute(select(table).where(*beyond).order_by(*keys).limit(CHUNK))).mappings().all()
        if not found:
            return
        rows = [dict(row) for row in found]
        last = key_of(table, rows[-1])
        yield rows


def _beyond(keys: list[Column[Any]], last: tuple[object, ...]) -> ColumnElement[bool]:
    if len(keys) == 1:
        return keys[0] > last[0]
    return and_(keys[0] >= last[0], tuple_(*keys) > tuple_(*last))


def key_of(table: Table, row: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the primary key of a row."""
    return tuple(row[column.name] for column in table.primary_key.columns)


async def misfits(tx: Transaction) -> AsyncIterator[Misfit]:
    """Yield every value that not every database takes."""
    for table in tables():
        async for rows in chunks(tx, table):
            for row in rows:
                for misfit in _misfits(table, row):
                    yield misfit


def _misfits(table: Table, row: Mapping[str, Any]) -> Iterator[Misfit]:
    for column in table.columns:
        why = _misfit(column, row[column.name])
        if why:
            yield Misfit(table.name, key_of(table, row), column.name, why)


def _misfit(column: Column[Any], value: object) -> str:
    """Return why not every database takes a value; empty when each does."""
    match column.type, value:
        case Document(), Exception():
            return f"is no JSON: {value}"
        case String(length=length), str() if length is not None and len(value) > length:
            return f"has {len(value)} characters of at most {length}"
        case ((String() | Document()), _) if _holds_nul(value):
            return "holds the character NUL"
        case BigInteger(), int() if not -_LARGEST <= value < _LARGEST:
            return f"is too large: {value}"
        case Integer(), int() if not isinstance(column.type, BigInteger) and abs(value) >= _LARGEST_INTEGER:
            return f"is too large: {value}"
        case _:
            return ""


def _holds_nul(value: object) -> bool:
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
    """Yield every row that refers to one that is not there."""
    for table in tables():
        for key in table.foreign_keys:
            other = key.column.table.alias("other")
            there = select(other.c[key.column.name]).where(other.c[key.column.name] == key.parent).exists()
            query = select(*table.primary_key.columns, key.parent.label("refers_to")).where(
                key.parent.is_not(None), ~there
            )
            for row in await tx.execute(query):
                *names, refers_to = row
                named = f"{key.column.table.name} {refers_to}"
                yield Orphan(table.name, tuple(names), key.parent.name, named)


async def copy_rows(
    source: Transaction, target: Transaction, told: OnTableProgress, *, without: Iterable[str] = ()
) -> None:
    """Copy all rows but those of some tables; ids stay, and new ones will be beyond them."""
    left_out = frozenset(without)
    for table in tables():
        if table.name in left_out:
            continue
        done = 0
        async for rows in chunks(source, table):
            await target.execute(insert(table), rows)
            done += len(rows)
            told(table.name, done)
    await _settle_sequences(target)


async def clear(tx: Transaction) -> None:
    """Delete all rows of all tables."""
    await delete_all(tx, tables())


async def _settle_sequences(tx: Transaction) -> None:
    """Let new rows be numbered beyond the existing ones, where the database counts apart from its rows."""
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
