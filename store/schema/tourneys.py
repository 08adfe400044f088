"""Tables of events (tournaments and leagues), of ratings, and of the ladder.

A *fact* is an entry in the log of an event, from which its rounds and standings are computed. A *scale* is a kind of
games that are rated together. The *ladder* finds opponents for single rated games.
"""

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
    Text,
    UniqueConstraint,
    false,
    text,
)

from store.schema.columns import ROW_ID, Document, Erasure, Instant, index_where, key, person, person_key, stored_table

events: Final = stored_table(
    "events",
    Column("id", ROW_ID, primary_key=True),
    Column("code", String(12), nullable=False, unique=True),
    Column("name", String(80), nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    # The message that announces the event.
    Column("message_id", BigInteger),
    person("owner_id", Erasure.NUMBER, index=True),
    Column("state", String(12), nullable=False),
    # The choices of the organisers; at the start they are stored, with the entries, as the final specification.
    Column("plan", Document, nullable=False),
    Column("specification", Text),
    Column("seed", String(64), nullable=False),
    # The number of facts, which is compared and set when one is added.
    Column("facts", Integer, nullable=False, server_default="0"),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    # The time at which the event has to be checked next; NULL for never.
    Column("look_at", Instant, index=True),
    # The time of the last action of an organiser.
    Column("tended_at", Instant, nullable=False),
    # The number of facts at which an organiser released the next round, and the time since which the event waits for
    # it.
    Column("released", Integer, nullable=False, server_default="-1"),
    Column("waits_since", Instant),
    Column("paused_at", Instant),
    Column("pause_ends_at", Instant),
    # The time until which no game is opened, because Discord allows no more threads.
    Column("full_until", Instant),
    # The number of people who were erased; facts in memory from before an erasure are outdated.
    Column("renamed", Integer, nullable=False, server_default="0"),
    Index("ix_events_guild_id_state", "guild_id", "state"),
)

# People who look after an event.
event_organisers: Final = stored_table(
    "event_organisers",
    key("event_id", of="events.id"),
    person_key("user_id", Erasure.DELETE),
    Column("name", String(100), nullable=False),
    Column("added_at", Instant, nullable=False),
    Index("ix_event_organisers_user_id", "user_id"),
)

# Sign-ups, in the order of joining.
event_entries: Final = stored_table(
    "event_entries",
    key("event_id", of="events.id"),
    person_key("user_id", Erasure.NUMBER),
    Column("name", String(100), nullable=False),
    # The server in which they joined.
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

# Teams that have signed up.
event_teams: Final = stored_table(
    "event_teams",
    key("event_id", of="events.id"),
    key("team"),
    Column("name", String(80), nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    person("captain_id", Erasure.NUMBER, index=True),
    Column("joined_at", Instant, nullable=False),
    # The number of the entry, once the event has begun.
    Column("number", Integer),
)

# The log of an event, draws included. The primary key ensures that no number is used twice.
event_facts: Final = stored_table(
    "event_facts",
    key("event_id", of="events.id"),
    key("number"),
    Column("fact", Text, nullable=False),
    Column("at", Instant, nullable=False),
    person("user_id", Erasure.NUMBER, index=True),
)

# Games of rounds. A round that was undone is drawn again, under the next number of ``drawing``.
event_tables: Final = stored_table(
    "event_tables",
    key("event_id", of="events.id"),
    key("stage"),
    key("drawing"),
    key("round"),
    key("number"),
    Column("state", String(12), nullable=False),
    Column("game_id", ROW_ID, ForeignKey("games.id"), unique=True),
    # The time at which its game is created.
    Column("due_at", Instant, nullable=False),
    Column("opened_at", Instant),
    Column("deadline", Instant),
)
# A query uses the index only where it repeats this condition word for word.
IS_TO_OPEN: Final = event_tables.c.state == text("'to_open'")
index_where("ix_event_tables_to_open", event_tables.c.due_at, where=IS_TO_OPEN)

# The audit log: actions of organisers, which everybody can read.
event_audit: Final = stored_table(
    "event_audit",
    key("event_id", of="events.id"),
    key("number"),
    Column("at", Instant, nullable=False),
    person("user_id", Erasure.NUMBER, index=True),
    Column("kind", String(20), nullable=False),
    Column("details", Document, nullable=False),
)

# Private reports of players to the organisers.
event_reports: Final = stored_table(
    "event_reports",
    key("event_id", of="events.id"),
    key("number"),
    Column("at", Instant, nullable=False),
    person("user_id", Erasure.DELETE, index=True),
    Column("name", String(100), nullable=False),
    Column("game_id", ROW_ID, ForeignKey("games.id")),
    Column("ply", Integer),
    Column("text", Text, nullable=False),
)

# Messages to send about events themselves; those about their games are in the outbox.
event_posts: Final = stored_table(
    "event_posts",
    Column("id", ROW_ID, primary_key=True),
    Column("event_id", ROW_ID, ForeignKey("events.id"), nullable=False, index=True),
    Column("kind", String(12), nullable=False),
    Column("stage", Integer, nullable=False, server_default="0"),
    Column("round", Integer, nullable=False, server_default="0"),
    Column("details", Document, nullable=False),
    # Identifies the subject of the message, so that no subject is posted twice.
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

# Rated results, after corrections; those of events with their place in the event, those of the ladder with their game.
rated_results: Final = stored_table(
    "rated_results",
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
    # The number of corrections.
    Column("corrected", Integer, nullable=False, server_default="0"),
    UniqueConstraint("event_id", "stage", "round", "number"),
    Index("ix_rated_results_scale_guild_id_at", "scale", "guild_id", "at"),
)

# The players of these results.
rated_players: Final = stored_table(
    "rated_players", person_key("user_id", Erasure.NUMBER), key("result_id", of="rated_results.id")
)

# Ratings by server, and those of all servers together under 0.
ratings: Final = stored_table(
    "ratings",
    key("guild_id", BigInteger),
    Column("scale", String(12), primary_key=True),
    person_key("user_id", Erasure.NUMBER),
    Column("name", String(100), nullable=False),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("games", Integer, nullable=False),
    # The displayed rating before the last game, and the present one.
    Column("before", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("active_at", Instant, nullable=False),
    Index("ix_ratings_guild_id_scale_shown", "guild_id", "scale", "shown"),
    Index("ix_ratings_user_id", "user_id"),
)

# Players who wait for a game of the ladder.
ladder_queue: Final = stored_table(
    "ladder_queue",
    key("guild_id", BigInteger),
    Column("scale", String(12), primary_key=True),
    person_key("user_id", Erasure.DELETE),
    Column("name", String(100), nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("waited", Integer, nullable=False, server_default="0"),
    Column("look_at", Instant, nullable=False, index=True),
    Index("ix_ladder_queue_user_id", "user_id"),
)

# Games that the ladder has opened, with their players.
ladder_games: Final = stored_table(
    "ladder_games",
    key("game_id", of="games.id"),
    Column("guild_id", BigInteger, nullable=False),
    Column("scale", String(12), nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("players", Document, nullable=False),
    Index("ix_ladder_games_guild_id_scale_opened_at", "guild_id", "scale", "opened_at"),
)
