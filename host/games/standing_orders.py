"""Standing orders: decisions made beforehand, for all games or, as a sealed plan, for one decision of a game.

If the player who decides next has left an answer, it is applied in the same transaction as the move that leads there.
In the log it is an action like any other, marked as preset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engine import GAMES, EngineError, may_be_ordered, ordered_action
from engine.actions import seats
from host.errors import ErrorCode, HostError
from host.games.cache import LastMove, Played
from host.games.move import Move
from host.rights import check_playing
from host.values import LoggedAction
from store import Game, PlyConflictError, Transaction, game_headers, in_game, preferences

PLAN: Final = "plan"
"""The name of the sealed plan among a player's orders as a game is told them."""


def empty_move(game: Game, played: Played, user_id: int, plan: str) -> Move:
    """Return a move without actions, to which standing orders are applied when a player has made a plan.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``illegal``: they cannot plan this.
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
    """A player's new sealed plan, to be stored with what follows from it."""

    user_id: int
    plan: str

    async def keep(self, tx: Transaction, game: Game, now: datetime) -> None:
        """Store the plan.

        Raises:
            PlyConflictError: the game has moved on since it was read, by somebody who did not know of the plan.
        """
        await preferences.put_plan(tx, game.id, self.user_id, self.plan, now)
        glance = await game_headers.get(tx, game.id, self.user_id)
        if glance is None or glance.stamp != game.stamp:
            raise PlyConflictError(game.id, game.ply)


async def apply_standing_orders(tx: Transaction, move: Move, now: datetime) -> Move:
    """Extend a move by the orders of whoever decides next, up to the first player who has to be asked.

    Nothing is read where no order can apply.
    """
    if not may_be_ordered(move.after.position, move.before.position):
        return move
    found = await preferences.standing_orders(tx, move.game.id)
    seats = enumerate(move.game.seats)
    kept = {seat: found[person.user_id] for seat, person in seats if person.user_id in found}
    return with_orders(
        move, {seat: {**in_game(order.choices, move.game.code), PLAN: order.plan} for seat, order in kept.items()}, now
    )


def with_orders(move: Move, orders: Mapping[int, Mapping[str, str]], now: datetime) -> Move:
    """Extend a move by these orders, by seat."""
    after, last = move.after.position.copy(), move.after.last
    entries: list[LoggedAction] = []
    events, preset = list(move.events), list(last.preset if last else ())
    while may_be_ordered(after, move.before.position):
        seat = after.player
        action = ordered_action(after, orders.get(seat, {}))
        if action is None:
            break
        entries.append(LoggedAction(after.ply, seat, move.game.seats[seat].user_id, action, now, preset=True))
        start = len(events)
        events += after.apply(action)
        preset.append(range(start, len(events)))
    if not entries:
        return move
    told = LastMove(move.before.position, tuple(events), tuple(preset))
    return replace(move, after=move.after.moved(after, entries, told))
