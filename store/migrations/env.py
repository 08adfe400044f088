"""Runs the migrations in the transaction of ``Store.migrate``; there is no command line."""

from __future__ import annotations

from alembic import context

from store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite can undo changes of tables like any other change, since we say BEGIN ourselves.
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
