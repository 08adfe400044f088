"""Persistence: SQLAlchemy Core over aiosqlite or asyncpg, migrated by Alembic. No rules, no Discord.

A :class:`Store` hands out transactions (``connection/``). The functions of the other subpackages run in the transaction
that their caller passes, so the caller decides which changes are stored together: ``play/`` has games with their clocks
and posts, ``tourneys/`` events, ratings and the ladder, ``admin/`` what operators and processes need; ``preferences``
has the preferences of people, and ``guilds`` the settings of servers. All tables are in ``schema/``.

These terms are used everywhere: the *ply* of a game is the number of its actions. Its *revision* also counts what was
undone, so that it only grows. Its *epoch* changes when the database was restored from an older copy. A *stamp* is all
three together. The *digest* is a hash of a position. A *post* is a message to Discord, stored in the outbox until it is
sent, and a *card* a post that shows the game. A *lease* gives one process a task until a time. ``tx`` is always a
:data:`Transaction`.
"""

from store import guilds, preferences
from store.admin import operators, personal_data, processes, retention, whole_database
from store.admin.processes import Heartbeat, Process, Shards
from store.connection.database import Store, Transaction
from store.connection.files import NewerDatabaseError, UnreachableDatabaseError, UnusableDatabaseError
from store.connection.outages import RETRY_BUDGET, RetryBudget
from store.errors import CollisionError, PlyConflictError, TransientError, UnavailableError, UnreadableError
from store.guilds import Allowance, Ban, BanKind, GuildSettings
from store.play import (
    absences,
    appointments,
    clocks,
    game_headers,
    games,
    lobbies,
    moves,
    outbox,
    punctuality,
    requests,
    thinking,
    timers,
)
from store.play.absences import Vacation
from store.play.appointments import Appointment, AppointmentState
from store.play.clocks import Gift, Pause, SeatClock, Spent
from store.play.game_headers import GameHeader, GameTiming
from store.play.moves import PendingMove, Substitution, UndoneAction
from store.play.punctuality import PunctualityRecord
from store.play.requests import Request, RequestKind, RequestState
from store.play.timers import Reminder
from store.preferences import (
    BY_EAR,
    DEFAULT_PUBLISH_WINDOW,
    DIRECT_MESSAGES,
    LANGUAGE,
    PICTURE_SIZE,
    PUBLISH_WINDOW,
    PUNCTUALITY,
    QUIET_HOURS,
    REMINDERS,
    TIME_ZONE,
    PictureSize,
    Preferences,
    Reminders,
    WholeDayError,
)
from store.records import (
    ActionRecord,
    Advance,
    AnsweredInteraction,
    Computer,
    Game,
    GameLine,
    GameStatus,
    Lobby,
    LobbyState,
    NewGame,
    NewLobby,
    NewPost,
    NextGame,
    Person,
    Player,
    PostKind,
    PostRecord,
    Stamp,
    TableRules,
    TableSettings,
    Timer,
    TimerKind,
    clean_text,
    columns_of,
    people_of,
)
from store.tourneys import entries as event_entries
from store.tourneys import events, ladder, ratings
from store.tourneys import posts as event_posts
from store.tourneys.entries import EntryRecord, TeamRecord
from store.tourneys.events import AuditRecord, EventRecord, EventState, FactRecord, ReportRecord, TablePlace, TableState
from store.tourneys.ladder import QueueRecord
from store.tourneys.posts import EventPostKind, EventPostRecord, NewEventPost
from store.tourneys.ratings import RatingRecord
