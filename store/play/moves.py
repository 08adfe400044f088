"""Changes of a game other than new actions: pending moves, undos, substitutions, and the interactions behind them.

A *pending* move is confirmed by its player but not published yet: only they see it, and they may take it back. A
*substitution* gives a seat to another player. An *interaction* is a click or a command on Discord. Its id is stored
with its effect, because Discord may deliver an interaction twice. Both deliveries are answered, but only the first one
is carried out.

The version of a game is its :class:`Stamp`, which consists of three numbers. The *ply* is the number of actions in the
log, and ``taken_back`` counts what was undone. The *epoch* changes when the database was restored from an older copy.
Every change names the stamp at which it was decided. If the game has another stamp by now, :class:`PlyConflictError` is
raised, and the caller has to roll its transaction back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, func, insert, literal, select, update

from store.connection.database import Transaction
from store.connection.statements import change_or_conflict, changes_row
from store.errors import PlyConflictError
from store.records import (
    ActionRecord,
    AnsweredInteraction,
    Computer,
    GameStatus,
    Person,
    Player,
    PostKind,
    Stamp,
    columns_of,
    record_of,
    seat_columns,
)
from store.schema.people import plans
from store.schema.play import (
    actions,
    decisions,
    games,
    outbox,
    pending,
    playing,
    processed_interactions,
    seats,
    substitutions,
    undone,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingMove:
    """A confirmed move that will be published later; ``actions`` holds the texts of its actions, separated by spaces.

    ``at`` is the time at which the player confirmed it, and ``due_at`` the time at which it will be published.
    """

    game_id: int
    seat: int
    user_id: int
    stamp: Stamp
    actions: str
    at: datetime
    interaction_id: int
    due_at: datetime


_COLUMNS: Final = tuple(column.name for column in pending.c)
_IS_AT_STAMP: Final = (
    games.c.id == bindparam("of_game"),
    games.c.ply == bindparam("of_ply"),
    games.c.epoch == bindparam("of_epoch"),
    games.c.taken_back == bindparam("of_taken_back"),
    games.c.status == "running",
)
_SAME_INTERACTION: Final = select(processed_interactions.c.id).where(
    processed_interactions.c.id == bindparam("the_interaction_id")
)
_DROP_OLDER: Final = delete(pending).where(
    pending.c.game_id == bindparam("of_game"), pending.c.ply + pending.c.taken_back < bindparam("revision")
)


def running_at(game_id: int, at: Stamp) -> ColumnElement[bool]:
    """Return the condition that a game is running and still has this stamp."""
    is_at_stamp = (games.c.ply == at.ply, games.c.epoch == at.epoch, games.c.taken_back == at.taken_back)
    return and_(games.c.id == game_id, games.c.status == GameStatus.RUNNING, *is_at_stamp)


def has_pending_move(game_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a game has a pending move that still fits the game's present position."""
    is_current = (pending.c.ply == games.c.ply, pending.c.taken_back == games.c.taken_back)
    return exists(select(pending.c.game_id).where(pending.c.game_id == game_id, *is_current))


_ADD_PENDING: Final = insert(pending).from_select(
    _COLUMNS,
    select(
        games.c.id, *(bindparam(f"the_{name}", type_=pending.c[name].type) for name in _COLUMNS if name != "game_id")
    ).where(*_IS_AT_STAMP, ~has_pending_move(games.c.id), ~exists(_SAME_INTERACTION)),
)


async def add_pending(tx: Transaction, move: PendingMove) -> None:
    """Store a move of a game that is still at the move's stamp and has no other pending move.

    Raises:
        PlyConflictError: the game has moved on, another move is pending, or the interaction was carried out before;
            the transaction has to be given up.
    """
    stamp = move.stamp
    await tx.execute(_DROP_OLDER, {"of_game": move.game_id, "revision": stamp.revision})
    point = {"of_game": move.game_id, "of_ply": stamp.ply, "of_epoch": stamp.epoch, "of_taken_back": stamp.taken_back}
    columns = {**columns_of(move, "game_id", "stamp"), **stamp._asdict()}
    added = await tx.execute(_ADD_PENDING, {**point, **{f"the_{name}": value for name, value in columns.items()}})
    if added.rowcount != 1:
        raise PlyConflictError(move.game_id, stamp.ply)


async def pending_of(tx: Transaction, game_id: int) -> PendingMove | None:
    """Return the pending move of a game."""
    row = (await tx.execute(select(pending).where(pending.c.game_id == game_id))).first()
    return None if row is None else record_of(PendingMove, row, stamp=Stamp(row.ply, row.epoch, row.taken_back))


async def claim_pending(tx: Transaction, move: PendingMove) -> bool:
    """Remove a pending move, to publish it or to take it back; return False if another transaction did so before."""
    same_move = (pending.c.game_id == move.game_id, pending.c.interaction_id == move.interaction_id)
    return await changes_row(tx, delete(pending).where(*same_move))


async def drop_pending(tx: Transaction, game_id: int) -> None:
    """Remove the pending move of a game."""
    await tx.execute(delete(pending).where(pending.c.game_id == game_id))


_RETRACTABLE: Final = (PostKind.CARD, PostKind.FINAL, PostKind.UNDONE, PostKind.REPLACED)
"""Kinds of posts that an undo makes obsolete: they show moves or earlier undos."""


class UndoneAction(NamedTuple):
    """An undone action."""

    by: int
    """The undo, identified by the revision that the game had after it."""
    action: ActionRecord


async def undo_to(
    tx: Transaction, game_id: int, at: Stamp, to_ply: int, digest: str, seat_to_act: int, now: datetime
) -> Stamp:
    """Undo all actions from a ply on, if the game still has this stamp; return its new stamp.

    A pending move is dropped, and so are unsent posts that show undone moves.

    Raises:
        PlyConflictError: it has moved on; the transaction has to be given up.
    """
    after = Stamp(to_ply, at.epoch, at.taken_back + at.ply - to_ply + 1)
    reached = {"ply": to_ply, "taken_back": after.taken_back, "digest": digest, "seat_to_act": seat_to_act}
    change = update(games).where(running_at(game_id, at)).values(**reached, updated_at=now)
    await change_or_conflict(tx, change, game_id, at.ply)
    await _move_to_undone(tx, game_id, to_ply, after.revision, now)
    tells_of_undone = (outbox.c.game_id == game_id, outbox.c.ply > to_ply, outbox.c.undone_by.is_(None))
    is_retractable = (*tells_of_undone, outbox.c.kind.in_(_RETRACTABLE))
    dropped = {"sent_at": now, "leased_until": None}
    await tx.execute(update(outbox).where(*is_retractable, outbox.c.sent_at.is_(None)).values(**dropped))
    await tx.execute(update(outbox).where(*is_retractable).values(undone_by=after.revision))
    await drop_pending(tx, game_id)
    return after


async def _move_to_undone(tx: Transaction, game_id: int, to_ply: int, by: int, now: datetime) -> None:
    """Move the actions from a ply on from the log to the undone ones."""
    is_undone = (actions.c.game_id == game_id, actions.c.ply >= to_ply)
    columns = ("ply", "seat", "user_id", "text", "at", "preset")
    copied = select(
        actions.c.game_id, *(actions.c[name] for name in columns), literal(now, undone.c.undone_at.type), literal(by)
    ).where(*is_undone)
    await tx.execute(insert(undone).from_select(["game_id", *columns, "undone_at", "undone_by"], copied))
    await tx.execute(delete(actions).where(*is_undone))


async def undone_in(tx: Transaction, game_id: int) -> Sequence[UndoneAction]:
    """Return the undone actions of a game: the earliest undo first, and the actions of each in the order of the log."""
    rows = await tx.execute(select(undone).filter_by(game_id=game_id).order_by(undone.c.undone_by, undone.c.ply))
    return [UndoneAction(row.undone_by, record_of(ActionRecord, row)) for row in rows]


class Substitution(NamedTuple):
    """A change of the player in a seat, with the revision and the ply of the game at that time."""

    revision: int
    ply: int
    seat: int
    before: Player
    after: Player
    at: datetime
    returns: bool = False
    """True if a person has their own seat back."""


async def substitute(
    tx: Transaction, game_id: int, at: Stamp, seat: int, before: Player, after: Player, now: datetime
) -> Stamp:
    """Let another player take over a seat, if the game still has this stamp; return its new stamp.

    The plan of a person who leaves the seat is deleted; notes stay with their writer.

    Raises:
        PlyConflictError: the game has moved on, or a move is pending; the transaction has to be given up.
    """
    stamp = at._replace(taken_back=at.taken_back + 1)
    current = update(games).where(running_at(game_id, at), ~has_pending_move(games.c.id))
    await change_or_conflict(tx, current.values(taken_back=stamp.taken_back, updated_at=now), game_id, at.ply)
    await tx.execute(update(seats).filter_by(game_id=game_id, seat=seat).values(**seat_columns(after)))
    for table in (playing, plans):
        await tx.execute(delete(table).where(table.c.game_id == game_id, table.c.user_id == before.user_id))
    if isinstance(after, Person):
        await tx.execute(insert(playing).values(user_id=after.user_id, game_id=game_id))
    before_columns = {"before_id": before.user_id, "before_name": before.name}
    after_columns = {"after_id": after.user_id, "after_name": after.name}
    level = next((player.level for player in (before, after) if isinstance(player, Computer)), None)
    point = {"revision": stamp.revision, "ply": stamp.ply, "seat": seat, "at": now, "level": level}
    await tx.execute(insert(substitutions).values(game_id=game_id, **point, **before_columns, **after_columns))
    return stamp


async def substitutions_in(tx: Transaction, game_id: int) -> tuple[Substitution, ...]:
    """Return all substitutions of a game, the earliest first."""
    query = select(substitutions).where(substitutions.c.game_id == game_id).order_by(substitutions.c.revision)
    result = list[Substitution]()
    for row in await tx.execute(query):
        before, after = (
            Computer(name, row.level) if user_id is None else Person(user_id, name)
            for user_id, name in ((row.before_id, row.before_name), (row.after_id, row.after_name))
        )
        returns = row.after_id is not None and any(
            (past.seat, past.before.user_id) == (row.seat, row.after_id) for past in result
        )
        result.append(Substitution(row.revision, row.ply, row.seat, before, after, row.at, returns))
    return tuple(result)


class ComputerDecision(NamedTuple):
    """The level, version and seed of a computer's decision: enough to decide the same again."""

    revision: int
    """The revision of the game after the decision."""
    seat: int
    level: str
    """The level that decided, which may be another than that of the seat."""
    version: int
    seed: str


async def add_computer_decisions(tx: Transaction, game_id: int, entries: Sequence[ComputerDecision]) -> None:
    """Store what computers decided with, and their versions at their seats."""
    await tx.execute(insert(decisions), [{"game_id": game_id, **entry._asdict()} for entry in entries])
    for seat, version in {entry.seat: entry.version for entry in entries}.items():
        changed = (seats.c.game_id == game_id, seats.c.seat == seat, seats.c.version != version)
        await tx.execute(update(seats).where(*changed).values(version=version))


async def computer_decisions(tx: Transaction, game_id: int) -> list[ComputerDecision]:
    """Return what the computers of a game decided with, in order; decisions that were undone are among them."""
    query = select(decisions).where(decisions.c.game_id == game_id).order_by(decisions.c.revision)
    return [
        ComputerDecision(row.revision, row.seat, row.level, row.version, row.seed) for row in await tx.execute(query)
    ]


async def updated_computers(tx: Transaction, game_id: int) -> list[int]:
    """Return the seats for which several versions of the computer have decided."""
    of_game = select(decisions.c.seat).where(decisions.c.game_id == game_id).group_by(decisions.c.seat)
    has_changed = func.count(decisions.c.version.distinct()) > 1
    return list(await tx.scalars(of_game.having(has_changed).order_by(decisions.c.seat)))


_ADD_INTERACTION: Final = insert(processed_interactions)


async def add_interaction(tx: Transaction, interaction: AnsweredInteraction, now: datetime) -> None:
    """Store an interaction that was carried out, with everything needed to answer it again."""
    await tx.execute(_ADD_INTERACTION, {**columns_of(interaction), "at": now})


async def interaction_by_id(tx: Transaction, interaction_id: int) -> AnsweredInteraction | None:
    """Return the interaction with this id if it was carried out."""
    table = processed_interactions
    row = (await tx.execute(select(table).where(table.c.id == interaction_id))).first()
    return None if row is None else record_of(AnsweredInteraction, row)
