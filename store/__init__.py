"""Persistence: SQLAlchemy Core over aiosqlite or asyncpg, migrated by Alembic. No rules, no Discord.

A :class:`Store` hands out transactions (``connection/``). The modules in the other rooms read and write in them, so
that the caller decides what belongs together: ``play/`` has games with their clocks and posts, ``tourneys/`` events,
ratings and the ladder, ``admin/`` what operators and processes need; ``preferences`` are those of people, ``guilds``
those of servers. All tables are in ``schema/``.
"""

from store import guilds, preferences
from store.admin import limits, operators, personal_data, processes, retention, whole_database
from store.admin.limits import Allowance, Ban, BanKind
from store.admin.operators import OperatorAction
from store.admin.processes import Heartbeat, Process, Shards
from store.connection.database import Store, Transaction, is_writing
from store.connection.files import NewerDatabaseError, UnreachableDatabaseError, UnusableDatabaseError
from store.connection.outages import WAITS, Patience
from store.errors import CollisionError, PassingError, PlyConflictError, StoreError, UnavailableError, UnreadableError
from store.guilds import GuildSettings
from store.person import Person, cleaned
from store.play import (
    absences,
    clocks,
    game_headers,
    game_places,
    games,
    interactions,
    lobbies,
    moves,
    outbox,
    private,
    reminders,
    requests,
    timers,
)
from store.play.absences import Substitution, Vacation
from store.play.clocks import Clocks, Gift, Pause, SeatClock, Spent
from store.play.game_headers import GameHeader, GameTiming
from store.play.moves import PendingMove, UndoneAction
from store.play.reminders import Reminder, UntimedGame
from store.play.requests import Request, RequestKind, RequestState
from store.preferences import (
    DIRECT,
    EAR,
    LANGUAGE,
    QUIET,
    REMINDERS,
    SIZE,
    USUAL_WINDOW,
    WINDOW,
    ZONE,
    PictureSize,
    Preferences,
    QuietHours,
    Reminders,
    WholeDayError,
    in_game,
    zone_name,
)
from store.records import (
    ActionRecord,
    Advance,
    AnsweredInteraction,
    Game,
    GameLine,
    GameStatus,
    Lobby,
    LobbyState,
    NewGame,
    NewLobby,
    NewPost,
    NextGame,
    PostKind,
    PostRecord,
    Stamp,
    TableRules,
    TableSettings,
    Timer,
    TimerKind,
    columns_of,
    still_there,
)
from store.tourneys import entries as event_entries
from store.tourneys import events, ladder, ratings
from store.tourneys import posts as event_posts
from store.tourneys import tables as event_tables
from store.tourneys.entries import EntryRecord, TeamRecord
from store.tourneys.events import AuditRecord, EventRecord, EventState, FactRecord, NewEvent, ReportRecord
from store.tourneys.ladder import LadderGame, QueueRecord
from store.tourneys.posts import EventPostKind, EventPostRecord, NewEventPost
from store.tourneys.ratings import RatedResult, RatingRecord
from store.tourneys.tables import TablePlace, TableRecord, TableState

__all__ = [
    "DIRECT",
    "EAR",
    "LANGUAGE",
    "QUIET",
    "REMINDERS",
    "SIZE",
    "USUAL_WINDOW",
    "WAITS",
    "WINDOW",
    "ZONE",
    "ActionRecord",
    "Advance",
    "Allowance",
    "AnsweredInteraction",
    "AuditRecord",
    "Ban",
    "BanKind",
    "Clocks",
    "CollisionError",
    "EntryRecord",
    "EventPostKind",
    "EventPostRecord",
    "EventRecord",
    "EventState",
    "FactRecord",
    "Game",
    "GameHeader",
    "GameLine",
    "GameStatus",
    "GameTiming",
    "Gift",
    "GuildSettings",
    "Heartbeat",
    "LadderGame",
    "Lobby",
    "LobbyState",
    "NewEvent",
    "NewEventPost",
    "NewGame",
    "NewLobby",
    "NewPost",
    "NewerDatabaseError",
    "NextGame",
    "OperatorAction",
    "PassingError",
    "Patience",
    "Pause",
    "PendingMove",
    "Person",
    "PictureSize",
    "PlyConflictError",
    "PostKind",
    "PostRecord",
    "Preferences",
    "Process",
    "QueueRecord",
    "QuietHours",
    "RatedResult",
    "RatingRecord",
    "Reminder",
    "Reminders",
    "ReportRecord",
    "Request",
    "RequestKind",
    "RequestState",
    "SeatClock",
    "Shards",
    "Spent",
    "Stamp",
    "Store",
    "StoreError",
    "Substitution",
    "TablePlace",
    "TableRecord",
    "TableRules",
    "TableSettings",
    "TableState",
    "TeamRecord",
    "Timer",
    "TimerKind",
    "Transaction",
    "UnavailableError",
    "UndoneAction",
    "UnreachableDatabaseError",
    "UnreadableError",
    "UntimedGame",
    "UnusableDatabaseError",
    "Vacation",
    "WholeDayError",
    "absences",
    "cleaned",
    "clocks",
    "columns_of",
    "event_entries",
    "event_posts",
    "event_tables",
    "events",
    "game_headers",
    "game_places",
    "games",
    "guilds",
    "in_game",
    "interactions",
    "is_writing",
    "ladder",
    "limits",
    "lobbies",
    "moves",
    "operators",
    "outbox",
    "personal_data",
    "preferences",
    "private",
    "processes",
    "ratings",
    "reminders",
    "requests",
    "retention",
    "still_there",
    "timers",
    "whole_database",
    "zone_name",
]
