"""What the store hands out and takes in about events: plain values; plans and facts are data and text here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from store.person import Person


class EventState(StrEnum):
    """Where an event stands."""

    DRAFT = "draft"
    """Its organiser is still choosing; nobody else knows of it."""
    OPEN = "open"
    """Sign-up is open."""
    CHECK_IN = "check_in"
    """Who has signed up says that he is there."""
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CLOSED = "closed"
    """It was given up before its end."""


class TableState(StrEnum):
    """Where a game of an event stands."""

    TO_OPEN = "to_open"
    """Its game is not founded yet."""
    OPENING = "opening"
    """Its game is there, and its thread on the way."""
    OPEN = "open"
    DECIDED = "decided"
    VOID = "void"
    """The round was drawn anew."""


class EventPostKind(StrEnum):
    """What is posted about an event."""

    ANNOUNCED = "announced"
    """The announcement: sign-up is open."""
    CHECK_IN = "check_in"
    """Check-in has begun."""
    TOO_FEW = "too_few"
    """It was to start, and too few are there (details: entries, least)."""
    STARTED = "started"
    ROUND = "round"
    """A round is drawn."""
    GAMES = "games"
    """Matches that are not decided go on (details: tables)."""
    RESULTS = "results"
    """A round is over: standings, bracket."""
    STAGE = "stage"
    """A stage is over (details: reason)."""
    NEEDED = "needed"
    """The organisers are asked to open the next round."""
    DEADLINE = "deadline"
    """A round's deadline is three days off (details: tables that still play)."""
    LINE_UPS = "line_ups"
    """Line-ups are due (details: until, as a timestamp)."""
    REVEALED = "revealed"
    """The line-ups of a match are in (details: teams)."""
    FULL = "full"
    """Discord has no room for more threads."""
    EXTENDED = "extended"
    """A deadline was moved (details: days, reason)."""
    UNDONE = "undone"
    """A round is drawn anew (details: reason)."""
    CORRECTED = "corrected"
    """A result was corrected (details: table, reason)."""
    PAUSED = "paused"
    RESUMED = "resumed"
    REPORTED = "reported"
    """Somebody has told the organisers something; for them alone (details: number)."""
    INHERITED = "inherited"
    """No organiser was there for a week: the managers of the server may organise."""
    FINISHED = "finished"
    """The podium."""
    CLOSED = "closed"
    NEWS = "news"
    """Those are called whom an earlier message did not call in their quiet hours (details: of, users)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event before it is stored."""

    code: str
    name: str
    guild_id: int
    channel_id: int
    owner: Person
    plan: Mapping[str, Any]
    seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord:
    """An event as it is stored; ``specification`` is text, from the start on."""

    id: int
    code: str
    name: str
    guild_id: int
    channel_id: int
    message_id: int | None
    owner_id: int
    state: EventState
    plan: Mapping[str, Any]
    specification: str | None
    seed: str
    facts: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    look_at: datetime | None
    tended_at: datetime
    released: int
    waits_since: datetime | None
    paused_at: datetime | None
    pause_ends_at: datetime | None
    full_until: datetime | None
    renamed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRecord:
    """Somebody who has entered an event; ``number`` once it has begun."""

    event_id: int
    person: Person
    guild_id: int
    joined_at: datetime
    checked_in_at: datetime | None = None
    waiting: bool = False
    number: int | None = None
    team: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRecord:
    """A team that has entered an event; ``number`` that of its entry once it has begun."""

    event_id: int
    team: int
    name: str
    guild_id: int
    captain_id: int
    joined_at: datetime
    number: int | None = None


class FactRecord(NamedTuple):
    """A fact: its text, when it was added and by whom; 0 for what happens by itself."""

    number: int
    fact: str
    at: datetime
    user_id: int


class TablePlace(NamedTuple):
    """Which game of an event: stages, rounds and tables counted from 1, drawings from 0."""

    stage: int
    drawing: int
    round: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """A game of an event."""

    event_id: int
    place: TablePlace
    state: TableState
    due_at: datetime
    game_id: int | None = None
    opened_at: datetime | None = None
    deadline: datetime | None = None


class AuditRecord(NamedTuple):
    """What an organiser did, as keys and values."""

    number: int
    at: datetime
    user_id: int
    kind: str
    details: Mapping[str, Any]


class ReportRecord(NamedTuple):
    """What somebody has told the organisers, and where the game stood."""

    number: int
    at: datetime
    person: Person
    game_id: int | None
    ply: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEventPost:
    """Something to be posted about an event; the nonce says what it tells of."""

    event_id: int
    kind: EventPostKind
    nonce: str
    stage: int = 0
    round: int = 0
    details: Mapping[str, Any]
    due_at: datetime | None = None
    """When it is to be posted; at once where that is not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPostRecord:
    """The same, stored."""

    id: int
    event_id: int
    kind: EventPostKind
    nonce: str
    stage: int
    round: int
    details: Mapping[str, Any]
    attempts: int
    first_attempt_at: datetime | None
    sent_at: datetime | None
    message_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedResult:
    """A game that counts: who played it and on which places; of an event, where there."""

    scale: str
    guild_id: int
    at: datetime
    players: tuple[int, ...]
    places: tuple[int, ...]
    event_id: int | None = None
    stage: int | None = None
    round: int | None = None
    number: int | None = None
    game_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRecord:
    """Somebody's rating in a server, or everywhere (0)."""

    guild_id: int
    scale: str
    person: Person
    mean: float
    deviation: float
    games: int
    before: int
    shown: int
    active_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRecord:
    """Somebody who waits for a game of the ladder."""

    guild_id: int
    scale: str
    person: Person
    channel_id: int
    joined_at: datetime
    waited: int = 0
