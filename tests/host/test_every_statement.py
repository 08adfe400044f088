"""Every statement of the store is explained by both databases: none looks through what grows with the games.

All functions of the store that are given a transaction are called, with arguments made from their annotations, in a
database in which one game has begun; what they ask is heard, so that no statement can be left out by forgetting it, and
a new function is among them by itself. What is touched among many games is counted in ``test_plans.py``.
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
from store.play.games import LINE
from store.schema.columns import metadata
from store.schema.play import games
from tests.host.people import play_random_action, start_game
from tests.host.test_plans import Statement, record_statements

FEW = {
    # A row or so of each process, shard and lease.
    *("processes", "leases", "identifies", "heartbeats", "shard_heartbeats", "marks"),
    # Of each thing that an operator did, and of each server with commands of its own.
    *("bans", "allowances", "operator_log", "command_copies", "forgotten"),
    # Of everybody who waits for a game of the ladder now.
    "ladder_queue",
}
"""Tables that do not grow with the games."""
ELSEWHERE = {
    "store.admin.whole_database.*": "an operator's copies, checks and counts are of everything",
    "store.admin.personal_data.known_people": "after a restore everybody is compared with who was forgotten",
    "store.play.games.servers": "after each connect the servers of all that goes on, once",
    "store.preferences.languages": "the language that each player has chosen, at the start, once",
    "store.preferences.screen_reader_users": "the same, and once, of who listens",
}
"""Functions that may scan a table, with the reason: no click, no completion, no timer runs them."""
GIVEN: Mapping[str, Mapping[str, Any]] = {
    "store.play.games.games_at": {"guild_id": 1},
    "store.play.games.lines": {"query": select(*LINE).where(games.c.id == 1)},
    "store.tourneys.entries.change": {"values": {"waiting": True}},
    "store.tourneys.entries.change_team": {"values": {"name": "x"}},
    "store.tourneys.events.change": {"values": {"name": "x"}},
    "store.tourneys.events.change_table": {"values": {"state": "x"}},
}
"""Arguments that annotations do not tell."""
UNFIT = (IntegrityError, LookupError, PlyConflictError)
"""Errors of made-up arguments that do not fit the stored rows: the statements before them were heard."""
NOW = datetime(2030, 1, 1, tzinfo=UTC)
PLAIN: Mapping[object, object] = {
    int: 1,
    str: "x",
    bool: True,
    float: 1.0,
    datetime: NOW,
    date: NOW.date(),
    timedelta: timedelta(days=1),
}
_SCAN = re.compile(r"^SCAN (\w+)")
_ALIAS = re.compile(r"\b(\w+) AS (\w+)")
_BOUND = re.compile(r"\$(\d+)")
Asking = Callable[..., Awaitable[object]]


def functions() -> Iterator[tuple[str, Asking]]:
    """All that others may ask of the store within a transaction."""
    for module in walk_packages(store_of_all.__path__, "store."):
        if module.name.startswith(("store.connection", "store.migrations")):
            continue
        for name, function in vars(import_module(module.name)).items():
            its_own = inspect.iscoroutinefunction(function) and function.__module__ == module.name
            if its_own and "tx" in inspect.signature(function).parameters and not name.startswith("_"):
                yield f"{module.name}.{name}", function


def made(kind: Any) -> Any:
    """A value of a kind."""
    if kind in PLAIN:
        return PLAIN[kind]
    if typing.get_origin(kind) is not None or isinstance(kind, UnionType):
        return made_of(typing.get_origin(kind), typing.get_args(kind))
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return next(iter(kind))
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields
        kinds = typing.get_type_hints(kind)
        return kind(**{name: made(kinds[name]) for name in names})
    return {}


def made_of(origin: Any, parts: tuple[Any, ...]) -> Any:
    """The same of a kind that has parts: one of several, a function, or something with so much in it."""
    if origin in (Union, UnionType):
        return made(next(part for part in parts if part is not type(None)))
    if origin is Callable:
        return lambda *_: "x"
    if issubclass(origin, Mapping):
        return {made(parts[0]): made(parts[1])}
    return origin(made(part) for part in parts if part is not ...) if origin is tuple else [made(parts[0])]


def arguments(name: str, function: Asking, *, full: bool) -> dict[str, Any]:
    """Return arguments to call a function with: all that it takes, or only the required ones."""
    kinds, given = typing.get_type_hints(function), GIVEN.get(name, {})
    wanted = [
        part
        for part in inspect.signature(function).parameters.values()
        if part.name != "tx" and part.kind is not part.VAR_POSITIONAL and (full or part.default is part.empty)
    ]
    return {part.name: made(kinds[part.name]) for part in wanted} | given


async def all_asked(store: Store) -> dict[str, list[Statement]]:
    """Return the statements of each function, all rolled back."""
    asked: dict[str, list[Statement]] = {}
    for name, function in functions():
        ways = [arguments(name, function, full=full) for full in (True, False)]
        for given in ways if ways[0].keys() != ways[1].keys() else ways[:1]:
            with record_statements(store) as statements, suppress(*UNFIT, _Undone):
                async with store.writing() as tx:
                    await function(tx, **given)
                    raise _Undone
            asked.setdefault(name, []).extend(statements)
    return asked


class _Undone(Exception):  # noqa: N818 - nothing is wrong
    """Of this nothing stays."""


class Looked(NamedTuple):
    """A function, and what it looks through with a statement."""

    function: str
    tables: frozenset[str]
    statement: str


def grown(statement: str, tables: Collection[str]) -> frozenset[str]:
    """Those tables, by the names that they have in a statement, that grow with the games."""
    names = {alias: table for table, alias in _ALIAS.findall(statement)}
    return frozenset({names.get(table, table) for table in tables} & (metadata.tables.keys() - FEW))


def looked_through(plan: Mapping[str, Any], table: str = "") -> Iterator[tuple[str, str]]:
    """The tables of which a step of a plan, or one below it, looks through all, or through all of an index (second)."""
    table, kind = plan.get("Relation Name", table), plan["Node Type"]
    if kind == "Seq Scan" or (kind.endswith(("Index Scan", "Index Only Scan")) and "Index Cond" not in plan):
        yield table, plan.get("Index Name", "")
    for below in plan.get("Plans", ()):
        yield from looked_through(below, table)


def by_sqlite(location: str, statements: Sequence[Statement]) -> Iterator[tuple[str, frozenset[str]]]:
    """Statements, and what SQLite looks through for each; it knows nothing of numbers."""
    with closing(sqlite3.connect(location)) as file:
        for statement, values in statements:
            plan = file.execute(f"EXPLAIN QUERY PLAN {statement}", tuple(values))
            yield statement, grown(statement, [found[1] for row in plan if (found := _SCAN.match(row[3]))])


async def by_postgresql(location: str, statements: Sequence[Statement]) -> AsyncIterator[tuple[str, frozenset[str]]]:
    """The same of PostgreSQL, which is told to look through no table if there is another way."""
    connection: Any = await asyncpg.connect(location)
    await connection.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
    for statement, _ in statements:
        bound = max(map(int, _BOUND.findall(statement)), default=0)
        given = f"({', '.join(['NULL'] * bound)})" if bound else ""
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute(f"PREPARE asked AS {statement}")
        tables = await _without_another_way(connection, f"EXPLAIN (FORMAT JSON) EXECUTE asked{given}")
        await transaction.rollback()
        await connection.execute("DEALLOCATE asked")
        yield statement, grown(statement, tables)
    await connection.close()


async def _without_another_way(connection: Any, explain: str) -> set[str]:
    """The tables that are looked through; where little is stored all indexes are alike, so one of no use is dropped."""
    tables = set[str]()
    while True:
        [(plan,)] = await connection.fetch(explain)
        found = {
            (table, index) for table, index in looked_through(json.loads(plan)[0]["Plan"]) if table in metadata.tables
        }
        tables |= {table for table, index in found if not index}
        dropped = [(table, index) for table, index in found if index]
        if not dropped:
            return tables
        for table, index in dropped:
            kind = "INDEX" if index.startswith("ix_") else f"TABLE {table} DROP CONSTRAINT"
            await connection.execute(f"{'DROP' if kind == 'INDEX' else 'ALTER'} {kind} {index} CASCADE")


async def explained(location: str, asked: Mapping[str, Sequence[Statement]]) -> list[Looked]:
    """Return the statements that scan tables which grow, with the function that runs each."""
    plans: dict[str, frozenset[str]] = {}
    texts = {text: values for statements in asked.values() for text, values in statements}
    known = [(text, values) for text, values in texts.items() if re.match("SELECT|INSERT|UPDATE|DELETE|WITH", text)]
    if POSTGRESQL in location:
        async with aclosing(by_postgresql(location, known)) as found:
            plans.update([plan async for plan in found])
    else:
        plans.update(by_sqlite(location, known))
    return [
        Looked(name, plans[text], text)
        for name, statements in asked.items()
        for text, _ in dict(statements).items()
        if plans.get(text)
    ]


async def test_no_statement_looks_through_what_grows_with_the_games(host: Host, location: str) -> None:
    await play_random_action(host, (await start_game(host)).id, Random(1))
    asked = await all_asked(host._store)
    silent = [name for name, statements in asked.items() if not statements]
    assert all("lock" in name and POSTGRESQL not in location for name in silent), "SQLite has no rows to lock"
    found = await explained(location, asked)
    assert [look for look in found if not any(fnmatch(look.function, some) for some in ELSEWHERE)] == []
    assert [some for some in ELSEWHERE if not any(fnmatch(look.function, some) for look in found)] == []


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
async def test_what_looks_through_a_table_is_noticed(
    host: Host, location: str, statement: str, tables: set[str]
) -> None:
    found = await explained(location, {"somebody": [(statement, ())]})
    assert {table for look in found for table in look.tables} == tables
