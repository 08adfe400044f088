"""The game host without Discord: lobbies, tables (lock, legality, log) and the outbox."""

from host.agreements.consent import INVITED, Answered
from host.agreements.ending import MOST_DAYS_AHEAD
from host.agreements.pausing import DAYS, MOST_DAYS
from host.clock import Clock, SharedClock, SystemClock
from host.clockwork.calling import LONGEST_REMINDER
from host.clockwork.gifts import usual_gifts
from host.clockwork.news import NewsItem
from host.clockwork.sweep import Sweep
from host.clockwork.times import Times
from host.clockwork.vacations import DAYS_OF_YEAR
from host.errors import ErrorCode, HostError
from host.host import Host
from host.lobby.founding import Label, moved_on
from host.lobby.lobbies import Lobbies
from host.naming import called_among, told_apart
from host.patience import wait_less, waiting
from host.people.personal import LONGEST_NOTE, PersonalNotes, PersonalPreferences
from host.people.servers import Counts, Servers, Venue
from host.people.tongues import Tongue, Tongues
from host.play.epochs import CardSeen, Epoch
from host.play.game_places import ABOUT_PLACES
from host.play.hooks import EventGame
from host.play.looks import Look
from host.play.moves import DEPARTED, NOBODY
from host.play.outbox import LeaseLostError, Outbox
from host.play.timers import PUT_AWAY_AFTER, Timers
from host.play.turns import asking, asks
from host.rights import Asker, check_look, check_playing, check_turn, check_unfinished, is_manager
from host.settings import LOBBY_LIFE, LOBBY_NOTICES, HostSettings
from host.time.paces import NO_PACE, PACES
from host.trouble import complain
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
from store import (
    DIRECT,
    EAR,
    LANGUAGE,
    QUIET,
    REMINDERS,
    SIZE,
    TELLING_TIME,
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
    PassingError,
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
    UndoneAction,
    Vacation,
    WholeDayError,
    cleaned,
    zone_name,
)

__all__ = [
    "ABOUT_PLACES",
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
    "MOST_DAYS",
    "MOST_DAYS_AHEAD",
    "NOBODY",
    "NO_PACE",
    "PACES",
    "PUT_AWAY_AFTER",
    "QUIET",
    "REMINDERS",
    "SIZE",
    "TELLING_TIME",
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
    "Look",
    "Moment",
    "NewLobby",
    "NewsItem",
    "Outbox",
    "PassingError",
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
    "UndoneAction",
    "Vacation",
    "Venue",
    "WaitingMove",
    "WholeDayError",
    "asking",
    "asks",
    "called_among",
    "check_look",
    "check_playing",
    "check_turn",
    "check_unfinished",
    "cleaned",
    "complain",
    "is_manager",
    "moved_on",
    "setup_of",
    "told_apart",
    "usual_gifts",
    "wait_less",
    "waiting",
    "zone_name",
]
