"""Making moves: judged under the table's lock, and stored at once or after a window in which they can be taken back.

A move that waits lies beside the log. Nothing that anybody looks at knows of it but the panel of who made it, until it
is published: when its time has come, when he says so, or before somebody leaves the game.
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
from host.errors import ErrorCode, HostError
from host.patience import patiently
from host.play.hooks import EventOf, Timekeeping, no_event
from host.play.looks import Look, Looks, table_at
from host.play.memory import Played
from host.play.moves import AT_ONCE, Decision, Following, Move, log_move
from host.play.orders import Planned, obeying
from host.play.outbox import Outbox
from host.play.storing import storing
from host.play.tables import Tables, between
from host.rights import check_going_on, check_turn, seat_in
from host.settings import HostSettings
from host.time.paces import pace_of
from host.trouble import Trouble
from host.values import Consequence, Table
from store import (
    AnsweredInteraction,
    Game,
    PendingMove,
    PlyConflictError,
    Preferences,
    Store,
    Timer,
    TimerKind,
    Transaction,
    interactions,
    moves,
    timers,
)

log = logging.getLogger(__name__)


class Playing(Looks):
    """Moves at the tables."""

    def __init__(
        self, store: Store, trouble: Trouble, tables: Tables, clock: Clock, messages: Outbox, settings: HostSettings
    ) -> None:
        super().__init__(store, trouble, tables, clock)
        self._settings = settings
        self.outbox = messages
        self.timekeeping = Timekeeping()
        self.when_published: Callable[[int, Consequence], None] | None = None
        """Told who has made a move that waited, and what it led to, whoever has published it."""
        self.event_of: EventOf = no_event

    async def act(
        self,
        ref: int | str,
        user_id: int,
        revision: int,
        actions: Sequence[Action],
        interaction_id: int,
        *,
        window: timedelta = AT_ONCE,
        followed: Following | None = None,
    ) -> Consequence:
        """Carry out what a player decided at this revision: all of the actions, or none.

        With a ``window`` the move waits so long to be published; ``followed``, which is called in a thread, says what
        he does with it. Checked in this order: repeated interaction (answered with its first outcome), player of the
        game, game over, frozen, resigned, stale, turn, legality, and whether a move of the player waits already.

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
            followed=followed,
        )
        return await self._perform(await self._id_of(ref), decision)

    async def to_move(
        self, look: Look, user_id: int, revision: int | None = None, actions: Sequence[Action] = ()
    ) -> Table:
        """The table at which somebody has to decide something, as it was found; where he may do these actions.

        Nothing is done yet, but refused is what :meth:`act` would refuse, in the same order.

        Raises:
            HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``, ``not_your_turn``,
                ``illegal``, ``waits``.
        """
        check_going_on(look.game, user_id)
        game, played = await self._followed(look)
        seat = check_turn(game, user_id, revision)
        if actions:
            Move.judge(game, played, seat, actions, self._clock.now())
        if look.waits:
            raise HostError(ErrorCode.WAITS, code=game.code)
        return table_at(game, played)

    async def resign(self, ref: int | str, user_id: int, interaction_id: int) -> Consequence:
        """Leave a game for good, whoever's turn it is; a move that waits is published before.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        """
        game = await self.game(ref)
        return await self._leave(game, user_id, interaction_id)

    async def follow_over(self, game: Game) -> tuple[Game, Played]:
        """A game and its table as they stand now, for whoever takes its result.

        Raises:
            HostError: ``frozen``, ``unreadable``.
        """
        return await self._tables.follow(game)

    def window_of(self, preferences: Preferences, game: Game) -> timedelta:
        """How long the moves of who plays so wait to be published; not at all where all sit at the table."""
        pace = pace_of(game.settings.pace)
        if pace is not None and pace.live:
            return AT_ONCE
        return preferences.window_or(self._settings.publish_window)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _leave(self, game: Game, user_id: int, interaction_id: int, *, by: int | None = None) -> Consequence:
        resign = [Resign(Seat(seat_in(game, user_id)))]
        decision = Decision(user_id=user_id, revision=None, actions=resign, interaction_id=interaction_id, by=by)
        return await self._perform(game.id, decision)

    async def _id_of(self, ref: int | str) -> int:
        known = ref if isinstance(ref, int) else self._tables.memory.id_of(ref)
        return (await self.game(ref)).id if known is None else known

    async def _perform(self, game_id: int, decision: Decision) -> Consequence:
        """One move, tried again as long as who decided waits for it: what was stored all the same is found then."""
        return await patiently(lambda: self._perform_once(game_id, decision), self._settings.patience)

    async def _perform_once(self, game_id: int, decision: Decision) -> Consequence:
        """One move under the table's lock; looked at afresh when another process was quicker.

        What is in memory is judged without looking: whether it is right the write finds out. Nobody is refused for it.
        """
        async with self._locks.hold(game_id):
            seen = self._tables.memory.find(game_id)
            if seen is not None:
                with suppress(HostError, PlyConflictError):
                    return await self._store_move(await self._judged(seen.game, seen.played, decision), decision)
            while True:
                with suppress(PlyConflictError):
                    return await self._perform_afresh(game_id, decision)

    async def _perform_afresh(self, game_id: int, decision: Decision) -> Consequence:
        game, done, move = await self._recall(game_id, decision.interaction_id)
        repeated = await self._repeated(game, done, move, decision)
        if repeated is not None:
            return repeated
        try:
            judged = await self._judged_afresh(game, decision, waits=move is not None)
        except HostError:
            game, done, move = await self._recall(game_id, decision.interaction_id)
            repeated = await self._repeated(game, done, move, decision)
            if repeated is None:
                raise
            return repeated  # another process was quicker with this very press
        if move is not None:
            await self._publish(game, move)  # what was confirmed comes before who leaves
            return await self._perform_afresh(game_id, decision)
        return await self._store_move(judged, decision)

    async def _repeated(
        self, game: Game, done: AnsweredInteraction | None, move: PendingMove | None, decision: Decision
    ) -> Consequence | None:
        """The answer to an interaction that was carried out before."""
        if done is not None:
            return await self._answer_again(game, done)
        if move is not None and move.interaction_id == decision.interaction_id:
            return Consequence(game, game.ply, game.ply, (), repeated=True, waits=True)
        return None

    async def _judged_afresh(self, game: Game, decision: Decision, *, waits: bool) -> Move:
        check_going_on(game, decision.user_id)
        judged = await self._judged(*await self._tables.follow_to_move(game), decision)
        if waits and not decision.leaves:
            raise HostError(ErrorCode.WAITS, code=game.code)
        return judged

    async def _judged(self, game: Game, played: Played, decision: Decision) -> Move:
        seat = decision.seat_in(game)
        actions = await decision.whole(played.position)
        return Move.judge(game, played, seat, actions, self._clock.now(), by=decision.by)

    async def _recall(
        self, game_id: int, interaction_id: int = 0
    ) -> tuple[Game, AnsweredInteraction | None, PendingMove | None]:
        """A game, what an interaction has done in it, and the move that waits there."""
        seen = self._tables.memory.find(game_id)
        async with self._store.reading() as tx:
            game = await self._find(tx, game_id)
            done = await interactions.get(tx, interaction_id) if interaction_id else None
            move = await moves.pending_of(tx, game_id)
        if await self._tables.went_back(seen, game.stamp):
            return await self._recall(game_id, interaction_id)
        if move is not None and move.stamp != game.stamp:
            move = None  # a version that knows nothing of waiting moves has gone on; nobody asks for it any more
        return game, done if done is not None and done.game_id == game_id else None, move

    async def _answer_again(self, game: Game, done: AnsweredInteraction) -> Consequence:
        game, played = await self._tables.follow(game)
        if done.taken_back != game.taken_back:
            return Consequence(game, done.before_ply, done.ply, (), repeated=True)  # what it did may be undone
        moment = await asyncio.to_thread(between, game, played, done.before_ply, done.ply)
        return Consequence(game, done.before_ply, done.ply, moment.events, repeated=True, preset=moment.preset)

    async def _store_move(self, move: Move, decision: Decision) -> Consequence:
        if decision.window > AT_ONCE and not decision.leaves:
            return await self._keep(move, decision)
        return await self._commit(move, decision.interaction_id)

    async def _keep(self, move: Move, decision: Decision) -> Consequence:
        """Let a move wait beside the log."""
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
            await self.timekeeping.decided(tx, game, move.seat, decision.interaction_id, now)
        log.info("move waits", extra={**about_waiting(game, waiting), "interaction": decision.interaction_id})
        return Consequence(game, game.ply, game.ply, (), repeated=False, waits=True)

    async def _publish(self, game: Game, waiting: PendingMove, timer: Timer | None = None) -> Consequence:
        """Let a move that waits happen.

        Raises:
            PlyConflictError: somebody else has, or it was taken back.
        """
        game, played = await self._tables.follow_to_move(game)
        move = Move.judge(game, played, waiting.seat, actions_of(waiting), waiting.at, by=waiting.user_id)
        outcome = await self._commit(move, waiting.interaction_id, waiting=waiting, timer=timer)
        if self.when_published is not None:
            self.when_published(waiting.user_id, outcome)
        return outcome

    async def _commit(
        self,
        move: Move,
        interaction_id: int,
        *,
        planned: Planned | None = None,
        waiting: PendingMove | None = None,
        timer: Timer | None = None,
    ) -> Consequence:
        async with storing(self.outbox, move.game.id) as stored:
            tx, now = stored.tx, self._clock.now()
            if waiting is not None:
                await _take(tx, waiting, timer)
            if planned is not None:
                await planned.keep(tx, move.game, now)
            if planned is None or await moves.pending_of(tx, move.game.id) is None:
                move = await obeying(tx, move, now)
            if not move.made:
                return Consequence(move.game, move.game.ply, move.game.ply, (), repeated=False)
            outcome = await move.write(tx, self.outbox, interaction_id, now)
            stored.begun = outcome.begun
            await self.timekeeping.published(tx, move, interaction_id, now)
        self._tables.memory.keep(outcome.game, move.after)
        log_move(move, outcome, interaction_id)
        return outcome


async def _take(tx: Transaction, waiting: PendingMove, timer: Timer | None) -> None:
    """Begin to publish a move, in this transaction alone.

    Raises:
        PlyConflictError: somebody else has, or it was taken back.
    """
    claimed = timer is None or await timers.claim(tx, timer)
    if not (claimed and await moves.take_pending(tx, waiting)):
        raise PlyConflictError(waiting.game_id, waiting.stamp.ply)
    if timer is None:
        await timers.stop(tx, waiting.game_id, [TimerKind.PUBLISH])


def actions_of(waiting: PendingMove) -> list[Action]:
    """What was decided."""
    return [parse_action(token) for token in waiting.actions.split()]


def about_waiting(game: Game, move: PendingMove) -> dict[str, object]:
    """What the log says of it."""
    about = {"game": game.code, "ply": game.ply, "server": game.guild_id, "user": move.user_id}
    return {**about, "actions": move.actions}
