"""Timeouts, and players who have left the server.

:class:`ClockTimeouts` checks the clock of a game when its timer is due. If the clock of the player to move has reached
zero, it declares a *timeout*: default actions are made for the player. Before that it sends reminders.

:class:`MembershipMonitor` asks Discord once a day whether the players of each game are still members of its server. A
player who has left is withdrawn after a few days of grace; a game that all players have left is closed. At a table that
has agreed to it, a computer takes the seat of who would be withdrawn.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from engine import Action, Resign
from engine.actions import Seat
from host import punctuality
from host.clock import Clock
from host.clocks import MAX_HEARTBEAT_GAP, Pace, clock_to_move, is_last, missed_mark, pace_of, quiet_of, time_out
from host.errors import HostError
from host.games import timekeeping
from host.games.move import DEPARTED_USER_ID, TIMEOUT_USER_ID, Move, apply_standing_orders, log_move, schedule_follow_up
from host.games.outbox import Outbox, storing
from host.games.places import Places, clear_departure
from host.games.reader import GameReader
from host.games.seating import give_seat, stand_in
from host.observability import game_fields
from host.settings import HostSettings
from host.timing.reminders import may_remind
from store import absences, clocks, games, preferences, processes, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.clocks import Clocks, SeatClock
from store.preferences import Preferences, Reminders
from store.records import Game, GameStatus, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

RECONNECT_DELAY: Final = timedelta(seconds=15)
"""The delay before a clock is checked again that has reached zero while the bot was disconnected from Discord."""


@dataclass(eq=False)
class ClockTimeouts:
    """Declares timeouts, and sends the reminders before them, whenever a clock's timer is due."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader
    _membership: MembershipMonitor
    _places: Places
    _settings: HostSettings

    async def check_clock(self, timer: Timer) -> None:
        """Check the clock of a game: declare a timeout, or remind the player and schedule the next check.

        If another process was quicker nothing happens: the timer is still there if it is needed.
        """
        async with self._games.locks.hold(timer.game_id):
            with suppress(PlyConflictError):
                await self._check(timer)

    async def _check(self, timer: Timer) -> None:
        """Declare the timeout of a game's clock if it has run out, else do what is due before that."""
        now = self._clock.now()
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
            game_clocks = await clocks.of_game(tx, timer.game_id)
            last_heartbeat = await processes.read_last_heartbeat(tx, game.guild_id)
        clock, pace = clock_to_move(game_clocks.seats), pace_of(game.settings.pace)
        running = game.status is GameStatus.RUNNING
        if (
            running
            and clock
            and pace
            and timekeeping.has_expired(clock, now, last_heartbeat)
            and not await self._places.is_closed(game)
        ):
            await self._declare(timer, game, game_clocks, clock, pace)
        else:
            await self._check_later(timer, last_heartbeat)

    async def _declare(self, timer: Timer, game: Game, game_clocks: Clocks, clock: SeatClock, pace: Pace) -> None:
        """Declare a timeout: store its actions as a move that no player has made, with its card.

        A player who has left the server resigns instead, and a computer takes the seat of who resigns if the table has
        agreed to it. If all players have left, the game is closed.
        """
        game, played = await self._games.load_to_move(game)
        now, seat = self._clock.now(), played.position.player
        by = TIMEOUT_USER_ID
        actions: list[Action] = timekeeping.timeout_actions(played.position, clock.timeouts)
        if await self._membership.has_left(game, game.person_at(seat).user_id):
            if await self._membership.all_have_left(game):
                await self._membership.close(timer, game)
                return
            by, actions = DEPARTED_USER_ID, [Resign(Seat(seat))]
        computer = stand_in(game, seat, self._settings) if isinstance(actions[0], Resign) else None
        if computer is not None:  # a player who comes back has the time that anybody has after a timeout
            async with self._outbox.writing(game=game.id) as tx:
                await self._claim(tx, timer, game_clocks)
                await timers.save(tx, Timer(game.id, TimerKind.CLOCK, now + timekeeping.IDLE_CHECK_INTERVAL))
                await clocks.save(tx, [time_out(clock, now, pace)])
                if by == TIMEOUT_USER_ID:
                    await punctuality.count(tx, game, timeouts=[seat])
                handed_over = await give_seat(tx, game, played, seat, computer, now)
            self._games.cache.store(*handed_over)
            return
        move = Move.judge(game, played, seat, actions, now, by=by)
        async with storing(self._outbox, game.id) as stored:
            tx = stored.tx
            await self._claim(tx, timer, game_clocks)
            await timers.save(tx, Timer(game.id, TimerKind.CLOCK, now + timekeeping.IDLE_CHECK_INTERVAL))
            move = await apply_standing_orders(tx, move, now)
            outcome = await move.write(tx, self._outbox, None, now)
            stored.begun = outcome.begun
            await timekeeping.apply_timeout(
                tx, game_clocks._replace(alarm=now + timekeeping.IDLE_CHECK_INTERVAL), move, pace, now
            )
        self._games.cache.store(outcome.game, move.after)
        log_move(move, outcome, TIMEOUT_USER_ID)
        about = {"game": outcome.game.code, "ply": outcome.game.ply}
        log.info("time has run out", extra={**about, "seat": clock.seat, "timeouts": clock.timeouts + 1})

    async def _claim(self, tx: Transaction, timer: Timer, game_clocks: Clocks) -> None:
        """Claim the timer, if the clocks have not changed since they were read.

        Raises:
            PlyConflictError: another process has claimed it, or the clocks have changed.
        """
        if not await timers.claim(tx, timer) or (await clocks.of_game(tx, timer.game_id)).seats != game_clocks.seats:
            raise PlyConflictError(timer.game_id, TIMEOUT_USER_ID)

    async def _check_later(self, timer: Timer, last_heartbeat: datetime | None) -> None:
        """Remind the player if that is due, and schedule the next check from the clock as stored now.

        No reminders are sent while the bot is disconnected from Discord, since that time will be refunded.
        """
        async with self._outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game, now = await games.get(tx, timer.game_id), self._clock.now()
            if game.status is GameStatus.FINISHED:
                return
            clock = clock_to_move((await clocks.of_game(tx, timer.game_id)).seats)
            check_at = now + timekeeping.IDLE_CHECK_INTERVAL
            if clock is not None and not clock.held:
                user_preferences = await preferences.get(tx, game.person_at(clock.seat).user_id)
                if last_heartbeat is not None and now - last_heartbeat <= MAX_HEARTBEAT_GAP:
                    clock, retry_at = await self._remind(tx, game, clock, user_preferences, now)
                else:
                    retry_at = (
                        now + RECONNECT_DELAY if missed_mark(clock, now, quiet_of(user_preferences)) else check_at
                    )
                check_at = min(timekeeping.first_check(clock, now, quiet_of(user_preferences)), retry_at)
            await timers.save(tx, Timer(timer.game_id, TimerKind.CLOCK, max(check_at, now + RECONNECT_DELAY)))

    async def _remind(
        self, tx: Transaction, game: Game, clock: SeatClock, user_preferences: Preferences, now: datetime
    ) -> tuple[SeatClock, datetime]:
        """Remind the player to move if that is due and wanted.

        Return their clock, and the time of the next check that this needs.
        """
        check_at, mark = now + timekeeping.IDLE_CHECK_INTERVAL, missed_mark(clock, now, quiet_of(user_preferences))
        if mark is None or game.status is not GameStatus.RUNNING:
            return clock, check_at
        last = is_last(clock, max(now, mark))
        wanted = user_preferences.reminders is Reminders.ALL or (user_preferences.reminders is Reminders.LAST and last)
        if wanted:
            user_id = game.person_at(clock.seat).user_id
            wanted, retry_at = await may_remind(tx, game, user_id, min(mark, now), now, last=last)
            if retry_at is not None:
                return clock, retry_at
        # A reminder that is not wanted counts as sent, so that it does not come up again.
        reminded = replace(clock, reminded_at=max(now, mark), reminders=clock.reminders + wanted)
        await clocks.save(tx, [reminded])
        if wanted:
            await self._outbox.add_notice(tx, game, PostKind.REMINDER)
        return reminded, check_at


MEMBERSHIP_CHECK_INTERVAL: Final = timedelta(days=1)
"""The time between two checks of the players of a game for membership in its server."""
DEPARTURE_GRACE_PERIOD: Final = timedelta(hours=72)
"""The time after which a player who has left the server is withdrawn, unless they have come back."""
MEMBERSHIP_RETRY_DELAY: Final = timedelta(hours=1)
"""The delay before the next attempt if Discord gave no answer, or a withdrawal failed."""

MembershipCheck = Callable[[int, int], Awaitable[bool | None]]
"""Returns whether a server (first argument) has a user (second) as a member; None if unknown."""


async def membership_unknown(_guild_id: int, _user_id: int) -> bool | None:
    """Return None, for unknown: the default without Discord."""
    return None


class MembershipMonitor:
    """Finds players who have left the server of their game, and withdraws them after a grace period."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, outbox: Outbox, games: GameReader) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._outbox = outbox
        self._games = games
        self.ask: MembershipCheck = membership_unknown

    async def schedule_checks(self) -> None:
        """Schedule a check of every unfinished game that has none, spread over a day."""
        async with self._store.writing("presence") as tx:
            await timers.add_missing(tx, TimerKind.PRESENT, self._clock.now(), MEMBERSHIP_CHECK_INTERVAL)

    async def has_left(self, game: Game, user_id: int) -> bool:
        """Return whether Discord says that a player has left the server; False if it gives no answer."""
        return await self.ask(game.guild_id, user_id) is False

    async def check_game(self, timer: Timer) -> None:
        """Check which players of a game are members of its server; handles timers of this kind.

        For a player who has left since the last check, a withdrawal is scheduled; for one who is back, it is cancelled.
        """
        game = await self._store.read(games.get, timer.game_id)
        # Discord is asked before the transaction, which must not wait for it.
        is_member: dict[int, bool | None] = {}
        if game.status is not GameStatus.FINISHED:
            is_member = {person.user_id: await self.ask(game.guild_id, person.user_id) for person in game.players}
        now = self._clock.now()
        all_left = bool(is_member) and all(answer is False for answer in is_member.values())
        async with self._outbox.writing(game=game.id) as tx:
            if not await timers.claim(tx, timer) or game.status is GameStatus.FINISHED:
                return
            await timers.save(tx, Timer(game.id, TimerKind.PRESENT, now + MEMBERSHIP_CHECK_INTERVAL))
            departures = await absences.departed_from(tx, game.id)
            for user_id, answer in is_member.items():
                if answer is False and user_id not in departures:
                    await absences.add_departure(tx, game.id, user_id, now)
                    await timers.save(tx, Timer(game.id, TimerKind.LEFT, now + DEPARTURE_GRACE_PERIOD, subject=user_id))
                    log.info("a player has left the server", extra={**game_fields(game), "user": user_id})
                elif answer and user_id in departures:
                    await clear_departure(tx, game, user_id)
            if all_left and not departures.keys() >= is_member.keys():
                await self._outbox.add_notice(tx, game, PostKind.VANISHED)

    async def all_have_left(self, game: Game) -> bool:
        """Return whether Discord says that all players have left the server."""
        for person in game.players:
            if not await self.has_left(game, person.user_id):
                return False
        return True

    async def closes_at(self, game: Game) -> datetime | None:
        """Return the time at which a game that all its players have left is closed; None if one is still a member."""
        departures = await self._store.read(absences.departed_from, game.id)
        left_at = [departures.get(person.user_id) for person in game.players]
        return max(filter(None, left_at)) + DEPARTURE_GRACE_PERIOD if left_at and all(left_at) else None

    async def close(self, timer: Timer, game: Game) -> None:
        """Close a game that all its players have left, and claim the timer that led to it.

        Raises:
            PlyConflictError: the game has moved on, or a move is pending.
        """
        now = self._clock.now()
        async with self._outbox.writing(game=game.id) as tx:
            if not await timers.claim(tx, timer):
                return
            await games.close(tx, game.id, game.stamp, now)
            await timekeeping.stop_clocks(tx, game, now)
            await timers.stop(tx, game.id, [TimerKind.PRESENT, TimerKind.LEFT])
            await schedule_follow_up(tx, game, now)
            await self._outbox.add_notice(tx, game, PostKind.VANISHED)
        log.info("game closed: all players have left", extra=game_fields(game))

    async def withdraw(self, timer: Timer) -> None:
        """Withdraw a player who has left the server and did not come back; handles timers of this kind."""
        async with self._games.locks.hold(timer.game_id):
            game = await self._store.read(games.get, timer.game_id)
            is_member = await self.ask(game.guild_id, timer.subject) if game.plays(timer.subject) else True
            with suppress(PlyConflictError, HostError):
                if is_member is False and game.status is GameStatus.RUNNING:
                    await self._withdraw_or_close(timer, game)
                    return
            # Discord gave no answer, or the game is frozen or was changed meanwhile: try again later.
            async with self._store.writing(game=game.id) as tx:
                if is_member or game.status is GameStatus.FINISHED:
                    if await timers.claim(tx, timer):
                        await clear_departure(tx, game, timer.subject)
                else:
                    await timers.lease(tx, timer, self._clock.now() + MEMBERSHIP_RETRY_DELAY)

    async def _withdraw_or_close(self, timer: Timer, game: Game) -> None:
        """Withdraw a player; if all have left, close the game once the grace period of the last one is over."""
        if not await self.all_have_left(game):
            await self._withdraw(timer, game)
            return
        now, closes_at = self._clock.now(), await self.closes_at(game)
        if closes_at is not None and closes_at <= now:
            await self.close(timer, game)
            return
        await self._store.write(timers.lease, timer, closes_at or now + MEMBERSHIP_RETRY_DELAY)

    async def _withdraw(self, timer: Timer, game: Game) -> None:
        """Store the resignation of a player who has left, as a move that no player has made.

        If the table has agreed to it, a computer takes their seat instead.
        """
        game, played = await self._games.load_to_move(game)
        now, seat = self._clock.now(), game.seat_of(timer.subject) or 0
        computer = stand_in(game, seat, self._settings)
        if computer is not None:
            async with self._outbox.writing(game=game.id) as tx:
                if not await timers.claim(tx, timer):
                    return
                handed_over = await give_seat(tx, game, played, seat, computer, now)
            self._games.cache.store(*handed_over)
            return
        move = Move.judge(game, played, seat, [Resign(Seat(seat))], now, by=DEPARTED_USER_ID)
        async with storing(self._outbox, game.id) as stored:
            tx = stored.tx
            if not await timers.claim(tx, timer):
                return
            move = await apply_standing_orders(tx, move, now)
            outcome = await move.write(tx, self._outbox, None, now)
            stored.begun = outcome.begun
            await timekeeping.advance(tx, move, timekeeping.NO_INTERACTION, now)
            await absences.drop_departure(tx, game.id, timer.subject)
        self._games.cache.store(outcome.game, move.after)
        log_move(move, outcome, DEPARTED_USER_ID)
