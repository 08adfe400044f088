"""The tables of events: tournaments and leagues, their games, ratings, and the queue of the ladder."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from store.columns import ROW_ID, Document, Instant, index_where, key, metadata

events: Final = Table(
    "events",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    Column("code", String(12), nullable=False, unique=True),
    Column("name", String(80), nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    # The announcement.
    Column("message_id", BigInteger),
    Column("owner_id", BigInteger, nullable=False, index=True),
    Column("state", String(12), nullable=False),
    # What the organisers have chosen so far; frozen at the start, with who entered, as the specification.
    Column("plan", Document, nullable=False),
    Column("specification", Text),
    Column("seed", String(64), nullable=False),
    # How many facts there are: whoever adds one compares and sets it.
    Column("facts", Integer, nullable=False, server_default="0"),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    # When somebody has to look at it; nobody as long as it is empty.
    Column("look_at", Instant, index=True),
    # When an organiser last did something for it.
    Column("tended_at", Instant, nullable=False),
    # At how many facts an organiser has had the next round opened, and since when one waits for that.
    Column("released", Integer, nullable=False, server_default="-1"),
    Column("waits_since", Instant),
    Column("paused_at", Instant),
    Column("pause_ends_at", Instant),
    # Until when no table is opened, because Discord has no room for more threads.
    Column("full_until", Instant),
    # How often a person was taken out: facts that somebody has in memory are from before or after it.
    Column("renamed", Integer, nullable=False, server_default="0"),
    Index("ix_events_guild_id_state", "guild_id", "state"),
)

event_organisers: Final = Table(
    "event_organisers",
    metadata,
    key("event_id", of="events.id"),
    key("user_id", BigInteger),
    Column("name", String(100), nullable=False),
    Column("added_at", Instant, nullable=False),
    Index("ix_event_organisers_user_id", "user_id"),
)

# Whoever has pressed Join, by the order in which they did.
event_entries: Final = Table(
    "event_entries",
    metadata,
    key("event_id", of="events.id"),
    key("user_id", BigInteger),
    Column("name", String(100), nullable=False),
    # The server in which they pressed it.
    Column("guild_id", BigInteger, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("checked_in_at", Instant),
    Column("waiting", Boolean, nullable=False, server_default=false()),
    # The number of the player, once the event has begun.
    Column("number", Integer),
    # The number of the team, in events of teams.
    Column("team", Integer),
    Index("ix_event_entries_user_id", "user_id"),
)

event_teams: Final = Table(
    "event_teams",
    metadata,
    key("event_id", of="events.id"),
    key("team"),
    Column("name", String(80), nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("captain_id", BigInteger, nullable=False, index=True),
    Column("joined_at", Instant, nullable=False),
    # The number of the entry, once the event has begun.
    Column("number", Integer),
)

# What happened, chance included. The primary key is the rule that nothing happens twice.
event_facts: Final = Table(
    "event_facts",
    metadata,
    key("event_id", of="events.id"),
    key("number"),
    Column("fact", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("user_id", BigInteger, nullable=False, index=True),
)

# The games of rounds: a round that was undone is drawn anew under the next number of drawing.
event_tables: Final = Table(
    "event_tables",
    metadata,
    key("event_id", of="events.id"),
    key("stage"),
    key("drawing"),
    key("round"),
    key("number"),
    Column("state", String(12), nullable=False),
    Column("game_id", ROW_ID, ForeignKey("games.id"), unique=True),
    # When its game is founded.
    Column("due_at", Instant, nullable=False),
    Column("opened_at", Instant),
    Column("deadline", Instant),
)
_to_open: Final = event_tables.c.state == text("'to_open'")
index_where("ix_event_tables_to_open", event_tables.c.due_at, where=_to_open)

event_audit: Final = Table(
    "event_audit",
    metadata,
    key("event_id", of="events.id"),
    key("number"),
    Column("at", Instant, nullable=False),
    Column("user_id", BigInteger, nullable=False, index=True),
    Column("kind", String(20), nullable=False),
    Column("details", Document, nullable=False),
)

# What players have told the organisers in private.
event_reports: Final = Table(
    "event_reports",
    metadata,
    key("event_id", of="events.id"),
    key("number"),
    Column("at", Instant, nullable=False),
    Column("user_id", BigInteger, nullable=False, index=True),
    Column("name", String(100), nullable=False),
    Column("game_id", ROW_ID, ForeignKey("games.id")),
    Column("ply", Integer),
    Column("text", Text, nullable=False),
)

# What is to be posted about events themselves; their games have the outbox.
event_posts: Final = Table(
    "event_posts",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    Column("event_id", ROW_ID, ForeignKey("events.id"), nullable=False, index=True),
    Column("kind", String(12), nullable=False),
    Column("stage", Integer, nullable=False, server_default="0"),
    Column("round", Integer, nullable=False, server_default="0"),
    Column("details", Document, nullable=False),
    # Says what it tells of, so that nothing is told twice.
    Column("nonce", String(25), nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("leased_until", Instant),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("first_attempt_at", Instant),
    Column("sent_at", Instant),
    Column("message_id", BigInteger),
)
_unsent: Final = event_posts.c.sent_at.is_(None)
index_where("ix_event_posts_unsent", event_posts.c.event_id, event_posts.c.id, where=_unsent)
index_where("ix_event_posts_due", event_posts.c.due_at, where=_unsent)

# Games that count, as their results stand now: of events by their place there, of the ladder by their game.
rated_results: Final = Table(
    "rated_results",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    Column("scale", String(12), nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("event_id", ROW_ID, ForeignKey("events.id")),
    Column("stage", Integer),
    Column("round", Integer),
    Column("number", Integer),
    Column("game_id", ROW_ID, ForeignKey("games.id")),
    Column("at", Instant, nullable=False),
    Column("players", Document, nullable=False),
    Column("places", Document, nullable=False),
    # How often it was corrected.
    Column("corrected", Integer, nullable=False, server_default="0"),
    UniqueConstraint("event_id", "stage", "round", "number"),
    Index("ix_rated_results_scale_guild_id_at", "scale", "guild_id", "at"),
)

rated_players: Final = Table(
    "rated_players", metadata, key("user_id", BigInteger), key("result_id", of="rated_results.id")
)

# By server, and of all servers together under 0.
ratings: Final = Table(
    "ratings",
    metadata,
    key("guild_id", BigInteger),
    Column("scale", String(12), primary_key=True),
    key("user_id", BigInteger),
    Column("name", String(100), nullable=False),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("games", Integer, nullable=False),
    # What it was before the last game, so that it can be seen to move.
    Column("before", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("active_at", Instant, nullable=False),
    Index("ix_ratings_guild_id_scale_shown", "guild_id", "scale", "shown"),
    Index("ix_ratings_user_id", "user_id"),
)

ladder_queue: Final = Table(
    "ladder_queue",
    metadata,
    key("guild_id", BigInteger),
    Column("scale", String(12), primary_key=True),
    key("user_id", BigInteger),
    Column("name", String(100), nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("waited", Integer, nullable=False, server_default="0"),
    Column("look_at", Instant, nullable=False, index=True),
    Index("ix_ladder_queue_user_id", "user_id"),
)

# Games that the ladder has opened, and who met in them.
ladder_games: Final = Table(
    "ladder_games",
    metadata,
    key("game_id", of="games.id"),
    Column("guild_id", BigInteger, nullable=False),
    Column("scale", String(12), nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("players", Document, nullable=False),
    Index("ix_ladder_games_guild_id_scale_opened_at", "guild_id", "scale", "opened_at"),
)
