"""The game host as one object: it builds all services, and connects them with each other.

The code that talks to Discord uses the services as attributes of :class:`Host`. A service gets the others that it needs
in its constructor, so that each can also be built alone.
"""

from __future__ import annotations

from host.admin.checks import GameChecks, HealthCheck
from host.admin.erasure import Erasure
from host.admin.operators import Operators
from host.admin.processes import ProcessRegistry, Sessions
from host.admin.quotas import RequestQuotas
from host.admin.retention import RetentionJob
from host.appointments import Appointments
from host.challenges import Challenges
from host.clock import Clock, SystemClock
from host.computers.advice import Adviser
from host.computers.levels import LEVELS
from host.computers.thinking import Computers
from host.computers.thinking_time import ThinkingTime
from host.computers.workers import Thinker, WorkerPool
from host.events import Events
from host.events.matches import Matches
from host.games.lists import GameLists
from host.games.moves import Moves
from host.games.outbox import Outbox
from host.games.pending import PendingMoves
from host.games.places import Places
from host.games.reader import GameReader
from host.games.timekeeping import Timetable
from host.lessons import Lessons
from host.lobbies import Lobbies
from host.observability import UnreadableRows, observe_transaction
from host.preferences import LocaleCache, PersonalNotes, PersonalPreferences
from host.punctuality import Punctuality
from host.rights import GameLimits, Organisers
from host.servers import CommandCopies, Servers
from host.settings import HostSettings
from host.timing.gateway_monitor import GatewayMonitor
from host.timing.reminders import DeferredNotifications, TurnReminders, UntimedGames
from host.timing.time_extensions import TimeExtensions
from host.timing.timeouts import ClockTimeouts, MembershipMonitor
from host.timing.timers import TimerDispatcher, Timers
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

    It keeps no state that another host on the same store could not rebuild, so that a process can be replaced at any
    time. Methods that take a ``ref`` accept the id of a game or its public code, such as ``"K7PX"``.

    >>> host = Host(await Store.open("castellan.db"))
    >>> await host.start()
    """

    def __init__(  # noqa: PLR0915 - one line a service
        self,
        store: Store,
        *,
        clock: Clock | None = None,
        settings: HostSettings | None = None,
        thinker: Thinker | None = None,
    ) -> None:
        clock, settings, unreadable = clock or SystemClock(), settings or HostSettings(), UnreadableRows()
        store.observe = observe_transaction
        self._store, self._clock = store, clock
        self.patience = settings.patience
        """The longest time for which a request of a user waits for the store."""

        # Games: reading, lists and moves.
        self.outbox = Outbox(store, clock, settings, unreadable)
        self.games = GameReader(store, clock, settings, self.outbox, unreadable)
        self.game_lists = GameLists(store, clock, unreadable)
        self.game_checks = GameChecks(store, self.games, unreadable)
        self.moves = Moves(store, clock, settings, self.outbox, self.games)
        self.pending_moves = PendingMoves(store, clock, settings, self.games, self.moves)
        limits = GameLimits(store, settings)
        self.places = Places(store, clock, settings, self.outbox, self.games, limits)
        self.timers = Timers(store, clock)
        self.seats = Seats(store, clock, self.outbox, self.games, self.moves, limits)
        self.endings = Endings(store, clock, self.outbox, self.games, self.moves)

        # Events, and the rights of their organisers.
        self.events = Events(store, clock, settings, self.outbox, self.games, self.moves, self.seats)
        self.organisers = Organisers(store, self.events.reader.event_of)
        self.end_dates = EndDates(clock, self.games, self.organisers, self.endings, self.events.deadlines.extend_game)

        # Requests between players, and the votes on them.
        self.votes = Votes(store, clock, settings, self.outbox, self.games, self.moves)
        self.undo = Undo(store, settings, self.games, self.organisers, self.votes)
        self.pauses = Pauses(store, clock, self.outbox, self.games, self.organisers, self.votes)
        absences = Absences(store, clock)
        levels = LEVELS if settings.workers.workers else ()
        self.substitutions = Substitutions(
            self.games, self.moves, self.seats, absences, self.organisers, self.votes, levels
        )

        # Tables before their games, and lessons.
        self.lobbies = Lobbies(store, clock, settings, self.outbox, limits)
        self.appointments = Appointments(store, clock, settings, unreadable)
        self.challenges = Challenges(store, clock, settings, self.lobbies)
        self.matches = Matches(store, clock, settings, self.events.log, self.events.starts, self.lobbies)
        self.lessons = Lessons(store, clock, settings, self.outbox, limits)

        # Clocks, timeouts and notifications.
        self.times = Timetable(store, clock)
        self.time_extensions = TimeExtensions(store, clock, self.outbox)
        self.gateway_monitor = GatewayMonitor(store, clock)
        self.membership = MembershipMonitor(store, clock, settings, self.outbox, self.games)
        self.clock_timeouts = ClockTimeouts(
            store, clock, self.outbox, self.games, self.membership, self.places, settings
        )
        self.vacations = Vacations(store, clock, self.outbox)
        self.turn_reminders = TurnReminders(store, clock, self.outbox)
        self.deferred_notifications = DeferredNotifications(store, clock, self.outbox, self.games, self.turn_reminders)
        self.untimed_games = UntimedGames(store, clock, self.outbox, self.games)

        thinker = thinker or WorkerPool(settings.workers)
        self.thinking_time = ThinkingTime(store, clock, settings.workers)
        self.computers = Computers(store, clock, self.outbox, self.games, self.thinking_time, thinker)
        self.quotas = RequestQuotas(store, clock)
        self.adviser = Adviser(settings.workers, self.quotas.take, thinker)

        # People and servers.
        self.servers = Servers(store, settings)
        self.locales = LocaleCache(store)
        self.preferences = PersonalPreferences(store, self.locales)
        self.notes = PersonalNotes(store, clock)
        self.punctuality = Punctuality(store)
        self.erasure = Erasure(
            store, clock, self.games.cache, self.games, self.moves, self.locales, self.events.sign_up
        )

        # Operations.
        self.health_check = HealthCheck(store, clock)
        self.operators = Operators(store, clock, self.outbox)
        self.command_copies = CommandCopies(store)
        self.processes = ProcessRegistry(store, clock, self.outbox, settings.release)
        self.sessions = Sessions(store, clock)
        self.retention = RetentionJob(store, clock, settings, self.processes)

        self.timer_dispatcher = TimerDispatcher(store, clock)
        for kind, handle in {
            TimerKind.PUBLISH: self.pending_moves.publish_due,
            TimerKind.LAPSE: self.votes.lapse,
            TimerKind.RESUME: self.pauses.end_due,
            TimerKind.END: self.endings.end_due,
            TimerKind.PRESENT: self.membership.check_game,
            TimerKind.LEFT: self.membership.withdraw,
            TimerKind.CLOCK: self.clock_timeouts.check_clock,
            TimerKind.VACATION: self.vacations.apply_due,
            TimerKind.BACK: self.vacations.apply_early_return,
            TimerKind.REMIND: self.turn_reminders.send_due,
            TimerKind.CALL: self.turn_reminders.send_due,
            TimerKind.NEWS: self.deferred_notifications.deliver_due,
            TimerKind.IDLE: self.untimed_games.check_game,
            TimerKind.EVENT: self.events.results.take_result,
            TimerKind.THINK: self.computers.think_due,
        }.items():
            self.timer_dispatcher.handle(kind, handle)
        self.timer_dispatcher.poll(self.events.driver.work)
        self.timer_dispatcher.poll(self.events.openings.open_tables)
        self.timer_dispatcher.poll(self.events.ladder.work)

    async def start(self) -> None:
        """Prepare to play: register this process, take over unsent messages, and schedule periodic checks."""
        async with self._store.writing(processes.RELEASE_MARK) as tx:
            await processes.name_oldest_release(tx, self._clock.now())
        await self.processes.beat()
        await self.outbox.take_over()
        await self.computers.take_over()
        await self.events.posts.take_over()
        await self.events.ratings.rebuild_outdated()
        await self.untimed_games.adopt_existing()
        await self.membership.schedule_checks()
        await self.locales.load()

    async def close(self) -> None:
        """Wait for the moves in progress, and store what is only in memory. The caller then closes the store."""
        await self.adviser.close()
        await self.computers.close()
        await self.games.locks.idle()
        await self.locales.flush()
        await self.processes.end()
