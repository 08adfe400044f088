"""Add correspondence play: timers, clocks, undos, plans, pending moves, vacations and reminders.

A game may now take weeks. A *timer* is a task that is due at a time. It replaces the *chore*, which named a game but no
seat or person. The *revision* of a game is its ply (the number of actions) plus the number of undone ones. A *pending*
move is confirmed, but not published yet.

A process of the previous release may still be running on the same database. Therefore its table of chores stays, and
new columns have defaults that it can work with.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_REVISED = ("games", "outbox", "processed_interactions")
"""The tables whose rows name a revision of a game."""
_GAME = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""The type of ids of games."""
_chores = sa.table(
    "chores", sa.column("game_id"), sa.column("kind"), sa.column("due_at", sa.BigInteger), sa.column("attempts")
)
_timers = sa.table(
    "timers",
    sa.column("game_id"),
    sa.column("kind"),
    sa.column("subject"),
    sa.column("due_at", sa.BigInteger),
    sa.column("attempts"),
)


def upgrade() -> None:
    _add_timers()
    _add_revisions()
    _add_orders()
    _add_pending()
    _add_clocks()
    _add_undoing()
    _add_notes()
    _add_substitutions()
    _add_vacations()
    _add_gifts()
    _add_waiting()
    _add_calls()
    _add_pauses()
    _add_departures()


def downgrade() -> None:
    op.drop_table("departures")
    op.drop_table("pauses")
    op.drop_table("turns")
    op.drop_table("calls")
    op.drop_table("waiting")
    op.drop_table("gifts")
    op.drop_table("vacations")
    op.drop_table("substitutions")
    op.drop_table("notes")
    _drop_undoing()
    op.drop_table("heartbeats")
    op.drop_table("clocks")
    op.drop_table("pending")
    _drop_orders()
    for table in _REVISED:
        op.drop_column(table, "taken_back")
    of_before = sa.select(_timers.c.game_id, _timers.c.kind, _timers.c.due_at, _timers.c.attempts)
    kept = of_before.where(_timers.c.kind.in_(["result", "put_away"]))
    op.execute(_chores.insert().from_select(["game_id", "kind", "due_at", "attempts"], kept))
    op.drop_table("timers")


def _add_timers() -> None:
    """Move chores into timers, which also name a subject; keep the empty table of chores for the previous release."""
    op.create_table(
        "timers",
        sa.Column("game_id", _GAME, autoincrement=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("subject", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_timers_game_id"),
        sa.PrimaryKeyConstraint("game_id", "kind", "subject", name="pk_timers"),
    )
    op.create_index("ix_timers_kind_due_at", "timers", ["kind", "due_at"])
    before = sa.select(_chores.c.game_id, _chores.c.kind, sa.literal(0), _chores.c.due_at, _chores.c.attempts)
    op.execute(_timers.insert().from_select(["game_id", "kind", "subject", "due_at", "attempts"], before))
    op.execute(_chores.delete())


def _add_revisions() -> None:
    """Add the number of undone plies, which a revision adds to the ply; with zero, posted buttons stay valid."""
    for table in _REVISED:
        op.add_column(table, sa.Column("taken_back", sa.Integer(), nullable=False, server_default="0"))


def _add_orders() -> None:
    """Add sealed plans for bazaars, and a flag for logged actions that were planned."""
    op.create_table(
        "plans",
        sa.Column("game_id", _GAME, sa.ForeignKey("games.id", name="fk_plans_game_id"), autoincrement=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_plans"),
    )
    op.add_column("actions", sa.Column("preset", sa.Boolean(), nullable=False, server_default=sa.false()))


def _drop_orders() -> None:
    op.drop_column("actions", "preset")
    op.drop_table("plans")


def _add_pending() -> None:
    """Add confirmed moves that wait to be published, which an older version does not publish."""
    op.create_table(
        "pending",
        sa.Column("game_id", _GAME, autoincrement=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("taken_back", sa.Integer(), nullable=False),
        sa.Column("actions", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_pending_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_pending"),
    )


def _add_clocks() -> None:
    op.create_table(
        "clocks",
        sa.Column("game_id", _GAME, autoincrement=False),
        sa.Column("seat", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("granted", sa.BigInteger(), nullable=False),
        sa.Column("given_back", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.Column("timeouts", sa.Integer(), nullable=False),
        sa.Column("reminders", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.Column("free", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("reminded_at", sa.BigInteger(), nullable=True),
        sa.Column("untold", sa.BigInteger(), nullable=False),
        sa.Column("settled", sa.BigInteger(), nullable=False),
        sa.Column("decisions", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_clocks_game_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_clocks"),
    )
    runs = sa.text("since IS NOT NULL")
    op.create_index("ix_clocks_running", "clocks", ["game_id"], sqlite_where=runs, postgresql_where=runs)
    op.create_table(
        "heartbeats",
        sa.Column("shard", sa.Integer(), autoincrement=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("shard", name="pk_heartbeats"),
    )


def _add_undoing() -> None:
    """Add undone actions, their posts, and the requests to undo them."""
    op.add_column("outbox", sa.Column("undone_by", sa.BigInteger(), nullable=True))
    op.create_table(
        "undone",
        sa.Column("game_id", _GAME, autoincrement=False),
        sa.Column("undone_by", sa.Integer(), autoincrement=False),
        sa.Column("ply", sa.Integer(), autoincrement=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.String(80), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("preset", sa.Boolean(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_undone_game_id"),
        sa.PrimaryKeyConstraint("game_id", "undone_by", "ply", name="pk_undone"),
    )
    op.create_table(
        "requests",
        sa.Column("id", _GAME, nullable=False),
        sa.Column("game_id", _GAME, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("taken_back", sa.Integer(), nullable=False),
        sa.Column("to_ply", sa.Integer(), nullable=False),
        sa.Column("subject", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("details", sa.JSON(), nullable=False, server_default="{}"),
        sa.Column("voters", sa.JSON(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("lapses_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_requests_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_requests"),
    )
    op.create_index("ix_requests_game_id", "requests", ["game_id"])
    op.create_table(
        "answers",
        sa.Column("request_id", _GAME, autoincrement=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["request_id"], ["requests.id"], name="fk_answers_request_id"),
        sa.PrimaryKeyConstraint("request_id", "user_id", name="pk_answers"),
    )


def _drop_undoing() -> None:
    op.drop_table("answers")
    op.drop_table("requests")
    op.drop_table("undone")
    op.drop_column("outbox", "undone_by")


def _add_departures() -> None:
    """Add the players of games who have left the server."""
    op.create_table(
        "departures",
        sa.Column("game_id", _GAME, autoincrement=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_departures_game_id"),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_departures"),
    )


def _add_vacations() -> None:
    """Add absences of players from all their games."""
    op.create_table(
        "vacations",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False),
        sa.Column("starts_at", sa.BigInteger(), autoincrement=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("first", sa.String(10), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "starts_at", name="pk_vacations"),
    )


def _add_substitutions() -> None:
    """Add seats that a substitute has taken over."""
    op.create_table(
        "substitutions",
        sa.Column("game_id", _GAME, autoincrement=False),
        sa.Column("revision", sa.Integer(), autoincrement=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("before_id", sa.BigInteger(), nullable=False),
        sa.Column("before_name", sa.String(100), nullable=False),
        sa.Column("after_id", sa.BigInteger(), nullable=False),
        sa.Column("after_name", sa.String(100), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_substitutions_game_id"),
        sa.PrimaryKeyConstraint("game_id", "revision", name="pk_substitutions"),
    )


def _add_notes() -> None:
    """Add private notes of players on a game."""
    op.create_table(
        "notes",
        sa.Column("game_id", _GAME, sa.ForeignKey("games.id", name="fk_notes_game_id"), autoincrement=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_notes"),
    )


def _add_gifts() -> None:
    """Add gifts of time between players."""
    op.create_table(
        "gifts",
        sa.Column("id", _GAME, nullable=False),
        sa.Column("game_id", _GAME, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_gifts_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_gifts"),
    )
    op.create_index("ix_gifts_game_id", "gifts", ["game_id"])


def _add_waiting() -> None:
    """Add the state of untimed games; those of older versions are added at the next start."""
    op.create_table(
        "waiting",
        sa.Column("game_id", _GAME, sa.ForeignKey("games.id", name="fk_waiting_game_id"), autoincrement=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("looked_at", sa.BigInteger(), nullable=False),
        sa.Column("kept_at", sa.BigInteger(), nullable=True),
        sa.Column("warnings", sa.Integer(), nullable=False),
        sa.Column("warned_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("game_id", name="pk_waiting"),
    )


def _add_calls() -> None:
    """Add sent reminders, and players' wishes about them within a turn."""
    op.create_table(
        "calls",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False),
        sa.Column("game_id", _GAME, sa.ForeignKey("games.id", name="fk_calls_game_id"), autoincrement=False),
        sa.Column("exempt", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "at", "game_id", name="pk_calls"),
    )
    op.create_table(
        "turns",
        sa.Column("game_id", _GAME, sa.ForeignKey("games.id", name="fk_turns_game_id"), autoincrement=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("hushed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_turns"),
    )


def _add_pauses() -> None:
    """Add games whose clocks are paused by consent."""
    op.create_table(
        "pauses",
        sa.Column("game_id", _GAME, sa.ForeignKey("games.id", name="fk_pauses_game_id"), autoincrement=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("users", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_pauses"),
    )
