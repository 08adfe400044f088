"""Make moves: check them under the game's lock, and store them with everything that follows from them.

A move is either *published* at once (appended to the game's log, with a message for the thread) or stays *pending* for
a short time, the window, in which its player can take it back. A pending move is stored apart from the log, and nobody
else sees it. It is published when its window ends, when its player says so, or before a player leaves the game.

Any press may arrive twice, and several processes may play the same game. So each move is stored with the id of its
Discord interaction, from which a repeated press is recognised. It is stored only if the game still has the *revision*,
the version number, at which the move was checked (compare-and-set). If another process has stored a move first, a
:class:`PlyConflictError` is raised; then the game is read again, and the move is checked and stored once more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta

from engine import Action, Resign, parse_action
from engine.actions import Seat
from host.clock import Clock
from host.clocks import pace_of
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.cache import PlayedGame
from host.games.move import (
    NO_WINDOW,
    ActionExtender,
    Decision,
    Move,
    NewPlan,
    apply_standing_orders,
    empty_move,
    log_move,
    remember_interaction,
)
from host.games.outbox import Outbox, storing
from host.games.reader import GameReader, GameSnapshot, copy_table, replay_span
from host.games.seating import give_seat, stand_in
from host.retry import retried, retry_until
from host.rights import check_going_on, check_turn, seat_in
from host.settings import HostSettings
from host.values import Consequence, Table
from store import moves, preferences, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.moves import PendingMove
from store.preferences import Preferences
from store.records import AnsweredInteraction, Computer, Game, Timer, TimerKind

log = logging.getLogger(__name__)


class Moves:
    """Makes moves, and stores plans.

    It checks a :class:`Decision` of a player as a :class:`Move`, has standing orders extend it, and writes it together
    with its clocks and its post for the :class:`Outbox`.
    """

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, outbox: Outbox, games: GameReader) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._outbox = outbox
        self._games = games
        self.patience = settings.patience
        self.on_published: Callable[[int, Consequence], None] | None = None
        """Called when this process has published a pending move, with the player who made it and its outcome."""

    async def act(
        self,
        ref: int | str,
        user_id: int,
        revision: int,
        actions: Sequence[Action],
        interaction_id: int,
        *,
        window: timedelta = NO_WINDOW,
        extend: ActionExtender | None = None,
    ) -> Consequence:
        """Make the move that a player decided on at this revision: all of the actions, or none.

        With a ``window`` the move stays pending for that long. ``extend``, which is called in a thread, adds actions
        that follow from the player's own without a question. A repeated interaction returns its first outcome. The
        errors below are checked in their order.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``,
                ``not_your_turn``, ``illegal``, ``waits``.
            ValueError: no actions.
        """
        if not actions:
            raise ValueError("no actions")
        decision = Decision(
            user_id=user_id,
            revision=revision,
            actions=actions,
            interaction_id=interaction_id,
            window=window,
            extend=extend,
        )
        return await self._perform(await self._games.id_of(ref), decision)

    async def table_to_move(
        self, snapshot: GameSnapshot, user_id: int, revision: int | None = None, actions: Sequence[Action] = ()
    ) -> Table:
        """Return the table at which a player has to decide; check that these actions would be allowed there.

        Nothing is changed. :meth:`act` would raise the same errors in the same order.

        Raises:
            HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``, ``not_your_turn``,
                ``illegal``, ``waits``.
        """
        check_going_on(snapshot.game, user_id)
        game, played = await self._games.played(snapshot)
        seat = check_turn(game, user_id, revision)
        if actions:
            Move.judge(game, played, seat, actions, self._clock.now())
        if snapshot.has_pending_move:
            raise HostError(ErrorCode.WAITS, code=game.code)
        return copy_table(game, played)

    async def resign(self, ref: int | str, user_id: int, interaction_id: int) -> Consequence:
        """Let a player resign, also out of turn; a pending move is published first.

        If the table has agreed to it, a computer takes their seat; else the seat stays empty.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        """
        return await self.withdraw(await self._games.get(ref), user_id, interaction_id)

    async def withdraw(self, game: Game, user_id: int, interaction_id: int, *, by: int | None = None) -> Consequence:
        """Withdraw a player from a game; ``by`` is the user who decided it, None for the player.

        No computer takes the seat of a player who did not decide it themselves: they could take it back.

        Raises:
            HostError: as for :meth:`resign`.
        """
        if game.seat_of(user_id) is None:  # perhaps since this very interaction, which Discord delivers again
            current, answered, _ = await self._games.current(game.id, interaction_id)
            if answered is not None:
                return await self._first_outcome(current, answered)
        resign = [Resign(Seat(seat_in(game, user_id)))]
        decision = Decision(user_id=user_id, revision=None, actions=resign, interaction_id=interaction_id, by=by)
        return await self._perform(game.id, decision)

    def stand_in_of(self, game: Game, user_id: int) -> Computer | None:
        """Return the computer that would take the seat of a player who resigns; None if the seat would stay empty."""
        return stand_in(game, seat_in(game, user_id), self._settings)

    def window_of(self, preferences: Preferences, game: Game) -> timedelta:
        """Return the time for which a player's moves stay pending; in live games and lessons there is none."""
        pace = pace_of(game.settings.pace)
        if (pace is not None and pace.live) or game.settings.lesson:
            return NO_WINDOW
        return preferences.publish_window_or(self._settings.publish_window)

    @retried
    async def plan(self, ref: int | str, user_id: int, plan: str, interaction_id: int) -> Consequence:
        """Store a player's plan for their next decision in a game, which nobody else sees; an empty one removes it.

        If the game waits for the player already, the plan is carried out at once; otherwise the outcome is without
        events.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``illegal``.
        """
        async with self._games.holding(ref) as game_id:
            while True:
                record = await self._store.read(self._games.find, game_id)
                move = empty_move(*await self._games.load_to_move(record), user_id, plan)
                with suppress(PlyConflictError):
                    return await self._commit(move, interaction_id, plan=NewPlan(user_id, plan))

    async def planned(self, game: Game, user_id: int) -> str:
        """Return a player's plan for a game; empty if there is none."""
        return await self._store.read(preferences.plan_of, game.id, user_id)

    async def publish(self, game: Game, pending: PendingMove, timer: Timer | None = None) -> Consequence:
        """Publish a pending move, and claim its timer if one is passed; call this under the game's lock.

        Raises:
            HostError: ``frozen``, ``unreadable``; ``illegal`` if the rules do not allow the move any more.
            PlyConflictError: another process has published it, or its player has taken it back.
        """
        game, played = await self._games.load_to_move(game)
        move = Move.judge(game, played, pending.seat, actions_of(pending), pending.at, by=pending.user_id)
        outcome = await self._commit(move, pending.interaction_id, pending=pending, timer=timer)
        if self.on_published is not None:
            self.on_published(pending.user_id, outcome)
        return outcome

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _perform(self, game_id: int, decision: Decision) -> Consequence:
        """Make one move, with retries while the database does not answer; see :mod:`host.retry`."""
        return await retry_until(lambda: self._perform_once(game_id, decision), self.patience)

    async def _perform_once(self, game_id: int, decision: Decision) -> Consequence:
        """Make one move under the game's lock; read the game again if another process was quicker.

        The move is first checked on the cached game, without reading the database: the compare-and-set shows whether
        the cache was current. A move that is refused there is checked again on the stored game, because the cache may
        be out of date.
        """
        async with self._games.locks.hold(game_id):
            cached = self._games.cache.find(game_id)
            if cached is not None:
                with suppress(HostError, PlyConflictError):
                    return await self._store_move(await self._judge(cached.game, cached.played, decision), decision)
            while True:
                with suppress(PlyConflictError):
                    return await self._perform_on_stored(game_id, decision)

    async def _perform_on_stored(self, game_id: int, decision: Decision) -> Consequence:
        """Make one move on the game as stored now."""
        game, answered, pending = await self._games.current(game_id, decision.interaction_id)
        repeated = await self._repeated_outcome(game, answered, pending, decision)
        if repeated is not None:
            return repeated
        try:
            move = await self._judge_stored(game, decision, has_pending=pending is not None)
        except HostError:
            # Another process may have received the same press, and have made this move by now: look again.
            game, answered, pending = await self._games.current(game_id, decision.interaction_id)
            repeated = await self._repeated_outcome(game, answered, pending, decision)
            if repeated is None:
                raise
            return repeated
        if pending is not None:
            await self.publish(game, pending)  # a confirmed move counts before a player leaves
            return await self._perform_on_stored(game_id, decision)
        return await self._store_move(move, decision)

    async def _repeated_outcome(
        self, game: Game, answered: AnsweredInteraction | None, pending: PendingMove | None, decision: Decision
    ) -> Consequence | None:
        """Return the first outcome of an interaction that was carried out before; None for a new interaction."""
        if answered is not None:
            return await self._first_outcome(game, answered)
        if pending is not None and pending.interaction_id == decision.interaction_id:
            return Consequence(game, game.ply, game.ply, (), repeated=True, waits=True)
        return None

    async def _judge_stored(self, game: Game, decision: Decision, *, has_pending: bool) -> Move:
        """Check a decision on the game as stored now; a player with a pending move may only leave the game."""
        check_going_on(game, decision.user_id)
        move = await self._judge(*await self._games.load_to_move(game), decision)
        if has_pending and not decision.leaves:
            raise HostError(ErrorCode.WAITS, code=game.code)
        return move

    async def _judge(self, game: Game, played: PlayedGame, decision: Decision) -> Move:
        """Check a decision, extended by automatic actions, and return the move that it makes."""
        seat = decision.seat_in(game)
        actions = await decision.extended_actions(played.position)
        return Move.judge(game, played, seat, actions, self._clock.now(), by=decision.by)

    async def _first_outcome(self, game: Game, answered: AnsweredInteraction) -> Consequence:
        """Return the outcome of an interaction that was carried out before, with its events unless it was undone."""
        game, played = await self._games.load(game)
        if answered.taken_back != game.taken_back:
            return Consequence(game, answered.before_ply, answered.ply, (), repeated=True)
        moment = await asyncio.to_thread(replay_span, game, played, answered.before_ply, answered.ply)
        return Consequence(game, answered.before_ply, answered.ply, moment.events, repeated=True, preset=moment.preset)

    async def _store_move(self, move: Move, decision: Decision) -> Consequence:
        """Store a move: pending if it has a window, else in the log; or hand the seat of who leaves to a computer."""
        leaves_by_choice = decision.leaves and decision.by is None
        if leaves_by_choice and (computer := self.stand_in_of(move.game, decision.user_id)) is not None:
            return await self._hand_over(move, computer, decision)
        if decision.window > NO_WINDOW and not decision.leaves:
            return await self._keep_pending(move, decision)
        return await self._commit(move, decision.interaction_id)

    async def _keep_pending(self, move: Move, decision: Decision) -> Consequence:
        """Store a move apart from the log, to be published when its window ends."""
        game, now = move.game, self._clock.now()
        pending = PendingMove(
            game_id=game.id,
            seat=move.seat,
            user_id=decision.user_id,
            stamp=game.stamp,
            actions=" ".join(map(str, move.actions)),
            at=now,
            interaction_id=decision.interaction_id,
            due_at=now + decision.window,
        )
        async with self._store.writing(game=game.id) as tx:
            await moves.add_pending(tx, pending)
            await timers.save(tx, Timer(game.id, TimerKind.PUBLISH, pending.due_at))
            await timekeeping.stop_for_pending(tx, game, move.seat, decision.interaction_id, now)
        log.info("move waits", extra={**pending_move_fields(game, pending), "interaction": decision.interaction_id})
        return Consequence(game, game.ply, game.ply, (), repeated=False, waits=True)

    async def _hand_over(self, move: Move, computer: Computer, decision: Decision) -> Consequence:
        """Give the seat of a player who leaves to a computer, in place of their resignation.

        Raises:
            PlyConflictError: the game has moved on, or a move is pending.
        """
        async with self._outbox.writing(game=move.game.id) as tx:
            now = self._clock.now()
            await remember_interaction(tx, move.game, decision.interaction_id, now)
            game, played = await give_seat(tx, move.game, move.before, move.seat, computer, now)
        self._games.cache.store(game, played)
        return Consequence(game, game.ply, game.ply, (), repeated=False)

    async def _commit(
        self,
        move: Move,
        interaction_id: int,
        *,
        plan: NewPlan | None = None,
        pending: PendingMove | None = None,
        timer: Timer | None = None,
    ) -> Consequence:
        """Append a move to the log in one transaction, with its interaction, its card and the standing orders after it.

        ``plan`` is stored along with the move, and ``pending`` is the stored move that is published by it.

        Raises:
            PlyConflictError: the game has moved on, or the pending move is gone.
        """
        async with storing(self._outbox, move.game.id) as stored:
            tx, now = stored.tx, self._clock.now()
            if pending is not None:
                await _claim_pending(tx, pending, timer)
            if plan is not None:
                await plan.store(tx, move.game, now)
            if plan is None or await moves.pending_of(tx, move.game.id) is None:
                move = await apply_standing_orders(tx, move, now)
            if not move.made:
                return Consequence(move.game, move.game.ply, move.game.ply, (), repeated=False)
            outcome = await move.write(tx, self._outbox, interaction_id, now)
            stored.begun = outcome.begun
            await timekeeping.advance(tx, move, interaction_id, now)
        self._games.cache.store(outcome.game, move.after)
        log_move(move, outcome, interaction_id)
        return outcome


async def _claim_pending(tx: Transaction, pending: PendingMove, timer: Timer | None) -> None:
    """Claim a pending move, so that this transaction alone publishes it.

    Raises:
        PlyConflictError: another process has published it, or its player has taken it back.
    """
    claimed = timer is None or await timers.claim(tx, timer)
    if not (claimed and await moves.claim_pending(tx, pending)):
        raise PlyConflictError(pending.game_id, pending.stamp.ply)
    if timer is None:
        await timers.stop(tx, pending.game_id, [TimerKind.PUBLISH])


def actions_of(pending: PendingMove) -> list[Action]:
    """Parse the actions of a pending move."""
    return [parse_action(token) for token in pending.actions.split()]


def pending_move_fields(game: Game, move: PendingMove) -> dict[str, object]:
    """Return the log fields of a pending move."""
    about = {"game": game.code, "ply": game.ply, "server": game.guild_id, "user": move.user_id}
    return {**about, "actions": move.actions}
