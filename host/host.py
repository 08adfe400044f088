"""The game host: everything the cogs ask for, without Discord."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial

from host.agreements.ending import Ending
from host.clock import Clock, SystemClock
from host.clockwork.alarms import Alarms
from host.clockwork.calling import Calling
from host.clockwork.gifts import Gifts
from host.clockwork.idle import IdleTables
from host.clockwork.news import News
from host.clockwork.presence import Presence, all_are_there
from host.clockwork.pulse import Pulse
from host.clockwork.sweep import Sweep
from host.clockwork.times import Timetable
from host.clockwork.vacations import Vacations
from host.errors import ErrorCode, HostError
from host.events import Events
from host.limits import Limits
from host.lobby.lobbies import Lobbies
from host.meters import TRANSACTION
from host.operating.copies import CommandCopies
from host.operating.crew import Crew
from host.operating.forgetting import Forgetting
from host.operating.health import Looking
from host.operating.operators import Operators
from host.operating.sessions import Sessions
from host.operating.shares import Shares
from host.operating.thinning import Thinning
from host.patience import answered, patient
from host.people.personal import PersonalNotes, PersonalPreferences
from host.people.servers import Servers, Venue, require_members, require_venue
from host.people.tongues import Tongues
from host.play.game_places import Places
from host.play.orders import Planned, planning
from host.play.outbox import Outbox
from host.play.tables import Tables
from host.play.timekeeping import Clockwork
from host.play.timers import Timers
from host.rights import Asker, check_playing, require_manager
from host.settings import HostSettings
from host.trouble import Trouble
from host.values import CheckReport, Consequence
from store import (
    Game,
    GameStatus,
    Person,
    PlyConflictError,
    Store,
    TimerKind,
    UnreadableError,
    game_places,
    games,
    guilds,
    outbox,
    private,
    processes,
)

log = logging.getLogger(__name__)


class Host(Ending):
    """Lobbies, tables and the outbox on one store.

    Nothing is kept here that another host on the same store could not rebuild. A game is named by its id or, as text,
    by its public code.

    >>> host = Host(await Store.open("castellan.db"))
    >>> await host.start()
    """

    def __init__(self, store: Store, *, clock: Clock | None = None, settings: HostSettings | None = None) -> None:
        clock, settings, trouble = clock or SystemClock(), settings or HostSettings(), Trouble()
        messages = Outbox(store, clock, settings, trouble)
        super().__init__(store, trouble, Tables(store, clock, messages, settings), clock, messages, settings)
        store.observe = _observe
        self.looking = Looking(store, self._clock)
        self.epochs = self._tables.epochs
        self.lobbies = Lobbies(store, self._clock, self._settings, self.outbox)
        self.timers = Timers(store, self._clock)
        self.sweep = Sweep(store, self._clock)
        self.sweep.handle(TimerKind.PUBLISH, self.publish_due)
        self.sweep.handle(TimerKind.LAPSE, self.lapse)
        self.sweep.handle(TimerKind.RESUME, self.end_pause)
        self.sweep.handle(TimerKind.END, self.end_due)
        self.timekeeping = Clockwork()
        self.times = Timetable(store, self._clock)
        self.gifts = Gifts(store, self._clock, self.outbox)
        self.pulse = Pulse(store, self._clock)
        self.presence = Presence(store, self._clock, self._tables, self._locks, self.outbox, self.timekeeping)
        self.places = Places(store, self._clock, self.outbox)
        self.sweep.handle(TimerKind.PRESENT, self.presence.look)
        self.sweep.handle(TimerKind.LEFT, self.presence.withdraw)
        alarms = Alarms(store, self._clock, self._tables, self._locks, self.outbox, self.presence, self.places)
        self.sweep.handle(TimerKind.CLOCK, alarms.ring)
        self.vacations = Vacations(store, self._clock, self.outbox)
        self.sweep.handle(TimerKind.VACATION, self.vacations.turn)
        self.sweep.handle(TimerKind.BACK, self.vacations.come_back)
        self.calls = Calling(store, self._clock, self.outbox)
        self.sweep.handle(TimerKind.REMIND, self.calls.call)
        self.sweep.handle(TimerKind.CALL, self.calls.call)
        self.news = News(store, self._clock, self.outbox, self._tables, self.calls)
        self.sweep.handle(TimerKind.NEWS, self.news.tell)
        self.idle = IdleTables(store, self._clock, self._locks, self.outbox)
        self.sweep.handle(TimerKind.IDLE, self.idle.look)
        self.shares = Shares(store, self._clock)
        self.servers = Servers(store, self._settings)
        self.tongues = Tongues(store)
        self.preferences = PersonalPreferences(store, self.tongues)
        self.notes = PersonalNotes(store, self._clock)
        self.events = Events(store, self._clock, self._settings, self.outbox, self)
        memory, leave_events = self._tables.memory, self.events.leave_all
        self.forgetting = Forgetting(store, clock, memory, self._leave, self.game, self.tongues, leave_events)
        self.event_of = self.events.event_of
        self.sweep.handle(TimerKind.EVENT, self.events.take_result)
        self.sweep.also(self.events.work)
        self.sweep.also(self.events.ladder.work)
        self.operators = Operators(store, self._clock, self.outbox)
        self.command_copies = CommandCopies(store)
        self.crew = Crew(store, self._clock, self.outbox, settings.release)
        self.sessions = Sessions(store, self._clock)
        self.thinning = Thinning(store, self._clock, settings, self.crew)

    @property
    def patience(self) -> float:
        """The seconds that somebody waits for what he has asked for to be stored."""
        return self._settings.patience.total_seconds()

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

    async def check_games(self) -> CheckReport:
        """Replay every unfinished game, one after another: those that do not lead to what is stored are frozen.

        Meant to run beside everything else, however many games there are: a game that is looked at or played before
        its turn comes is checked then, for its table has to be built from the log. Outages of the database
        are waited for.
        """
        verified: list[str] = []
        frozen: list[str] = []
        thawed: list[str] = []
        unclear: list[int] = []
        for game_id in await answered(self._unfinished):
            try:
                game, replays = await answered(partial(self._verify, game_id))
            except (LookupError, UnreadableError) as error:
                if isinstance(error, UnreadableError):
                    self._trouble.report(error)
                unclear.append(game_id)
                continue
            if replays:
                verified.append(game.code)
                thawed += [game.code] if game.status is GameStatus.FROZEN else []
            elif game.status is GameStatus.FROZEN:
                frozen.append(game.code)
            else:
                unclear.append(game_id)
        return CheckReport(tuple(verified), tuple(frozen), tuple(thawed), tuple(unclear))

    async def check_game(self, game_id: int) -> None:
        """The same for one game, of which something could not be shown."""
        with suppress(LookupError, UnreadableError):
            await self._verify(game_id)

    async def _verify(self, game_id: int) -> tuple[Game, bool]:
        async with self._locks.hold(game_id):
            return await self._tables.verify(game_id)

    async def unfinished(self) -> int:
        """How many games are not over."""
        return len(await self._unfinished())

    async def _unfinished(self) -> Sequence[int]:
        async with self._store.reading() as tx:
            return await games.unfinished(tx)

    async def close(self) -> None:
        """Wait for the moves that are being made; the store is closed by who opened it."""
        await self._locks.idle()
        await self.tongues.keep()
        await self.crew.end()

    # -- tables ---------------------------------------------------------------------------------------------------

    @patient
    async def plan(self, ref: int | str, user_id: int, plan: str, interaction_id: int) -> Consequence:
        """Keep what a player plans in a game, sealed, in place of what he planned before; empty for nothing any more.

        If the game waits for him, what the plan says is done at once; else the outcome is that of no action.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``illegal``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            while True:
                async with self._store.reading() as tx:
                    record = await self._find(tx, game_id)
                move = planning(*await self._tables.follow_to_move(record), user_id, plan)
                with suppress(PlyConflictError):
                    return await self._commit(move, interaction_id, planned=Planned(user_id, plan))

    async def planned(self, game: Game, user_id: int) -> str:
        """What somebody has planned in a game; empty for nothing."""
        async with self._store.reading() as tx:
            return await private.plan_of(tx, game.id, user_id)

    async def set_thread(self, game_id: int, thread_id: int) -> None:
        """Say where the cards of a game go; those that had nowhere to go are due at once.

        Raises:
            HostError: ``unknown_game``.
        """
        async with self.outbox.writing(game=game_id) as tx:
            if not await games.set_thread(tx, game_id, thread_id):
                raise HostError(ErrorCode.UNKNOWN_GAME, ref=game_id)
            now = self._clock.now()
            await outbox.try_again(tx, now, game_id=game_id)

    async def move_here(self, ref: int | str, user_id: int, place: Venue) -> Game:
        """Let a player move the cards of a game that goes on to another channel or thread, be it of another server.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``channel_closed``,
                ``not_seen`` by another player, ``moved_lately``; in another server also ``not_members``,
                ``too_many_games``, ``too_many_games_here``.
        """
        game = await self.game(ref)
        check_playing(game, user_id)
        now, pause = self._clock.now(), self._settings.move_pause
        server = place.guild_id or game.guild_id
        async with self.outbox.writing(game=game.id) as tx:
            if server != game.guild_id:
                require_members(game, place)
                await Limits(self._settings).check_moving(tx, server, game)
            require_venue(await guilds.get(tx, server), game, place)
            if not await game_places.move(tx, game.id, place.id, now, now - pause):
                raise HostError(ErrorCode.MOVED_LATELY, minutes=pause // timedelta(minutes=1))
            if server != game.guild_id:
                await game_places.move_to_server(tx, game.id, server, place.channel_id)
                await all_are_there(tx, game)
            await outbox.try_again(tx, now, game_id=game.id)
            await game_places.forget(tx, game.id)
            await self.places.show(tx, replace(game, thread_id=place.id))
        about = {"game": game.code, "ply": game.ply, "server": server, "user": user_id}
        log.info("table moved", extra={**about, "place": place.id, "before": game.place})
        return await self.game(game.id)

    async def remove_player(self, ref: int | str, asker: Asker, user_id: int, interaction_id: int) -> Consequence:
        """Let a manager of the server take a player out of a game, as if they had resigned.

        Raises:
            HostError: ``unknown_game``, ``not_manager``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        """
        game = await self.game_in(asker.guild_id, ref)
        require_manager(asker, await self.servers.get(game.guild_id), game.guild_id)
        return await self._leave(game, user_id, interaction_id, by=asker.user_id)

    async def rename(self, game: Game, person: Person) -> Game:
        """The game with the name by which a player goes now; stored only where it is another one than before."""
        seat = game.seat_of(person.user_id)
        if seat is None or game.seats[seat] == person:
            return game
        async with self._store.writing() as tx:
            await games.rename_player(tx, game.id, person)
        renamed = replace(game, seats=(*game.seats[:seat], person, *game.seats[seat + 1 :]))
        self._tables.renamed(renamed)
        return renamed


def _observe(kind: str, seconds: float) -> None:
    TRANSACTION.labels(kind).observe(seconds)
