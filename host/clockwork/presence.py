"""Whether those who play are still in the server: asked once a day, and before time is declared to have run out.

Nobody tells the bot who leaves a server, so Discord is asked, by whoever is connected (:attr:`Presence.ask`). Who has
left is named on the next card, and withdrawn three days later, unless he has come back. A table whose players have all
left is not played to an end that nobody sees: it is closed, with notice.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from engine import Resign
from engine.actions import Seat
from host.clock import Clock
from host.errors import HostError
from host.games.move import DEPARTED, Move, log_move
from host.games.outbox import Outbox, storing
from host.games.places import clear_departure
from host.games.reader import GameReader
from host.games.standing_orders import apply_standing_orders
from host.games.timekeeping import LATEST, advance, stop_clocks
from host.games.timers import after_the_end
from host.observability import about
from store import Game, GameStatus, PlyConflictError, PostKind, Store, Timer, TimerKind, absences, games, timers

log = logging.getLogger(__name__)

EVERY: Final = timedelta(days=1)
"""How often it is looked who is still there."""
WAITED: Final = timedelta(hours=72)
"""How long after it was found somebody who has left is withdrawn."""
AGAIN: Final = timedelta(hours=1)
"""When to try again where Discord did not say, or the game could not go on."""

AccessCheck = Callable[[int, int], Awaitable[bool | None]]
"""Whether somebody (second) is a member of a server (first); None where nobody says."""


async def nobody_says(_guild_id: int, _user_id: int) -> bool | None:
    """What is known without Discord."""
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
        """Whether Discord says that somebody who plays is in the server no more."""
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
                    log.info("a player has left the server", extra={**about(game), "user": user_id})
                elif is_there and user_id in known:
                    await clear_departure(tx, game, user_id)
            if all_gone and not known.keys() >= there.keys():
                await self._outbox.notice(tx, game, game.ply, PostKind.VANISHED)

    async def all_have_left(self, game: Game) -> bool:
        """Whether Discord says that nobody of those who play is in the server any more."""
        for person in game.players:
            if not await self.has_left(game, person.user_id):
                return False
        return True

    async def closes_at(self, game: Game) -> datetime | None:
        """When a table is closed whose players have all left; None where one of them is there."""
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
        log.info("table closed: all who played have left", extra=about(game))

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
