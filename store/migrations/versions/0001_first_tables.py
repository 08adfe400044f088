"""Create the first tables: lobbies, games with their logs, the outbox, drafts and preferences.

A lobby gathers the players of a game before it begins. The log of a game has one row for each action, numbered by its
ply. The outbox holds messages that are to be sent to Discord; a draft is a move that a player has not confirmed yet.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_games()
    _create_lobbies()
    _create_interactions()
    _create_outbox()
    _create_personal()


def downgrade() -> None:
    for table in (
        "preferences",
        "drafts",
        "outbox",
        "processed_interactions",
        "lobby_members",
        "lobbies",
        "actions",
        "seats",
        "games",
    ):
        op.drop_table(table)


def _row_id() -> sa.types.TypeEngine[int]:
    """Return the type of generated ids; SQLite generates them only for the type INTEGER."""
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _create_games() -> None:
    """Create games, their seats and their logs."""
    op.create_table(
        "games",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("code", sa.String(12), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("seat_to_act", sa.Integer()),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("code", name="uq_games_code"),
    )
    op.create_index("ix_games_channel_id", "games", ["channel_id"])
    op.create_index("ix_games_status", "games", ["status"])
    op.create_index("ix_games_thread_id", "games", ["thread_id"])
    op.create_table(
        "seats",
        sa.Column("game_id", _row_id(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("game_id", "user_id", name="uq_seats_game_id_user_id"),
    )
    op.create_index("ix_seats_user_id", "seats", ["user_id"])
    op.create_table(
        "actions",
        sa.Column("game_id", _row_id(), nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.String(80), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_actions_game_id"),
        sa.PrimaryKeyConstraint("game_id", "ply", name="pk_actions"),
    )


def _create_lobbies() -> None:
    """Create lobbies and their members."""
    op.create_table(
        "lobbies",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("owner_id", sa.BigInteger(), nullable=False),
        sa.Column("capacity", sa.Integer(), nullable=False),
        sa.Column("expansions", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("game_id", _row_id()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_lobbies_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_lobbies"),
    )
    op.create_table(
        "lobby_members",
        sa.Column("lobby_id", _row_id(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["lobby_id"], ["lobbies.id"], name="fk_lobby_members_lobby_id"),
        sa.PrimaryKeyConstraint("lobby_id", "user_id", name="pk_lobby_members"),
        sa.UniqueConstraint("lobby_id", "position", name="uq_lobby_members_lobby_id_position"),
    )


def _create_interactions() -> None:
    """Create the interactions (clicks and commands) that were carried out."""
    op.create_table(
        "processed_interactions",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game_id", _row_id()),
        sa.Column("lobby_id", _row_id()),
        sa.Column("before_ply", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_processed_interactions_game_id"),
        sa.ForeignKeyConstraint(["lobby_id"], ["lobbies.id"], name="fk_processed_interactions_lobby_id"),
        sa.PrimaryKeyConstraint("id", name="pk_processed_interactions"),
    )
    op.create_index("ix_processed_interactions_at", "processed_interactions", ["at"])


def _create_outbox() -> None:
    """Create the outbox of messages."""
    op.create_table(
        "outbox",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("game_id", _row_id(), nullable=False),
        sa.Column("from_ply", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("nonce", sa.String(25), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("parked", sa.Boolean(), nullable=False),
        sa.Column("leased_until", sa.BigInteger()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("first_attempt_at", sa.BigInteger()),
        sa.Column("sent_at", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_outbox_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("nonce", name="uq_outbox_nonce"),
    )
    op.create_index("ix_outbox_game_id_id", "outbox", ["game_id", "id"])
    unsent = sa.text("sent_at IS NULL")
    op.create_index("ix_outbox_unsent", "outbox", ["game_id", "id"], sqlite_where=unsent, postgresql_where=unsent)


def _create_personal() -> None:
    """Create preferences and drafts of people."""
    op.create_table(
        "drafts",
        sa.Column("game_id", _row_id(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_drafts_game_id"),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_drafts"),
    )
    op.create_table(
        "preferences",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("confirm", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_preferences"),
    )
