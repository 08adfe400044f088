"""The clocks of a game: how moves, undos, pauses and absences change them, in the caller's transaction.

The clock of the player to move starts when the *card*, the message that asks them to move, is recorded as sent. It
stops at the time that Discord has written into the id of the answering interaction, however late that arrives.

Each game has one timer, which fires when a reminder or timeout is due, or earlier. If it fires early it is only set
again, so code that adds time or holds a clock need not change it.

A *held* clock does not run. Clocks are held during a vacation or pause, while the game is frozen, and while its place
in Discord is closed to the bot. The arithmetic of a single clock is in :mod:`host.clocks`.
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
    MILLISECOND,
    QUIET_REMINDER_LEAD,
    Pace,
    Quiet,
    clock_to_move,
    is_out,
    later,
    left_at,
    next_reminder_time,
    pace_of,
    reminder_marks,
    zero_at,
)
from host.errors import ErrorCode, HostError
from host.games.move import Move
from store import absences, clocks, processes, timers
from store.connection.database import Store, Transaction
from store.play.absences import Vacation
from store.play.clocks import Clocks, Pause, SeatClock
from store.play.game_headers import GameTiming
from store.records import Computer, Game, GameStatus, NewGame, Timer, TimerKind

TRANSIT_GRACE: Final = timedelta(seconds=10)
"""The time between a clock's zero and the timeout, since a move made in time may still be on its way from Discord."""
IDLE_CHECK_INTERVAL: Final = timedelta(days=1)
"""The interval between checks of a game in which no clock runs."""
MAX_QUIET_SHIFT: Final = timedelta(hours=25) + QUIET_REMINDER_LEAD
"""The longest time by which quiet hours bring a reminder forward; a day has up to 25 hours."""
_DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
"""The moment from which the timestamps in Discord's ids count milliseconds."""
_TIMESTAMP_SHIFT: Final = 22
"""The number of low bits of a Discord id, below its timestamp."""


NO_INTERACTION: Final = 2**63 - 1
"""The interaction id of a change that no user made; greater than any real id."""


def made_at(interaction_id: int) -> datetime:
    """Return the time of an interaction, which Discord encodes in its id."""
    return arithmetic.later(_DISCORD_EPOCH, interaction_id >> _TIMESTAMP_SHIFT)


def free_time(position: Position, pace: Pace) -> int:
    """Return the milliseconds that the current step of a position has before the bank of time is used."""
    step = position.step
    return 0 if step is None else pace.allowance if step.out_of_turn else pace.grace


async def begin(tx: Transaction, game_id: int, new: NewGame, now: datetime) -> None:
    """Create the clocks of a new game, which start with its first card; or its timer, if it has no clocks."""
    pace = pace_of(new.settings.pace)
    if pace is None:
        await timers.begin_untimed(tx, game_id, now, now + IDLE_CHECK_INTERVAL)
        return
    seats = [arithmetic.new_clock(game_id, seat, pace) for seat in range(len(new.seats))]
    seats[new.seat_to_act] = _ask(new, seats[new.seat_to_act], 0, pace.grace)
    await clocks.add(tx, seats)
    await timers.save(tx, Timer(game_id, TimerKind.CLOCK, earliest_check(seats[new.seat_to_act], now)))


def _ask(game: Game | NewGame, clock: SeatClock, revision: int, free: int) -> SeatClock:
    """Let the clock of the player to move wait for the card of a revision; the clock of a computer stays as it is."""
    return clock if isinstance(game.seats[clock.seat], Computer) else arithmetic.ask(clock, revision, free)


async def stop_for_pending(tx: Transaction, game: Game, seat: int, interaction_id: int, now: datetime) -> None:
    """Stop a player's clock at the time of their move, which stays pending."""
    if pace_of(game.settings.pace) is not None:
        await clocks.save(
            tx,
            [_stopped(clock, interaction_id, now) for clock in await _clocks_to_move(tx, game) if clock.seat == seat],
        )


async def resume_after_retraction(tx: Transaction, game: Game, seat: int, now: datetime) -> None:
    """Restart a player's clock after they took back a pending move; their unused free time remains."""
    if pace_of(game.settings.pace) is not None:
        resumed = [arithmetic.start(clock, now) for clock in await _clocks_to_move(tx, game) if clock.seat == seat]
        await clocks.save(tx, resumed)
        for clock in resumed:
            await timers.bring_forward(tx, game.id, TimerKind.CLOCK, earliest_check(clock, now))


async def advance(tx: Transaction, move: Move, interaction_id: int, now: datetime) -> None:
    """Stop the clock of the player who moved, and make that of the next player wait for the card.

    It stops at the time of the interaction; without one (``NO_INTERACTION``) it stops now.
    """
    pace = pace_of(move.game.settings.pace)
    if pace is None:
        return
    game_clocks = await clocks.of_game(tx, move.game.id)
    if game_clocks.seats:
        at = min(now, made_at(interaction_id))
        if interaction_id == NO_INTERACTION:
            at = await stop_time(tx, move.game, now)
        await _advance_clocks(tx, game_clocks, move, pace, at, now)


async def refund_undone_moves(tx: Transaction, game: Game, requester_seat: int, now: datetime) -> None:
    """Refund the time of undone moves, except to the player who asked for the undo.

    The clock of the player to move waits for the card, and has the full free time of a turn.
    """
    pace = pace_of(game.settings.pace)
    if pace is None or game.seat_to_act is None:
        return
    game_clocks = await clocks.of_game(tx, game.id)
    stopped = [arithmetic.answer(arithmetic.stop(clock, now)) for clock in game_clocks.seats]
    seats = [arithmetic.undo(clock, game.ply, is_requester=clock.seat == requester_seat) for clock in stopped]
    seats[game.seat_to_act] = _ask(game, seats[game.seat_to_act], game.revision, pace.grace)
    await clocks.save(tx, seats)
    await timers.save(tx, Timer(game.id, TimerKind.CLOCK, earliest_check(seats[game.seat_to_act], now)))


async def stop_at_end(tx: Transaction, game: Game, at: datetime) -> None:
    """Stop the clocks of a game that ended at ``at``; no time counts after it, and no increment is earned."""
    if pace_of(game.settings.pace) is not None:
        at = await stop_time(tx, game, at)
        stopped = [arithmetic.stop(clock, max(at, clock.since or at)) for clock in await _clocks_to_move(tx, game)]
        await clocks.save(tx, [arithmetic.answer(clock) for clock in stopped])
        await timers.stop(tx, game.id, [TimerKind.CLOCK])


async def change_player(
    tx: Transaction, game: Game, position: Position, seat: int, now: datetime, *, keeps_time: bool
) -> None:
    """Change the clock of a seat that another player has taken; if it is a person's turn, it waits for the card.

    A computer has no clock, so that of the seat stands still, and keeps the time that is left. A person gets a full
    bank, or with ``keeps_time`` that time.
    """
    pace = pace_of(game.settings.pace)
    game_clocks = await clocks.of_game(tx, game.id)
    if pace is None or not game_clocks.seats:
        return
    if isinstance(game.seats[seat], Computer):
        stopped = arithmetic.stop(game_clocks.seats[seat], await stop_time(tx, game, now))
        await clocks.save(tx, [arithmetic.answer(stopped)])
        return
    clock = game_clocks.seats[seat] if keeps_time else arithmetic.new_clock(game.id, seat, pace)
    if game.seat_to_act == seat:
        clock = arithmetic.ask(clock, game.revision, free_time(position, pace))
        await timers.save(tx, Timer(game.id, TimerKind.CLOCK, first_check(clock, now)))
    await clocks.save(tx, [clock])


async def stop_clocks(tx: Transaction, game: Game, now: datetime) -> None:
    """Stop all clocks of a game that ends without a move."""
    game_clocks, at = await clocks.of_game(tx, game.id), await stop_time(tx, game, now)
    await clocks.save(tx, [arithmetic.answer(arithmetic.stop(clock, at)) for clock in game_clocks.seats])
    await timers.stop(tx, game.id, [TimerKind.CLOCK])


async def stop_time(tx: Transaction, game: Game, now: datetime) -> datetime:
    """Return the time at which clocks stop that no interaction stops: now, or before a running downtime."""
    return arithmetic.effective_stop(now, await processes.read_last_heartbeat(tx, game.guild_id))


async def _clocks_to_move(tx: Transaction, game: Game) -> list[SeatClock]:
    """Return the clock of the player to move, if there is one."""
    return [clock for clock in (await clocks.of_game(tx, game.id)).seats if clock.asked is not None]


def _stopped(clock: SeatClock, interaction_id: int, now: datetime) -> SeatClock:
    """Stop a clock at the time of an interaction, but not before the clock started."""
    at = min(now, made_at(interaction_id))
    return arithmetic.stop(clock, max(at, clock.since or at))


async def apply_timeout(tx: Transaction, game_clocks: Clocks, move: Move, pace: Pace, now: datetime) -> None:
    """Update the clocks for a move that was made because a player's time ran out."""
    position = move.before.position
    clock = arithmetic.time_out(game_clocks.seats[position.player], now, pace, turn=not _is_out_of_turn(position))
    await _advance_clocks(tx, _replace_clock(game_clocks, clock), move, pace, now, now, chance=pace.chance)


async def _advance_clocks(
    tx: Transaction, game_clocks: Clocks, move: Move, pace: Pace, at: datetime, now: datetime, *, chance: int = 0
) -> None:
    """Update and store the clocks for a move: stopped for the player who moved, waiting for the next one.

    ``at`` is the time of the move, and ``chance`` the milliseconds that a timeout has just granted.
    """
    before, after = move.before.position, move.after.position
    if before.step == after.step and before.turn == after.turn:
        await clocks.save(tx, game_clocks.seats)
        return  # a player who was not to move has left the game

    # The player who moved: stop their clock, reward a turn that is over, and remember its cost for an undo.
    clock = game_clocks.seats[before.player]
    clock = arithmetic.stop(clock, max(at, clock.since or at))
    remaining_free = clock.free
    clock, untold = replace(arithmetic.answer(clock), untold=0), clock.untold
    same_turn, granted = _same_turn(before, after), clock.granted
    by_computer = isinstance(move.game.seats[before.player], Computer)
    if not (same_turn or by_computer or _is_out_of_turn(before) or after.withdrawn[before.player]):
        clock = arithmetic.earn(clock, pace)
    clock = arithmetic.remember(clock, before.ply, earned=clock.granted - granted, chance=chance)
    seats = _replace_clock(game_clocks, clock).seats
    if after.step is None:
        await clocks.save(tx, seats)
        await timers.stop(tx, move.game.id, [TimerKind.CLOCK])
        return

    # The next player: their clock waits for the card. It inherits the refunded downtime that no card has mentioned yet.
    card, free = after.ply + move.game.taken_back, remaining_free if same_turn else free_time(after, pace)
    next_clock = replace(_ask(move.game, seats[after.player], card, free), untold=untold)
    await clocks.save(tx, {before.player: clock, after.player: next_clock}.values())
    check_at = earliest_check(next_clock, now)
    if game_clocks.alarm is not None and game_clocks.alarm > check_at:
        await timers.bring_forward(tx, move.game.id, TimerKind.CLOCK, check_at)


def first_check(clock: SeatClock, now: datetime, quiet: Quiet | None = None) -> datetime:
    """Return the time of the first check of a clock that starts now or later."""
    started = replace(clock, since=clock.since or now, held=False)
    return min(next_check(started, now, quiet), now + IDLE_CHECK_INTERVAL)


def earliest_check(clock: SeatClock, now: datetime) -> datetime:
    """Return the time of the first check of a clock whose player's quiet hours are unknown: early enough for any."""
    started = replace(clock, since=clock.since or now, held=False)
    zero = arithmetic.zero_at(started)
    check_at = first_check(clock, now)
    return check_at if zero is None or not reminder_marks(started) else min(check_at, max(now, zero - MAX_QUIET_SHIFT))


def next_check(clock: SeatClock, now: datetime, quiet: Quiet | None = None) -> datetime:
    """Return the time of the next check of a clock: when a reminder or the timeout is due.

    ``quiet`` are the quiet hours of its player; None if they have chosen none.
    """
    zero = arithmetic.zero_at(clock)
    if zero is None:
        return now + IDLE_CHECK_INTERVAL
    return min(next_reminder_time(clock, now, quiet) or zero + TRANSIT_GRACE, zero + TRANSIT_GRACE)


def timeout_actions(position: Position, timeouts: int) -> list[Action]:
    """Return the actions of a player whose time ran out after ``timeouts`` earlier timeouts.

    A player with too many timeouts resigns. Otherwise these are the default actions for the rest of their turn, or for
    a single decision if it is asked of them out of turn.
    """
    if is_out(timeouts + 1, position.players):
        return [Resign(position.player)]
    copy, actions = position.copy(), list[Action]()
    step = copy.step
    while step is not None:
        actions.append(step.default_action(copy))
        copy.apply(actions[-1])
        if step.out_of_turn or copy.hand is not None or not _same_turn(position, copy):
            break
        step = copy.step
    return actions


def has_expired(clock: SeatClock, now: datetime, last_heartbeat: datetime | None) -> bool:
    """Return whether a clock has run out, and the gateway has been connected long enough since to deliver a move."""
    zero = arithmetic.zero_at(clock)
    return zero is not None and last_heartbeat is not None and zero + TRANSIT_GRACE <= min(now, last_heartbeat)


def _same_turn(before: Position, after: Position) -> bool:
    """Return whether two positions are in the same turn of the same player, with no decision out of turn."""
    same = (before.player, before.turn) == (after.player, after.turn)
    return same and not (_is_out_of_turn(before) or _is_out_of_turn(after))


def _is_out_of_turn(position: Position) -> bool:
    """Return whether a position asks a player who is not having their turn, as in an auction."""
    return position.step is not None and position.step.out_of_turn


def _replace_clock(game_clocks: Clocks, clock: SeatClock) -> Clocks:
    """Return the clocks of a game with a new clock of one seat."""
    seats = (*game_clocks.seats[: clock.seat], clock, *game_clocks.seats[clock.seat + 1 :])
    return game_clocks._replace(seats=seats)


# -- clocks that are held ----------------------------------------------------------------------------------------------


async def begin_pause(tx: Transaction, game: Game, ends_at: datetime, users: tuple[int, ...], now: datetime) -> None:
    """Pause a game, in place of an earlier pause; these users may end it before its time."""
    await clocks.end_pause(tx, game.id)
    await clocks.begin_pause(tx, Pause(game.id, ends_at, users))
    await timers.save(tx, Timer(game.id, TimerKind.RESUME, ends_at))
    await settle_clocks(tx, game, now)


async def settle_clocks(tx: Transaction, game: Game, now: datetime) -> None:
    """Hold or release each clock of a game as its vacations, pause, place and status demand now."""
    seats = (await clocks.of_game(tx, game.id)).seats
    if not seats:
        return
    on_vacation = {entry.user_id for entry in await _coming_vacations(tx, game, now) if entry.covers(now)}
    game_is_held = await _is_held(tx, game)
    for clock in seats:
        held = game_is_held or game.seats[clock.seat].user_id in on_vacation
        if held and not clock.held:
            await clocks.save(tx, [arithmetic.hold(clock, await stop_time(tx, game, now))])
        elif clock.held and not held:
            await _release(tx, clock, now)


async def _is_held(tx: Transaction, game: Game) -> bool:
    """Return whether all clocks of a game are held: it is frozen or paused, or its place is closed."""
    if game.status is GameStatus.FROZEN or await clocks.pause_of(tx, game.id) is not None:
        return True
    return await absences.closed_since(tx, game.id) is not None


async def schedule_vacations(tx: Transaction, game_id: int, entries: Iterable[Vacation], now: datetime) -> None:
    """Set, for each user, a timer for the next start or end of one of these vacations."""
    changes: dict[int, datetime] = {}
    for entry in entries:
        at = entry.starts_at if entry.starts_at > now else entry.ends_at
        if at > now:
            changes[entry.user_id] = min(at, changes.get(entry.user_id, at))
    for user_id, at in changes.items():
        await timers.save(tx, Timer(game_id, TimerKind.VACATION, at, subject=user_id))


async def seat_player(tx: Transaction, game: Game, now: datetime) -> None:
    """Apply the vacations of all players to the clocks and timers of a game, after one of these has changed."""
    await schedule_vacations(tx, game.id, await _coming_vacations(tx, game, now), now)
    await settle_clocks(tx, game, now)


async def _coming_vacations(tx: Transaction, game: Game, now: datetime) -> tuple[Vacation, ...]:
    """Return the vacations of a game's players that are not over."""
    return await absences.coming_vacations(tx, [person.user_id for person in game.players], now)


async def _release(tx: Transaction, clock: SeatClock, now: datetime) -> None:
    """Release a held clock: it runs from now or, if its card is not posted yet, from then."""
    if clock.asked is None or await clocks.awaits_card(tx, clock):
        await clocks.save(tx, [arithmetic.unhold(clock)])
        return
    resumed = arithmetic.resume(clock, now)
    await clocks.save(tx, [resumed])
    await timers.bring_forward(tx, clock.game_id, TimerKind.CLOCK, first_check(resumed, now))


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a game as a card shows them."""

    deadline: datetime | None
    """The time at which the player to move runs out of time, if the card were posted now.

    None if no decision is open or the clock is held. A clock that only a closed place holds has one, because the next
    card releases it.
    """
    left: tuple[timedelta, ...]
    """The time left in the bank of each seat; empty without clocks."""
    downtime: timedelta
    """The time refunded to the player to move for downtime of the bot, unless a message has mentioned it already."""
    gone: tuple[int, ...] = ()
    """The players who have left the server."""
    away: tuple[Vacation, ...] = ()
    """The vacations of the players, running or announced."""
    paused_until: datetime | None = None
    """The end of the pause, if the game is paused."""


@dataclass(eq=False)
class Timetable:
    """Reads the clocks and absences of games, to show them."""

    _store: Store
    _clock: Clock

    async def of(self, game: Game, timing: GameTiming | None = None) -> Times | None:
        """Return the times of a game; None if it has neither clocks nor absent players.

        Pass the ``timing`` if it was read along with the game; otherwise it is read here.
        """
        if timing is None:
            timing = await self._timing(game)
        seats = timing.seats if pace_of(game.settings.pace) is not None else ()
        users = [person.user_id for person in game.players]
        gone, away = timing.gone, tuple(entry for entry in timing.away if entry.user_id in users)
        if not (seats or gone or away):
            return None
        pause, place_closed = await self._hold_reasons(game) if any(clock.held for clock in seats) else (None, False)
        now, clock = self._clock.now(), clock_to_move(seats)
        deadline = None
        user_id = None if clock is None else game.seats[clock.seat].user_id
        stays_held = (
            clock is None
            or pause is not None
            or any(vacation.user_id == user_id and vacation.covers(now) for vacation in away)
        )
        if clock is not None and (not clock.held or (place_closed and not stays_held)):
            deadline = zero_at(clock) or later(now, clock.free + clock.left)
        left = tuple(left_at(seat_clock, now) * MILLISECOND for seat_clock in seats)
        return Times(
            deadline,
            left,
            (clock.untold if clock else 0) * MILLISECOND,
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

    async def _timing(self, game: Game) -> GameTiming:
        """Read the clocks, departures and vacations of a game."""
        users = [person.user_id for person in game.players]
        async with self._store.reading() as tx:
            paced = pace_of(game.settings.pace) is not None
            seats = (await clocks.of_game(tx, game.id)).seats if paced else ()
            return GameTiming(seats, *await absences.absences_in_game(tx, game.id, users, self._clock.now()))

    async def _hold_reasons(self, game: Game) -> tuple[Pause | None, bool]:
        """Return the pause of a game, if any, and whether its place is closed."""
        async with self._store.reading() as tx:
            return await clocks.pause_of(tx, game.id), await absences.closed_since(tx, game.id) is not None
