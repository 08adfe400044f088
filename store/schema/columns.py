"""Tables, registered in one metadata, and the types of their columns: times, JSON, ids, keys, people."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    TypeDecorator,
)
from sqlalchemy.schema import SchemaItem

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time that is stored as 0."""
_MILLISECOND: Final = timedelta(milliseconds=1)


class Instant(TypeDecorator[datetime]):
    """An aware datetime, stored as UTC milliseconds: the same in every database, and sorted by its number."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Return the milliseconds of an aware datetime."""
        return None if value is None else milliseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the datetime of stored milliseconds."""
        return None if value is None else _EPOCH + value * _MILLISECOND


def milliseconds(at: datetime) -> int:
    """Return a time as it is stored, for arithmetic in the database."""
    return (at - _EPOCH) // _MILLISECOND


class Document(TypeDecorator[Any]):
    """A JSON value; invalid JSON is returned as its error, so that one unreadable row does not fail a whole query."""

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Return a reader of stored texts."""
        read = super().result_processor(dialect, coltype)
        if read is None:
            return None

        def careful(value: object) -> object:
            try:
                return read(value)
            except (TypeError, ValueError) as error:
                return error

        return careful


# SQLite generates ids only for a primary key whose type is exactly INTEGER.
ROW_ID = BigInteger().with_variant(Integer, "sqlite")

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def stored_table(name: str, *parts: SchemaItem) -> Table:
    """Return a table of these columns, constraints and indexes, registered in the metadata."""
    return Table(name, metadata, *parts)


def key(name: str, kind: type[Integer] = Integer, *, of: str = "") -> Column[int]:
    """Return a column of a primary key whose numbers are supplied, not generated.

    ``of`` is the column that it references, such as ``games.id``.
    """
    if of:
        return Column(name, ROW_ID, ForeignKey(of), primary_key=True, autoincrement=False)
    return Column(name, kind, primary_key=True, autoincrement=False)


class Erasure(Enum):
    """The way in which the id of an erased person is removed from a column."""

    DELETE = auto()
    """The whole row is deleted."""
    SEAT = auto()
    """A number made from the person's seat in the game replaces the id."""
    NUMBER = auto()
    """The person's random number replaces the id, in events and ratings."""
    NOBODY = auto()
    """The id of nobody replaces it."""


ERASURE: Final = "erasure"
"""The key of a column's information for its :class:`Erasure`."""


def person(name: str, erasure: Erasure, **options: Any) -> Column[int]:  # noqa: ANN401 - options of a column
    """Return a column that holds nothing but ids of people, with the way in which they are erased from it."""
    options = {"nullable": False, **options}
    return Column(name, BigInteger, autoincrement=False, info={ERASURE: erasure}, **options)


def person_key(name: str, erasure: Erasure) -> Column[int]:
    """Return a column of a primary key that holds ids of people, with the way in which they are erased from it."""
    return person(name, erasure, primary_key=True)


def index_where(name: str, *columns: ColumnElement[Any], where: ColumnElement[bool]) -> Index:
    """Return a partial index, of the rows that fulfil a condition, on every database."""
    return Index(name, *columns, sqlite_where=where, postgresql_where=where)
