"""The game host: everything between the rules of the games and Discord.

It stores games and lobbies, checks who may do what, runs clocks and timers, organises tournaments (*events*), and
decides who is notified. It sends nothing itself: messages wait in an *outbox* in the database until the bot posts them.

:class:`Host` builds all services on one store; the bot uses nothing of the host but what this package exports. A
request that is refused raises :class:`HostError` with an :class:`ErrorCode`, from which the bot makes a sentence.
"""

from host.appointments import Meeting, TableRef
from host.clock import Clock, SharedClock, SystemClock
from host.clocks import NO_PACE, PACES
from host.computers.levels import LEVELS, QUICK
from host.computers.workers import Advice, Thinker
from host.errors import ErrorCode, HostError
from host.games.epochs import CardSeen, Epoch
from host.games.move import ARCHIVE_DELAY, DEPARTED_USER_ID, NO_WINDOW, TIMEOUT_USER_ID
from host.games.outbox import LeaseLostError, Outbox
from host.games.reader import GameSnapshot
from host.games.timekeeping import Times
from host.host import Host
from host.lobbies import Lobbies, rotated_seats
from host.locks import attribute_to, requested_by
from host.naming import MAX_COMPUTERS, Label, computers_named, free_computer_name, unique_name_of, unique_names
from host.observability import log_failure
from host.preferences import MAX_NOTE_LENGTH, LocaleCache, UserLocale
from host.punctuality import LEAST_PUNCTUALITIES
from host.retry import wait_less, waiting
from host.rights import Asker, EventGame, check_look, check_playing, check_turn, check_unfinished, is_manager
from host.servers import Counts, Venue
from host.settings import LOBBY_LIFE, LOBBY_NOTICES, HostSettings, WorkerLimits
from host.timing.reminders import MAX_REMINDER_HOURS, DeferredItem
from host.timing.time_extensions import offered_extensions
from host.timing.timers import TimerDispatcher
from host.timing.vacations import YEARLY_VACATION_DAYS
from host.values import (
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
from host.votes.pauses import MAX_PAUSE_DAYS, PAUSE_DAYS
from host.votes.votes import COMPUTER_NAME, INVITED_USER, STAND_IN_LEVEL
from store import (
    BY_EAR,
    DIRECT_MESSAGES,
    LANGUAGE,
    PICTURE_SIZE,
    PUBLISH_WINDOW,
    PUNCTUALITY,
    QUIET_HOURS,
    REMINDERS,
    TIME_ZONE,
    AppointmentState,
    Computer,
    Game,
    GameStatus,
    Gift,
    GuildSettings,
    Lobby,
    LobbyState,
    NewLobby,
    Person,
    PictureSize,
    Player,
    PostKind,
    Preferences,
    PunctualityRecord,
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
    clean_text,
    people_of,
)
