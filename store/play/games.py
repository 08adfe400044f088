"""Games with their seats and logs: adding, advancing, finding and listing them.

A game is stored as a setup and a *log* of actions; its position is computed from both, and only a *digest* (a hash) of
it is stored. Its *ply* is the number of actions. A change names the :class:`Stamp` (the version) at which it was
decided, and raises :class:`PlyConflictError` if the game has moved on since.

A game is *unfinished* while it is running or frozen. A *frozen* game accepts no moves, because it does not replay or an
operator has stopped it. A *pending* move is confirmed, but not published yet. Its *place* is the thread in which its
cards (the messages that show the position) are posted, or the channel if it has no thread. A game *goes back* when the
database was restored from a copy that is older than the cards on Discord; then a new *epoch* begins, so that older
buttons are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any, Final, TypeVar, cast

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    update,
)

from store.connection.database import Transaction
from store.connection.dialect import largest_of_few
from store.connection.statements import add_row, change_or_conflict, changes_row, first_record
from store.errors import PlyConflictError, UnreadableError
from store.play.moves import has_pending_move, running_at
from store.records import (
    NO_SEATS,
    ActionRecord,
    Advance,
    Computer,
    Game,
    GameLine,
    GameStatus,
    NewGame,
    NextGame,
    Person,
    Player,
    Seated,
    Stamp,
    TableSettings,
    columns_of,
    people_of,
    record_of,
    seat_columns,
)
from store.schema.play import IS_RUNNING, IS_UNFINISHED, actions, games, outbox, playing, seats

LINE_COLUMNS: Final = tuple(games.c[field.name] for field in fields(GameLine) if field.name in games.c)
"""The columns of :class:`~store.records.GameLine`, which a list of games reads."""
AnyGame = TypeVar("AnyGame", bound=GameLine)
_NEWEST_FIRST: Final = (games.c.id + 0).desc()
"""The order from newest to oldest. By the plain id the database would use its index, and read all finished games."""


async def add(tx: Transaction, new: NewGame, now: datetime) -> int:
    """Store a game before its first move, and return its id."""
    values = {"settings": asdict(new.settings), "ply": 0, "epoch": 0, "status": GameStatus.RUNNING}
    times = {"created_at": now, "updated_at": now}
    game_id = await add_row(tx, games, {**columns_of(new, "seats", "settings"), **values, **times})
    rows = [
        {"game_id": game_id, "seat": seat, "withdrawn": False, **seat_columns(player)}
        for seat, player in enumerate(new.seats)
    ]
    await tx.execute(insert(seats), rows)
    user_ids = {person.user_id for person in people_of(new.seats)}
    if user_ids:  # in an event, computers may have to meet each other
        await tx.execute(insert(playing), [{"user_id": user_id, "game_id": game_id} for user_id in sorted(user_ids)])
    return game_id


def player_of(row: Row[*tuple[Any, ...]]) -> Player:
    """Read who sits at a seat."""
    return Computer(row.name, row.level, row.version) if row.user_id is None else Person(row.user_id, row.name)


SEAT_COLUMNS: Final = (seats.c.user_id, seats.c.name, seats.c.level, seats.c.version)
"""The columns of a seat that say who sits there."""


async def by_id(tx: Transaction, game_id: int) -> Game | None:
    """Return the game with this id.

    Raises:
        UnreadableError: this version cannot read it.
    """
    return await _first(tx, games.c.id == game_id)


async def get(tx: Transaction, game_id: int) -> Game:
    """Return the game with this id, which has to exist because another row refers to it.

    Raises:
        LookupError: there is none.
        UnreadableError: this version cannot read it.
    """
    game = await by_id(tx, game_id)
    if game is None:
        raise LookupError(f"no game {game_id}")
    return game


async def by_ids(tx: Transaction, game_ids: Collection[int]) -> dict[int, Game | UnreadableError]:
    """Return the games with these ids that exist; an error in place of each that this version cannot read."""
    rows = (await tx.execute(select(games).where(games.c.id.in_(game_ids)))).all() if game_ids else []
    seated = await _seated(tx, [row.id for row in rows])
    games_by_id: dict[int, Game | UnreadableError] = {}
    for row in rows:
        try:
            games_by_id[row.id] = _record(row, seated.get(row.id, NO_SEATS))
        except UnreadableError as error:
            games_by_id[row.id] = error
    return games_by_id


async def by_code(tx: Transaction, code: str) -> Game | None:
    """Return the game with this public code.

    Raises:
        UnreadableError: this version cannot read it.
    """
    return await _first(tx, games.c.code == code)


async def by_codes(tx: Transaction, codes: Collection[str]) -> dict[str, Game | UnreadableError]:
    """Return the games with these public codes that exist, as :func:`by_ids` does."""
    rows = (await tx.execute(select(games.c.id, games.c.code).where(games.c.code.in_(codes)))).all() if codes else []
    games_by_id = await by_ids(tx, [row.id for row in rows])
    return {row.code: games_by_id[row.id] for row in rows if row.id in games_by_id}


async def is_code_taken(tx: Transaction, code: str) -> bool:
    """Return whether a game has this code, readable or not."""
    return (await tx.execute(select(games.c.id).where(games.c.code == code))).first() is not None


async def in_place(tx: Transaction, place_id: int) -> Game | None:
    """Return the game that a command in a thread or channel most likely means; unreadable games are skipped.

    Running games are preferred to finished ones, then games that are played there to games that were only opened there,
    and then the newest.
    """
    newest_in_channel, newest_in_thread = games.c.id, largest_of_few(tx, games.c.id)
    without_thread = and_(games.c.channel_id == place_id, games.c.thread_id.is_(None))
    played_there = ((games.c.thread_id == place_id, newest_in_thread), (without_thread, newest_in_channel))
    opened_there = ((games.c.channel_id == place_id, newest_in_channel),)
    for running in (True, False):
        for conditions in (played_there, opened_there):
            newest = [await _newest(tx, *condition, running=running) for condition in conditions]
            for game_id in sorted(filter(None, newest), reverse=True):
                with suppress(UnreadableError):
                    return await by_id(tx, game_id)
    return None


async def _newest(
    tx: Transaction, condition: ColumnElement[bool], key: ColumnElement[int], *, running: bool
) -> int | None:
    """Return the newest game of a place, or the newest running one, without reading all games."""
    query = select(func.max(key)).where(condition)
    if running:
        # A computed key: by the plain id the database would use its index, and read all finished games of the place.
        query = select(func.max(games.c.id + 0)).where(condition, IS_RUNNING)
    return await tx.scalar(query)


async def lines_of_user(
    tx: Transaction,
    user_id: int,
    *,
    guild_id: int | None = None,
    unfinished_only: bool = False,
    limit: int | None = None,
) -> list[GameLine | UnreadableError]:
    """Return the games of a player: those that wait for their decision first, and of these the longest waiting first.

    ``unfinished_only`` leaves out the finished ones without reading them.
    """
    own_seat = _seat_of(user_id)
    query = (
        select(*LINE_COLUMNS)
        .where(games.c.id.in_(_ids_of(user_id, unfinished_only=unfinished_only)))
        .order_by(case((games.c.seat_to_act == own_seat, 0), else_=1), games.c.updated_at, games.c.id)
        .limit(limit)
    )
    if guild_id is not None:
        query = query.where(games.c.guild_id == guild_id)
    if unfinished_only:
        # Unlike IS_UNFINISHED this matches no partial index. With that index, the unfinished games of all players would
        # be read.
        query = query.where(games.c.status.in_([GameStatus.RUNNING, GameStatus.FROZEN]))
    return await lines(tx, query)


async def lines(tx: Transaction, query: Select[Any]) -> list[GameLine | UnreadableError]:
    """Return the games that a query of the columns :data:`LINE_COLUMNS` finds, in its order."""
    rows = (await tx.execute(query)).all()
    seated = await _seated(tx, [row.id for row in rows])
    return [_line(cast("Row[Any]", row), seated.get(row.id, NO_SEATS)) for row in rows]


def _ids_of(user_id: int, *, unfinished_only: bool) -> Select[tuple[int]]:
    """Select the games of a player."""
    table = playing if unfinished_only else seats
    return select(table.c.game_id).where(table.c.user_id == user_id)


def _seat_of(user_id: int) -> ScalarSelect[int]:
    """Select the seat of a player at a game."""
    return select(seats.c.seat).where(seats.c.game_id == games.c.id, seats.c.user_id == user_id).scalar_subquery()


async def unfinished_ids(tx: Transaction) -> list[int]:
    """Return the ids of all games that are running or frozen."""
    is_unfinished = games.c.status.in_([GameStatus.RUNNING, GameStatus.FROZEN])
    return sorted((await tx.scalars(select(games.c.id).where(is_unfinished))).all())


async def frozen_ids(tx: Transaction) -> list[int]:
    """Return the ids of all frozen games."""
    return sorted((await tx.scalars(select(games.c.id).where(games.c.status == GameStatus.FROZEN))).all())


async def log(tx: Transaction, game_id: int, from_ply: int = 0) -> list[ActionRecord]:
    """Return the actions of a game from a ply on, in order."""
    query = (
        select(actions.c.ply, actions.c.seat, actions.c.user_id, actions.c.text, actions.c.at, actions.c.preset)
        .where(actions.c.game_id == game_id, actions.c.ply >= from_ply)
        .order_by(actions.c.ply)
    )
    return [ActionRecord(*row) for row in await tx.execute(query)]


async def advance(tx: Transaction, game_id: int, at: Stamp, step: Advance, now: datetime) -> None:
    """Append actions to the log of a game that is still at a stamp and has no pending move.

    Raises:
        PlyConflictError: it has moved on; the transaction has to be given up.
    """
    expected = {"game": game_id, "at_ply": at.ply, "at_epoch": at.epoch, "at_taken_back": at.taken_back}
    reached = {"digest": step.digest, "seat_to_act": step.seat_to_act, "status": step.status, "updated_at": now}
    updated = await tx.execute(_ADVANCE, {**expected, **reached, "ply": at.ply + len(step.actions)})
    if updated.rowcount != 1:
        raise PlyConflictError(game_id, at.ply)
    rows = [{"game_id": game_id, **asdict(action)} for action in step.actions]
    await tx.execute(_APPEND, rows)
    if step.status is GameStatus.FINISHED:
        await tx.execute(delete(playing).where(playing.c.game_id == game_id))


_ADVANCE: Final = update(games).where(
    games.c.id == bindparam("game"),
    games.c.ply == bindparam("at_ply"),
    games.c.epoch == bindparam("at_epoch"),
    games.c.taken_back == bindparam("at_taken_back"),
    games.c.status == GameStatus.RUNNING,
    ~has_pending_move(games.c.id),
)
_APPEND: Final = insert(actions)


async def close(tx: Transaction, game_id: int, at: Stamp, now: datetime) -> None:
    """End a game that is still at a stamp, without a result; its log and the player to act stay as they are.

    Raises:
        PlyConflictError: it has moved on; the transaction has to be given up.
    """
    current = update(games).where(running_at(game_id, at), ~has_pending_move(games.c.id))
    await change_or_conflict(tx, current.values(status=GameStatus.FINISHED, updated_at=now), game_id, at.ply)
    await tx.execute(delete(playing).where(playing.c.game_id == game_id))


async def replace_digest(tx: Transaction, game_id: int, ply: int, old: str, new: str) -> bool:
    """Replace the digest of a game that is still at ``ply`` with the old digest; return False when it is not."""
    return await changes_row(tx, update(games).filter_by(id=game_id, ply=ply, digest=old).values(digest=new))


async def set_status(tx: Transaction, game_id: int, old: GameStatus, new: GameStatus) -> bool:
    """Change the status of a game; return False if it is no longer the old one."""
    return await changes_row(tx, update(games).filter_by(id=game_id, status=old).values(status=new))


async def set_thread(tx: Transaction, game_id: int, thread_id: int) -> bool:
    """Set the thread in which the cards of a game are posted; return False when there is no such game."""
    return await changes_row(tx, update(games).where(games.c.id == game_id).values(thread_id=thread_id))


async def set_end_date(tx: Transaction, game_id: int, ends_at: datetime | None) -> bool:
    """Set the date on which an unfinished game ends, or remove it; return False for a finished game."""
    is_unfinished = (games.c.id == game_id, games.c.status != GameStatus.FINISHED)
    return await changes_row(tx, update(games).where(*is_unfinished).values(ends_at=ends_at))


async def withdraw(tx: Transaction, game_id: int, seat: int) -> None:
    """Mark a seat as withdrawn."""
    own_seat = (seats.c.game_id == game_id, seats.c.seat == seat)
    await tx.execute(update(seats).where(*own_seat).values(withdrawn=True))
    leaver = select(seats.c.user_id).where(*own_seat).scalar_subquery()
    await tx.execute(delete(playing).where(playing.c.game_id == game_id, playing.c.user_id == leaver))


async def rename_player(tx: Transaction, game_id: int, person: Person) -> None:
    """Store the current name of a player."""
    await tx.execute(update(seats).filter_by(game_id=game_id, user_id=person.user_id).values(name=person.name))


async def begin_epoch(tx: Transaction, game_id: int, old: int, new: int) -> bool:
    """Begin a new epoch of a game that went back; return False if another process did so before."""
    return await changes_row(tx, update(games).filter_by(id=game_id, epoch=old).values(epoch=new))


async def epoch_of_code(tx: Transaction, code: str) -> tuple[int, int] | None:
    """Return the id and the epoch of the game with this code, if it ever went back."""
    query = select(games.c.id, games.c.epoch).where(games.c.code == code, games.c.epoch != 0)
    return await first_record(tx, query, lambda row: (row.id, row.epoch))


async def newest_in_place(tx: Transaction, place_id: int, limit: int) -> list[GameLine | UnreadableError]:
    """Return the unfinished games of a channel or thread, newest first; if there are none, the last finished one."""
    game_ids: set[int] = set()
    for column in (games.c.thread_id, games.c.channel_id):
        unfinished_there = select(games.c.id).where(column == place_id, IS_UNFINISHED)
        game_ids |= set(await tx.scalars(unfinished_there.order_by(_NEWEST_FIRST).limit(limit)))
    if not game_ids:
        finished = await in_place(tx, place_id)
        game_ids = set() if finished is None else {finished.id}
    if not game_ids:
        return []
    return await lines(tx, select(*LINE_COLUMNS).where(games.c.id.in_(game_ids)).order_by(_NEWEST_FIRST).limit(limit))


async def newest_unfinished(
    tx: Transaction, guild_id: int, limit: int, before: int | None = None
) -> list[GameLine | UnreadableError]:
    """Return the unfinished games of a server, newest first; only those with ids below ``before`` if that is given."""
    query = select(*LINE_COLUMNS).where(_unfinished_in(guild_id)).order_by(_NEWEST_FIRST).limit(limit)
    if before is not None:
        query = query.where(games.c.id + 0 < before)
    return await lines(tx, query)


async def count_unfinished(tx: Transaction, guild_id: int, user_id: int | None = None) -> int:
    """Return the number of unfinished games of a server, or of those in which a person still plays."""
    query = select(func.count()).select_from(games).where(_unfinished_in(guild_id))
    if user_id is not None:
        query = query.where(games.c.id.in_(select(playing.c.game_id).where(playing.c.user_id == user_id)))
    return (await tx.execute(query)).scalar_one()


def _unfinished_in(guild_id: int) -> ColumnElement[bool]:
    """Return the condition of the unfinished games of a server."""
    return and_(games.c.guild_id == guild_id, IS_UNFINISHED)


async def unfinished_at(tx: Transaction, *, place_id: int | None = None, guild_id: int | None = None) -> list[int]:
    """Return the unfinished games that are played or were opened in a place, or those of a server."""
    if place_id is not None:
        game_ids: set[int] = set()
        for column in (games.c.thread_id, games.c.channel_id):
            game_ids |= set(await tx.scalars(select(games.c.id).where(column == place_id, IS_UNFINISHED)))
        return sorted(game_ids)
    return sorted(await tx.scalars(select(games.c.id).where(games.c.guild_id == guild_id, IS_UNFINISHED)))


async def servers_with_games(tx: Transaction) -> set[int]:
    """Return the servers with unfinished games."""
    return set(await tx.scalars(select(games.c.guild_id).where(IS_UNFINISHED).distinct()))


async def move_to_place(tx: Transaction, game_id: int, place_id: int, now: datetime, last_before: datetime) -> bool:
    """Post the cards of a game in another place from now on; return False when it was moved after ``last_before``."""
    may_move = (games.c.id == game_id, games.c.moved_at.is_(None) | (games.c.moved_at <= last_before))
    return await changes_row(tx, update(games).where(*may_move).values(thread_id=place_id, moved_at=now))


async def moved_at(tx: Transaction, game_id: int) -> datetime | None:
    """Return the time at which a game was last moved to another place; None for never."""
    return await tx.scalar(select(games.c.moved_at).where(games.c.id == game_id))


async def move_to_server(tx: Transaction, game_id: int, guild_id: int, channel_id: int) -> None:
    """Move a game to another server; its cards are posted in the channel if its thread is gone."""
    await tx.execute(update(games).where(games.c.id == game_id).values(guild_id=guild_id, channel_id=channel_id))


async def count_by_status(tx: Transaction) -> dict[str, int]:
    """Return the numbers of running and of frozen games; an index answers this, however many games there are."""
    is_unfinished = games.c.status.in_([GameStatus.RUNNING, GameStatus.FROZEN])
    query = select(games.c.status, func.count().label("number")).where(is_unfinished).group_by(games.c.status)
    return {row.status: row.number for row in await tx.execute(query)}


async def unfinished_of_player(tx: Transaction, user_id: int) -> list[int]:
    """Return the ids of a player's unfinished games."""
    return list(await tx.scalars(select(playing.c.game_id).where(playing.c.user_id == user_id)))


async def next_waiting_for(tx: Transaction, user_id: int, *, exclude: int) -> NextGame | None:
    """Return the game that has waited longest for a player, except ``exclude``.

    A game in which their move is pending does not wait for them.
    """
    row = (await tx.execute(_NEXT, {"user_id": user_id, "exclude": exclude})).first()
    return None if row is None else NextGame(row.guild_id, row.place, row.message_id, row.waiting)


_LAST_MESSAGE: Final = (
    select(outbox.c.message_id)
    .where(outbox.c.game_id == games.c.id, outbox.c.message_id.is_not(None))
    .order_by(outbox.c.id.desc())
    .limit(1)
    .scalar_subquery()
    .label("message_id")
)
"""The message of the newest post of a game that was sent."""
_NEXT: Final = (
    select(
        games.c.guild_id,
        func.coalesce(games.c.thread_id, games.c.channel_id).label("place"),
        _LAST_MESSAGE,
        func.count().over().label("waiting"),
    )
    .select_from(playing)
    .join(games, games.c.id == playing.c.game_id)
    .join(seats, and_(seats.c.game_id == games.c.id, seats.c.user_id == bindparam("user_id")))
    .where(playing.c.user_id == bindparam("user_id"), playing.c.game_id != bindparam("exclude"))
    .where(games.c.seat_to_act == seats.c.seat, games.c.status.in_([GameStatus.RUNNING]))
    .where(~has_pending_move(games.c.id))
    .order_by(games.c.updated_at, games.c.id)
    .limit(1)
)


async def count_waiting_for(tx: Transaction, user_id: int) -> int:
    """Return how many games wait for a player."""
    query = (
        select(func.count())
        .select_from(playing)
        .join(games, games.c.id == playing.c.game_id)
        .join(seats, (seats.c.game_id == games.c.id) & (seats.c.seat == games.c.seat_to_act))
        .where(playing.c.user_id == user_id, seats.c.user_id == user_id)
    )
    return (await tx.execute(query)).scalar_one()


async def _first(tx: Transaction, condition: ColumnElement[bool]) -> Game | None:
    """Return the game that fulfils a condition; None if there is none."""
    row = (await tx.execute(select(games).where(condition))).first()
    if row is None:
        return None
    return _record(row, (await _seated(tx, [row.id])).get(row.id, NO_SEATS))


async def _seated(tx: Transaction, game_ids: Sequence[int]) -> dict[int, Seated]:
    """Return the seats of these games, in the order of play."""
    query = (
        select(seats.c.game_id, seats.c.withdrawn, *SEAT_COLUMNS)
        .where(seats.c.game_id.in_(game_ids))
        .order_by(seats.c.game_id, seats.c.seat)
    )
    seated: dict[int, Seated] = {}
    for row in (await tx.execute(query)) if game_ids else ():
        earlier = seated.get(row.game_id, NO_SEATS)
        seated[row.game_id] = Seated((*earlier.players, player_of(row)), (*earlier.withdrawn, row.withdrawn))
    return seated


def _record(row: Row[Any], seated: Seated) -> Game:
    """Read a game from a row and its seats."""
    try:
        settings = TableSettings.of(row.settings)
        return _with_seats(Game, row, seated, setup_text=row.setup, settings=settings)
    except (TypeError, ValueError) as error:
        raise UnreadableError("games", row.id, error) from error


def _line(row: Row[Any], seated: Seated) -> GameLine | UnreadableError:
    """Read a line of a list from a row and its seats; return an error if this version cannot."""
    try:
        return _with_seats(GameLine, row, seated)
    except (TypeError, ValueError) as error:
        return UnreadableError("games", row.id, error)


def _with_seats(kind: type[AnyGame], row: Row[Any], seated: Seated, **computed: object) -> AnyGame:
    """Build a record from a row and its seats."""
    status = GameStatus(row.status)
    return record_of(kind, row, seats=seated.players, withdrawn=seated.withdrawn, status=status, **computed)
