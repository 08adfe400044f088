"""Add refused posts, epochs of games, the players of unfinished games, and partial indexes.

A post (a message to Discord) is *refused* if its channel is closed to the bot. A game gets a new *epoch* when the
database was restored from an older copy. ``playing`` has a row for each player of an unfinished game, so that these
games are found without reading the finished ones.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_columns()
    _create_playing()
    _fill()
    _add_indexes()


def _add_columns() -> None:
    """Add the epoch of games, and refused posts."""
    op.add_column("games", sa.Column("epoch", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("outbox", sa.Column("refused", sa.Boolean(), nullable=False, server_default=sa.false()))


def _create_playing() -> None:
    """Create the table of the players of unfinished games."""
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "playing",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game_id", row_id, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_playing_game_id"),
        sa.PrimaryKeyConstraint("user_id", "game_id", name="pk_playing"),
    )
    op.create_index("ix_playing_game_id", "playing", ["game_id"])


def _fill() -> None:
    """Fill the new table and column from existing games and posts."""
    games = sa.table("games", sa.column("id"), sa.column("status"))
    seats = sa.table("seats", sa.column("user_id"), sa.column("game_id"))
    playing = sa.table("playing", sa.column("user_id"), sa.column("game_id"))
    unfinished = sa.select(games.c.id).where(games.c.status != "finished")
    players = sa.select(seats.c.user_id, seats.c.game_id).where(seats.c.game_id.in_(unfinished))
    op.execute(playing.insert().from_select(["user_id", "game_id"], players))
    posts = sa.table("outbox", *map(sa.column, ("game_id", "sent_at")), *_booleans("parked", "refused"))
    frozen = sa.select(games.c.id).where(games.c.status == "frozen")
    nowhere = sa.and_(posts.c.sent_at.is_(None), posts.c.parked.is_(True), posts.c.game_id.not_in(frozen))
    op.execute(posts.update().where(nowhere).values(refused=True))


def _booleans(*names: str) -> list[sa.ColumnClause[bool]]:
    """Return columns of truth values with these names."""
    return [sa.column(name, sa.Boolean()) for name in names]


def _add_indexes() -> None:
    """Add indexes of places, of running games, and of unsent posts."""
    op.create_index("ix_games_channel_id_thread_id", "games", ["channel_id", "thread_id"])
    _partial("ix_games_running_channel", "games", ["channel_id", "thread_id"], "status = 'running'")
    _partial("ix_games_running_thread", "games", ["thread_id"], "status = 'running'")
    waiting = sa.and_(sa.column("sent_at").is_(None), sa.column("parked", sa.Boolean()).is_(False))
    _partial("ix_outbox_waiting", "outbox", ["due_at"], waiting)
    refused = sa.and_(sa.column("sent_at").is_(None), sa.column("refused", sa.Boolean()).is_(True))
    _partial("ix_outbox_refused", "outbox", ["game_id"], refused)


def downgrade() -> None:
    for name, table in (
        ("ix_outbox_refused", "outbox"),
        ("ix_outbox_waiting", "outbox"),
        ("ix_games_running_thread", "games"),
        ("ix_games_running_channel", "games"),
        ("ix_games_channel_id_thread_id", "games"),
    ):
        op.drop_index(name, table)
    # Not in a batch, which would rebuild the tables: other tables refer to them.
    op.drop_column("outbox", "refused")
    op.drop_table("playing")
    op.drop_column("games", "epoch")


def _partial(name: str, table: str, columns: list[str], where: str | sa.ColumnElement[bool]) -> None:
    """Create an index of only those rows that fulfil a condition."""
    condition = sa.text(where) if isinstance(where, str) else where
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)
