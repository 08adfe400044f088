"""Query plans of every statement of the store on both databases: none scans a table that grows with the games.

Each function of the store that takes a transaction is called, with arguments made from its annotations, in a database
with one game, and the statements it executes are recorded. So no statement can be forgotten, and a new function is
included automatically. The rows touched among many games are counted in ``test_plans.py``.
"""

from __future__ import annotations

import inspect
import json
import re
import sqlite3
import typing
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing, closing, suppress
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from fnmatch import fnmatch
from importlib import import_module
from pkgutil import walk_packages
from random import Random
from types import UnionType
from typing import Any, NamedTuple, Union

import asyncpg
import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

import store as store_of_all
from host import Host
from store import PlyConflictError, Store
from store.connection.dialect import POSTGRESQL
from store.play.games import LINE_COLUMNS
from store.schema.columns import metadata
from store.schema.play import games
from tests.host.people import play_random_action, start_game
from tests.host.test_plans import Statement, record_statements

SMALL_TABLES = {
    # About one row for each process, shard and lease.
    *("processes", "leases", "identifies", "heartbeats", "shard_heartbeats", "marks"),
    # One row for each operator action, and for each server with a copy of the commands.
    *("bans", "allowances", "operator_log", "command_copies", "forgotten"),
    # One row for each player now waiting for a ladder game.
    "ladder_queue",
}
"""Tables that do not grow with the games."""
ALLOWED_SCANS = {
    "store.admin.whole_database.*": "an operator's copies, checks and counts read everything",
    "store.admin.personal_data.known_people": "after a restore all users are compared with those erased",
    "store.play.games.servers_with_games": "the servers of all running games, once after each connect",
    "store.preferences.languages": "the language that each player has chosen, once at the start",
    "store.preferences.screen_reader_users": "the players who use a screen reader, once at the start",
}
"""Functions that may scan a table, with the reason; no click, completion or timer calls them."""
EXTRA_ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "store.play.games.unfinished_at": {"guild_id": 1},
    "store.play.games.lines": {"query": select(*LINE_COLUMNS).where(games.c.id == 1)},
    "store.tourneys.entries.update_entry": {"values": {"waiting": True}},
    "store.tourneys.entries.update_team": {"values": {"name": "x"}},
    "store.tourneys.events.update_event": {"values": {"name": "x"}},
    "store.tourneys.events.update_table": {"values": {"state": "x"}},
}
"""Arguments that cannot be made from annotations."""
EXPECTED_ERRORS = (IntegrityError, LookupError, PlyConflictError)
"""Errors of made-up arguments that do not fit the stored rows; the statements before them are recorded."""
NOW = datetime(2030, 1, 1, tzinfo=UTC)
"""The sample time."""
SAMPLE_VALUES: Mapping[object, object] = {
    int: 1,
    str: "x",
    bool: True,
    float: 1.0,
    datetime: NOW,
    date: NOW.date(),
    timedelta: timedelta(days=1),
}
"""An argument for each annotated type."""
_SCAN = re.compile(r"^SCAN (\w+)")
"""SQLite's line for the scan of a whole table."""
_ALIAS = re.compile(r"\b(\w+) AS (\w+)")
"""The short name of a table in a statement."""
_PARAMETER = re.compile(r"\$(\d+)")
"""A numbered parameter of PostgreSQL."""
Query = Callable[..., Awaitable[object]]
"""A function of the store that takes a transaction."""


def functions() -> Iterator[tuple[str, Query]]:
    """Yield the public functions of the store that take a transaction, with their names."""
    for module in walk_packages(store_of_all.__path__, "store."):
        if module.name.startswith(("store.connection", "store.migrations")):
            continue
        for name, function in vars(import_module(module.name)).items():
            defined_here = inspect.iscoroutinefunction(function) and function.__module__ == module.name
            if defined_here and "tx" in inspect.signature(function).parameters and not name.startswith("_"):
                yield f"{module.name}.{name}", function


def sample(kind: Any) -> Any:
    """Return a value of this type."""
    if kind in SAMPLE_VALUES:
        return SAMPLE_VALUES[kind]
    if typing.get_origin(kind) is not None or isinstance(kind, UnionType):
        return sample_of_parts(typing.get_origin(kind), typing.get_args(kind))
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return next(iter(kind))
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields
        kinds = typing.get_type_hints(kind)
        return kind(**{name: sample(kinds[name]) for name in names})
    return {}


def sample_of_parts(origin: Any, parts: tuple[Any, ...]) -> Any:
    """Return a value of a union, callable, mapping or other generic type."""
    if origin in (Union, UnionType):
        return sample(next(part for part in parts if part is not type(None)))
    if origin is Callable:
        return lambda *_: "x"
    if issubclass(origin, Mapping):
        return {sample(parts[0]): sample(parts[1])}
    return origin(sample(part) for part in parts if part is not ...) if origin is tuple else [sample(parts[0])]


def arguments(name: str, function: Query, *, full: bool) -> dict[str, Any]:
    """Return arguments for a function: for all its parameters, or for the required ones only."""
    kinds, extra = typing.get_type_hints(function), EXTRA_ARGUMENTS.get(name, {})
    parameters = [
        part
        for part in inspect.signature(function).parameters.values()
        if part.name != "tx" and part.kind is not part.VAR_POSITIONAL and (full or part.default is part.empty)
    ]
    return {part.name: sample(kinds[part.name]) for part in parameters} | extra


async def all_statements(store: Store) -> dict[str, list[Statement]]:
    """Call and roll back each function; return the statements of each."""
    recorded: dict[str, list[Statement]] = {}
    for name, function in functions():
        variants = [arguments(name, function, full=full) for full in (True, False)]
        for argument_set in variants if variants[0].keys() != variants[1].keys() else variants[:1]:
            with record_statements(store) as statements, suppress(*EXPECTED_ERRORS, _RollbackError):
                async with store.writing() as tx:
                    await function(tx, **argument_set)
                    raise _RollbackError
            recorded.setdefault(name, []).extend(statements)
    return recorded


class _RollbackError(Exception):
    """Raised to roll a transaction back."""


class Scan(NamedTuple):
    """A statement of a function, and the growing tables that it scans."""

    function: str
    tables: frozenset[str]
    statement: str


def growing_tables(statement: str, tables: Collection[str]) -> frozenset[str]:
    """Return those of these tables, given by their aliases in a statement, that grow with the games."""
    names = {alias: table for table, alias in _ALIAS.findall(statement)}
    return frozenset({names.get(table, table) for table in tables} & (metadata.tables.keys() - SMALL_TABLES))


def scanned(plan: Mapping[str, Any], table: str = "") -> Iterator[tuple[str, str]]:
    """Yield each table that a plan scans in full, with the index if it scans all of that instead."""
    table, kind = plan.get("Relation Name", table), plan["Node Type"]
    if kind == "Seq Scan" or (kind.endswith(("Index Scan", "Index Only Scan")) and "Index Cond" not in plan):
        yield table, plan.get("Index Name", "")
    for below in plan.get("Plans", ()):
        yield from scanned(below, table)


def scans_on_sqlite(location: str, statements: Sequence[Statement]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield statements and the growing tables each scans; SQLite has no statistics here."""
    with closing(sqlite3.connect(location)) as file:
        for statement, values in statements:
            plan = file.execute(f"EXPLAIN QUERY PLAN {statement}", tuple(values))
            yield statement, growing_tables(statement, [found[1] for row in plan if (found := _SCAN.match(row[3]))])


async def scans_on_postgresql(
    location: str, statements: Sequence[Statement]
) -> AsyncIterator[tuple[str, frozenset[str]]]:
    """Yield the same for PostgreSQL, which is told to avoid sequential scans where it can."""
    connection: Any = await asyncpg.connect(location)
    await connection.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
    for statement, _ in statements:
        count = max(map(int, _PARAMETER.findall(statement)), default=0)
        parameter_list = f"({', '.join(['NULL'] * count)})" if count else ""
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute(f"PREPARE explained AS {statement}")
        tables = await _unavoidable_scans(connection, f"EXPLAIN (FORMAT JSON) EXECUTE explained{parameter_list}")
        await transaction.rollback()
        await connection.execute("DEALLOCATE explained")
        yield statement, growing_tables(statement, tables)
    await connection.close()


async def _unavoidable_scans(connection: Any, explain: str) -> set[str]:
    """Return the tables scanned in full, dropping indexes that are only scanned: with few rows all cost the same."""
    tables = set[str]()
    while True:
        [(plan,)] = await connection.fetch(explain)
        scans = {(table, index) for table, index in scanned(json.loads(plan)[0]["Plan"]) if table in metadata.tables}
        tables |= {table for table, index in scans if not index}
        dropped = [(table, index) for table, index in scans if index]
        if not dropped:
            return tables
        for table, index in dropped:
            kind = "INDEX" if index.startswith("ix_") else f"TABLE {table} DROP CONSTRAINT"
            await connection.execute(f"{'DROP' if kind == 'INDEX' else 'ALTER'} {kind} {index} CASCADE")


async def find_scans(location: str, recorded: Mapping[str, Sequence[Statement]]) -> list[Scan]:
    """Return the statements that scan growing tables, with the functions that execute them."""
    plans: dict[str, frozenset[str]] = {}
    texts = {text: values for statements in recorded.values() for text, values in statements}
    explainable = [
        (text, values) for text, values in texts.items() if re.match("SELECT|INSERT|UPDATE|DELETE|WITH", text)
    ]
    if POSTGRESQL in location:
        async with aclosing(scans_on_postgresql(location, explainable)) as found:
            plans.update([plan async for plan in found])
    else:
        plans.update(scans_on_sqlite(location, explainable))
    return [
        Scan(name, plans[text], text)
        for name, statements in recorded.items()
        for text, _ in dict(statements).items()
        if plans.get(text)
    ]


@pytest.mark.both_databases
async def test_no_statement_scans_a_growing_table(host: Host, location: str) -> None:
    await play_random_action(host, (await start_game(host)).id, Random(1))
    recorded = await all_statements(host._store)
    silent = [name for name, statements in recorded.items() if not statements]
    assert all("lock" in name and POSTGRESQL not in location for name in silent), "SQLite has no rows to lock"
    scans = await find_scans(location, recorded)
    assert [scan for scan in scans if not any(fnmatch(scan.function, pattern) for pattern in ALLOWED_SCANS)] == []
    assert [pattern for pattern in ALLOWED_SCANS if not any(fnmatch(scan.function, pattern) for scan in scans)] == []


@pytest.mark.parametrize(
    ("statement", "tables"),
    [
        ("SELECT code FROM games WHERE name = 'x'", {"games"}),
        ("SELECT older.id FROM outbox AS older WHERE older.ply = 1", {"outbox"}),
        ("SELECT game_id FROM seats ORDER BY game_id, seat", {"seats"}),
        ("DELETE FROM processes WHERE release = 'x'", set()),
        ("SELECT code FROM games WHERE id = 1", set()),
    ],
)
async def test_scans_of_whole_tables_are_found(host: Host, location: str, statement: str, tables: set[str]) -> None:
    scans = await find_scans(location, {"function": [(statement, ())]})
    assert {table for scan in scans for table in scan.tables} == tables
