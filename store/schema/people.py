"""Tables about single people: their preferences, private plans and notes, absences, and what they have used.

Their rows are deleted when a person asks to be erased; see ``store.admin.personal_data``.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Text

from store.schema.columns import Document, Erasure, Instant, key, person_key, stored_table

preferences: Final = stored_table(
    "preferences",
    person_key("user_id", Erasure.DELETE),
    Column("confirm", Boolean, nullable=False),
    Column("choices", Document, nullable=False),
)

# The locale that Discord last reported for a person.
locales: Final = stored_table(
    "locales", person_key("user_id", Erasure.DELETE), Column("locale", String(20), nullable=False)
)

# Standing orders of players for one decision of a game; only they can read them.
plans: Final = stored_table(
    "plans",
    key("game_id", of="games.id"),
    person_key("user_id", Erasure.DELETE),
    Column("text", String(200), nullable=False),
    Column("at", Instant, nullable=False),
)

# Private notes of players about a game.
notes: Final = stored_table(
    "notes",
    key("game_id", of="games.id"),
    person_key("user_id", Erasure.DELETE),
    Column("text", Text, nullable=False),
    Column("at", Instant, nullable=False),
)

# People whom somebody does not want to play with. Only they know: a challenge is declined as if they did it.
avoided: Final = stored_table(
    "avoided",
    person_key("user_id", Erasure.DELETE),
    person_key("avoided_id", Erasure.DELETE),
    Column("name", String(100), nullable=False),
    Column("at", Instant, nullable=False),
    Index("ix_avoided_avoided_id", "avoided_id"),
)

# How many games people have finished, how often their time ran out, and how many games they have left.
punctuality: Final = stored_table(
    "punctuality",
    person_key("user_id", Erasure.DELETE),
    Column("finished", Integer, nullable=False),
    Column("timeouts", Integer, nullable=False),
    Column("withdrawals", Integer, nullable=False),
)

# Absences from all games: whole days in the time zone of the person, from midnight to midnight.
vacations: Final = stored_table(
    "vacations",
    person_key("user_id", Erasure.DELETE),
    Column("starts_at", Instant, primary_key=True),
    Column("ends_at", Instant, nullable=False),
    Column("first", String(10), nullable=False),
    Column("days", Integer, nullable=False),
    Column("at", Instant, nullable=False),
)

# Players who have left the server of their game, with the time at which that was found.
departures: Final = stored_table(
    "departures",
    key("game_id", of="games.id"),
    person_key("user_id", Erasure.DELETE),
    Column("found_at", Instant, nullable=False),
)

# Quotas of expensive requests, as token buckets: the time at which the bucket of a person is full again.
shares: Final = stored_table(
    "shares", person_key("user_id", Erasure.DELETE), Column("free_at", Instant, nullable=False, index=True)
)

# Milliseconds for which computers thought for a person on the last such day; days begin at midnight, by UTC.
thinking_for_people: Final = stored_table(
    "thinking_for_people",
    person_key("user_id", Erasure.DELETE),
    Column("day", Instant, nullable=False, index=True),
    Column("spent", BigInteger, nullable=False),
)

# Half-finished moves of the previous release; this one keeps them in memory, and a later one drops the table.
drafts: Final = stored_table(
    "drafts",
    key("game_id", of="games.id"),
    person_key("user_id", Erasure.DELETE),
    Column("ply", Integer, nullable=False),
    Column("data", Document, nullable=False),
    Column("updated_at", Instant, nullable=False),
)
