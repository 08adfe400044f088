"""The game host without Discord: lobbies, tables (lock, legality, log) and the outbox."""

from host.clock import Clock, SharedClock, SystemClock
from host.clockwork.calling import LONGEST_REMINDER
from host.clockwork.gifts import usual_gifts
from host.clockwork.news import NewsItem
from host.clockwork.sweep import Sweep
from host.clockwork.times import Times
from host.clockwork.vacations import DAYS_OF_YEAR
from host.errors import ErrorCode, HostError
from host.games.epochs import CardSeen, Epoch
from host.games.move import DEPARTED, NOBODY
from host.games.organisers import EventGame
from host.games.outbox import LeaseLostError, Outbox
from host.games.reader import GameSnapshot
from host.games.timers import PUT_AWAY_AFTER, Timers
from host.host import Host
from host.lobby.founding import Label, moved_on
from host.lobby.lobbies import Lobbies
from host.locks import attribute_to, requested_by
from host.naming import called_among, told_apart
from host.observability import log_failure
from host.people.preferences import LONGEST_NOTE, PersonalNotes, PersonalPreferences, Tongue, Tongues
from host.people.servers import Counts, Servers, Venue
from host.retry import wait_less, waiting
from host.rights import Asker, check_look, check_playing, check_turn, check_unfinished, is_manager
from host.settings import LOBBY_LIFE, LOBBY_NOTICES, HostSettings
from host.time.clocks import NO_PACE, PACES
from host.values import (
    CheckReport,
    ClosingNotice,
    Consequence,
    GameSummary,
    LoggedAction,
    Moment,
    Post,
    Table,
    WaitingMove,
    setup_of,
)
from host.votes.endings import MAX_DAYS_AHEAD
from host.votes.pauses import DAYS, MAX_PAUSE_DAYS
from host.votes.votes import INVITED, Answered
from store import (
    DIRECT,
    EAR,
    LANGUAGE,
    QUIET,
    REMINDERS,
    SIZE,
    WINDOW,
    ZONE,
    BanKind,
    Game,
    GameStatus,
    Gift,
    GuildSettings,
    Lobby,
    LobbyState,
    NewLobby,
    Person,
    PictureSize,
    PostKind,
    Preferences,
    QuietHours,
    Reminders,
    Request,
    RequestKind,
    RequestState,
    Shards,
    Substitution,
    TableRules,
    TableSettings,
    Timer,
    TimerKind,
    TransientError,
    UndoneAction,
    Vacation,
    WholeDayError,
    cleaned,
    zone_name,
)

__all__ = [
    "DAYS",
    "DAYS_OF_YEAR",
    "DEPARTED",
    "DIRECT",
    "EAR",
    "INVITED",
    "LANGUAGE",
    "LOBBY_LIFE",
    "LOBBY_NOTICES",
    "LONGEST_NOTE",
    "LONGEST_REMINDER",
    "MAX_DAYS_AHEAD",
    "MAX_PAUSE_DAYS",
    "NOBODY",
    "NO_PACE",
    "PACES",
    "PUT_AWAY_AFTER",
    "QUIET",
    "REMINDERS",
    "SIZE",
    "WINDOW",
    "ZONE",
    "Answered",
    "Asker",
    "BanKind",
    "CardSeen",
    "CheckReport",
    "Clock",
    "ClosingNotice",
    "Consequence",
    "Counts",
    "Epoch",
    "ErrorCode",
    "EventGame",
    "Game",
    "GameSnapshot",
    "GameStatus",
    "GameSummary",
    "Gift",
    "GuildSettings",
    "Host",
    "HostError",
    "HostSettings",
    "Label",
    "LeaseLostError",
    "Lobbies",
    "Lobby",
    "LobbyState",
    "LoggedAction",
    "Moment",
    "NewLobby",
    "NewsItem",
    "Outbox",
    "Person",
    "PersonalNotes",
    "PersonalPreferences",
    "PictureSize",
    "Post",
    "PostKind",
    "Preferences",
    "QuietHours",
    "Reminders",
    "Request",
    "RequestKind",
    "RequestState",
    "Servers",
    "Shards",
    "SharedClock",
    "Substitution",
    "Sweep",
    "SystemClock",
    "Table",
    "TableRules",
    "TableSettings",
    "Timer",
    "TimerKind",
    "Timers",
    "Times",
    "Tongue",
    "Tongues",
    "TransientError",
    "UndoneAction",
    "Vacation",
    "Venue",
    "WaitingMove",
    "WholeDayError",
    "attribute_to",
    "called_among",
    "check_look",
    "check_playing",
    "check_turn",
    "check_unfinished",
    "cleaned",
    "is_manager",
    "log_failure",
    "moved_on",
    "requested_by",
    "setup_of",
    "told_apart",
    "usual_gifts",
    "wait_less",
    "waiting",
    "zone_name",
]
