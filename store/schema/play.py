"""Tables of games: lobbies, seats, logs, requests, the outbox (messages to send), clocks and timers.

The *ply* of a game is the number of its actions, its *revision* also counts undone ones. Many indexes are *partial*:
they contain only the rows that fulfil a condition, such as those of running games. A database uses such an index only
for a query that repeats the condition word for word, with constants in place of bound parameters. Therefore these
conditions are constants here, which the queries import.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    and_,
    false,
    func,
    literal_column,
    or_,
    text,
)

from store.schema.columns import ROW_ID, Document, Erasure, Instant, index_where, key, person, person_key, stored_table

games: Final = stored_table(
    "games",
    Column("id", ROW_ID, primary_key=True),
    Column("code", String(12), nullable=False, unique=True),
    Column("name", String(80), nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False, index=True),
    Column("thread_id", BigInteger, index=True),
    Column("setup", Text, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("seat_to_act", Integer),
    Column("status", String(12), nullable=False, index=True),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("settings", Document, nullable=False),
    # When the game was last found to have gone back because its file was restored, in seconds since 1970; 0 for never.
    Column("epoch", BigInteger, nullable=False),
    Column("moved_at", Instant),
    # The revision is the ply plus this number; each undo increases it, so that revisions only grow.
    Column("taken_back", Integer, nullable=False, server_default="0"),
    # The date on which the game ends, finished or not; NULL for none.
    Column("ends_at", Instant),
)
IS_RUNNING: Final = games.c.status == text("'running'")
IS_UNFINISHED: Final = games.c.status != text("'finished'")
IS_FINISHED: Final = games.c.status == text("'finished'")
Index("ix_games_channel_id_thread_id", games.c.channel_id, games.c.thread_id)
# These two find the newest game of a channel, or the newest without a thread, however many there are.
Index("ix_games_channel_id_id", games.c.channel_id, games.c.id)
index_where("ix_games_alone_in_channel", games.c.channel_id, games.c.id, where=games.c.thread_id.is_(None))
index_where("ix_games_running_channel", games.c.channel_id, games.c.thread_id, where=IS_RUNNING)
index_where("ix_games_running_thread", games.c.thread_id, where=IS_RUNNING)
# Each press looks up the game of a channel, and some the number of a server's games, without reading finished ones.
index_where("ix_games_going_channel", games.c.channel_id, where=IS_UNFINISHED)
index_where("ix_games_going_thread", games.c.thread_id, where=IS_UNFINISHED)
index_where("ix_games_going_guild", games.c.guild_id, where=IS_UNFINISHED)
index_where("ix_games_finished", games.c.id, where=IS_FINISHED)

seats: Final = stored_table(
    "seats",
    key("game_id", of="games.id"),
    key("seat"),
    # NULL for a computer, which has a level and a version instead.
    person("user_id", Erasure.SEAT, index=True, nullable=True),
    Column("name", String(100), nullable=False),
    Column("withdrawn", Boolean, nullable=False, default=False),
    Column("level", String(12)),
    Column("version", Integer),
    UniqueConstraint("game_id", "user_id"),
)

# Players of unfinished games, which are found here without reading all their finished ones.
playing: Final = stored_table(
    "playing",
    person_key("user_id", Erasure.DELETE),
    key("game_id", of="games.id"),
    Index("ix_playing_game_id", "game_id"),
)

actions: Final = stored_table(
    "actions",
    # The primary key ensures that no ply of a game is decided twice.
    key("game_id", of="games.id"),
    key("ply"),
    Column("seat", Integer, nullable=False),
    person("user_id", Erasure.SEAT),
    Column("text", String(80), nullable=False),
    Column("at", Instant, nullable=False),
    # True if a standing order of the player decided it.
    Column("preset", Boolean, nullable=False, server_default=false()),
)
# A person without a seat may have decided a withdrawal; erasing them cannot find it by their games.
IS_WITHDRAWAL: Final = func.substr(actions.c.text, literal_column("1"), literal_column("7")) == literal_column(
    "'resign:'"
)
index_where("ix_actions_taken_out", actions.c.user_id, where=IS_WITHDRAWAL)

# Levels, versions and seeds of decisions of computers, by the revision of the game after each: enough to decide again.
decisions: Final = stored_table(
    "decisions",
    key("game_id", of="games.id"),
    key("revision"),
    Column("seat", Integer, nullable=False),
    Column("level", String(12), nullable=False),
    Column("version", Integer, nullable=False),
    Column("seed", String(40), nullable=False),
)

# Undone actions, by the revision that the game had after the undo.
undone: Final = stored_table(
    "undone",
    key("game_id", of="games.id"),
    key("undone_by"),
    key("ply"),
    Column("seat", Integer, nullable=False),
    person("user_id", Erasure.SEAT, index=True),
    Column("text", String(80), nullable=False),
    Column("at", Instant, nullable=False),
    Column("preset", Boolean, nullable=False),
    Column("undone_at", Instant, nullable=False),
)

# Confirmed moves that are not published yet: at most one a game.
pending: Final = stored_table(
    "pending",
    key("game_id", of="games.id"),
    Column("seat", Integer, nullable=False),
    person("user_id", Erasure.DELETE),
    Column("ply", Integer, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("taken_back", Integer, nullable=False),
    Column("actions", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("interaction_id", BigInteger, nullable=False),
    Column("due_at", Instant, nullable=False),
)

# Substitutions of players, by the revision that the game had afterwards. One side may be a computer, which has a level
# in place of an id.
substitutions: Final = stored_table(
    "substitutions",
    key("game_id", of="games.id"),
    key("revision"),
    Column("ply", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    person("before_id", Erasure.SEAT, index=True, nullable=True),
    Column("before_name", String(100), nullable=False),
    person("after_id", Erasure.SEAT, index=True, nullable=True),
    Column("after_name", String(100), nullable=False),
    Column("at", Instant, nullable=False),
    Column("level", String(12)),
)

# Games whose place is closed to the bot.
closed_places: Final = stored_table(
    "closed_places",
    key("game_id", of="games.id"),
    Column("since", Instant, nullable=False),
    # True if the newest card was posted in another place, so that no clock waits for this one.
    Column("elsewhere", Boolean, nullable=False),
)

# Requests of a player to the others, and who agreed.
requests: Final = stored_table(
    "requests",
    Column("id", ROW_ID, primary_key=True),
    Column("game_id", ROW_ID, ForeignKey("games.id"), nullable=False, index=True),
    Column("kind", String(12), nullable=False),
    person("user_id", Erasure.SEAT, index=True),
    Column("ply", Integer, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("taken_back", Integer, nullable=False),
    Column("to_ply", Integer, nullable=False),
    # The person whom the request is about, or 0; and data that only its kind has.
    person("subject", Erasure.SEAT, server_default="0", index=True),
    Column("details", Document, nullable=False, server_default="{}"),
    Column("voters", Document, nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("lapses_at", Instant, nullable=False),
    Column("state", String(12), nullable=False),
)

answers: Final = stored_table(
    "answers",
    key("request_id", of="requests.id"),
    person_key("user_id", Erasure.DELETE),
    Column("at", Instant, nullable=False),
    Index("ix_answers_user_id", "user_id"),
)

lobbies: Final = stored_table(
    "lobbies",
    Column("id", ROW_ID, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    person("owner_id", Erasure.NOBODY, index=True),
    Column("capacity", Integer, nullable=False),
    Column("expansions", Document, nullable=False),
    Column("options", Document, nullable=False),
    Column("state", String(12), nullable=False),
    Column("game_id", ROW_ID, ForeignKey("games.id")),
    Column("created_at", Instant, nullable=False),
    Column("game", String(40), nullable=False),
    Column("settings", Document, nullable=False),
    # For a rematch, the game before it. Not a foreign key, which SQLite could add only by rebuilding the table.
    Column("rematch_of", BigInteger, index=True),
    Column("changed_at", Instant, nullable=False),
    # The interaction that is starting the game, and the time until which no other interaction may start it.
    Column("starting", BigInteger),
    Column("starting_until", Instant),
    # The number of closing notices that the members have got since the lobby last changed.
    Column("notices", Integer, nullable=False, server_default="0"),
    # The computers that the owner has added: a list of objects with a name and a level.
    Column("computers", Document, nullable=False, server_default="[]"),
    # For a challenge, the most games of its match; null for an open table.
    Column("best_of", Integer),
    Column("rated", Boolean, nullable=False, server_default=false()),
    # The event that a challenge to a match has become. Not a foreign key, as with rematch_of.
    Column("event_id", BigInteger),
    # The time at which its people have agreed to meet.
    Column("meets_at", Instant),
)
Index("ix_lobbies_game_id", lobbies.c.game_id)
Index("ix_lobbies_state_changed_at", lobbies.c.state, lobbies.c.changed_at)
Index("ix_lobbies_guild_id_state_id", lobbies.c.guild_id, lobbies.c.state, lobbies.c.id)

lobby_members: Final = stored_table(
    "lobby_members",
    key("lobby_id", of="lobbies.id"),
    person_key("user_id", Erasure.DELETE),
    Column("name", String(100), nullable=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("lobby_id", "position"),
    Index("ix_lobby_members_user_id", "user_id"),
)

lobby_barred: Final = stored_table(
    "lobby_barred",
    key("lobby_id", of="lobbies.id"),
    person_key("user_id", Erasure.DELETE),
    Column("name", String(100), nullable=False),
    Index("ix_lobby_barred_user_id", "user_id"),
)

# People who were challenged; those who have accepted are also members. Some decline without doing anything, at a
# certain time.
lobby_challenged: Final = stored_table(
    "lobby_challenged",
    key("lobby_id", of="lobbies.id"),
    person_key("user_id", Erasure.DELETE),
    Column("name", String(100), nullable=False),
    Column("declined", Boolean, nullable=False),
    Column("declines_at", Instant, index=True),
    Index("ix_lobby_challenged_user_id", "user_id"),
)

# Times at which the people of a lobby or game want to meet. Lobbies are deleted before, so these are no foreign keys.
appointments: Final = stored_table(
    "appointments",
    Column("id", ROW_ID, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False, index=True),
    Column("lobby_id", BigInteger, index=True),
    Column("game_id", BigInteger, index=True),
    person("user_id", Erasure.NOBODY, index=True),
    Column("at", Instant, nullable=False, index=True),
    Column("state", String(12), nullable=False),
    Column("message_id", BigInteger),
    Column("scheduled_id", BigInteger),
    # When its message pinged those who had to answer; none if they had just been pinged.
    Column("pinged_at", Instant),
)
IS_AGREED: Final = appointments.c.state == text("'agreed'")
index_where("ix_appointments_agreed", appointments.c.at, where=IS_AGREED)
# Appointments that can still take place, or whose scheduled event Discord still shows.
IS_OPEN: Final = or_(IS_AGREED, appointments.c.state == text("'proposed'"), appointments.c.scheduled_id.is_not(None))
index_where("ix_appointments_open", appointments.c.at, appointments.c.id, where=IS_OPEN)

# Those who have accepted an appointment.
appointment_answers: Final = stored_table(
    "appointment_answers",
    key("appointment_id", of="appointments.id"),
    person_key("user_id", Erasure.DELETE),
    Index("ix_appointment_answers_user_id", "user_id"),
)

# Clicks and commands that were carried out: the keys by which a second delivery is recognised.
processed_interactions: Final = stored_table(
    "processed_interactions",
    key("id", BigInteger),
    Column("game_id", ROW_ID, ForeignKey("games.id")),
    Column("lobby_id", ROW_ID, ForeignKey("lobbies.id")),
    Column("before_ply", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("at", Instant, nullable=False, index=True),
    Column("taken_back", Integer, nullable=False, server_default="0"),
)
# Before a lobby is deleted, this index shows quickly whether an interaction still refers to it.
index_where(
    "ix_processed_interactions_lobby_id",
    processed_interactions.c.lobby_id,
    where=processed_interactions.c.lobby_id.is_not(None),
)

# Messages to send about games, and those that were sent.
outbox: Final = stored_table(
    "outbox",
    Column("id", ROW_ID, primary_key=True),
    Column("game_id", ROW_ID, ForeignKey("games.id"), nullable=False),
    Column("from_ply", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("kind", String(12), nullable=False),
    Column("nonce", String(25), nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("parked", Boolean, nullable=False),
    Column("leased_until", Instant),
    Column("attempts", Integer, nullable=False),
    Column("first_attempt_at", Instant),
    Column("sent_at", Instant),
    Column("message_id", BigInteger),
    # True if its place was closed to the bot, or gone, at the last attempt.
    Column("refused", Boolean, nullable=False),
    Column("taken_back", Integer, nullable=False, server_default="0"),
    # The revision of the undo that made it obsolete; then it is no longer sent.
    Column("undone_by", BigInteger),
    # The process that sends it, or sent it.
    Column("leased_by", String(32)),
)
Index("ix_outbox_game_id_id", outbox.c.game_id, outbox.c.id)
# Nearly all posts have been sent, and only the others are searched.
index_where("ix_outbox_unsent", outbox.c.game_id, outbox.c.id, where=outbox.c.sent_at.is_(None))
_waiting: Final = and_(outbox.c.sent_at.is_(None), outbox.c.parked.is_(False))
index_where("ix_outbox_waiting", outbox.c.due_at, where=_waiting)
_refused: Final = and_(outbox.c.sent_at.is_(None), outbox.c.refused.is_(True))
index_where("ix_outbox_refused", outbox.c.game_id, where=_refused)

# Tasks about games that are due at a time. The subject is a seat, a person or a request, or 0.
timers: Final = stored_table(
    "timers",
    key("game_id", of="games.id"),
    Column("kind", String(12), primary_key=True),
    key("subject", BigInteger),
    Column("due_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False),
    Index("ix_timers_kind_due_at", "kind", "due_at"),
)

# The clock of each seat of a timed game; spans are milliseconds.
clocks: Final = stored_table(
    "clocks",
    key("game_id", of="games.id"),
    key("seat"),
    Column("granted", BigInteger, nullable=False),
    Column("given_back", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Column("timeouts", Integer, nullable=False),
    Column("reminders", Integer, nullable=False),
    Column("asked", Integer),
    Column("free", BigInteger, nullable=False),
    Column("since", Instant),
    Column("held", Boolean, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("reminded_at", Instant),
    Column("untold", BigInteger, nullable=False),
    Column("settled", BigInteger, nullable=False),
    Column("decisions", Document, nullable=False),
    Column("spent", BigInteger, nullable=False, server_default="0"),
)
index_where("ix_clocks_running", clocks.c.game_id, where=clocks.c.since.is_not(None))

# Pauses that stop all clocks of a game, with the users who may end them.
pauses: Final = stored_table(
    "pauses",
    key("game_id", of="games.id"),
    Column("ends_at", Instant, nullable=False),
    Column("users", Document, nullable=False),
)

# Time that players have given each other, in milliseconds.
gifts: Final = stored_table(
    "gifts",
    Column("id", ROW_ID, primary_key=True),
    Column("game_id", ROW_ID, ForeignKey("games.id"), nullable=False),
    person("user_id", Erasure.SEAT),
    Column("seat", Integer, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("at", Instant, nullable=False),
    Column("interaction_id", BigInteger, nullable=False),
)
Index("ix_gifts_game_id", gifts.c.game_id)

# Untimed games: the start of waiting, and the warnings before they are closed.
waiting: Final = stored_table(
    "waiting",
    key("game_id", of="games.id"),
    Column("since", Instant, nullable=False),
    Column("looked_at", Instant, nullable=False),
    Column("kept_at", Instant),
    Column("warnings", Integer, nullable=False),
    Column("warned_at", Instant),
)

# Reminders that players got.
calls: Final = stored_table(
    "calls",
    person_key("user_id", Erasure.DELETE),
    Column("at", Instant, primary_key=True, autoincrement=False),
    key("game_id", of="games.id"),
    # True if it does not count towards the daily limit.
    Column("exempt", Boolean, nullable=False),
)

# Wishes of players for a single turn: a reminder at a time of their own, or no further reminders.
turns: Final = stored_table(
    "turns",
    key("game_id", of="games.id"),
    person_key("user_id", Erasure.DELETE),
    Column("revision", Integer, nullable=False),
    Column("hushed", Boolean, nullable=False),
)

# Timers of the previous release, without a subject. It may still be running, so only a later release drops the table.
chores: Final = stored_table(
    "chores",
    key("game_id", of="games.id"),
    Column("kind", String(12), primary_key=True),
    Column("due_at", Instant, nullable=False, index=True),
    Column("attempts", Integer, nullable=False),
)
