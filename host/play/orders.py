"""What was decided beforehand: orders for all games, and sealed plans for one decision of a game.

Whoever decides next may have left his answer. It is found with the move that leads there, in the same transaction, and
stands in the log as an action like any other, marked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engine import GAMES, EngineError, may_be_ordered, ordered
from engine.actions import seats
from host.errors import ErrorCode, HostError
from host.play.memory import LastMove, Played
from host.play.moves import Move
from host.rights import check_playing
from host.values import LoggedAction
from store import Game, PlyConflictError, Transaction, game_headers, in_game, private

PLAN: Final = "plan"
"""The name under which a game is told what somebody has planned in it, beside what he chose for all games."""


def planning(game: Game, played: Played, user_id: int, plan: str) -> Move:
    """A move of no actions: what is ordered may follow it, now that somebody has planned.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``illegal`` where he cannot plan this.
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
class Planned:
    """What somebody plans, to be stored with what follows from it."""

    user_id: int
    plan: str

    async def keep(self, tx: Transaction, game: Game, now: datetime) -> None:
        """Store it.

        Raises:
            PlyConflictError: the game does not stand where it was seen: whoever moved it has not known of the plan.
        """
        await private.put_plan(tx, game.id, self.user_id, self.plan, now)
        glance = await game_headers.get(tx, game.id, self.user_id)
        if glance is None or glance.stamp != game.stamp:
            raise PlyConflictError(game.id, game.ply)


async def obeying(tx: Transaction, move: Move, now: datetime) -> Move:
    """A move, followed by what those who decide then have ordered, up to the first who has to be asked.

    Nothing is read where nobody can have ordered anything.
    """
    if not may_be_ordered(move.after.position, move.before.position):
        return move
    found = await private.standing_orders(tx, move.game.id)
    seats = enumerate(move.game.seats)
    kept = {seat: found[person.user_id] for seat, person in seats if person.user_id in found}
    return obeyed(
        move, {seat: {**in_game(order.choices, move.game.code), PLAN: order.plan} for seat, order in kept.items()}, now
    )


def obeyed(move: Move, orders: Mapping[int, Mapping[str, str]], now: datetime) -> Move:
    """The same with these orders, by seat."""
    after, last = move.after.position.copy(), move.after.last
    entries: list[LoggedAction] = []
    events, preset = list(move.events), list(last.preset if last else ())
    while may_be_ordered(after, move.before.position):
        seat = after.player
        action = ordered(after, orders.get(seat, {}))
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
