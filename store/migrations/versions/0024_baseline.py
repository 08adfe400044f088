"""Create all tables: the baseline of version 1.0.0.

Earlier versions came to these tables by a chain of eighteen migrations; the last commit that has it is named in
:data:`store.connection.migrating.LAST_COMMIT_BEFORE_BASELINE`.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_play()
    _create_votes()
    _create_timing()
    _create_people()
    _create_tourneys()
    _create_admin()


def downgrade() -> None:
    for table in (
        "rated_players",
        "processed_interactions",
        "lobby_members",
        "lobby_barred",
        "answers",
        "waiting",
        "undone",
        "turns",
        "timers",
        "substitutions",
        "seats",
        "requests",
        "rated_results",
        "playing",
        "plans",
        "pending",
        "pauses",
        "outbox",
        "notes",
        "lobbies",
        "ladder_games",
        "gifts",
        "frozen_by_hand",
        "event_teams",
        "event_tables",
        "event_reports",
        "event_posts",
        "event_organisers",
        "event_facts",
        "event_entries",
        "event_audit",
        "drafts",
        "departures",
        "closed_places",
        "clocks",
        "chores",
        "calls",
        "actions",
        "vacations",
        "shares",
        "shard_heartbeats",
        "ratings",
        "processes",
        "preferences",
        "operator_log",
        "marks",
        "locales",
        "leases",
        "ladder_queue",
        "identifies",
        "heartbeats",
        "guild_settings",
        "games",
        "forgotten",
        "events",
        "command_copies",
        "bans",
        "allowances",
    ):
        op.drop_table(table)


def _row_id() -> sa.types.TypeEngine[int]:
    """Return the type of generated ids; SQLite generates them only for the type INTEGER."""
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _create_partial_index(name: str, table: str, columns: list[str], where: str, *, on_postgresql: str = "") -> None:
    """Create an index of the rows that fulfil a condition; PostgreSQL may need it in other words."""
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(on_postgresql or where))


def _create_play() -> None:
    """Create lobbies, games with their logs, and the outbox of messages."""
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
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.BigInteger()),
        sa.Column("taken_back", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ends_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("code", name="uq_games_code"),
    )
    _create_partial_index("ix_games_alone_in_channel", "games", ["channel_id", "id"], "thread_id IS NULL")
    op.create_index("ix_games_channel_id", "games", ["channel_id"])
    op.create_index("ix_games_channel_id_id", "games", ["channel_id", "id"])
    op.create_index("ix_games_channel_id_thread_id", "games", ["channel_id", "thread_id"])
    _create_partial_index("ix_games_finished", "games", ["id"], "status = 'finished'")
    _create_partial_index("ix_games_going_channel", "games", ["channel_id"], "status != 'finished'")
    _create_partial_index("ix_games_going_guild", "games", ["guild_id"], "status != 'finished'")
    _create_partial_index("ix_games_going_thread", "games", ["thread_id"], "status != 'finished'")
    _create_partial_index("ix_games_running_channel", "games", ["channel_id", "thread_id"], "status = 'running'")
    _create_partial_index("ix_games_running_thread", "games", ["thread_id"], "status = 'running'")
    op.create_index("ix_games_status", "games", ["status"])
    op.create_index("ix_games_thread_id", "games", ["thread_id"])
    op.create_table(
        "actions",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.String(80), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("preset", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_actions_game_id"),
        sa.PrimaryKeyConstraint("game_id", "ply", name="pk_actions"),
    )
    _create_partial_index("ix_actions_taken_out", "actions", ["user_id"], "substr(text, 1, 7) = 'resign:'")
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
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("rematch_of", sa.BigInteger()),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("starting", sa.BigInteger()),
        sa.Column("starting_until", sa.BigInteger()),
        sa.Column("notices", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_lobbies_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_lobbies"),
    )
    op.create_index("ix_lobbies_game_id", "lobbies", ["game_id"])
    op.create_index("ix_lobbies_guild_id_state_id", "lobbies", ["guild_id", "state", "id"])
    op.create_index("ix_lobbies_owner_id", "lobbies", ["owner_id"])
    op.create_index("ix_lobbies_rematch_of", "lobbies", ["rematch_of"])
    op.create_index("ix_lobbies_state_changed_at", "lobbies", ["state", "changed_at"])
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
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.Column("taken_back", sa.Integer(), server_default="0", nullable=False),
        sa.Column("undone_by", sa.BigInteger()),
        sa.Column("leased_by", sa.String(32)),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_outbox_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("nonce", name="uq_outbox_nonce"),
    )
    op.create_index("ix_outbox_game_id_id", "outbox", ["game_id", "id"])
    _create_partial_index(
        "ix_outbox_refused",
        "outbox",
        ["game_id"],
        "sent_at IS NULL AND refused IS 1",
        on_postgresql="sent_at IS NULL AND refused IS true",
    )
    _create_partial_index("ix_outbox_unsent", "outbox", ["game_id", "id"], "sent_at IS NULL")
    _create_partial_index(
        "ix_outbox_waiting",
        "outbox",
        ["due_at"],
        "sent_at IS NULL AND parked IS 0",
        on_postgresql="sent_at IS NULL AND parked IS false",
    )
    op.create_table(
        "playing",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_playing_game_id"),
        sa.PrimaryKeyConstraint("user_id", "game_id", name="pk_playing"),
    )
    op.create_index("ix_playing_game_id", "playing", ["game_id"])
    op.create_table(
        "seats",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("game_id", "user_id", name="uq_seats_game_id_user_id"),
    )
    op.create_index("ix_seats_user_id", "seats", ["user_id"])
    op.create_table(
        "turns",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("hushed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_turns_game_id"),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_turns"),
    )
    op.create_table(
        "lobby_barred",
        sa.Column("lobby_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.ForeignKeyConstraint(["lobby_id"], ["lobbies.id"], name="fk_lobby_barred_lobby_id"),
        sa.PrimaryKeyConstraint("lobby_id", "user_id", name="pk_lobby_barred"),
    )
    op.create_index("ix_lobby_barred_user_id", "lobby_barred", ["user_id"])
    op.create_table(
        "lobby_members",
        sa.Column("lobby_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["lobby_id"], ["lobbies.id"], name="fk_lobby_members_lobby_id"),
        sa.PrimaryKeyConstraint("lobby_id", "user_id", name="pk_lobby_members"),
        sa.UniqueConstraint("lobby_id", "position", name="uq_lobby_members_lobby_id_position"),
    )
    op.create_index("ix_lobby_members_user_id", "lobby_members", ["user_id"])
    op.create_table(
        "processed_interactions",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game_id", _row_id()),
        sa.Column("lobby_id", _row_id()),
        sa.Column("before_ply", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("taken_back", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_processed_interactions_game_id"),
        sa.ForeignKeyConstraint(["lobby_id"], ["lobbies.id"], name="fk_processed_interactions_lobby_id"),
        sa.PrimaryKeyConstraint("id", name="pk_processed_interactions"),
    )
    op.create_index("ix_processed_interactions_at", "processed_interactions", ["at"])
    _create_partial_index(
        "ix_processed_interactions_lobby_id", "processed_interactions", ["lobby_id"], "lobby_id IS NOT NULL"
    )


def _create_votes() -> None:
    """Create what needs the consent of others, and moves that are not published yet."""
    op.create_table(
        "pending",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
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
    op.create_table(
        "requests",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("game_id", _row_id(), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("taken_back", sa.Integer(), nullable=False),
        sa.Column("to_ply", sa.Integer(), nullable=False),
        sa.Column("subject", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("details", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("voters", sa.JSON(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("lapses_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_requests_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_requests"),
    )
    op.create_index("ix_requests_game_id", "requests", ["game_id"])
    op.create_index("ix_requests_subject", "requests", ["subject"])
    op.create_index("ix_requests_user_id", "requests", ["user_id"])
    op.create_table(
        "substitutions",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
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
    op.create_index("ix_substitutions_after_id", "substitutions", ["after_id"])
    op.create_index("ix_substitutions_before_id", "substitutions", ["before_id"])
    op.create_table(
        "undone",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("undone_by", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.String(80), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("preset", sa.Boolean(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_undone_game_id"),
        sa.PrimaryKeyConstraint("game_id", "undone_by", "ply", name="pk_undone"),
    )
    op.create_index("ix_undone_user_id", "undone", ["user_id"])
    op.create_table(
        "answers",
        sa.Column("request_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["request_id"], ["requests.id"], name="fk_answers_request_id"),
        sa.PrimaryKeyConstraint("request_id", "user_id", name="pk_answers"),
    )
    op.create_index("ix_answers_user_id", "answers", ["user_id"])


def _create_timing() -> None:
    """Create clocks, timers and all that stops or moves them."""
    op.create_table(
        "calls",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("exempt", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_calls_game_id"),
        sa.PrimaryKeyConstraint("user_id", "at", "game_id", name="pk_calls"),
    )
    op.create_table(
        "chores",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_chores_game_id"),
        sa.PrimaryKeyConstraint("game_id", "kind", name="pk_chores"),
    )
    op.create_index("ix_chores_due_at", "chores", ["due_at"])
    op.create_table(
        "clocks",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("granted", sa.BigInteger(), nullable=False),
        sa.Column("given_back", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.Column("timeouts", sa.Integer(), nullable=False),
        sa.Column("reminders", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer()),
        sa.Column("free", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger()),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("reminded_at", sa.BigInteger()),
        sa.Column("untold", sa.BigInteger(), nullable=False),
        sa.Column("settled", sa.BigInteger(), nullable=False),
        sa.Column("decisions", sa.JSON(), nullable=False),
        sa.Column("spent", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_clocks_game_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_clocks"),
    )
    _create_partial_index("ix_clocks_running", "clocks", ["game_id"], "since IS NOT NULL")
    op.create_table(
        "closed_places",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("elsewhere", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_closed_places_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_closed_places"),
    )
    op.create_table(
        "gifts",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("game_id", _row_id(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_gifts_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_gifts"),
    )
    op.create_index("ix_gifts_game_id", "gifts", ["game_id"])
    op.create_table(
        "pauses",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("users", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_pauses_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_pauses"),
    )
    op.create_table(
        "timers",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("subject", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_timers_game_id"),
        sa.PrimaryKeyConstraint("game_id", "kind", "subject", name="pk_timers"),
    )
    op.create_index("ix_timers_kind_due_at", "timers", ["kind", "due_at"])
    op.create_table(
        "waiting",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("looked_at", sa.BigInteger(), nullable=False),
        sa.Column("kept_at", sa.BigInteger()),
        sa.Column("warnings", sa.Integer(), nullable=False),
        sa.Column("warned_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_waiting_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_waiting"),
    )


def _create_people() -> None:
    """Create what is kept of people."""
    op.create_table(
        "locales",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_locales"),
    )
    op.create_table(
        "preferences",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("confirm", sa.Boolean(), nullable=False),
        sa.Column("choices", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_preferences"),
    )
    op.create_table(
        "shares",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("free_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_shares"),
    )
    op.create_index("ix_shares_free_at", "shares", ["free_at"])
    op.create_table(
        "vacations",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("first", sa.String(10), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "starts_at", name="pk_vacations"),
    )
    op.create_table(
        "departures",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_departures_game_id"),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_departures"),
    )
    op.create_table(
        "drafts",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_drafts_game_id"),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_drafts"),
    )
    op.create_table(
        "notes",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_notes_game_id"),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_notes"),
    )
    op.create_table(
        "plans",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_plans_game_id"),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_plans"),
    )


def _create_tourneys() -> None:
    """Create events and the ladder."""
    op.create_table(
        "events",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("code", sa.String(12), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("owner_id", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("specification", sa.Text()),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("facts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("finished_at", sa.BigInteger()),
        sa.Column("look_at", sa.BigInteger()),
        sa.Column("tended_at", sa.BigInteger(), nullable=False),
        sa.Column("released", sa.Integer(), server_default="-1", nullable=False),
        sa.Column("waits_since", sa.BigInteger()),
        sa.Column("paused_at", sa.BigInteger()),
        sa.Column("pause_ends_at", sa.BigInteger()),
        sa.Column("full_until", sa.BigInteger()),
        sa.Column("renamed", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
        sa.UniqueConstraint("code", name="uq_events_code"),
    )
    op.create_index("ix_events_guild_id_state", "events", ["guild_id", "state"])
    op.create_index("ix_events_look_at", "events", ["look_at"])
    op.create_index("ix_events_owner_id", "events", ["owner_id"])
    op.create_table(
        "ladder_queue",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("scale", sa.String(12), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("waited", sa.Integer(), server_default="0", nullable=False),
        sa.Column("look_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "scale", "user_id", name="pk_ladder_queue"),
    )
    op.create_index("ix_ladder_queue_look_at", "ladder_queue", ["look_at"])
    op.create_index("ix_ladder_queue_user_id", "ladder_queue", ["user_id"])
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("scale", sa.String(12), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("active_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "scale", "user_id", name="pk_ratings"),
    )
    op.create_index("ix_ratings_guild_id_scale_shown", "ratings", ["guild_id", "scale", "shown"])
    op.create_index("ix_ratings_user_id", "ratings", ["user_id"])
    op.create_table(
        "event_audit",
        sa.Column("event_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_audit_event_id"),
        sa.PrimaryKeyConstraint("event_id", "number", name="pk_event_audit"),
    )
    op.create_index("ix_event_audit_user_id", "event_audit", ["user_id"])
    op.create_table(
        "event_entries",
        sa.Column("event_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("checked_in_at", sa.BigInteger()),
        sa.Column("waiting", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("number", sa.Integer()),
        sa.Column("team", sa.Integer()),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_entries_event_id"),
        sa.PrimaryKeyConstraint("event_id", "user_id", name="pk_event_entries"),
    )
    op.create_index("ix_event_entries_user_id", "event_entries", ["user_id"])
    op.create_table(
        "event_facts",
        sa.Column("event_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("fact", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_facts_event_id"),
        sa.PrimaryKeyConstraint("event_id", "number", name="pk_event_facts"),
    )
    op.create_index("ix_event_facts_user_id", "event_facts", ["user_id"])
    op.create_table(
        "event_organisers",
        sa.Column("event_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_organisers_event_id"),
        sa.PrimaryKeyConstraint("event_id", "user_id", name="pk_event_organisers"),
    )
    op.create_index("ix_event_organisers_user_id", "event_organisers", ["user_id"])
    op.create_table(
        "event_posts",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("event_id", _row_id(), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("stage", sa.Integer(), server_default="0", nullable=False),
        sa.Column("round", sa.Integer(), server_default="0", nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("nonce", sa.String(25), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger()),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("first_attempt_at", sa.BigInteger()),
        sa.Column("sent_at", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_posts_event_id"),
        sa.PrimaryKeyConstraint("id", name="pk_event_posts"),
        sa.UniqueConstraint("nonce", name="uq_event_posts_nonce"),
    )
    _create_partial_index("ix_event_posts_due", "event_posts", ["due_at"], "sent_at IS NULL")
    op.create_index("ix_event_posts_event_id", "event_posts", ["event_id"])
    _create_partial_index("ix_event_posts_unsent", "event_posts", ["event_id", "id"], "sent_at IS NULL")
    op.create_table(
        "event_reports",
        sa.Column("event_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("game_id", _row_id()),
        sa.Column("ply", sa.Integer()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_reports_event_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_event_reports_game_id"),
        sa.PrimaryKeyConstraint("event_id", "number", name="pk_event_reports"),
    )
    op.create_index("ix_event_reports_user_id", "event_reports", ["user_id"])
    op.create_table(
        "event_tables",
        sa.Column("event_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("stage", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("drawing", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("game_id", _row_id()),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger()),
        sa.Column("deadline", sa.BigInteger()),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_tables_event_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_event_tables_game_id"),
        sa.PrimaryKeyConstraint("event_id", "stage", "drawing", "round", "number", name="pk_event_tables"),
        sa.UniqueConstraint("game_id", name="uq_event_tables_game_id"),
    )
    _create_partial_index("ix_event_tables_to_open", "event_tables", ["due_at"], "state = 'to_open'")
    op.create_table(
        "event_teams",
        sa.Column("event_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("team", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("captain_id", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer()),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_teams_event_id"),
        sa.PrimaryKeyConstraint("event_id", "team", name="pk_event_teams"),
    )
    op.create_index("ix_event_teams_captain_id", "event_teams", ["captain_id"])
    op.create_table(
        "ladder_games",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("scale", sa.String(12), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_ladder_games_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_ladder_games"),
    )
    op.create_index("ix_ladder_games_guild_id_scale_opened_at", "ladder_games", ["guild_id", "scale", "opened_at"])
    op.create_table(
        "rated_results",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("scale", sa.String(12), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("event_id", _row_id()),
        sa.Column("stage", sa.Integer()),
        sa.Column("round", sa.Integer()),
        sa.Column("number", sa.Integer()),
        sa.Column("game_id", _row_id()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("corrected", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_rated_results_event_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_rated_results_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rated_results"),
        sa.UniqueConstraint(
            "event_id", "stage", "round", "number", name="uq_rated_results_event_id_stage_round_number"
        ),
    )
    op.create_index("ix_rated_results_scale_guild_id_at", "rated_results", ["scale", "guild_id", "at"])
    op.create_table(
        "rated_players",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("result_id", _row_id(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["rated_results.id"], name="fk_rated_players_result_id"),
        sa.PrimaryKeyConstraint("user_id", "result_id", name="pk_rated_players"),
    )


def _create_admin() -> None:
    """Create what operators decide and processes share."""
    op.create_table(
        "allowances",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("games", sa.Integer()),
        sa.Column("lobbies", sa.Integer()),
        sa.PrimaryKeyConstraint("guild_id", name="pk_allowances"),
    )
    op.create_table(
        "bans",
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("subject", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name="pk_bans"),
    )
    op.create_table(
        "command_copies",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_command_copies"),
    )
    op.create_table(
        "forgotten",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_forgotten"),
    )
    op.create_table(
        "guild_settings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_guild_settings"),
    )
    op.create_table(
        "heartbeats",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("shard", name="pk_heartbeats"),
    )
    op.create_table(
        "identifies",
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("turn", name="pk_identifies"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )
    op.create_table(
        "marks",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_marks"),
    )
    op.create_table(
        "operator_log",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.String(100), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator_log"),
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("release", sa.String(40), nullable=False),
        sa.Column("first_shard", sa.Integer(), nullable=False),
        sa.Column("last_shard", sa.Integer(), nullable=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("level", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.create_table(
        "shard_heartbeats",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shards", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("shard", "shards", name="pk_shard_heartbeats"),
    )
    op.create_table(
        "frozen_by_hand",
        sa.Column("game_id", _row_id(), autoincrement=False, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_frozen_by_hand_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_frozen_by_hand"),
    )
