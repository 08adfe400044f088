"""The clocks of a game as moves, undos and substitutions change them, each in the caller's transaction.

A clock starts when the card that asks is recorded as sent, and stops at the time written in the interaction that
answers it, however late that arrives. Each game has one timer that looks at its clock no later than there is something
to do. It may fire early and then only sets itself again, so whatever gives time or holds a clock leaves it alone.
Clocks are held during a vacation, a pause, while the game is frozen and while its place is closed to the bot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from engine import Action, Position, Resign
from host import clocks as arithmetic
from host.clock import Clock
from host.clocks import (
    AHEAD,
    MILLISECOND,
    Pace,
    Quiet,
    asked_of,
    coming,
    is_out,
    later,
    left_at,
    marks,
    pace_of,
    zero_at,
)
from host.errors import ErrorCode, HostError
from host.games.move import Move
from store import (
    Clocks,
    Game,
    GameStatus,
    GameTiming,
    NewGame,
    Pause,
    SeatClock,
    Store,
    Timer,
    TimerKind,
    Transaction,
    Vacation,
    absences,
    clocks,
    processes,
    timers,
)

PATIENCE: Final = timedelta(seconds=10)
"""Grace time after a clock reaches zero, since a move made in time may still be in transit."""
IDLE: Final = timedelta(days=1)
"""Interval between checks of a game in which no clock runs."""
LONGEST_QUIET: Final = timedelta(hours=25) + AHEAD
"""Longest time by which quiet hours bring a reminder forward, on a day of 25 hours."""
_DISCORD: Final = datetime(2015, 1, 1, tzinfo=UTC)
"""The epoch of Discord's ids."""
_SEQUENCE: Final = 22
"""The low bits of an id, below its timestamp."""


LATEST: Final = 2**63 - 1
"""Stands in for an interaction's id if no user acted; it is later than any id."""


def made_at(interaction_id: int) -> datetime:
    """Return the time of an interaction, which Discord encodes in its id."""
    return arithmetic.later(_DISCORD, interaction_id >> _SEQUENCE)


def given_for(position: Position, pace: Pace) -> int:
    """Return the free time, in milliseconds, of the current step of a position."""
    step = position.step
    return 0 if step is None else pace.allowance if step.out_of_turn else pace.grace


async def begin(tx: Transaction, game_id: int, new: NewGame, now: datetime) -> None:
    """Create the clocks of a new game, whose first card is about to be sent."""
    pace = pace_of(new.settings.pace)
    if pace is None:
        await timers.begin_untimed(tx, game_id, now, now + IDLE)
        return
    seats = [arithmetic.new_clock(game_id, seat, pace) for seat in range(len(new.seats))]
    seats[new.seat_to_act] = arithmetic.ask(seats[new.seat_to_act], 0, pace.grace)
    await clocks.add(tx, seats)
    await timers.put(tx, Timer(game_id, TimerKind.CLOCK, unseen_look(seats[new.seat_to_act], now)))


async def stop_for_pending(tx: Transaction, game: Game, seat: int, interaction_id: int, now: datetime) -> None:
    """Stop a player's clock at the time of a move that waits to be published."""
    if pace_of(game.settings.pace) is not None:
        await clocks.save(
            tx, [_stopped(clock, interaction_id, now) for clock in await _asked(tx, game) if clock.seat == seat]
        )


async def resume_after_retraction(tx: Transaction, game: Game, seat: int, now: datetime) -> None:
    """Restart a player's clock now: they took a pending move back; what is left of the free time stays free."""
    if pace_of(game.settings.pace) is not None:
        going = [arithmetic.start(clock, now) for clock in await _asked(tx, game) if clock.seat == seat]
        await clocks.save(tx, going)
        for clock in going:
            await timers.bring_forward(tx, game.id, TimerKind.CLOCK, unseen_look(clock, now))


async def advance(tx: Transaction, move: Move, interaction_id: int, now: datetime) -> None:
    """Stop the mover's clock at the time of the move; the next player's starts with the card."""
    pace = pace_of(move.game.settings.pace)
    if pace is None:
        return
    found = await clocks.of_game(tx, move.game.id)
    if found.seats:
        at = await counted(tx, move.game, now) if interaction_id == LATEST else min(now, made_at(interaction_id))
        await _go_on(tx, found, move, pace, at, now)


async def rewind(tx: Transaction, game: Game, asker: int, now: datetime) -> None:
    """Give back the time of undone moves; the asker gets no increment for it.

    The clock of whoever decides now starts with the card, with all the free time of a turn.
    """
    pace = pace_of(game.settings.pace)
    if pace is None or game.seat_to_act is None:
        return
    found = await clocks.of_game(tx, game.id)
    stopped = [arithmetic.answer(arithmetic.stop(clock, now)) for clock in found.seats]
    seats = [arithmetic.undo(clock, game.ply, asker=clock.seat == asker) for clock in stopped]
    seats[game.seat_to_act] = arithmetic.ask(seats[game.seat_to_act], game.revision, pace.grace)
    await clocks.save(tx, seats)
    await timers.put(tx, Timer(game.id, TimerKind.CLOCK, unseen_look(seats[game.seat_to_act], now)))


async def stop_at_end(tx: Transaction, game: Game, at: datetime) -> None:
    """Stop the clocks of a game that ended at a time: nothing counts after it, and nothing is earned."""
    if pace_of(game.settings.pace) is not None:
        at = await counted(tx, game, at)
        asked = [arithmetic.stop(clock, max(at, clock.since or at)) for clock in await _asked(tx, game)]
        await clocks.save(tx, [arithmetic.answer(clock) for clock in asked])
        await timers.stop(tx, game.id, [TimerKind.CLOCK])


async def reset_seat(tx: Transaction, game: Game, position: Position, seat: int, now: datetime) -> None:
    """Give a substitute a fresh bank; on their turn, the clock starts with the card."""
    pace = pace_of(game.settings.pace)
    found = await clocks.of_game(tx, game.id)
    if pace is None or not found.seats:
        return
    clock = arithmetic.new_clock(game.id, seat, pace)
    if game.seat_to_act == seat:
        clock = arithmetic.ask(clock, game.revision, given_for(position, pace))
        await timers.put(tx, Timer(game.id, TimerKind.CLOCK, first_look(clock, now)))
    await clocks.save(tx, [clock])


async def stop_clocks(tx: Transaction, game: Game, now: datetime) -> None:
    """Stop the clocks of a game that ends without a move."""
    found, at = await clocks.of_game(tx, game.id), await counted(tx, game, now)
    await clocks.save(tx, [arithmetic.answer(arithmetic.stop(clock, at)) for clock in found.seats])
    await timers.stop(tx, game.id, [TimerKind.CLOCK])


async def counted(tx: Transaction, game: Game, now: datetime) -> datetime:
    """Return the time up to which clocks count that are stopped now without an interaction."""
    return arithmetic.counted(now, await processes.heard_at(tx, game.guild_id))


async def _asked(tx: Transaction, game: Game) -> list[SeatClock]:
    return [clock for clock in (await clocks.of_game(tx, game.id)).seats if clock.asked is not None]


def _stopped(clock: SeatClock, interaction_id: int, now: datetime) -> SeatClock:
    """Stop a clock at the time of an interaction, but not before the clock started."""
    at = min(now, made_at(interaction_id))
    return arithmetic.stop(clock, max(at, clock.since or at))


async def ran_out(tx: Transaction, found: Clocks, move: Move, pace: Pace, now: datetime) -> None:
    """Update the clocks for a move made because a player's time ran out."""
    position = move.before.position
    clock = arithmetic.time_out(found.seats[position.player], now, pace, turn=not _is_aside(position))
    await _go_on(tx, _with(found, clock), move, pace, now, now, chance=pace.chance)


async def _go_on(
    tx: Transaction, found: Clocks, move: Move, pace: Pace, at: datetime, now: datetime, *, chance: int = 0
) -> None:
    before, after = move.before.position, move.after.position
    if before.step == after.step and before.turn == after.turn:
        await clocks.save(tx, found.seats)
        return  # somebody has left whose turn it was not
    clock = found.seats[before.player]
    clock = arithmetic.stop(clock, max(at, clock.since or at))
    rest = clock.free
    clock, untold = replace(arithmetic.answer(clock), untold=0), clock.untold
    goes_on, granted = _same_turn(before, after), clock.granted
    if not (goes_on or _is_aside(before) or after.withdrawn[before.player]):
        clock = arithmetic.earn(clock, pace)
    clock = arithmetic.remember(clock, before.ply, earned=clock.granted - granted, chance=chance)
    seats = _with(found, clock).seats
    if after.step is None:
        await clocks.save(tx, seats)
        await timers.stop(tx, move.game.id, [TimerKind.CLOCK])
        return
    card, free = after.ply + move.game.taken_back, rest if goes_on else given_for(after, pace)
    next_one = replace(arithmetic.ask(seats[after.player], card, free), untold=untold)
    await clocks.save(tx, {before.player: clock, after.player: next_one}.values())
    look = unseen_look(next_one, now)
    if found.alarm is not None and found.alarm > look:
        await timers.bring_forward(tx, move.game.id, TimerKind.CLOCK, look)


def first_look(clock: SeatClock, now: datetime, quiet: Quiet | None = None) -> datetime:
    """Return the first time to check a clock that starts now or later."""
    starts = replace(clock, since=clock.since or now, held=False)
    return min(look_again(starts, now, quiet), now + IDLE)


def unseen_look(clock: SeatClock, now: datetime) -> datetime:
    """Return the first time to check a clock if quiet hours are unknown: early enough for any."""
    starts = replace(clock, since=clock.since or now, held=False)
    zero = arithmetic.zero_at(starts)
    look = first_look(clock, now)
    return look if zero is None or not marks(starts) else min(look, max(now, zero - LONGEST_QUIET))


def look_again(clock: SeatClock, now: datetime, quiet: Quiet | None = None) -> datetime:
    """Return the next time to check a clock; ``quiet`` are the quiet hours of its player."""
    zero = arithmetic.zero_at(clock)
    if zero is None:
        return now + IDLE
    return min(coming(clock, now, quiet) or zero + PATIENCE, zero + PATIENCE)


def outcome(position: Position, timeouts: int) -> list[Action]:
    """Return the actions for a player whose time ran out, who had ``timeouts`` earlier ones.

    A turn that was begun ends without more; of what is asked beside turns only this one is answered.
    """
    if is_out(timeouts + 1, position.players):
        return [Resign(position.player)]
    ahead, actions = position.copy(), list[Action]()
    step = ahead.step
    while step is not None:
        actions.append(step.default_action(ahead))
        ahead.apply(actions[-1])
        if step.out_of_turn or ahead.hand is not None or not _same_turn(position, ahead):
            break
        step = ahead.step
    return actions


def zero_of(clock: SeatClock, now: datetime, heard: datetime | None) -> bool:
    """Return True if a clock has run out and the gateway was connected long enough afterwards."""
    zero = arithmetic.zero_at(clock)
    return zero is not None and heard is not None and zero + PATIENCE <= min(now, heard)


def _same_turn(before: Position, after: Position) -> bool:
    same = (before.player, before.turn) == (after.player, after.turn)
    return same and not (_is_aside(before) or _is_aside(after))


def _is_aside(position: Position) -> bool:
    return position.step is not None and position.step.out_of_turn


def _with(found: Clocks, clock: SeatClock) -> Clocks:
    seats = (*found.seats[: clock.seat], clock, *found.seats[clock.seat + 1 :])
    return found._replace(seats=seats)


# -- clocks that are held ----------------------------------------------------------------------------------------------


async def settle_clocks(tx: Transaction, game: Game, now: datetime) -> None:
    """Hold or release each clock of a game as its vacations, pause, place and status demand now."""
    found = (await clocks.of_game(tx, game.id)).seats
    if not found:
        return
    away = {entry.user_id for entry in await _coming(tx, game, now) if entry.holds(now)}
    still = await _is_held(tx, game)
    for clock in found:
        held = still or game.seats[clock.seat].user_id in away
        if held and not clock.held:
            await clocks.save(tx, [arithmetic.hold(clock, await counted(tx, game, now))])
        elif clock.held and not held:
            await _release(tx, clock, now)


async def _is_held(tx: Transaction, game: Game) -> bool:
    """Return whether no clock of a game runs, whoever is asked."""
    if game.status is GameStatus.FROZEN or await clocks.pause_of(tx, game.id) is not None:
        return True
    return await absences.closed_since(tx, game.id) is not None


async def schedule_vacations(tx: Transaction, game_id: int, entries: Iterable[Vacation], now: datetime) -> None:
    """Set timers for when the next of each user's vacations begins or ends."""
    changes: dict[int, datetime] = {}
    for entry in entries:
        at = entry.starts_at if entry.starts_at > now else entry.ends_at
        if at > now:
            changes[entry.user_id] = min(at, changes.get(entry.user_id, at))
    for user_id, at in changes.items():
        await timers.put(tx, Timer(game_id, TimerKind.VACATION, at, subject=user_id))


async def seat_player(tx: Transaction, game: Game, now: datetime) -> None:
    """Seat a player who may be on vacation, now or later."""
    await schedule_vacations(tx, game.id, await _coming(tx, game, now), now)
    await settle_clocks(tx, game, now)


async def _coming(tx: Transaction, game: Game, now: datetime) -> tuple[Vacation, ...]:
    return await absences.coming_vacations(tx, [person.user_id for person in game.players], now)


async def _release(tx: Transaction, clock: SeatClock, now: datetime) -> None:
    """Release a clock: it runs from now, or from when its card is there."""
    if clock.asked is None or await clocks.awaits_card(tx, clock):
        await clocks.save(tx, [arithmetic.let_go(clock)])
        return
    going = arithmetic.release(clock, now)
    await clocks.save(tx, [going])
    await timers.bring_forward(tx, clock.game_id, TimerKind.CLOCK, first_look(going, now))


@dataclass(frozen=True, slots=True)
class Times:
    """The deadline of the player to move, if the card were posted now, and the bank left by seat.

    ``deadline`` is None while nothing is asked, or the clocks are held: but those of a place that was closed are let go
    by the card that tells. ``downtime`` is what was given back since the last message.
    """

    deadline: datetime | None
    left: tuple[timedelta, ...]
    downtime: timedelta
    gone: tuple[int, ...] = ()
    """The players who were found to have left the server."""
    away: tuple[Vacation, ...] = ()
    """The vacations of those who play, running or announced."""
    paused_until: datetime | None = None
    """The end of the pause, if the game is paused."""


@dataclass(eq=False)
class Timetable:
    """Reads the clocks and absences of games for display."""

    _store: Store
    _clock: Clock

    async def of(self, game: Game, around: GameTiming | None = None) -> Times | None:
        """Return the times of a game, from ``around`` if given; None without clocks and absences."""
        if around is None:
            around = await self._around(game)
        found = around.seats if pace_of(game.settings.pace) is not None else ()
        users = [person.user_id for person in game.players]
        gone, away = around.gone, tuple(entry for entry in around.away if entry.user_id in users)
        if not (found or gone or away):
            return None
        pause, shut = await self._reasons(game) if any(clock.held for clock in found) else (None, False)
        now, asked = self._clock.now(), asked_of(found)
        deadline = None
        waits = asked is None or pause is not None or _is_away(game, asked, away, now)
        if asked is not None and (not asked.held or (shut and not waits)):
            deadline = zero_at(asked) or later(now, asked.free + asked.left)
        left = tuple(left_at(clock, now) * MILLISECOND for clock in found)
        return Times(
            deadline,
            left,
            (asked.untold if asked else 0) * MILLISECOND,
            away=away,
            gone=tuple(sorted(gone & {*users})),
            paused_until=pause.ends_at if pause else None,
        )

    async def of_clocks(self, game: Game) -> Times:
        """Return the times of a game with clocks, running or held.

        Raises:
            HostError: ``no_clocks``.
        """
        times = await self.of(game)
        if times is None or not times.left:
            raise HostError(ErrorCode.NO_CLOCKS, code=game.code)
        return times

    async def _around(self, game: Game) -> GameTiming:
        users = [person.user_id for person in game.players]
        async with self._store.reading() as tx:
            paced = pace_of(game.settings.pace) is not None
            found = (await clocks.of_game(tx, game.id)).seats if paced else ()
            return GameTiming(found, *await absences.of_game(tx, game.id, users, self._clock.now()))

    async def _reasons(self, game: Game) -> tuple[Pause | None, bool]:
        """Return the pause of a game, if any, and whether its place is closed."""
        async with self._store.reading() as tx:
            return await clocks.pause_of(tx, game.id), await absences.closed_since(tx, game.id) is not None


def _is_away(game: Game, clock: SeatClock, away: Iterable[Vacation], now: datetime) -> bool:
    """Return True if the owner of a clock is on vacation."""
    user_id = game.seats[clock.seat].user_id
    return any(entry.user_id == user_id and entry.holds(now) for entry in away)
