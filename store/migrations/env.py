"""Alembic's environment: run the migrations in the transaction of ``Store.migrate``, without a command line."""

from __future__ import annotations

from alembic import context

from store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # Changes of tables are rolled back on SQLite, too, because we send BEGIN ourselves.
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
