"""Add withdrawn seats, games that were moved, lobbies that expire and bar people, and settings of servers.

Until now withdrawals were stored only in the log of a game, from which they are copied. A lobby expires when it has not
changed for long, so existing ones are taken to have changed when they were created.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_seats = sa.table(
    "seats",
    sa.column("game_id"),
    sa.column("user_id"),
    sa.column("seat", sa.Integer),
    sa.column("withdrawn", sa.Boolean),
)
_playing = sa.table("playing", sa.column("game_id"), sa.column("user_id"))
_games = sa.table("games", sa.column("id"), sa.column("status"))
_actions = sa.table("actions", sa.column("game_id"), sa.column("text", sa.String))
_lobbies = sa.table("lobbies", sa.column("state"), sa.column("created_at"), sa.column("changed_at"))


def upgrade() -> None:
    # Columns are added one by one and never by rebuilding a table: other tables refer to games and lobbies.
    op.add_column("seats", sa.Column("withdrawn", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("moved_at", sa.BigInteger(), nullable=True))
    op.add_column("lobbies", sa.Column("changed_at", sa.BigInteger(), nullable=False, server_default="0"))
    resigned = sa.literal("resign:") + sa.cast(_seats.c.seat + 1, sa.String)
    left = sa.exists().where(_actions.c.game_id == _seats.c.game_id, _actions.c.text == resigned)
    op.execute(_seats.update().where(left).values(withdrawn=sa.true()))
    gone = sa.exists().where(
        _seats.c.game_id == _playing.c.game_id, _seats.c.user_id == _playing.c.user_id, _seats.c.withdrawn
    )
    op.execute(_playing.delete().where(gone))
    op.execute(_lobbies.update().values(changed_at=_lobbies.c.created_at))
    going = sa.text("status != 'finished'")
    for name in ("channel", "thread", "guild"):
        index, columns = f"ix_games_going_{name}", [f"{name}_id"]
        op.create_index(index, "games", columns, sqlite_where=going, postgresql_where=going)
    op.create_index("ix_lobbies_state_changed_at", "lobbies", ["state", "changed_at"])
    op.create_index("ix_lobbies_guild_id_state_id", "lobbies", ["guild_id", "state", "id"])
    lobby = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "lobby_barred",
        sa.Column("lobby_id", lobby, sa.ForeignKey("lobbies.id", name="fk_lobby_barred_lobby_id")),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("lobby_id", "user_id", name="pk_lobby_barred"),
    )
    op.create_table(
        "guild_settings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_guild_settings"),
    )


def downgrade() -> None:
    op.drop_table("guild_settings")
    op.drop_table("lobby_barred")
    op.drop_index("ix_lobbies_guild_id_state_id", "lobbies")
    op.drop_index("ix_lobbies_state_changed_at", "lobbies")
    for name in ("guild", "thread", "channel"):
        op.drop_index(f"ix_games_going_{name}", "games")
    op.execute(_lobbies.update().where(_lobbies.c.state == "expired").values(state="closed"))
    unfinished = sa.select(_games.c.id).where(_games.c.status != "finished")
    left = sa.select(_seats.c.user_id, _seats.c.game_id).where(_seats.c.withdrawn, _seats.c.game_id.in_(unfinished))
    op.execute(_playing.insert().from_select(["user_id", "game_id"], left))
    op.drop_column("lobbies", "changed_at")
    op.drop_column("games", "moved_at")
    op.drop_column("seats", "withdrawn")
