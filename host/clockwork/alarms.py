"""Looking at the clocks of games, by timer: what is declared when nothing is left, and when to look again."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from engine import Action, Resign
from engine.actions import Seat
from host.clock import Clock
from host.clockwork.calling import may_remind
from host.clockwork.presence import Presence
from host.games.move import DEPARTED, NOBODY, Move, log_move
from host.games.outbox import Outbox, storing
from host.games.places import Places
from host.games.reader import GameReader
from host.games.standing_orders import apply_standing_orders
from host.games.timekeeping import IDLE, first_look, outcome, ran_out, zero_of
from host.time.clocks import GAP, Pace, asked_of, pace_of
from host.time.quiet_hours import is_last, missed, quiet_of
from store import (
    Clocks,
    Game,
    GameStatus,
    PlyConflictError,
    PostKind,
    Preferences,
    Reminders,
    SeatClock,
    Store,
    Timer,
    TimerKind,
    Transaction,
    clocks,
    games,
    preferences,
    processes,
    timers,
)

log = logging.getLogger(__name__)

UNHEARD: Final = timedelta(seconds=15)
"""When to look again where nothing is declared, because the gateway was not connected since."""


class Alarms:
    """What is due about clocks."""

    def __init__(
        self, store: Store, clock: Clock, outbox: Outbox, games: GameReader, presence: Presence, places: Places
    ) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._games = games
        self._presence = presence
        self._places = places

    async def ring(self, timer: Timer) -> None:
        """Look at the clock of a game."""
        async with self._games.locks.hold(timer.game_id):
            with suppress(PlyConflictError):  # another process was quicker: the timer is still there, if it is needed
                await self._look(timer)

    async def _look(self, timer: Timer) -> None:
        now = self._clock.now()
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
            found = await clocks.of_game(tx, timer.game_id)
            heard = await processes.heard_at(tx, game.guild_id)
        asked, pace = asked_of(found.seats), pace_of(game.settings.pace)
        running = game.status is GameStatus.RUNNING
        if running and asked and pace and zero_of(asked, now, heard) and not await self._places.is_shut(game):
            await self._declare(timer, game, found, asked, pace)
        else:
            await self._look_later(timer, heard)

    async def _declare(self, timer: Timer, game: Game, found: Clocks, asked: SeatClock, pace: Pace) -> None:
        """Nothing is left: what follows is stored as a move that nobody has made, with its card."""
        game, played = await self._games.load_to_move(game)
        now, seat = self._clock.now(), played.position.player
        by = NOBODY
        actions: list[Action] = outcome(played.position, asked.timeouts)
        if await self._presence.has_left(game, game.seats[seat].user_id):
            if await self._presence.all_have_left(game):
                await self._presence.close(timer, game)
                return
            by, actions = DEPARTED, [Resign(Seat(seat))]
        move = Move.judge(game, played, seat, actions, now, by=by)
        async with storing(self._outbox, game.id) as stored:
            tx = stored.tx
            await self._claim(tx, timer, found)
            await timers.put(tx, Timer(game.id, TimerKind.CLOCK, now + IDLE))
            move = await apply_standing_orders(tx, move, now)
            done = await move.write(tx, self._outbox, None, now)
            stored.begun = done.begun
            await ran_out(tx, found._replace(alarm=now + IDLE), move, pace, now)
        self._games.cache.keep(done.game, move.after)
        log_move(move, done, NOBODY)
        log.info("time has run out", extra=_about(done.game, asked))

    async def _claim(self, tx: Transaction, timer: Timer, found: Clocks) -> None:
        """Take the timer.

        Raises:
            PlyConflictError: somebody else has, or the clocks are not what they were.
        """
        if not await timers.claim(tx, timer) or (await clocks.of_game(tx, timer.game_id)).seats != found.seats:
            raise PlyConflictError(timer.game_id, NOBODY)

    async def _look_later(self, timer: Timer, heard: datetime | None) -> None:
        """Nothing is to be declared yet: perhaps somebody is reminded; the clock, as it stands now, says when again.

        While the gateway is not connected nobody is reminded: what passes is given back.
        """
        async with self._outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game, now = await games.get(tx, timer.game_id), self._clock.now()
            if game.status is GameStatus.FINISHED:
                return
            asked, at = asked_of((await clocks.of_game(tx, timer.game_id)).seats), now + IDLE
            if asked is not None and not asked.held:
                wishes = await preferences.get(tx, game.seats[asked.seat].user_id)
                if heard is not None and now - heard <= GAP:
                    asked, again = await self._remind(tx, game, asked, wishes, now)
                else:
                    again = now + UNHEARD if missed(asked, now, quiet_of(wishes)) else at
                at = min(first_look(asked, now, quiet_of(wishes)), again)
            await timers.put(tx, Timer(timer.game_id, TimerKind.CLOCK, max(at, now + UNHEARD)))

    async def _remind(
        self, tx: Transaction, game: Game, asked: SeatClock, wishes: Preferences, now: datetime
    ) -> tuple[SeatClock, datetime]:
        """Remind who is asked, if it is time for that and wanted; the clock after it, and when to look again."""
        again, mark = now + IDLE, missed(asked, now, quiet_of(wishes))
        if mark is None or game.status is not GameStatus.RUNNING:
            return asked, again
        last = is_last(asked, max(now, mark))
        wanted = wishes.reminders is Reminders.ALL or (wishes.reminders is Reminders.LAST and last)
        if wanted:
            user_id = game.seats[asked.seat].user_id
            wanted, later = await may_remind(tx, game, user_id, min(mark, now), now, last=last)
            if later is not None:
                return asked, later
        told = replace(asked, reminded_at=max(now, mark), reminders=asked.reminders + wanted)
        await clocks.save(tx, [told])
        if wanted:
            await self._outbox.notice(tx, game, game.ply, PostKind.REMINDER)
        return told, again


def _about(game: Game, asked: SeatClock) -> dict[str, object]:
    return {"game": game.code, "ply": game.ply, "seat": asked.seat, "timeouts": asked.timeouts + 1}
