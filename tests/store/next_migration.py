"""A migration after the newest one, as a later release will have."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from store.connection import migrating

NEXT_REVISION: Final = "9001"
_SCRIPT: Final = """import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{newest}"


def upgrade() -> None:
    op.add_column("games", sa.Column("weather", sa.Text()))


def downgrade() -> None:
    op.drop_column("games", "weather")
"""
"""The script of the migration: it adds a column to the games."""


@contextmanager
def next_migration(folder: Path) -> Iterator[str]:
    """Add the migration to those of this release, in a copy below a folder; yield its revision."""
    copy = folder / "migrations"
    shutil.copytree(migrating.MIGRATIONS, copy)
    (copy / "versions" / f"{NEXT_REVISION}_weather.py").write_text(
        _SCRIPT.format(newest=migrating.known_revisions()[-1])
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("store.connection.migrating.MIGRATIONS", copy)
        migrating.known_revisions.cache_clear()
        try:
            yield NEXT_REVISION
        finally:
            patch.undo()
            migrating.known_revisions.cache_clear()
