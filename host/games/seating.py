"""Seats that change hands: to a substitute, to a computer that stands in for a player, and back to the player.

At a table that has agreed to it before the game, a computer takes the seat of a player who leaves. The player may take
the seat back at any time (:meth:`host.votes.seats.Seats.come_back`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from host import punctuality
from host.games import timekeeping
from host.games.cache import PlayedGame
from host.games.outbox import move_post
from host.naming import free_computer_name
from host.observability import game_fields
from host.settings import HostSettings
from store import absences, moves, outbox
from store.connection.database import Transaction
from store.play.moves import Substitution
from store.records import Computer, Game, Person, Player, PostKind

log = logging.getLogger(__name__)


async def give_seat(
    tx: Transaction,
    game: Game,
    played: PlayedGame,
    seat: int,
    player: Player,
    now: datetime,
    *,
    keeps_time: bool = False,
) -> tuple[Game, PlayedGame]:
    """Give a seat to another player in the caller's transaction; return the game after it.

    The position stays as it is. A substitute gets a new clock, with ``keeps_time`` the one that the seat has, and a new
    card that asks them if it is their turn.

    Raises:
        PlyConflictError: the game has moved on, or a move is pending.
    """
    before = game.seats[seat]
    stamp = await moves.substitute(tx, game.id, game.stamp, seat, before, player, now)
    players = (*game.seats[:seat], player, *game.seats[seat + 1 :])
    after = replace(game, seats=players, taken_back=stamp.taken_back, updated_at=now)
    await outbox.add(tx, move_post(after, after.ply, after.ply, PostKind.REPLACED), now)
    await timekeeping.change_player(tx, after, played.position, seat, now, keeps_time=keeps_time)
    await timekeeping.seat_player(tx, after, now)
    if isinstance(before, Person):
        if isinstance(player, Computer):
            await punctuality.count(tx, game, left=[seat])
        await absences.drop_departure(tx, game.id, before.user_id)
    log.info("a seat was taken over", extra={**game_fields(after), "before": before.user_id, "user": player.user_id})
    return after, replace(played, last=None)


def stand_in(game: Game, seat: int, settings: HostSettings) -> Computer | None:
    """Return the computer that takes the seat of a person who leaves; None if the seat stays empty.

    It stays empty if the table has not agreed to a computer, if the bot offers none, and if no other person would be
    left.
    """
    level = game.settings.stand_in
    if not (level and settings.workers.workers and leaves_people(game, seat)):
        return None
    return Computer(free_computer_name(game.seats), level)


def leaves_people(game: Game, seat: int) -> bool:
    """Return whether there would be other people in a game without the player of a seat."""
    return any(person != game.seats[seat] for person in game.players)


def awaited_people(substitutions: Iterable[Substitution]) -> Mapping[int, Person]:
    """Return the people who may take their seats back from computers, by seat.

    ``substitutions`` are all of a game, the earliest first.
    """
    newest = {entry.seat: entry for entry in substitutions}
    return {
        seat: entry.before
        for seat, entry in newest.items()
        if isinstance(entry.after, Computer) and isinstance(entry.before, Person) and entry.before.user_id > 0
    }
