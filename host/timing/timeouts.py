"""Looking at the clocks of games, by timer: what is declared when nothing is left, and when to look again."""

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
from host.clocks import GAP, Pace, asked_of, is_last, missed, pace_of, quiet_of
from host.errors import HostError
from host.games.move import DEPARTED, NOBODY, Move, after_the_end, apply_standing_orders, log_move
from host.games.outbox import Outbox, storing
from host.games.places import Places, clear_departure
from host.games.reader import GameReader
from host.games.timekeeping import IDLE, LATEST, advance, first_look, outcome, ran_out, stop_clocks, zero_of
from host.observability import game_fields
from host.timing.reminders import may_remind
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
    absences,
    clocks,
    games,
    preferences,
    processes,
    timers,
)

log = logging.getLogger(__name__)

UNHEARD: Final = timedelta(seconds=15)
"""Time until the next look where nothing is declared, because the gateway has not been connected since."""


@dataclass(eq=False)
class ClockTimeouts:
    """The timeouts of clocks, and reminders before them."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader
    _presence: Presence
    _places: Places

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


EVERY: Final = timedelta(days=1)
"""Time between two checks of who is still a member."""
WAITED: Final = timedelta(hours=72)
"""Time after which a player found to have left the server is withdrawn."""
AGAIN: Final = timedelta(hours=1)
"""Time until the next attempt where Discord did not say, or the game could not go on."""

AccessCheck = Callable[[int, int], Awaitable[bool | None]]
"""A question to Discord: is a user (second) a member of a server (first); None where that is unknown."""


async def nobody_says(_guild_id: int, _user_id: int) -> bool | None:
    """Answer that nothing is known, without Discord."""
    return None


class Presence:
    """Looks for those who have left."""

    def __init__(self, store: Store, clock: Clock, outbox: Outbox, games: GameReader) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._games = games
        self.ask: AccessCheck = nobody_says

    async def begin(self) -> None:
        """Look after all running games from now on, spread over a day."""
        async with self._store.writing("presence") as tx:
            await timers.ensure(tx, TimerKind.PRESENT, self._clock.now(), EVERY)

    async def has_left(self, game: Game, user_id: int) -> bool:
        """Return whether Discord says that a player has left the server."""
        return await self.ask(game.guild_id, user_id) is False

    async def look(self, timer: Timer) -> None:
        """See who of those who play a game is there; new ones that are not are withdrawn after a while."""
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
            await timers.put(tx, Timer(game.id, TimerKind.PRESENT, now + EVERY))
            known = await absences.departed_from(tx, game.id)
            for user_id, is_there in there.items():
                if is_there is False and user_id not in known:
                    await absences.add_departure(tx, game.id, user_id, now)
                    await timers.put(tx, Timer(game.id, TimerKind.LEFT, now + WAITED, subject=user_id))
                    log.info("a player has left the server", extra={**game_fields(game), "user": user_id})
                elif is_there and user_id in known:
                    await clear_departure(tx, game, user_id)
            if all_gone and not known.keys() >= there.keys():
                await self._outbox.notice(tx, game, game.ply, PostKind.VANISHED)

    async def all_have_left(self, game: Game) -> bool:
        """Return whether Discord says that all players have left the server."""
        for person in game.players:
            if not await self.has_left(game, person.user_id):
                return False
        return True

    async def closes_at(self, game: Game) -> datetime | None:
        """Return the time at which a table whose players have all left is closed; None where one of them is there."""
        async with self._store.reading() as tx:
            known = await absences.departed_from(tx, game.id)
        found = [known.get(person.user_id) for person in game.players]
        return max(filter(None, found)) + WAITED if found and all(found) else None

    async def close(self, timer: Timer, game: Game) -> None:
        """Close a table whose players have all left, with the timer that found it out.

        Raises:
            PlyConflictError: it has moved on, or a move waits.
        """
        now = self._clock.now()
        async with self._outbox.writing(game=game.id) as tx:
            if not await timers.claim(tx, timer):
                return
            await games.close(tx, game.id, game.stamp, now)
            await stop_clocks(tx, game, now)
            await timers.stop(tx, game.id, [TimerKind.PRESENT, TimerKind.LEFT])
            await after_the_end(tx, game, now)
            await self._outbox.notice(tx, game, game.ply, PostKind.VANISHED)
        log.info("table closed: all who played have left", extra=game_fields(game))

    async def withdraw(self, timer: Timer) -> None:
        """Withdraw who has left and did not come back."""
        async with self._games.locks.hold(timer.game_id):
            async with self._store.reading() as tx:
                game = await games.get(tx, timer.game_id)
            is_there = await self.ask(game.guild_id, timer.subject) if game.plays(timer.subject) else True
            with suppress(PlyConflictError, HostError):
                if is_there is False and game.status is GameStatus.RUNNING:
                    await self._let_go(timer, game)
                    return
            async with self._store.writing(game=game.id) as tx:
                if is_there or game.status is GameStatus.FINISHED:
                    if await timers.claim(tx, timer):
                        await clear_departure(tx, game, timer.subject)
                else:
                    await timers.take(tx, timer, self._clock.now() + AGAIN)

    async def _let_go(self, timer: Timer, game: Game) -> None:
        """Withdraw a player; where nobody is left, close the table when the last one's time is over, too."""
        if not await self.all_have_left(game):
            await self._withdraw(timer, game)
            return
        now, last = self._clock.now(), await self.closes_at(game)
        if last is not None and last <= now:
            await self.close(timer, game)
            return
        async with self._store.writing() as tx:
            await timers.take(tx, timer, last or now + AGAIN)

    async def _withdraw(self, timer: Timer, game: Game) -> None:
        game, played = await self._games.load_to_move(game)
        now, seat = self._clock.now(), game.seat_of(timer.subject) or 0
        move = Move.judge(game, played, seat, [Resign(Seat(seat))], now, by=DEPARTED)
        async with storing(self._outbox, game.id) as stored:
            tx = stored.tx
            if not await timers.claim(tx, timer):
                return
            move = await apply_standing_orders(tx, move, now)
            done = await move.write(tx, self._outbox, None, now)
            stored.begun = done.begun
            await advance(tx, move, LATEST, now)
            await absences.drop_departure(tx, game.id, timer.subject)
        self._games.cache.keep(done.game, move.after)
        log_move(move, done, DEPARTED)
