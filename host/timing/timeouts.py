"""Check clocks and memberships by timer: declare timeouts, send reminders, withdraw players who left the server."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from engine import Action, Resign
from engine.actions import Seat
from host.clock import Clock
from host.clocks import MAX_HEARTBEAT_GAP, Pace, clock_to_move, is_last, missed_mark, pace_of, quiet_of
from host.errors import HostError
from host.games import timekeeping
from host.games.move import DEPARTED_USER_ID, TIMEOUT_USER_ID, Move, apply_standing_orders, log_move, schedule_follow_up
from host.games.outbox import Outbox, storing
from host.games.places import Places, clear_departure
from host.games.reader import GameReader
from host.observability import game_fields
from host.timing.reminders import may_remind
from store import absences, clocks, games, preferences, processes, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.clocks import Clocks, SeatClock
from store.preferences import Preferences, Reminders
from store.records import Game, GameStatus, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

RECONNECT_DELAY: Final = timedelta(seconds=15)
"""Delay before a clock is checked again that reached zero while the gateway was disconnected."""


@dataclass(eq=False)
class ClockTimeouts:
    """Declares timeouts, and sends the reminders before them."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader
    _membership: MembershipMonitor
    _places: Places

    async def check_clock(self, timer: Timer) -> None:
        """Check the clock of a game: declare a timeout, or remind the player and schedule the next check."""
        async with self._games.locks.hold(timer.game_id):
            with suppress(PlyConflictError):  # another process was quicker: the timer is still there, if it is needed
                await self._check(timer)

    async def _check(self, timer: Timer) -> None:
        now = self._clock.now()
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
            found = await clocks.of_game(tx, timer.game_id)
            heard = await processes.read_last_heartbeat(tx, game.guild_id)
        asked, pace = clock_to_move(found.seats), pace_of(game.settings.pace)
        running = game.status is GameStatus.RUNNING
        if (
            running
            and asked
            and pace
            and timekeeping.has_expired(asked, now, heard)
            and not await self._places.is_closed(game)
        ):
            await self._declare(timer, game, found, asked, pace)
        else:
            await self._check_later(timer, heard)

    async def _declare(self, timer: Timer, game: Game, found: Clocks, asked: SeatClock, pace: Pace) -> None:
        """Declare a timeout: store its actions as a move made by no player, with its card."""
        game, played = await self._games.load_to_move(game)
        now, seat = self._clock.now(), played.position.player
        by = TIMEOUT_USER_ID
        actions: list[Action] = timekeeping.timeout_actions(played.position, asked.timeouts)
        if await self._membership.has_left(game, game.seats[seat].user_id):
            if await self._membership.all_have_left(game):
                await self._membership.close(timer, game)
                return
            by, actions = DEPARTED_USER_ID, [Resign(Seat(seat))]
        move = Move.judge(game, played, seat, actions, now, by=by)
        async with storing(self._outbox, game.id) as stored:
            tx = stored.tx
            await self._claim(tx, timer, found)
            await timers.put(tx, Timer(game.id, TimerKind.CLOCK, now + timekeeping.IDLE_CHECK_INTERVAL))
            move = await apply_standing_orders(tx, move, now)
            done = await move.write(tx, self._outbox, None, now)
            stored.begun = done.begun
            await timekeeping.apply_timeout(
                tx, found._replace(alarm=now + timekeeping.IDLE_CHECK_INTERVAL), move, pace, now
            )
        self._games.cache.store(done.game, move.after)
        log_move(move, done, TIMEOUT_USER_ID)
        log.info("time has run out", extra=_timeout_fields(done.game, asked))

    async def _claim(self, tx: Transaction, timer: Timer, found: Clocks) -> None:
        """Claim the timer.

        Raises:
            PlyConflictError: another process has claimed it, or the clocks have changed.
        """
        if not await timers.claim(tx, timer) or (await clocks.of_game(tx, timer.game_id)).seats != found.seats:
            raise PlyConflictError(timer.game_id, TIMEOUT_USER_ID)

    async def _check_later(self, timer: Timer, heard: datetime | None) -> None:
        """Remind the player if that is due, and schedule the next check from the clock as stored now.

        No reminders are sent while the gateway is disconnected, since that time will be given back.
        """
        async with self._outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game, now = await games.get(tx, timer.game_id), self._clock.now()
            if game.status is GameStatus.FINISHED:
                return
            asked, at = (
                clock_to_move((await clocks.of_game(tx, timer.game_id)).seats),
                now + timekeeping.IDLE_CHECK_INTERVAL,
            )
            if asked is not None and not asked.held:
                user_preferences = await preferences.get(tx, game.seats[asked.seat].user_id)
                if heard is not None and now - heard <= MAX_HEARTBEAT_GAP:
                    asked, again = await self._remind(tx, game, asked, user_preferences, now)
                else:
                    again = now + RECONNECT_DELAY if missed_mark(asked, now, quiet_of(user_preferences)) else at
                at = min(timekeeping.first_check(asked, now, quiet_of(user_preferences)), again)
            await timers.put(tx, Timer(timer.game_id, TimerKind.CLOCK, max(at, now + RECONNECT_DELAY)))

    async def _remind(
        self, tx: Transaction, game: Game, asked: SeatClock, user_preferences: Preferences, now: datetime
    ) -> tuple[SeatClock, datetime]:
        """Remind the player to move if that is due and wanted; return the updated clock and the next check's time."""
        again, mark = now + timekeeping.IDLE_CHECK_INTERVAL, missed_mark(asked, now, quiet_of(user_preferences))
        if mark is None or game.status is not GameStatus.RUNNING:
            return asked, again
        last = is_last(asked, max(now, mark))
        wanted = user_preferences.reminders is Reminders.ALL or (user_preferences.reminders is Reminders.LAST and last)
        if wanted:
            user_id = game.seats[asked.seat].user_id
            wanted, later = await may_remind(tx, game, user_id, min(mark, now), now, last=last)
            if later is not None:
                return asked, later
        told = replace(asked, reminded_at=max(now, mark), reminders=asked.reminders + wanted)
        await clocks.save(tx, [told])
        if wanted:
            await self._outbox.add_notice(tx, game, game.ply, PostKind.REMINDER)
        return told, again


def _timeout_fields(game: Game, asked: SeatClock) -> dict[str, object]:
    return {"game": game.code, "ply": game.ply, "seat": asked.seat, "timeouts": asked.timeouts + 1}


MEMBERSHIP_CHECK_INTERVAL: Final = timedelta(days=1)
"""Time between two checks of a game's players for membership in its server."""
DEPARTURE_GRACE_PERIOD: Final = timedelta(hours=72)
"""Time after which a player found to have left the server is withdrawn."""
MEMBERSHIP_RETRY_DELAY: Final = timedelta(hours=1)
"""Delay before the next attempt if Discord gave no answer, or the withdrawal failed."""

MembershipCheck = Callable[[int, int], Awaitable[bool | None]]
"""Returns whether a user (second argument) is a member of a server (first); None if unknown."""


async def membership_unknown(_guild_id: int, _user_id: int) -> bool | None:
    """Return None: without Discord no membership is known."""
    return None


class MembershipMonitor:
    """Finds players who left the server, and withdraws them after a grace period."""

    def __init__(self, store: Store, clock: Clock, outbox: Outbox, games: GameReader) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._games = games
        self.ask: MembershipCheck = membership_unknown

    async def schedule_checks(self) -> None:
        """Schedule a check of every running game, spread over a day."""
        async with self._store.writing("presence") as tx:
            await timers.add_missing(tx, TimerKind.PRESENT, self._clock.now(), MEMBERSHIP_CHECK_INTERVAL)

    async def has_left(self, game: Game, user_id: int) -> bool:
        """Return whether Discord says that a player has left the server."""
        return await self.ask(game.guild_id, user_id) is False

    async def check_game(self, timer: Timer) -> None:
        """Check which players of a game are members, and schedule the withdrawal of those newly found missing."""
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
        there: dict[int, bool | None] = {}
        if game.status is not GameStatus.FINISHED:
            there = {person.user_id: await self.ask(game.guild_id, person.user_id) for person in game.players}
        now = self._clock.now()
        all_gone = bool(there) and all(is_there is False for is_there in there.values())
        async with self._outbox.writing(game=game.id) as tx:
            if not await timers.claim(tx, timer) or game.status is GameStatus.FINISHED:
                return
            await timers.put(tx, Timer(game.id, TimerKind.PRESENT, now + MEMBERSHIP_CHECK_INTERVAL))
            known = await absences.departed_from(tx, game.id)
            for user_id, is_there in there.items():
                if is_there is False and user_id not in known:
                    await absences.add_departure(tx, game.id, user_id, now)
                    await timers.put(tx, Timer(game.id, TimerKind.LEFT, now + DEPARTURE_GRACE_PERIOD, subject=user_id))
                    log.info("a player has left the server", extra={**game_fields(game), "user": user_id})
                elif is_there and user_id in known:
                    await clear_departure(tx, game, user_id)
            if all_gone and not known.keys() >= there.keys():
                await self._outbox.add_notice(tx, game, game.ply, PostKind.VANISHED)

    async def all_have_left(self, game: Game) -> bool:
        """Return whether Discord says that all players have left the server."""
        for person in game.players:
            if not await self.has_left(game, person.user_id):
                return False
        return True

    async def closes_at(self, game: Game) -> datetime | None:
        """Return the time at which a game whose players have all left is closed; None if one of them is still there."""
        async with self._store.reading() as tx:
            known = await absences.departed_from(tx, game.id)
        found = [known.get(person.user_id) for person in game.players]
        return max(filter(None, found)) + DEPARTURE_GRACE_PERIOD if found and all(found) else None

    async def close(self, timer: Timer, game: Game) -> None:
        """Close a game whose players have all left, and claim the timer that found it.

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
            await self._outbox.add_notice(tx, game, game.ply, PostKind.VANISHED)
        log.info("game closed: all players have left", extra=game_fields(game))

    async def withdraw(self, timer: Timer) -> None:
        """Withdraw a player who has left and did not come back."""
        async with self._games.locks.hold(timer.game_id):
            async with self._store.reading() as tx:
                game = await games.get(tx, timer.game_id)
            is_there = await self.ask(game.guild_id, timer.subject) if game.plays(timer.subject) else True
            with suppress(PlyConflictError, HostError):
                if is_there is False and game.status is GameStatus.RUNNING:
                    await self._withdraw_or_close(timer, game)
                    return
            async with self._store.writing(game=game.id) as tx:
                if is_there or game.status is GameStatus.FINISHED:
                    if await timers.claim(tx, timer):
                        await clear_departure(tx, game, timer.subject)
                else:
                    await timers.lease(tx, timer, self._clock.now() + MEMBERSHIP_RETRY_DELAY)

    async def _withdraw_or_close(self, timer: Timer, game: Game) -> None:
        """Withdraw a player; if all have left, close the game once the grace period of the last one is over."""
        if not await self.all_have_left(game):
            await self._withdraw(timer, game)
            return
        now, last = self._clock.now(), await self.closes_at(game)
        if last is not None and last <= now:
            await self.close(timer, game)
            return
        async with self._store.writing() as tx:
            await timers.lease(tx, timer, last or now + MEMBERSHIP_RETRY_DELAY)

    async def _withdraw(self, timer: Timer, game: Game) -> None:
        game, played = await self._games.load_to_move(game)
        now, seat = self._clock.now(), game.seat_of(timer.subject) or 0
        move = Move.judge(game, played, seat, [Resign(Seat(seat))], now, by=DEPARTED_USER_ID)
        async with storing(self._outbox, game.id) as stored:
            tx = stored.tx
            if not await timers.claim(tx, timer):
                return
            move = await apply_standing_orders(tx, move, now)
            done = await move.write(tx, self._outbox, None, now)
            stored.begun = done.begun
            await timekeeping.advance(tx, move, timekeeping.NO_INTERACTION, now)
            await absences.drop_departure(tx, game.id, timer.subject)
        self._games.cache.store(done.game, move.after)
        log_move(move, done, DEPARTED_USER_ID)
