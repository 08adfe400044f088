"""The decisions of computers: when they are due, and how they are stored.

When a card that waits for a computer was sent, a timer of the kind ``think`` is stored (:mod:`host.games.outbox`). The
process that leases the timer lets a worker think, outside of all locks. Then it stores the decisions of all computers
whose turn comes one after the other as one move, with one card, and claims the timer in the same transaction. So a
process may be killed at any moment: the timer is due again when the lease is over, and nothing is decided twice.

A decision that a level does not make is made by *quick*. If that fails, too, the game says so once, offers the seat to
people, and the decision is tried again every few minutes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from engine import Action, EngineError, Position, parse_action
from host import observability
from host.clock import Clock
from host.computers.levels import LEVELS, QUICK
from host.computers.thinking_time import ThinkingTime, day_of
from host.computers.workers import Answer, Thinker, ThinkingError, Thought
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.cache import PlayedGame
from host.games.move import COMPUTER_USER_ID, Move, apply_standing_orders, log_move
from host.games.outbox import Outbox, notice_post, storing
from host.games.reader import GameReader
from host.observability import COMPUTER_FAILURES, game_fields, log_failure, logging_failures
from store import games, moves, outbox, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.moves import ComputerDecision
from store.records import Computer, Game, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

THINKING_LEASE: Final = timedelta(seconds=30)
"""The time for which one process may think about a game, unless it renews its lease; then another one may."""
RENEWAL_SECONDS: Final = 10.0
"""The seconds between two renewals of these leases."""
RETRY_INTERVAL: Final = timedelta(minutes=10)
"""The time after which a decision that has failed is tried again."""
FROZEN_RETRY_INTERVAL: Final = timedelta(hours=1)
"""The time after which the computer of a frozen game looks whether it may go on."""
MAX_CHAIN: Final = 64
"""The most decisions that are stored as one move; the next card shows those that follow."""


class Computers:
    """Lets computers decide, in the background."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        game_outbox: Outbox,
        reader: GameReader,
        thinking_time: ThinkingTime,
        thinker: Thinker,
    ) -> None:
        self._store = store
        self._clock = clock
        self._outbox = game_outbox
        self._games = reader
        self._thinking_time = thinking_time
        self._thinker = thinker
        self._tasks: set[asyncio.Task[None]] = set()
        self._leased: dict[int, Timer] = {}
        """The timers of the games that this process thinks about, by game; their leases are renewed meanwhile."""
        self._renewing: asyncio.Task[None] | None = None
        for level in LEVELS:
            COMPUTER_FAILURES.labels(level)  # exported from the start: Prometheus sees no increase in a new counter

    async def take_over(self) -> None:
        """Let computers decide at once at a start, where an earlier process has leased their timers and ended.

        On a shared database other processes may be thinking, so there the leases are left to expire.
        """
        if not self._store.is_shared:
            await self._store.write(timers.make_due, TimerKind.THINK, self._clock.now())

    async def think_due(self, timer: Timer) -> None:
        """Begin to think about a game; handles timers of this kind.

        The timer is leased, so that the game is thought about again if this process ends before it has decided.
        """
        leased = replace(timer, due_at=self._clock.now() + THINKING_LEASE)
        async with self._store.writing() as tx:
            if not await timers.lease(tx, timer, leased.due_at):
                return
        is_thought_about = timer.game_id in self._leased
        self._leased[timer.game_id] = leased
        if not is_thought_about:
            self._begin(self._think(timer.game_id))
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew_leases(), name="leases of computers")

    async def updated_seats(self, game: Game) -> list[int]:
        """Return the seats of computers that have decided by another version since the game began."""
        updated = await self._store.read(moves.updated_computers, game.id) if game.computers else []
        return [seat for seat in updated if isinstance(game.seats[seat], Computer)]

    async def idle(self) -> None:
        """Wait until nothing is being thought about any more."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        """Stop thinking, and end the workers."""
        tasks = [*self._tasks, *([] if self._renewing is None else [self._renewing])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._thinker.close()

    async def _renew_leases(self) -> None:
        """Renew the leases of all games that this process thinks about, until there are none."""
        while self._leased:
            await asyncio.sleep(RENEWAL_SECONDS)
            until = self._clock.now() + THINKING_LEASE
            for game_id in list(self._leased):
                with logging_failures(log, "the lease of a computer's decision could not be renewed"):
                    await self._renew_lease(game_id, until)

    async def _renew_lease(self, game_id: int, until: datetime) -> None:
        """Renew the lease of a game, unless it has been decided meanwhile or another process thinks about it."""
        async with self._store.writing() as tx:
            timer = self._leased.get(game_id)
            if timer is not None and timer.due_at < until and await timers.lease(tx, timer, until):
                # Before the commit, because the decision claims the timer as this says.
                self._leased[game_id] = replace(timer, due_at=until)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work as a task of its own."""
        task = asyncio.create_task(work, name="computer")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _think(self, game_id: int) -> None:
        """Decide for the computers of a game whose turn it is, and store that; if it fails, try again later.

        If the game goes on meanwhile and waits for a computer again, think about that.
        """
        with observability.log_context():
            try:
                while True:
                    timer = self._leased[game_id]
                    try:
                        await self._decide(game_id)
                    except PlyConflictError:
                        log.debug("the game has gone on while a computer was thinking", extra={"game_id": game_id})
                        if self._leased[game_id] != timer:
                            continue
                    return
            except Exception as error:  # noqa: BLE001 - one game must not stop the others
                await self._postpone(game_id, error)
            finally:
                del self._leased[game_id]

    async def _postpone(self, game_id: int, error: Exception) -> None:
        """Make the timer of a game due later, because its decision has failed; a frozen game is no failure."""
        delay = RETRY_INTERVAL
        if isinstance(error, HostError) and error.code in {ErrorCode.FROZEN, ErrorCode.UNREADABLE}:
            delay = FROZEN_RETRY_INTERVAL
        else:
            log_failure(log, "a computer has not decided", error, {"game_id": game_id})
        with suppress(Exception):  # without it, the timer is due again after its lease
            async with self._outbox.writing(game=game_id) as tx:
                is_current = await timers.lease(tx, self._leased[game_id], self._clock.now() + delay)
                if is_current and isinstance(error, ThinkingError):
                    game = await games.get(tx, game_id)
                    await self._add_notice(tx, game, PostKind.STALLED, since=game.updated_at)

    async def _add_notice(self, tx: Transaction, game: Game, kind: PostKind, *, since: datetime) -> None:
        """Add a notice to a game, unless it has had one of this kind since a time."""
        if not await outbox.has_notice(tx, game.id, kind, since):
            await outbox.add(tx, notice_post(game, kind, kind.value), self._clock.now())

    async def _decide(self, game_id: int) -> None:
        """Decide for the computers of a game whose turn it is, and store that.

        Raises:
            ThinkingError: the first of them does not decide.
        """
        stored = await self._store.read(games.get, game_id)
        if stored.computer_to_act is None:
            await self._store.write(timers.claim, self._leased[game_id])
            return
        game, played = await self._games.played(game_id)
        if game.stamp == stored.stamp:
            game = stored  # a cached game may not have the newest versions of its computers
        decided = _Decided(await self._thinking_time.is_used_up(game))
        position = played.position.copy()
        while position.step is not None and len(decided.actions) < MAX_CHAIN:
            player = game.seats[position.player]
            if not isinstance(player, Computer):
                break
            seed = f"{game.code}:{game.revision + len(decided.actions)}"
            seat = position.player
            made = [entry.action for entry in played.log] + decided.actions
            level = QUICK if decided.as_quick else player.level
            try:
                action, chosen, answer = await self._one(game, position, made, replace(player, level=level), seed)
            except ThinkingError:
                if decided.actions:
                    break  # what was decided counts; the next card asks again for the rest
                raise
            decided.add(
                action, answer, ComputerDecision(decided.next_revision(game), seat, chosen, answer.version, seed)
            )
        if decided.actions:
            await self._store_move(game, played, decided)

    async def _one(
        self, game: Game, position: Position, made: list[Action], computer: Computer, seed: str
    ) -> tuple[Action, str, Answer]:
        """Let a computer make one decision, and apply it to the position that the actions ``made`` have led to.

        Return the action, the level that has decided, *quick* where the computer's own has failed, and the answer.

        Raises:
            ThinkingError: *quick* has failed, too.
        """
        for level in dict.fromkeys((computer.level, QUICK)):
            thought = await asyncio.to_thread(Thought.of, position, made, level, seed, computer.version)
            try:
                answer = await self._thinker.decide(thought, game.guild_id)
                action = parse_action(answer.action)
                position.apply(action)
            except (EngineError, ThinkingError) as error:
                COMPUTER_FAILURES.labels(level).inc()
                log.warning("a computer failed to decide: %s", error, extra={**game_fields(game), "level": level})
            else:
                return action, level, answer
        raise ThinkingError(f"no level decides for {computer.level}")

    async def _store_move(self, game: Game, played: PlayedGame, decided: _Decided) -> None:
        """Store decisions as one move with one card, if the game still waits for them.

        Raises:
            PlyConflictError: the game has gone on, or another process has decided.
        """
        async with self._games.locks.hold(game.id):
            current, _, _ = await self._games.current(game.id)
            if current.stamp != game.stamp:
                raise PlyConflictError(game.id, game.ply)
            now = self._clock.now()
            move = Move.of_computers(current, played, decided.actions, now)
            async with storing(self._outbox, game.id) as stored:
                tx = stored.tx
                if not await timers.claim(tx, self._leased[game.id]):
                    raise PlyConflictError(game.id, game.ply)
                move = await apply_standing_orders(tx, move, now)
                outcome = await move.write(tx, self._outbox, None, now)
                stored.begun = outcome.begun
                await timekeeping.advance(tx, move, timekeeping.NO_INTERACTION, now)
                await moves.add_computer_decisions(tx, game.id, decided.decisions)
                await self._thinking_time.charge(tx, game, decided.seconds)
                if decided.as_quick:
                    await self._add_notice(tx, outcome.game, PostKind.SPENT, since=day_of(now))
            self._games.cache.store(_with_versions(outcome.game, decided.decisions), move.after)
        log_move(move, outcome, COMPUTER_USER_ID)
        _log_new_versions(game, decided.decisions)


def _with_versions(game: Game, decisions: Iterable[ComputerDecision]) -> Game:
    """Return a game whose computers have the versions by which they decided last."""
    seats = list(game.seats)
    for decision in decisions:
        computer = seats[decision.seat]
        if isinstance(computer, Computer):
            seats[decision.seat] = replace(computer, version=decision.version)
    return replace(game, seats=tuple(seats))


def _log_new_versions(game: Game, decisions: Iterable[ComputerDecision]) -> None:
    """Log each computer that has decided by another version than before, because this release does not have that."""
    for seat, version in {decision.seat: decision.version for decision in decisions}.items():
        computer = game.seats[seat]
        if isinstance(computer, Computer) and computer.version not in (0, version):
            fields = {"player": computer.name, "before": computer.version, "version": version}
            log.info("a computer goes on as another version", extra={**game_fields(game), **fields})


@dataclass
class _Decided:
    """The decisions of computers whose turns come one after the other."""

    as_quick: bool
    """True if they decide as *quick* because the time for thinking is used up."""
    actions: list[Action] = field(default_factory=list)
    decisions: list[ComputerDecision] = field(default_factory=list)
    seconds: float = 0.0
    """The time for which workers have thought."""

    def next_revision(self, game: Game) -> int:
        """Return the revision of the game after the next action."""
        return game.revision + len(self.actions) + 1

    def add(self, action: Action, answer: Answer, decision: ComputerDecision) -> None:
        """Add the next one."""
        self.actions.append(action)
        self.decisions.append(decision)
        self.seconds += answer.seconds
