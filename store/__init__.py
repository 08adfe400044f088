"""Persistence: SQLAlchemy Core over aiosqlite, migrated by Alembic. No rules, no Discord.

A :class:`Store` hands out transactions; the modules ``games``, ``glances``, ``going``, ``seating``, ``lobbies``,
``interactions``, ``outbox``, ``timers``, ``preferences`` and ``guilds`` read and write in them, so that whoever calls
decides what belongs together.
"""

from store import (
    command_copies,
    games,
    glances,
    going,
    guilds,
    interactions,
    lobbies,
    outbox,
    preferences,
    seating,
    timers,
)
from store.choices import PictureSize, Preferences, QuietHours, Reminders, zone_name
from store.cleaning import cleaned
from store.database import Store, Transaction
from store.errors import PlyConflictError, StoreError, UnreadableError
from store.files import UnusableDatabaseError
from store.game import Game, still_there
from store.glances import Glance
from store.records import (
    ActionRecord,
    Advance,
    GameLine,
    GameStatus,
    GuildSettings,
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
    TableRules,
    TableSettings,
    Timer,
    TimerKind,
)
from store.seat_clock import SeatClock

__all__ = [
    "ActionRecord",
    "Advance",
    "Game",
    "GameLine",
    "GameStatus",
    "Glance",
    "GuildSettings",
    "Interaction",
    "Lobby",
    "LobbyState",
    "NewGame",
    "NewLobby",
    "NewPost",
    "NextGame",
    "Person",
    "PictureSize",
    "PlyConflictError",
    "PostKind",
    "PostRecord",
    "Preferences",
    "QuietHours",
    "Reminders",
    "SeatClock",
    "Stamp",
    "Store",
    "StoreError",
    "TableRules",
    "TableSettings",
    "Timer",
    "TimerKind",
    "Transaction",
    "UnreadableError",
    "UnusableDatabaseError",
    "cleaned",
    "command_copies",
    "games",
    "glances",
    "going",
    "guilds",
    "interactions",
    "lobbies",
    "outbox",
    "preferences",
    "seating",
    "still_there",
    "timers",
    "zone_name",
]
