"""Clocks that stand still whatever is asked: for a vacation, a pause, a closed place, a game that rests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from host.play.timekeeping import counted, first_look
from host.time import clocks as arithmetic
from store import (
    Game,
    GameStatus,
    SeatClock,
    Timer,
    TimerKind,
    Transaction,
    Vacation,
    absences,
    clocks,
    game_places,
    timers,
)


async def settle(tx: Transaction, game: Game, now: datetime) -> None:
    """Let each clock of a game stand still, or go on, as it has to now."""
    found = (await clocks.of_game(tx, game.id)).seats
    if not found:
        return
    away = {entry.user_id for entry in await _coming(tx, game, now) if entry.holds(now)}
    still = await _rests(tx, game)
    for clock in found:
        held = still or game.seats[clock.seat].user_id in away
        if held and not clock.held:
            await clocks.save(tx, [arithmetic.hold(clock, await counted(tx, game, now))])
        elif clock.held and not held:
            await _release(tx, clock, now)


async def _rests(tx: Transaction, game: Game) -> bool:
    """Whether no clock of a game runs, whoever is asked."""
    if game.status is GameStatus.FROZEN or await clocks.pause_of(tx, game.id) is not None:
        return True
    return await game_places.since(tx, game.id) is not None


async def foresee(tx: Transaction, game_id: int, entries: Iterable[Vacation], now: datetime) -> None:
    """Look again at a game when the next of somebody's vacations begins or ends."""
    changes: dict[int, datetime] = {}
    for entry in entries:
        at = entry.starts_at if entry.starts_at > now else entry.ends_at
        if at > now:
            changes[entry.user_id] = min(at, changes.get(entry.user_id, at))
    for user_id, at in changes.items():
        await timers.put(tx, Timer(game_id, TimerKind.VACATION, at, subject=user_id))


async def begin(tx: Transaction, game: Game, now: datetime) -> None:
    """Somebody sits down who may be away, now or later."""
    await foresee(tx, game.id, await _coming(tx, game, now), now)
    await settle(tx, game, now)


async def _coming(tx: Transaction, game: Game, now: datetime) -> tuple[Vacation, ...]:
    return await absences.coming_vacations(tx, [person.user_id for person in game.players], now)


async def _release(tx: Transaction, clock: SeatClock, now: datetime) -> None:
    """It counts again: from now on, or from when its card is there."""
    if clock.asked is None or await clocks.awaits_card(tx, clock):
        await clocks.save(tx, [arithmetic.let_go(clock)])
        return
    going = arithmetic.release(clock, now)
    await clocks.save(tx, [going])
    await timers.bring_forward(tx, clock.game_id, TimerKind.CLOCK, first_look(going, now))
