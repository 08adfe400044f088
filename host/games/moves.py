"""Make moves: judged under the game's lock, and stored at once or after a window in which they can be taken back.

A pending move is stored beside the log. Only its player's own panel shows it until it is published: when its window
ends, when the player says so, or before a player leaves the game.
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
from host.games.cache import Played
from host.games.move import (
    NO_WINDOW,
    ActionExtender,
    Decision,
    Move,
    NewPlan,
    apply_standing_orders,
    empty_move,
    log_move,
)
from host.games.outbox import Outbox, storing
from host.games.reader import GameReader, GameSnapshot, copy_table, replay_span
from host.retry import retried, retry_until
from host.rights import check_going_on, check_turn, seat_in
from host.settings import HostSettings
from host.values import Consequence, Table
from store import moves, preferences, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.moves import PendingMove
from store.preferences import Preferences
from store.records import AnsweredInteraction, Game, Timer, TimerKind

log = logging.getLogger(__name__)


class Moves:
    """Makes moves, and stores them with all that follows."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, outbox: Outbox, games: GameReader) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._outbox = outbox
        self._games = games
        self.patience = settings.patience
        self.on_published: Callable[[int, Consequence], None] | None = None
        """Called with the player of a pending move and its outcome, whoever has published it."""

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
        """Carry out what a player decided at this revision: all of the actions, or none.

        With a ``window`` the move waits that long to be published; ``extend``, which is called in a thread, adds what
        the player does with it unasked. Checked in this order: repeated interaction (answered with its first outcome),
        player of the game, game over, frozen, resigned, stale, turn, legality, and a pending move of the player.

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
        """Return the table at which a player has to decide, if they may do these actions there.

        Nothing is done yet; what :meth:`act` would refuse is refused, in the same order.

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
        """Let a player resign, in any player's turn; a pending move is published first.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        """
        return await self.withdraw(await self._games.get(ref), user_id, interaction_id)

    async def withdraw(self, game: Game, user_id: int, interaction_id: int, *, by: int | None = None) -> Consequence:
        """Take a player out of a game; ``by`` is who decided it, if not the player.

        Raises:
            HostError: as for :meth:`resign`.
        """
        resign = [Resign(Seat(seat_in(game, user_id)))]
        decision = Decision(user_id=user_id, revision=None, actions=resign, interaction_id=interaction_id, by=by)
        return await self._perform(game.id, decision)

    def window_of(self, preferences: Preferences, game: Game) -> timedelta:
        """Return how long a player's moves wait to be published; in a live game they never wait."""
        pace = pace_of(game.settings.pace)
        if pace is not None and pace.live:
            return NO_WINDOW
        return preferences.publish_window_or(self._settings.publish_window)

    @retried
    async def plan(self, ref: int | str, user_id: int, plan: str, interaction_id: int) -> Consequence:
        """Keep a player's sealed plan for a game, in place of the one before; an empty one removes it.

        If the game waits for the player, the plan is carried out at once; else the outcome has no actions.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``illegal``.
        """
        game_id = await self._games.id_of(ref)
        async with self._games.locks.hold(game_id):
            while True:
                async with self._store.reading() as tx:
                    record = await self._games.find(tx, game_id)
                move = empty_move(*await self._games.load_to_move(record), user_id, plan)
                with suppress(PlyConflictError):
                    return await self._commit(move, interaction_id, plan=NewPlan(user_id, plan))

    async def planned(self, game: Game, user_id: int) -> str:
        """Return a player's sealed plan for a game; empty if there is none."""
        async with self._store.reading() as tx:
            return await preferences.plan_of(tx, game.id, user_id)

    async def publish(self, game: Game, waiting: PendingMove, timer: Timer | None = None) -> Consequence:
        """Publish a pending move; call this under the game's lock.

        Raises:
            HostError: ``frozen``, ``unreadable``, ``illegal``: the rules do not allow it any more.
            PlyConflictError: it was published elsewhere, or taken back.
        """
        game, played = await self._games.load_to_move(game)
        move = Move.judge(game, played, waiting.seat, actions_of(waiting), waiting.at, by=waiting.user_id)
        outcome = await self._commit(move, waiting.interaction_id, waiting=waiting, timer=timer)
        if self.on_published is not None:
            self.on_published(waiting.user_id, outcome)
        return outcome

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _perform(self, game_id: int, decision: Decision) -> Consequence:
        """Make one move, with retries; a move that was stored although its answer was lost is recognised."""
        return await retry_until(lambda: self._perform_once(game_id, decision), self.patience)

    async def _perform_once(self, game_id: int, decision: Decision) -> Consequence:
        """Make one move under the game's lock; read the game afresh if another process was quicker.

        The cached game is judged without asking the database: the compare-and-set tells whether it was current. A
        refusal is never based on the cache alone.
        """
        async with self._games.locks.hold(game_id):
            cached = self._games.cache.find(game_id)
            if cached is not None:
                with suppress(HostError, PlyConflictError):
                    return await self._store_move(await self._judged(cached.game, cached.played, decision), decision)
            while True:
                with suppress(PlyConflictError):
                    return await self._perform_afresh(game_id, decision)

    async def _perform_afresh(self, game_id: int, decision: Decision) -> Consequence:
        game, done, move = await self._games.current(game_id, decision.interaction_id)
        repeated = await self._repeated(game, done, move, decision)
        if repeated is not None:
            return repeated
        try:
            judged = await self._judged_afresh(game, decision, waits=move is not None)
        except HostError:
            game, done, move = await self._games.current(game_id, decision.interaction_id)
            repeated = await self._repeated(game, done, move, decision)
            if repeated is None:
                raise
            return repeated  # another process was quicker with this very press
        if move is not None:
            await self.publish(game, move)  # what was confirmed comes before a player leaves
            return await self._perform_afresh(game_id, decision)
        return await self._store_move(judged, decision)

    async def _repeated(
        self, game: Game, done: AnsweredInteraction | None, move: PendingMove | None, decision: Decision
    ) -> Consequence | None:
        """Return the first outcome of an interaction that was carried out before."""
        if done is not None:
            return await self._answer_again(game, done)
        if move is not None and move.interaction_id == decision.interaction_id:
            return Consequence(game, game.ply, game.ply, (), repeated=True, waits=True)
        return None

    async def _judged_afresh(self, game: Game, decision: Decision, *, waits: bool) -> Move:
        check_going_on(game, decision.user_id)
        judged = await self._judged(*await self._games.load_to_move(game), decision)
        if waits and not decision.leaves:
            raise HostError(ErrorCode.WAITS, code=game.code)
        return judged

    async def _judged(self, game: Game, played: Played, decision: Decision) -> Move:
        seat = decision.seat_in(game)
        actions = await decision.extended_actions(played.position)
        return Move.judge(game, played, seat, actions, self._clock.now(), by=decision.by)

    async def _answer_again(self, game: Game, done: AnsweredInteraction) -> Consequence:
        game, played = await self._games.load(game)
        if done.taken_back != game.taken_back:
            return Consequence(game, done.before_ply, done.ply, (), repeated=True)  # what it did may be undone
        moment = await asyncio.to_thread(replay_span, game, played, done.before_ply, done.ply)
        return Consequence(game, done.before_ply, done.ply, moment.events, repeated=True, preset=moment.preset)

    async def _store_move(self, move: Move, decision: Decision) -> Consequence:
        if decision.window > NO_WINDOW and not decision.leaves:
            return await self._keep_pending(move, decision)
        return await self._commit(move, decision.interaction_id)

    async def _keep_pending(self, move: Move, decision: Decision) -> Consequence:
        """Store a move beside the log, to be published when its window ends."""
        game, now = move.game, self._clock.now()
        waiting = PendingMove(
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
            await moves.add_pending(tx, waiting)
            await timers.put(tx, Timer(game.id, TimerKind.PUBLISH, waiting.due_at))
            await timekeeping.stop_for_pending(tx, game, move.seat, decision.interaction_id, now)
        log.info("move waits", extra={**about_pending(game, waiting), "interaction": decision.interaction_id})
        return Consequence(game, game.ply, game.ply, (), repeated=False, waits=True)

    async def _commit(
        self,
        move: Move,
        interaction_id: int,
        *,
        plan: NewPlan | None = None,
        waiting: PendingMove | None = None,
        timer: Timer | None = None,
    ) -> Consequence:
        """Append a move, its interaction and its card in one transaction, with the standing orders that follow it.

        Raises:
            PlyConflictError: the game has moved on, or the pending move is gone.
        """
        async with storing(self._outbox, move.game.id) as stored:
            tx, now = stored.tx, self._clock.now()
            if waiting is not None:
                await _take(tx, waiting, timer)
            if plan is not None:
                await plan.keep(tx, move.game, now)
            if plan is None or await moves.pending_of(tx, move.game.id) is None:
                move = await apply_standing_orders(tx, move, now)
            if not move.made:
                return Consequence(move.game, move.game.ply, move.game.ply, (), repeated=False)
            outcome = await move.write(tx, self._outbox, interaction_id, now)
            stored.begun = outcome.begun
            await timekeeping.advance(tx, move, interaction_id, now)
        self._games.cache.keep(outcome.game, move.after)
        log_move(move, outcome, interaction_id)
        return outcome


async def _take(tx: Transaction, waiting: PendingMove, timer: Timer | None) -> None:
    """Claim a pending move, so that this transaction alone publishes it.

    Raises:
        PlyConflictError: it was published elsewhere, or taken back.
    """
    claimed = timer is None or await timers.claim(tx, timer)
    if not (claimed and await moves.claim_pending(tx, waiting)):
        raise PlyConflictError(waiting.game_id, waiting.stamp.ply)
    if timer is None:
        await timers.stop(tx, waiting.game_id, [TimerKind.PUBLISH])


def actions_of(waiting: PendingMove) -> list[Action]:
    """Parse the actions of a pending move."""
    return [parse_action(token) for token in waiting.actions.split()]


def about_pending(game: Game, move: PendingMove) -> dict[str, object]:
    """Return the log fields of a pending move."""
    about = {"game": game.code, "ply": game.ply, "server": game.guild_id, "user": move.user_id}
    return {**about, "actions": move.actions}
