"""Persistence: SQLAlchemy Core over aiosqlite, migrated by Alembic. No rules, no Discord.

A :class:`Store` hands out transactions; the modules ``games``, ``epochs``, ``glances``, ``going``, ``seating``,
``lobbies``, ``interactions``, ``outbox``, ``pending``, ``timers``, ``clocks``, ``gifts``, ``pauses``, ``heartbeats``,
``plans``, ``notes``, ``preferences``, ``requests``, ``substitutions``, ``undoing``, ``vacations`` and ``guilds`` read
and write in them, so that whoever calls decides what belongs together.
"""

from store import (
    calls,
    clocks,
    command_copies,
    departures,
    epochs,
    games,
    gifts,
    glances,
    going,
    guilds,
    heartbeats,
    interactions,
    lobbies,
    notes,
    outbox,
    pauses,
    pending,
    plans,
    preferences,
    requests,
    seating,
    substitutions,
    timers,
    undoing,
    vacations,
    waiting,
)
from store.calls import Called
from store.choices import (
    DIRECT,
    QUIET,
    REMINDERS,
    USUAL_WINDOW,
    WINDOW,
    ZONE,
    PictureSize,
    Preferences,
    QuietHours,
    Reminders,
    WholeDayError,
    zone_name,
)
from store.cleaning import cleaned
from store.clocks import Clocks
from store.database import Store, Transaction
from store.errors import PlyConflictError, StoreError, UnreadableError
from store.files import UnusableDatabaseError
from store.game import Game, still_there
from store.gifts import Gift
from store.glances import Glance
from store.heartbeats import Heartbeat
from store.pauses import Pause
from store.pending import PendingMove
from store.records import (
    ActionRecord,
    Advance,
    GameLine,
    GameStatus,
    Interaction,
    Lobby,
    LobbyState,
    NewGame,
    NewLobby,
    NewPost,
    NextGame,
    Person,
    PostKind,
    PostRecord,
    Stamp,
    Timer,
    TimerKind,
)
from store.requests import Request, RequestKind, RequestState
from store.seat_clock import SeatClock, Spent
from store.settings import GuildSettings, TableRules, TableSettings
from store.substitutions import Substitution
from store.undoing import Undone
from store.vacations import Vacation
from store.waiting import Waiting

__all__ = [
    "DIRECT",
    "QUIET",
    "REMINDERS",
    "USUAL_WINDOW",
    "WINDOW",
    "ZONE",
    "ActionRecord",
    "Advance",
    "Called",
    "Clocks",
    "Game",
    "GameLine",
    "GameStatus",
    "Gift",
    "Glance",
    "GuildSettings",
    "Heartbeat",
    "Interaction",
    "Lobby",
    "LobbyState",
    "NewGame",
    "NewLobby",
    "NewPost",
    "NextGame",
    "Pause",
    "PendingMove",
    "Person",
    "PictureSize",
    "PlyConflictError",
    "PostKind",
    "PostRecord",
    "Preferences",
    "QuietHours",
    "Reminders",
    "Request",
    "RequestKind",
    "RequestState",
    "SeatClock",
    "Spent",
    "Stamp",
    "Store",
    "StoreError",
    "Substitution",
    "TableRules",
    "TableSettings",
    "Timer",
    "TimerKind",
    "Transaction",
    "Undone",
    "UnreadableError",
    "UnusableDatabaseError",
    "Vacation",
    "Waiting",
    "WholeDayError",
    "calls",
    "cleaned",
    "clocks",
    "command_copies",
    "departures",
    "epochs",
    "games",
    "gifts",
    "glances",
    "going",
    "guilds",
    "heartbeats",
    "interactions",
    "lobbies",
    "notes",
    "outbox",
    "pauses",
    "pending",
    "plans",
    "preferences",
    "requests",
    "seating",
    "still_there",
    "substitutions",
    "timers",
    "undoing",
    "vacations",
    "waiting",
    "zone_name",
]
