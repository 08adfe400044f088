"""Migrations: they lead to the schema, keep the games of older versions, and can be reversed.

A migration leads from one schema revision to the next; Alembic runs them. The baseline of version 1.0.0 creates all
tables, so what concerns later migrations is tried with one that only these tests have. Older databases are unpacked
from `tests/stored`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, column, create_engine, inspect, select, text
from sqlalchemy import table as sqltable
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DatabaseError
from sqlalchemy.schema import CreateIndex, CreateTable

import store as store_package
from store import Store, UnusableDatabaseError, processes
from store.connection import migrating
from store.connection.files import open_store
from store.connection.migrating import LAST_COMMIT_BEFORE_BASELINE, known_revisions, revision_of
from store.errors import OutdatedRevisionError, UnknownRevisionError
from store.schema.columns import metadata
from tests.store.next_migration import next_migration
from tests.store.rows import NOW


def describe_tables(connection: Connection) -> dict[str, object]:
    """Return all that SQLite knows about the tables: columns, keys, references, indexes."""
    inspector = inspect(connection)
    return {
        table: {
            "columns": [
                {**column, "type": str(column["type"]), "default": None} for column in inspector.get_columns(table)
            ],
            "primary key": inspector.get_pk_constraint(table),
            "references": sorted(inspector.get_foreign_keys(table), key=str),
            "unique": sorted(inspector.get_unique_constraints(table), key=str),
            "indexes": sorted(
                (
                    {**index, "dialect_options": {k: str(v) for k, v in index["dialect_options"].items()}}
                    for index in inspector.get_indexes(table)
                ),
                key=str,
            ),
        }
        for table in sorted(inspector.get_table_names())
        if table != "alembic_version"
    }


def test_the_known_revisions_are_those_that_alembic_finds() -> None:
    scripts = ScriptDirectory(str(migrating.MIGRATIONS))
    assert known_revisions() == tuple(script.revision for script in scripts.walk_revisions())[::-1]


async def test_migrations_of_an_empty_database_lead_to_the_schema(store: Store) -> None:
    def differences(connection: Connection) -> list[object]:
        """Compare the tables of a database with those of the schema."""
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    async with store.reading() as tx:
        assert await tx.run_sync(differences) == []


@pytest.mark.sqlite
async def test_migrated_tables_equal_those_created_from_the_schema(store: Store) -> None:
    async with store.reading() as tx:
        migrated = await tx.run_sync(describe_tables)
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)
        assert migrated == describe_tables(connection)
    engine.dispose()


async def test_opening_again_changes_nothing(store: Store, location: str) -> None:
    async with store.reading() as tx:
        before = await tx.run_sync(describe_tables)
    again = await Store.open(location)
    async with again.reading() as tx:
        assert await tx.run_sync(describe_tables) == before
    await again.close()


@pytest.mark.sqlite
async def test_all_migrations_can_be_downgraded_and_upgraded(store: Store) -> None:
    def downgrade(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(migrating.MIGRATIONS))
        command.downgrade(config, "base")

    async with store.reading() as tx:
        before = await tx.run_sync(describe_tables)
    async with store.writing() as tx:
        await tx.run_sync(downgrade)
        assert await tx.run_sync(describe_tables) == {}
    await store.migrate()
    async with store.reading() as tx:
        assert await tx.run_sync(describe_tables) == before


def migrate_to(connection: Connection, revision: str) -> None:
    """Upgrade or downgrade the tables to a revision."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(migrating.MIGRATIONS))
    order = ["base", *revisions()]
    current = MigrationContext.configure(connection).get_current_revision() or "base"
    downgrades = order.index(revision) < order.index(current)
    (command.downgrade if downgrades else command.upgrade)(config, revision)


def contents(connection: Connection) -> dict[str, object]:
    """Return all rows of the tables and columns that the first revision had."""
    assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    rows = {
        table: connection.execute(select(*map(column, names)).select_from(sqltable(table)).order_by(text("1"))).all()
        for table, names in first_columns().items()
    }
    return {table: sorted((tuple(row) for row in table_rows), key=repr) for table, table_rows in rows.items()}


def dump(file: Path) -> list[str]:
    """Return an SQLite file as statements."""
    with closing(sqlite3.connect(file)) as connection:
        return [*connection.iterdump()]


@cache
def first_columns() -> dict[str, list[str]]:
    """Return the tables of the first revision with their columns."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        migrate_to(connection, revisions()[0])
        inspector = inspect(connection)
        tables = [table for table in inspector.get_table_names() if table != "alembic_version"]
        columns = {table: [str(column["name"]) for column in inspector.get_columns(table)] for table in tables}
    engine.dispose()
    return columns


def revisions() -> list[str]:
    """Return all revisions, oldest first."""
    config = Config()
    config.set_main_option("script_location", str(migrating.MIGRATIONS))
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]


@pytest.fixture
def next_revision(tmp_path: Path) -> Iterator[str]:
    """Add a migration, as a later release does; yield its revision."""
    with next_migration(tmp_path) as revision:
        yield revision


async def test_running_games_survive_the_next_migration_and_its_reversal(older_file: Path, next_revision: str) -> None:
    store = await Store.open(older_file)
    async with store.reading() as tx:
        tables, before = await tx.run_sync(describe_tables), await tx.run_sync(contents)
        assert await tx.run_sync(revision_of) == next_revision
    assert "weather" in str(tables["games"])
    assert len(before["games"]) == 121  # type: ignore[arg-type]
    for revision, has_weather in ((known_revisions()[-2], False), (next_revision, True)):
        async with store.writing() as tx:
            await tx.run_sync(migrate_to, revision)
            assert await tx.run_sync(contents) == before, revision
            assert ("weather" in str((await tx.run_sync(describe_tables))["games"])) is has_weather
    await store.close()


async def test_this_release_may_use_what_the_next_one_has_migrated(older_file: Path, next_revision: str) -> None:
    store = await Store.open(older_file)
    async with store.writing() as tx:
        await processes.name_oldest_release(tx, NOW)
        level_of_next = processes.level()
    known_revisions.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("store.connection.migrating.MIGRATIONS", Path(store_package.__file__).with_name("migrations"))
        assert next_revision not in known_revisions()
        assert processes.level() < level_of_next
        async with store.reading() as tx:
            assert await processes.admits_this_release(tx)
        with pytest.raises(UnknownRevisionError, match=next_revision):
            await store.migrate()
    await store.close()


async def test_a_database_of_the_last_revision_before_the_release_keeps_its_rows(older_file: Path) -> None:
    engine = create_engine(f"sqlite:///{older_file}")
    with engine.connect() as connection:
        assert revision_of(connection) == known_revisions()[0] == "0024"
        before = contents(connection)
    await (await Store.open(older_file)).close()
    with engine.connect() as connection:
        assert revision_of(connection) == known_revisions()[-1]
        assert contents(connection) == before
    engine.dispose()


@pytest.mark.parametrize("revision", ["0001", "0012", "0023"])
async def test_an_older_database_is_refused_with_the_commit_that_can_lift_it(older_file: Path, revision: str) -> None:
    with closing(sqlite3.connect(older_file)) as file:
        file.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        file.commit()
    before = dump(older_file)
    with pytest.raises(OutdatedRevisionError, match=f"{revision} is older than 0024"):
        await Store.open(older_file)
    with pytest.raises(UnusableDatabaseError, match=f"commit {LAST_COMMIT_BEFORE_BASELINE} of Castellan"):
        await open_store(str(older_file))
    assert dump(older_file) == before
    assert [*older_file.parent.glob("*before*")] == []


async def test_a_database_with_games_can_be_downgraded_to_nothing(older_file: Path) -> None:
    store = await Store.open(older_file)
    async with store.writing() as tx:
        await tx.run_sync(migrate_to, "base")
        assert await tx.run_sync(describe_tables) == {}
    await store.close()


async def test_an_update_keeps_one_copy_of_the_file_before_it(
    older_file: Path, next_revision: str, caplog: pytest.LogCaptureFixture
) -> None:
    engine = create_engine(f"sqlite:///{older_file}")
    with engine.connect() as connection:
        before = contents(connection)
    older_file.with_name("games.db.before-0002").write_text("a copy that an earlier update made")
    copy = older_file.with_name(f"games.db.before-{next_revision}")
    store = await Store.open(older_file)
    assert sorted(older_file.parent.glob("games.db.*before*")) == [copy]
    assert str(copy) in caplog.text
    copied = create_engine(f"sqlite:///{copy}")
    with copied.connect() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == "0024"
        assert contents(connection) == before
    await store.close()
    changed = copy.stat().st_mtime_ns
    await (await Store.open(older_file)).close()
    assert copy.stat().st_mtime_ns == changed
    for opened in (engine, copied):
        opened.dispose()


async def test_a_new_file_is_not_copied(tmp_path: Path) -> None:
    await (await Store.open(tmp_path / "new.db")).close()
    assert not await asyncio.to_thread(lambda: list(tmp_path.glob("*before*")))


async def test_a_failed_migration_leaves_the_file_unchanged(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def upgrade_and_fail(connection: Connection, revision: str) -> None:
        connection.exec_driver_sql("CREATE TABLE half_done (n INTEGER)")
        raise ZeroDivisionError(revision)

    monkeypatch.setattr("store.connection.migrating.has_revision", lambda *_: False)
    monkeypatch.setattr("store.connection.migrating.upgrade", upgrade_and_fail)
    with pytest.raises(ZeroDivisionError):
        await store.migrate()
    async with store.reading() as tx:
        assert "half_done" not in await tx.run_sync(describe_tables)


def test_there_is_a_single_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrating.MIGRATIONS))
    assert len(ScriptDirectory.from_config(config).get_heads()) == 1


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=str)
def test_the_tables_compile_for_postgresql(table: object) -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    statement = str(CreateTable(table).compile(dialect=dialect))  # type: ignore[arg-type]
    assert "VARIANT" not in statement
    assert "DATETIME" not in statement
    for index in table.indexes:  # type: ignore[attr-defined]
        assert "CREATE INDEX" in str(CreateIndex(index).compile(dialect=dialect))


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("This is no database, but it is long enough to be looked at twice." * 40)
    with pytest.raises(DatabaseError, match="not a database"):
        await Store.open(path)
