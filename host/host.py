"""The game host: everything the cogs ask for, without Discord."""

from __future__ import annotations

from host.admin.checks import GameChecks, Looking
from host.admin.erasure import Forgetting
from host.admin.operators import Operators
from host.admin.processes import Crew, Sessions
from host.admin.quotas import Shares
from host.admin.retention import Thinning
from host.clock import Clock, SystemClock
from host.events import Events
from host.games.lists import GameLists
from host.games.moves import Moves
from host.games.outbox import Outbox
from host.games.pending import PendingMoves
from host.games.places import Places
from host.games.reader import GameReader
from host.games.timekeeping import Timetable
from host.lobbies import Lobbies
from host.observability import UnreadableRows, observe_transaction
from host.preferences import PersonalNotes, PersonalPreferences, Tongues
from host.rights import GameLimits, Organisers
from host.servers import CommandCopies, Servers
from host.settings import HostSettings
from host.timing.deferred_notifications import News
from host.timing.gateway_monitor import Pulse
from host.timing.reminders import Calling
from host.timing.time_extensions import Gifts
from host.timing.timeouts import Alarms, Presence
from host.timing.timers import Sweep, Timers
from host.timing.untimed_games import IdleTables
from host.timing.vacations import Vacations
from host.votes.endings import EndDates, Endings
from host.votes.pauses import Pauses
from host.votes.seats import Seats
from host.votes.substitutions import Absences, Substitutions
from host.votes.undo import Undo
from host.votes.votes import Votes
from store import Store, TimerKind, processes


class Host:
    """All services of the game host on one store.

    Nothing is kept here that another host on the same store could not rebuild. A game is named by its id or, as text,
    by its public code.

    >>> host = Host(await Store.open("castellan.db"))
    >>> await host.start()
    """

    def __init__(self, store: Store, *, clock: Clock | None = None, settings: HostSettings | None = None) -> None:  # noqa: PLR0915 - one line a service
        clock, settings, unreadable = clock or SystemClock(), settings or HostSettings(), UnreadableRows()
        store.observe = observe_transaction
        self._store, self._clock = store, clock
        self.patience = settings.patience
        """How long a member waits for what they asked for to be stored."""

        # Games: read, listed, played.
        self.outbox = Outbox(store, clock, settings, unreadable)
        self.games = GameReader(store, clock, settings, self.outbox, unreadable)
        self.game_lists = GameLists(store, clock, unreadable)
        self.game_checks = GameChecks(store, self.games, unreadable)
        self.moves = Moves(store, clock, settings, self.outbox, self.games)
        self.pending_moves = PendingMoves(store, clock, settings, self.games, self.moves)
        limits = GameLimits(store, settings)
        self.places = Places(store, clock, settings, self.outbox, self.games, limits)
        self.timers = Timers(store, clock)
        self.seats = Seats(store, clock, self.outbox, self.games, self.moves)
        self.endings = Endings(store, clock, self.outbox, self.games, self.moves)

        # Events; their organisers decide about their games.
        self.events = Events(store, clock, settings, self.outbox, self.games, self.moves, self.seats)
        self.organisers = Organisers(store, self.events.reader.event_of)
        self.end_dates = EndDates(clock, self.games, self.organisers, self.endings, self.events.deadlines.extend_game)

        # What players ask of each other.
        self.votes = Votes(store, clock, settings, self.outbox, self.games, self.moves)
        self.undo = Undo(store, settings, self.games, self.organisers, self.votes)
        self.pauses = Pauses(store, clock, self.outbox, self.games, self.organisers, self.votes)
        absences = Absences(store, clock)
        self.substitutions = Substitutions(
            self.games, self.moves, self.seats, absences, self.organisers, self.votes, limits
        )
        self.lobbies = Lobbies(store, clock, settings, self.outbox, limits)

        # Clocks, and who is told what when.
        self.times = Timetable(store, clock)
        self.gifts = Gifts(store, clock, self.outbox)
        self.pulse = Pulse(store, clock)
        self.presence = Presence(store, clock, self.outbox, self.games)
        self.alarms = Alarms(store, clock, self.outbox, self.games, self.presence, self.places)
        self.vacations = Vacations(store, clock, self.outbox)
        self.calls = Calling(store, clock, self.outbox)
        self.news = News(store, clock, self.outbox, self.games, self.calls)
        self.idle = IdleTables(store, clock, self.outbox, self.games)

        # People and servers.
        self.servers = Servers(store, settings)
        self.tongues = Tongues(store)
        self.preferences = PersonalPreferences(store, self.tongues)
        self.notes = PersonalNotes(store, clock)
        self.forgetting = Forgetting(
            store, clock, self.games.cache, self.games, self.moves, self.tongues, self.events.sign_up
        )

        # Operations.
        self.looking = Looking(store, clock)
        self.shares = Shares(store, clock)
        self.operators = Operators(store, clock, self.outbox)
        self.command_copies = CommandCopies(store)
        self.crew = Crew(store, clock, self.outbox, settings.release)
        self.sessions = Sessions(store, clock)
        self.thinning = Thinning(store, clock, settings, self.crew)

        self.sweep = Sweep(store, clock)
        for kind, handle in {
            TimerKind.PUBLISH: self.pending_moves.publish_due,
            TimerKind.LAPSE: self.votes.lapse,
            TimerKind.RESUME: self.pauses.end_due,
            TimerKind.END: self.endings.end_due,
            TimerKind.PRESENT: self.presence.look,
            TimerKind.LEFT: self.presence.withdraw,
            TimerKind.CLOCK: self.alarms.ring,
            TimerKind.VACATION: self.vacations.turn,
            TimerKind.BACK: self.vacations.come_back,
            TimerKind.REMIND: self.calls.call,
            TimerKind.CALL: self.calls.call,
            TimerKind.NEWS: self.news.tell,
            TimerKind.IDLE: self.idle.look,
            TimerKind.EVENT: self.events.results.take_result,
        }.items():
            self.sweep.handle(kind, handle)
        self.sweep.also(self.events.driver.work)
        self.sweep.also(self.events.openings.open_tables)
        self.sweep.also(self.events.ladder.work)

    async def start(self) -> None:
        """Take over the outbox; games can be played from now on."""
        async with self._store.writing(processes.RELEASE_MARK) as tx:
            await processes.name_oldest_release(tx, self._clock.now())
        await self.crew.beat()
        await self.outbox.take_over()
        await self.events.posts.take_over()
        await self.events.ratings.take_over()
        await self.idle.adopt()
        await self.presence.begin()
        await self.tongues.begin()

    async def close(self) -> None:
        """Wait for the moves that are being made; the store is closed by who opened it."""
        await self.games.locks.idle()
        await self.tongues.keep()
        await self.crew.end()
