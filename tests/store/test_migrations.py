from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DatabaseError
from sqlalchemy.schema import CreateIndex, CreateTable

from store import Store
from store.database import MIGRATIONS
from store.schema import metadata


def described(connection: Connection) -> dict[str, object]:
    """Everything that SQLite knows of the tables."""
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


async def test_migrations_lead_from_nothing_to_the_schema(store: Store) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    async with store.reading() as tx:
        assert await tx.run_sync(differences) == []
        migrated = await tx.run_sync(described)
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)
        assert migrated == described(connection)
    engine.dispose()


async def test_opening_again_changes_nothing(store: Store, tmp_path: Path) -> None:
    async with store.reading() as tx:
        before = await tx.run_sync(described)
    again = await Store.open(tmp_path / "games.db")
    async with again.reading() as tx:
        assert await tx.run_sync(described) == before
    await again.close()


async def test_down_and_up_again(store: Store) -> None:
    def downgrade(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.downgrade(config, "base")

    async with store.reading() as tx:
        before = await tx.run_sync(described)
    async with store.writing() as tx:
        await tx.run_sync(downgrade)
        assert await tx.run_sync(described) == {}
    await store.migrate()
    async with store.reading() as tx:
        assert await tx.run_sync(described) == before


async def test_a_migration_that_fails_leaves_the_file_as_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def upgrade_and_fail(connection: Connection, revision: str) -> None:
        connection.exec_driver_sql("CREATE TABLE half_done (n INTEGER)")
        raise ZeroDivisionError(revision)

    monkeypatch.setattr("store.database._upgrade", upgrade_and_fail)
    with pytest.raises(ZeroDivisionError):
        await store.migrate()
    async with store.reading() as tx:
        assert "half_done" not in await tx.run_sync(described)


def test_there_is_one_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert len(ScriptDirectory.from_config(config).get_heads()) == 1


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=str)
def test_the_tables_can_be_had_in_postgresql(table: object) -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    made = str(CreateTable(table).compile(dialect=dialect))  # type: ignore[arg-type]
    assert "VARIANT" not in made
    assert "DATETIME" not in made
    for index in table.indexes:  # type: ignore[attr-defined]
        assert "CREATE INDEX" in str(CreateIndex(index).compile(dialect=dialect))


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("This is no database, but it is long enough to be looked at twice." * 40)
    with pytest.raises(DatabaseError, match="not a database"):
        await Store.open(path)
