"""One move of a game: check it, extend it by standing orders, and store it.

A player sends a :class:`Decision`. :meth:`Move.judge` has the engine apply its actions to a copy of the position, and
:meth:`Move.write` stores the result in one transaction: the actions, the interaction, and the *card*, the message that
shows the move.

*Standing orders* are decisions that a player has made beforehand: preferences for all games, or a *plan* for the next
decision of one game. If the player who decides next has such an order, it is applied in the same transaction
(:func:`apply_standing_orders`). In the log it is an action like any other, marked as *preset*. The *revision* of a game
is the number of its actions, undone ones included.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from engine import (
    GAMES,
    Action,
    Adjudicate,
    EngineError,
    IllegalActionError,
    Position,
    Resign,
    Skip,
    may_be_ordered,
    ordered_action,
    state_digest,
)
from engine.actions import seats
from engine.events import Event
from host import punctuality
from host.errors import ErrorCode, HostError
from host.games.cache import LastMove, PlayedGame
from host.games.outbox import Outbox, begun_post, move_post
from host.naming import unique_names
from host.rights import check_playing, check_revision, check_turn
from host.values import Consequence, LoggedAction
from store import columns_of, events, game_headers, games, ladder, lobbies, moves, outbox, preferences, timers
from store.connection.database import Transaction
from store.errors import PlyConflictError
from store.preferences import in_game
from store.records import (
    ActionRecord,
    Advance,
    AnsweredInteraction,
    Game,
    GameStatus,
    Person,
    PostKind,
    Timer,
    TimerKind,
)

log = logging.getLogger(__name__)

TIMEOUT_USER_ID: Final = 0
"""The user id in the log of actions that no user made, such as those of a player whose time has run out."""
DEPARTED_USER_ID: Final = -1
"""The user id in the log of actions made because a player has left the server."""
COMPUTER_USER_ID: Final = -2
"""The user id in the log of actions that a computer decided."""


NO_WINDOW: Final = timedelta(0)
"""The window of a move that is published immediately and cannot be taken back."""
ActionExtender: TypeAlias = Callable[[Position, Sequence[Action]], Sequence[Action]]
"""Returns a player's actions extended by automatic ones; raises IllegalActionError if they are not legal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The actions that a player has decided on, before they are checked."""

    user_id: int
    revision: int | None
    """The revision of the game that the player saw; None to accept any."""
    actions: Sequence[Action]
    interaction_id: int
    by: int | None = None
    """The user who has decided for the player; None for the player."""
    window: timedelta = NO_WINDOW
    """The time for which the move can be taken back before it is published."""
    extend: ActionExtender | None = None

    @property
    def leaves(self) -> bool:
        """True if the player leaves the game, which is allowed at any time."""
        return any(isinstance(action, Resign) for action in self.actions)

    def seat_in(self, game: Game) -> int:
        """Return the seat of the player; check that they may decide this now.

        Raises:
            HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``, ``not_your_turn``.
        """
        if not self.leaves:
            return check_turn(game, self.user_id, self.revision)
        seat = check_playing(game, self.user_id)
        check_revision(game, self.revision)
        return seat

    async def extended_actions(self, position: Position) -> Sequence[Action]:
        """Return the actions extended by automatic ones; unchanged if they are not legal."""
        if self.extend is None:
            return self.actions
        try:
            return await asyncio.to_thread(self.extend, position.copy(), self.actions)
        except IllegalActionError:
            return self.actions  # judging them raises the error for the player


@dataclass(frozen=True, slots=True)
class Move:
    """Legal actions of one player, with the game before and after them; the standing orders that follow included."""

    game: Game
    before: PlayedGame
    after: PlayedGame
    seat: int

    @classmethod
    def judge(
        cls,
        game: Game,
        played: PlayedGame,
        seat: int,
        actions: Sequence[Action],
        now: datetime,
        *,
        by: int | None = None,
    ) -> Move:
        """Apply actions to a copy of the position, and return them as a move.

        ``by`` is the user who has decided; None for the player of the seat. When the last person leaves, the game ends
        with the same move, since computers do not play on among themselves.

        Raises:
            HostError: ``not_your_turn`` if the first action is another player's to decide; ``illegal`` if a later one
                is, or if the rules do not allow one.
        """
        if by != TIMEOUT_USER_ID and any(isinstance(action, Skip | Adjudicate) for action in actions):
            raise HostError(ErrorCode.ILLEGAL, reason="nobody decides this", action=str(actions[0]))
        position, events = _applied(game, played.position, seat, actions)
        user_id = _user_of(game, seat) if by is None else by
        entries = [LoggedAction(ply, seat, user_id, action, now) for ply, action in enumerate(actions, game.ply)]
        if position.step is not None and not _has_people(game, position):
            entries.append(LoggedAction(position.ply, position.player, TIMEOUT_USER_ID, Adjudicate(None), now))
            events += position.apply(Adjudicate(None))
        return cls(game, played, played.moved(position, entries, LastMove(played.position, events)), seat)

    @classmethod
    def of_computers(cls, game: Game, played: PlayedGame, actions: Sequence[Action], now: datetime) -> Move:
        """Apply the decisions of computers to a copy of the position, one after the other, and return them as a move.

        Raises:
            IllegalActionError: the rules do not allow one.
        """
        position = played.position.copy()
        entries, events = list[LoggedAction](), list[Event]()
        for action in actions:
            entries.append(LoggedAction(position.ply, position.player, COMPUTER_USER_ID, action, now))
            events += position.apply(action)
        last = LastMove(played.position, tuple(events))
        return cls(game, played, played.moved(position, entries, last), played.position.player)

    async def write(
        self, tx: Transaction, game_outbox: Outbox, interaction_id: int | None, now: datetime
    ) -> Consequence:
        """Store the move, its interaction (None if no user made it) and its card.

        Raises:
            PlyConflictError: the game has moved on since it was read.
        """
        game, before, after = self.game, self.before.position, self.after.position
        step = self._advance()
        await games.advance(tx, game.id, game.stamp, step, now)
        if interaction_id is not None:
            answered = AnsweredInteraction(
                id=interaction_id, game_id=game.id, before_ply=before.ply, ply=after.ply, taken_back=game.taken_back
            )
            await moves.add_interaction(tx, answered, now)
        for seat in self._leaving():
            await games.withdraw(tx, game.id, seat)
        await punctuality.count(tx, game, finished=self._finishing(), timeouts=self._timed_out(), left=self._leaving())
        kind = PostKind.FINAL if step.status is GameStatus.FINISHED else PostKind.CARD
        card = move_post(game, before.ply, after.ply, kind)
        lease, refused = await game_outbox.add_card(tx, card)
        if step.status is GameStatus.FINISHED:
            await schedule_follow_up(tx, game, now)
        reached = columns_of(step, "actions")
        moved = replace(game, ply=after.ply, updated_at=now, withdrawn=tuple(after.withdrawn), **reached)
        begun = None if lease is None else begun_post(lease, moved, card)
        return Consequence(
            moved,
            before.ply,
            after.ply,
            self.events,
            repeated=False,
            silenced=refused > 0,
            begun=begun,
            preset=() if self.after.last is None else self.after.last.preset,
        )

    @property
    def made(self) -> bool:
        """True if the move has any actions; one that only applies standing orders may have none."""
        return self.after.position.ply > self.before.position.ply

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the move."""
        return tuple(entry.action for entry in self.after.log[self.before.position.ply :])

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the move."""
        return () if self.after.last is None else self.after.last.events

    def _leaving(self) -> list[int]:
        """Return the seats of the players who leave the game with this move."""
        pairs = zip(self.before.position.withdrawn, self.after.position.withdrawn, strict=True)
        return [seat for seat, (before, after) in enumerate(pairs) if after and not before]

    def _finishing(self) -> list[int]:
        """Return the seats of the players who finish the game with this move."""
        after = self.after.position
        return [] if after.step is not None else [seat for seat, left in enumerate(after.withdrawn) if not left]

    def _timed_out(self) -> list[int]:
        """Return the seats of the players whose time ran out, in a move that no user has made."""
        entries = self.after.log[self.before.position.ply :]
        made_by_nobody = [entry for entry in entries if entry.user_id == TIMEOUT_USER_ID]
        return sorted({entry.seat for entry in made_by_nobody if not isinstance(entry.action, Adjudicate)})

    def _advance(self) -> Advance:
        """Return the actions of the move and the game's new columns, as they are stored."""
        position = self.after.position
        over = position.step is None
        entries = self.after.log[self.before.position.ply :]
        return Advance(
            actions=tuple(
                ActionRecord(entry.ply, entry.seat, entry.user_id, str(entry.action), entry.at, entry.preset)
                for entry in entries
            ),
            digest=state_digest(position),
            seat_to_act=None if over else position.player,
            status=GameStatus.FINISHED if over else GameStatus.RUNNING,
        )


def _has_people(game: Game, position: Position) -> bool:
    """Return whether a person still plays in a position."""
    seated = zip(game.seats, position.withdrawn, strict=True)
    return any(isinstance(player, Person) and not has_withdrawn for player, has_withdrawn in seated)


def _user_of(game: Game, seat: int) -> int:
    """Return the user id under which the decisions of a seat are logged."""
    user_id = game.seats[seat].user_id
    return COMPUTER_USER_ID if user_id is None else user_id


def _applied(
    game: Game, position: Position, seat: int, actions: Sequence[Action]
) -> tuple[Position, tuple[Event, ...]]:
    """Apply actions of a seat to a copy of a position; return the copy and the events."""
    after = position.copy()
    events: list[Event] = []
    for action in actions:
        decider = action.player if isinstance(action, Resign) else after.player  # players resign at any time
        if decider != seat:
            raise _refusal(game, after, action, first=after.ply == position.ply)
        try:
            events += after.apply(action)
        except IllegalActionError as error:
            raise HostError(ErrorCode.ILLEGAL, reason=str(error), action=str(action)) from error
    return after, tuple(events)


def _refusal(game: Game, position: Position, action: Action, *, first: bool) -> HostError:
    """Return the error for an action that is another player's to decide."""
    if first and position.step is not None and not isinstance(action, Resign):
        return HostError(ErrorCode.NOT_YOUR_TURN, player=unique_names(game.seats)[position.player])
    return HostError(ErrorCode.ILLEGAL, reason="not decided by this player", action=str(action))


def log_move(move: Move, outcome: Consequence, interaction_id: int) -> None:
    """Log a move, and the end of the game if it is over."""
    game, user_id = outcome.game, move.after.log[outcome.before_ply].user_id
    fields = {"game": game.code, "ply": outcome.ply, "server": game.guild_id, "interaction": interaction_id}
    resigned = any(isinstance(action, Resign) for action in move.actions)
    actions = " ".join(map(str, move.actions))
    log.info("player resigned" if resigned else "move made", extra={**fields, "user": user_id, "actions": actions})
    if game.status is GameStatus.FINISHED:
        log.info("game over", extra={**fields, "scores": list(move.after.position.scores)})


PLAN_ORDER: Final = "plan"
"""The key of a player's plan among the standing orders that are passed to the engine."""


def empty_move(game: Game, played: PlayedGame, user_id: int, plan: str) -> Move:
    """Return a move without actions, to which the standing orders are applied when a player has made a new plan.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``; ``illegal`` if they cannot plan this.
    """
    check_playing(game, user_id)
    position = played.position
    seat = next(s for s, person in zip(seats(position.players), game.seats, strict=True) if person.user_id == user_id)
    try:
        if plan:
            GAMES[position.setup.game].check_plan(position, seat, plan)
    except EngineError as error:
        raise HostError(ErrorCode.ILLEGAL, reason=str(error), action=plan) from error
    return Move(game, played, replace(played, last=LastMove(position, ())), seat)


@dataclass(frozen=True, slots=True)
class NewPlan:
    """A player's new plan for a game, to be stored in the transaction that may carry it out."""

    user_id: int
    plan: str

    async def store(self, tx: Transaction, game: Game, now: datetime) -> None:
        """Store the plan, in place of the one before.

        Raises:
            PlyConflictError: the game has moved on since it was read, and its newest move did not consider the plan.
        """
        await preferences.save_plan(tx, game.id, self.user_id, self.plan, now)
        header = await game_headers.get(tx, game.id, self.user_id)
        if header is None or header.stamp != game.stamp:
            raise PlyConflictError(game.id, game.ply)


async def apply_standing_orders(tx: Transaction, move: Move, now: datetime) -> Move:
    """Extend a move by standing orders, up to the first decision for which there is none.

    The orders are only read from the database if the engine says that one may apply.
    """
    if not may_be_ordered(move.after.position, move.before.position):
        return move
    orders_by_user = await preferences.standing_orders(tx, move.game.id)
    seats = enumerate(move.game.seats)
    orders_by_seat = {
        seat: orders_by_user[person.user_id]
        for seat, person in seats
        if isinstance(person, Person) and person.user_id in orders_by_user
    }
    return with_orders(
        move,
        {
            seat: {**in_game(order.choices, move.game.code), PLAN_ORDER: order.plan}
            for seat, order in orders_by_seat.items()
        },
        now,
    )


def with_orders(move: Move, orders: Mapping[int, Mapping[str, str]], now: datetime) -> Move:
    """Extend a move by these standing orders: by seat, then by name."""
    after, last = move.after.position.copy(), move.after.last
    entries: list[LoggedAction] = []
    events, preset = list(move.events), list(last.preset if last else ())
    while may_be_ordered(after, move.before.position):
        seat = after.player
        action = ordered_action(after, orders.get(seat, {}))
        if action is None:
            break
        entries.append(LoggedAction(after.ply, seat, _user_of(move.game, seat), action, now, preset=True))
        start = len(events)
        events += after.apply(action)
        preset.append(range(start, len(events)))
    if not entries:
        return move
    last_move = LastMove(move.before.position, tuple(events), tuple(preset))
    return replace(move, after=move.after.moved(after, entries, last_move))


async def remember_interaction(tx: Transaction, game: Game, interaction_id: int, now: datetime) -> None:
    """Record that an interaction was carried out without a move, so that it does nothing when it is repeated."""
    answered = AnsweredInteraction(
        id=interaction_id, game_id=game.id, before_ply=game.ply, ply=game.ply, taken_back=game.taken_back
    )
    await moves.add_interaction(tx, answered, now)


ARCHIVE_DELAY: Final = timedelta(days=3)
"""The time for which the thread of a finished game stays open."""


async def schedule_follow_up(tx: Transaction, game: Game, now: datetime) -> None:
    """Set the timers of a finished game: one shows its result, and one archives its thread.

    A thread is archived only if it belongs to this game alone, or to lessons of one person. The thread of an ordinary
    game was opened under the message of its lobby or event table, and has the id of that message.
    """
    if await events.table_of_game(tx, game.id) is not None or await ladder.game_by_id(tx, game.id) is not None:
        await timers.save(tx, Timer(game.id, TimerKind.EVENT, now))
        if game.thread_id is not None and game.thread_id == await outbox.notice_message(tx, game.id, PostKind.OPENING):
            await timers.save(tx, Timer(game.id, TimerKind.PUT_AWAY, now + ARCHIVE_DELAY))
    if game.settings.lesson and game.thread_id is not None:
        await timers.save(tx, Timer(game.id, TimerKind.PUT_AWAY, now + ARCHIVE_DELAY))
    card = await lobbies.card_of(tx, game.id)
    if card is None:
        return
    await timers.save(tx, Timer(game.id, TimerKind.RESULT, now))
    if game.thread_id == card:
        await timers.save(tx, Timer(game.id, TimerKind.PUT_AWAY, now + ARCHIVE_DELAY))
