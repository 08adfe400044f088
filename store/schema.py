"""The tables. Times are UTC milliseconds since 1970, setups and actions text."""

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
    Table,
    Text,
    UniqueConstraint,
    and_,
    false,
    func,
    literal_column,
    text,
)

from store import former_tables
from store.columns import ROW_ID, Document, Instant, index_where, key, metadata

games: Final = Table(
    "games",
    metadata,
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
    # Seconds since 1970: when the game was last found to have gone back, its file restored; 0 if it never was.
    Column("epoch", BigInteger, nullable=False),
    Column("moved_at", Instant),
    # What undoing has added to the revision, which is the ply and this: so it only grows, whoever makes a move.
    Column("taken_back", Integer, nullable=False, server_default="0"),
    # When the game ends, whatever is left to be played; NULL for never.
    Column("ends_at", Instant),
)
_running: Final = games.c.status == text("'running'")
Index("ix_games_channel_id_thread_id", games.c.channel_id, games.c.thread_id)
# The newest of a channel, of however many: in it, or of those that have no thread.
Index("ix_games_channel_id_id", games.c.channel_id, games.c.id)
index_where("ix_games_alone_in_channel", games.c.channel_id, games.c.id, where=games.c.thread_id.is_(None))
index_where("ix_games_running_channel", games.c.channel_id, games.c.thread_id, where=_running)
index_where("ix_games_running_thread", games.c.thread_id, where=_running)
# What may be meant in a channel, and how much goes on in a server: looked for at every click, never among what
# is over.
_going: Final = games.c.status != text("'finished'")
index_where("ix_games_going_channel", games.c.channel_id, where=_going)
index_where("ix_games_going_thread", games.c.thread_id, where=_going)
index_where("ix_games_going_guild", games.c.guild_id, where=_going)

seats: Final = Table(
    "seats",
    metadata,
    key("game_id", of="games.id"),
    key("seat"),
    Column("user_id", BigInteger, nullable=False, index=True),
    Column("name", String(100), nullable=False),
    Column("withdrawn", Boolean, nullable=False, default=False),
    UniqueConstraint("game_id", "user_id"),
)

# Who plays in games that are not over: they are found without looking at all that ever were.
playing: Final = Table(
    "playing",
    metadata,
    key("user_id", BigInteger),
    key("game_id", of="games.id"),
    Index("ix_playing_game_id", "game_id"),
)

actions: Final = Table(
    "actions",
    metadata,
    # The primary key is the rule that no ply of a game is decided twice.
    key("game_id", of="games.id"),
    key("ply"),
    Column("seat", Integer, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("text", String(80), nullable=False),
    Column("at", Instant, nullable=False),
    # Whether the player had decided it beforehand.
    Column("preset", Boolean, nullable=False, server_default=false()),
)
# Who sits at no seat of a game may still have taken somebody out of it; by the games of a person that is not found.
TAKEN_OUT: Final = func.substr(actions.c.text, literal_column("1"), literal_column("7")) == literal_column("'resign:'")
index_where("ix_actions_taken_out", actions.c.user_id, where=TAKEN_OUT)

lobbies: Final = Table(
    "lobbies",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("owner_id", BigInteger, nullable=False, index=True),
    Column("capacity", Integer, nullable=False),
    Column("expansions", Document, nullable=False),
    Column("options", Document, nullable=False),
    Column("state", String(12), nullable=False),
    Column("game_id", ROW_ID, ForeignKey("games.id")),
    Column("created_at", Instant, nullable=False),
    Column("game", String(40), nullable=False),
    Column("settings", Document, nullable=False),
    # The game of which it is a rematch; no foreign key, which SQLite could add only by rebuilding the table.
    Column("rematch_of", BigInteger, index=True),
    Column("changed_at", Instant, nullable=False),
    # Which interaction begins its game, and how long nobody else does.
    Column("starting", BigInteger),
    Column("starting_until", Instant),
    # How often its members were told that it closes, since something last changed.
    Column("notices", Integer, nullable=False, server_default="0"),
)
Index("ix_lobbies_game_id", lobbies.c.game_id)
Index("ix_lobbies_state_changed_at", lobbies.c.state, lobbies.c.changed_at)
Index("ix_lobbies_guild_id_state_id", lobbies.c.guild_id, lobbies.c.state, lobbies.c.id)

lobby_members: Final = Table(
    "lobby_members",
    metadata,
    key("lobby_id", of="lobbies.id"),
    key("user_id", BigInteger),
    Column("name", String(100), nullable=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("lobby_id", "position"),
    Index("ix_lobby_members_user_id", "user_id"),
)

lobby_barred: Final = Table(
    "lobby_barred",
    metadata,
    key("lobby_id", of="lobbies.id"),
    key("user_id", BigInteger),
    Column("name", String(100), nullable=False),
    Index("ix_lobby_barred_user_id", "user_id"),
)

processed_interactions: Final = Table(
    "processed_interactions",
    metadata,
    key("id", BigInteger),
    Column("game_id", ROW_ID, ForeignKey("games.id")),
    Column("lobby_id", ROW_ID, ForeignKey("lobbies.id")),
    Column("before_ply", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("at", Instant, nullable=False, index=True),
    Column("taken_back", Integer, nullable=False, server_default="0"),
)

outbox: Final = Table(
    "outbox",
    metadata,
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
    # Whether the place of its game was closed to us, or gone, when it was last tried.
    Column("refused", Boolean, nullable=False),
    Column("taken_back", Integer, nullable=False, server_default="0"),
    # The revision of the game after what this tells of was undone; it never is sent then, if it was not before.
    Column("undone_by", BigInteger),
    # Which process sends it, or did.
    Column("leased_by", String(32)),
)
Index("ix_outbox_game_id_id", outbox.c.game_id, outbox.c.id)
# Nearly all posts are sent; only the few that are not are ever looked for.
index_where("ix_outbox_unsent", outbox.c.game_id, outbox.c.id, where=outbox.c.sent_at.is_(None))
_waiting: Final = and_(outbox.c.sent_at.is_(None), outbox.c.parked.is_(False))
index_where("ix_outbox_waiting", outbox.c.due_at, where=_waiting)
_refused: Final = and_(outbox.c.sent_at.is_(None), outbox.c.refused.is_(True))
index_where("ix_outbox_refused", outbox.c.game_id, where=_refused)

# What is to be done at a time: about a game, and of that about a seat, a person or a request, if it hangs on one.
timers: Final = Table(
    "timers",
    metadata,
    key("game_id", of="games.id"),
    Column("kind", String(12), primary_key=True),
    key("subject", BigInteger),
    Column("due_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False),
    Index("ix_timers_kind_due_at", "kind", "due_at"),
)

# Moves that are confirmed and not published yet, one of a game at most.
pending: Final = Table(
    "pending",
    metadata,
    key("game_id", of="games.id"),
    Column("seat", Integer, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("taken_back", Integer, nullable=False),
    Column("actions", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("interaction_id", BigInteger, nullable=False),
    Column("due_at", Instant, nullable=False),
)

# How much time each seat of a table with a pace has; spans are milliseconds.
clocks: Final = Table(
    "clocks",
    metadata,
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

# When each shard was last connected, for the release before, which knows one number of shards at a time.
heartbeats: Final = Table(
    "heartbeats",
    metadata,
    key("shard"),
    Column("shards", Integer, nullable=False),
    Column("at", Instant, nullable=False),
)

# Actions that were undone, by the revision of the game after that.
undone: Final = Table(
    "undone",
    metadata,
    key("game_id", of="games.id"),
    key("undone_by"),
    key("ply"),
    Column("seat", Integer, nullable=False),
    Column("user_id", BigInteger, nullable=False, index=True),
    Column("text", String(80), nullable=False),
    Column("at", Instant, nullable=False),
    Column("preset", Boolean, nullable=False),
    Column("undone_at", Instant, nullable=False),
)

# What players ask of each other, and who agrees.
requests: Final = Table(
    "requests",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    Column("game_id", ROW_ID, ForeignKey("games.id"), nullable=False, index=True),
    Column("kind", String(12), nullable=False),
    Column("user_id", BigInteger, nullable=False, index=True),
    Column("ply", Integer, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("taken_back", Integer, nullable=False),
    Column("to_ply", Integer, nullable=False),
    # Whom it is about, if anybody, and what else belongs to it.
    Column("subject", BigInteger, nullable=False, server_default="0", index=True),
    Column("details", Document, nullable=False, server_default="{}"),
    Column("voters", Document, nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("lapses_at", Instant, nullable=False),
    Column("state", String(12), nullable=False),
)
answers: Final = Table(
    "answers",
    metadata,
    key("request_id", of="requests.id"),
    key("user_id", BigInteger),
    Column("at", Instant, nullable=False),
    Index("ix_answers_user_id", "user_id"),
)

preferences: Final = Table(
    "preferences",
    metadata,
    key("user_id", BigInteger),
    Column("confirm", Boolean, nullable=False),
    Column("choices", Document, nullable=False),
)

command_copies: Final = Table("command_copies", metadata, key("guild_id", BigInteger))

guild_settings: Final = Table(
    "guild_settings", metadata, key("guild_id", BigInteger), Column("settings", Document, nullable=False)
)

# What players have planned for a decision; nobody else ever reads it.
plans: Final = Table(
    "plans",
    metadata,
    key("game_id", of="games.id"),
    key("user_id", BigInteger),
    Column("text", String(200), nullable=False),
    Column("at", Instant, nullable=False),
)

# The locale in which Discord spoke to somebody last.
locales: Final = Table("locales", metadata, key("user_id", BigInteger), Column("locale", String(20), nullable=False))

# What players write down about a game for themselves alone.
notes: Final = Table(
    "notes",
    metadata,
    key("game_id", of="games.id"),
    key("user_id", BigInteger),
    Column("text", Text, nullable=False),
    Column("at", Instant, nullable=False),
)

FORMER: Final = former_tables.TABLES
"""What only the versions before read; a release that drops them needs to know them."""
