"""Migrations: they lead to the schema, keep the games of older versions, and can be reversed.

A migration leads from one schema revision to the next, as "0002" to "0003"; Alembic runs them. Older databases are
unpacked from `tests/stored`.
"""

from __future__ import annotations

import asyncio
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

from store import LobbyState, NewLobby, Stamp, Store, games, lobbies
from store.connection.migrating import MIGRATIONS, known_revisions
from store.schema.columns import metadata
from tests.store.rows import ADA, NOW, new_advance, store_game


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
    scripts = ScriptDirectory(str(MIGRATIONS))
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
        config.set_main_option("script_location", str(MIGRATIONS))
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
    config.set_main_option("script_location", str(MIGRATIONS))
    order = ["base", *revisions()]
    current = MigrationContext.configure(connection).get_current_revision() or "base"
    downgrades = order.index(revision) < order.index(current)
    (command.downgrade if downgrades else command.upgrade)(config, revision)


def contents(connection: Connection) -> dict[str, object]:
    """Return all rows of the tables and columns that the first revision had."""
    assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    rows = {
        table: connection.execute(select(*map(column, names)).select_from(sqltable(table)).order_by(text("1, 2"))).all()
        for table, names in first_columns().items()
    }
    return {table: [tuple(row) for row in table_rows] for table, table_rows in rows.items()}


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
    config.set_main_option("script_location", str(MIGRATIONS))
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]


async def test_running_games_survive_every_migration_in_both_directions(older_file: Path) -> None:
    """Apply each migration in both directions and compare the games after each."""
    store = await Store.open(older_file)
    async with store.reading() as tx:
        before, tables = await tx.run_sync(contents), await tx.run_sync(describe_tables)
    assert len(before["games"]) == 121  # type: ignore[arg-type]
    for revision in (*revisions()[-2::-1], *revisions()[1:]):
        async with store.writing() as tx:
            await tx.run_sync(migrate_to, revision)
            assert await tx.run_sync(contents) == before, revision
    async with store.reading() as tx:
        assert await tx.run_sync(describe_tables) == tables
    await store.close()


async def test_a_database_with_games_can_be_downgraded_to_nothing(older_file: Path) -> None:
    store = await Store.open(older_file)
    async with store.writing() as tx:
        await tx.run_sync(migrate_to, "base")
        assert await tx.run_sync(describe_tables) == {}
    await store.close()


async def test_an_update_keeps_one_copy_of_the_file_before_it(
    older_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine = create_engine(f"sqlite:///{older_file}")
    with engine.connect() as connection:
        before = contents(connection)
    older_file.with_name("games.db.before-0002").write_text("a copy that an earlier update made")
    newest = revisions()[-1]
    copy = older_file.with_name(f"games.db.before-{newest}")
    store = await Store.open(older_file)
    assert sorted(older_file.parent.glob("games.db.*before*")) == [copy]
    assert str(copy) in caplog.text
    copied = create_engine(f"sqlite:///{copy}")
    with copied.connect() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == "0002"
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


async def test_the_migration_lists_the_players_of_unfinished_games(older_file: Path) -> None:
    engine = create_engine(f"sqlite:///{older_file}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE games SET status = 'finished', seat_to_act = NULL WHERE id % 2 = 0")
    engine.dispose()
    store = await Store.open(older_file)
    async with store.reading() as tx:
        seated = (
            "SELECT user_id, game_id FROM seats JOIN games ON id = game_id WHERE status <> 'finished' ORDER BY 1, 2"
        )
        expected = (await tx.exec_driver_sql(seated)).all()
        assert (await tx.exec_driver_sql("SELECT user_id, game_id FROM playing ORDER BY 1, 2")).all() == expected
        assert 0 < len({game_id for _, game_id in expected}) < 121
    await store.close()


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
    config.set_main_option("script_location", str(MIGRATIONS))
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


@pytest.mark.sqlite
async def test_the_migration_finds_resigned_players_and_changed_lobbies(store: Store) -> None:
    """Migrate from revision 0002, in which only the logs say which players have resigned."""

    def downgrade(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.downgrade(config, "0002")

    game_id, other = await store_game(store), await store_game(store, "CCCC")
    new = NewLobby(guild_id=1, channel_id=2, owner=ADA, game="chess", capacity=2, expansions=(), options={})
    async with store.writing() as tx:
        await games.advance(tx, game_id, Stamp(0), new_advance(0, "M12/0", "resign:2"), NOW)
        lobby_id = await lobbies.add(tx, new, NOW)
        await lobbies.set_closed(tx, lobby_id, LobbyState.EXPIRED)
        await tx.run_sync(downgrade)
        assert (await tx.execute(text("select state from lobbies"))).scalars().all() == [LobbyState.CLOSED]
    await store.migrate()
    async with store.reading() as tx:
        assert (await games.get(tx, game_id)).withdrawn == (False, True)
        assert (await games.get(tx, other)).withdrawn == (False, False)
        lobby = await lobbies.get(tx, lobby_id)
    assert lobby is not None
    assert (lobby.state, lobby.changed_at) == (LobbyState.CLOSED, NOW)


@pytest.mark.sqlite
async def test_chores_become_timers_and_chores_again(store: Store) -> None:
    game_id = await store_game(store)
    async with store.writing() as tx:
        await tx.run_sync(migrate_to, "0006")
        await tx.execute(text("INSERT INTO chores VALUES (:game, 'put_away', 7, 2)"), {"game": game_id})
        await tx.run_sync(migrate_to, "0007")
        assert [*map(tuple, await tx.execute(text("SELECT * FROM timers")))] == [(game_id, "put_away", 0, 7, 2)]
        assert (await tx.execute(text("SELECT * FROM chores"))).all() == []
        await tx.run_sync(migrate_to, "0006")
        assert [*map(tuple, await tx.execute(text("SELECT * FROM chores")))] == [(game_id, "put_away", 7, 2)]
