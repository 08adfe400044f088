"""Lobbies, in which a game gathers its players before it begins.

A lobby has an owner, who chooses the rules, and *members*, who get the seats when the game starts; people whom the
owner has *barred* cannot join again. Starting takes several steps, so an interaction (a click or command) first takes a
*claim*, which keeps a second click from starting the game twice. A lobby that does not change for long is closed, after
two notices to its members.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, insert, or_, select, update

from store.connection.database import Transaction
from store.connection.dialect import locked_if_writing, upsert_many
from store.connection.statements import add_row, changes_row
from store.errors import UnreadableError
from store.play.games import SEAT_COLUMNS, player_of
from store.records import (
    Computer,
    Lobby,
    LobbyState,
    NewLobby,
    Person,
    Player,
    TableRules,
    TableSettings,
    columns_of,
    record_of,
)
from store.schema.play import lobbies, lobby_barred, lobby_challenged, lobby_members, seats


async def add(tx: Transaction, new: NewLobby, now: datetime) -> int:
    """Store an open lobby with its owner as the first member, and return its id."""
    rules = _rules(TableRules(new.expansions, new.options, new.settings))
    values = {"owner_id": new.owner.user_id, "state": LobbyState.OPEN, "created_at": now, "changed_at": now}
    values["computers"] = _documents(new.computers)
    lobby_id = await add_row(tx, lobbies, {**columns_of(new, "owner", "challenged"), **rules, **values})
    await add_member(tx, lobby_id, new.owner)
    await challenge(tx, lobby_id, new.challenged)
    return lobby_id


async def get(tx: Transaction, lobby_id: int) -> Lobby | None:
    """Return the lobby with this id; a transaction that writes locks it until it ends.

    Raises:
        UnreadableError: this version cannot read it.
    """
    row = (await tx.execute(locked_if_writing(tx, select(lobbies).where(lobbies.c.id == lobby_id)))).first()
    if row is None:
        return None
    former = () if row.rematch_of is None else await _players_of_game(tx, row.rematch_of)
    members, barred = await _members(tx, lobby_id), await _barred(tx, lobby_id)
    challenged, declined = ((), ()) if row.best_of is None else await _answers(tx, lobby_id, members)
    return _lobby(row, members=members, former=former, barred=barred, challenged=challenged, declined=declined)


def _lobby(row: Row[Any], **people: tuple[Player, ...]) -> Lobby:
    """Read a lobby from a row and its people."""
    try:
        return record_of(
            Lobby,
            row,
            expansions=tuple(row.expansions),
            options=dict(row.options),
            settings=TableSettings.of(row.settings),
            state=LobbyState(row.state),
            computers=tuple(Computer(**entry) for entry in row.computers),
            **people,
        )
    except (TypeError, ValueError) as error:
        raise UnreadableError("lobbies", row.id, error) from error


async def of_game(tx: Transaction, game_id: int) -> Lobby | None:
    """Return the lobby from which a game was started."""
    lobby_id = await _oldest_id(tx, lobbies.c.game_id == game_id)
    return None if lobby_id is None else await get(tx, lobby_id)


async def card_of(tx: Transaction, game_id: int) -> int | None:
    """Return the message that shows the lobby of a game, even if this version cannot read the lobby."""
    query = select(lobbies.c.message_id).where(lobbies.c.game_id == game_id).order_by(lobbies.c.id).limit(1)
    return await tx.scalar(query)


async def rematch_of(tx: Transaction, game_id: int) -> int | None:
    """Return the id of the lobby for the rematch of a game."""
    return await _oldest_id(tx, lobbies.c.rematch_of == game_id)


async def forget_rematch(tx: Transaction, lobby_id: int) -> None:
    """Turn the lobby of a rematch into an ordinary one, so that another lobby can be opened for the rematch."""
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(rematch_of=None))


async def _oldest_id(tx: Transaction, condition: ColumnElement[bool]) -> int | None:
    """Return the id of the oldest lobby that fulfils a condition."""
    query = select(lobbies.c.id).where(condition).order_by(lobbies.c.id).limit(1)
    return await tx.scalar(query)


async def _players_of_game(tx: Transaction, game_id: int) -> tuple[Player, ...]:
    """Return the players of a game, in the order of play."""
    query = select(*SEAT_COLUMNS).where(seats.c.game_id == game_id).order_by(seats.c.seat)
    return tuple(player_of(row) for row in await tx.execute(query))


async def open_in(tx: Transaction, guild_id: int, limit: int, *, challenges: bool = False) -> list[int]:
    """Return the ids of the open lobbies of a server, or of those that are challenges, newest first."""
    query = select(lobbies.c.id).where(_open_in(guild_id)).order_by(lobbies.c.id.desc()).limit(limit)
    if challenges:
        query = query.where(lobbies.c.best_of.is_not(None))
    return list((await tx.scalars(query)).all())


async def open_of_member(tx: Transaction, user_id: int) -> list[int]:
    """Return the open lobbies that a person has joined."""
    joined = select(lobby_members.c.lobby_id).where(lobby_members.c.user_id == user_id)
    return list(await tx.scalars(select(lobbies.c.id).filter_by(state=LobbyState.OPEN).where(lobbies.c.id.in_(joined))))


async def count_open(tx: Transaction, guild_id: int, owner_id: int | None = None) -> int:
    """Return the number of open lobbies of a server, of one owner or of all."""
    query = select(func.count()).select_from(lobbies).where(_open_in(guild_id))
    if owner_id is not None:
        query = query.where(lobbies.c.owner_id == owner_id)
    return (await tx.execute(query)).scalar_one()


def _open_in(guild_id: int) -> ColumnElement[bool]:
    """Return the condition of the open lobbies of a server."""
    return and_(lobbies.c.guild_id == guild_id, lobbies.c.state == LobbyState.OPEN)


async def unchanged_since(tx: Transaction, then: datetime, limit: int, *, notices: int) -> list[int]:
    """Return the open lobbies that have not changed since ``then`` and got this number of notices, oldest first."""
    query = (
        select(lobbies.c.id)
        .where(lobbies.c.state == LobbyState.OPEN, lobbies.c.changed_at <= then, lobbies.c.notices == notices)
        .order_by(lobbies.c.changed_at)
        .limit(limit)
    )
    return list((await tx.scalars(locked_if_writing(tx, query))).all())


async def touch(tx: Transaction, lobby_id: int, now: datetime) -> None:
    """Store that a lobby has changed now; earlier notices that it will be closed no longer count."""
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(notices=0, changed_at=now))


async def count_notice(tx: Transaction, lobby_id: int, number: int, since: datetime, changed_at: datetime) -> bool:
    """Store that the members were told for the ``number``-th time that the lobby will close.

    ``changed_at`` is stored as the time of the lobby's last change, from which the next notice is scheduled. Return
    False, and store nothing, if the lobby has changed after ``since``, or the notice is stored already.
    """
    is_unchanged = (lobbies.c.id == lobby_id, lobbies.c.notices == number - 1, lobbies.c.changed_at == since)
    return await changes_row(tx, update(lobbies).where(*is_unchanged).values(notices=number, changed_at=changed_at))


async def bar(tx: Transaction, lobby_id: int, person: Person) -> None:
    """Bar a person from a lobby."""
    await tx.execute(insert(lobby_barred).values(lobby_id=lobby_id, user_id=person.user_id, name=person.name))


async def unbar(tx: Transaction, lobby_id: int, user_id: int) -> None:
    """Let a barred person in again."""
    await tx.execute(delete(lobby_barred).filter_by(lobby_id=lobby_id, user_id=user_id))


async def rename(tx: Transaction, lobby_id: int, person: Person) -> None:
    """Store the current name of a member."""
    same_member = update(lobby_members).filter_by(lobby_id=lobby_id, user_id=person.user_id)
    await tx.execute(same_member.values(name=person.name))


async def add_member(tx: Transaction, lobby_id: int, person: Person) -> None:
    """Add a member behind all others."""
    last = select(func.coalesce(func.max(lobby_members.c.position), 0)).where(lobby_members.c.lobby_id == lobby_id)
    position = 1 + (await tx.execute(last)).scalar_one()
    await tx.execute(
        insert(lobby_members).values(lobby_id=lobby_id, user_id=person.user_id, name=person.name, position=position)
    )


async def remove_member(tx: Transaction, lobby_id: int, user_id: int) -> None:
    """Remove a member."""
    await tx.execute(delete(lobby_members).filter_by(lobby_id=lobby_id, user_id=user_id))


async def challenge(tx: Transaction, lobby_id: int, people: Iterable[Person]) -> None:
    """Ask people to accept or decline a challenge; those who have accepted it before are asked again."""
    rows = [{"lobby_id": lobby_id, **columns_of(person), "declined": False} for person in people]
    if rows:
        await tx.execute(upsert_many(lobby_challenged, rows[0]), rows)


async def decline(tx: Transaction, lobby_id: int, user_id: int, capacity: int) -> None:
    """Store that a challenged person has declined, and how many seats are left."""
    answered = update(lobby_challenged).filter_by(lobby_id=lobby_id, user_id=user_id)
    await tx.execute(answered.values(declined=True, declines_at=None))
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(capacity=capacity))


async def schedule_decline(tx: Transaction, lobby_id: int, user_id: int, at: datetime | None) -> None:
    """Store when a challenged person will decline without doing anything; None for never."""
    await tx.execute(update(lobby_challenged).filter_by(lobby_id=lobby_id, user_id=user_id).values(declines_at=at))


async def declining(tx: Transaction, now: datetime, limit: int) -> list[tuple[int, int]]:
    """Return lobbies, with the challenged people who now decline them by themselves."""
    due = select(lobby_challenged.c.lobby_id, lobby_challenged.c.user_id).where(lobby_challenged.c.declines_at <= now)
    rows = await tx.execute(due.order_by(lobby_challenged.c.declines_at).limit(limit))
    return [(lobby_id, user_id) for lobby_id, user_id in rows]


async def set_computers(tx: Transaction, lobby_id: int, computers: Sequence[Computer]) -> None:
    """Store the computers of a lobby."""
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(computers=_documents(computers)))


def _documents(computers: Sequence[Computer]) -> list[dict[str, str]]:
    """Return computers as they are stored in a lobby, in which they have not decided anything yet."""
    return [{"name": computer.name, "level": computer.level} for computer in computers]


async def set_owner(tx: Transaction, lobby_id: int, owner_id: int) -> None:
    """Store another owner."""
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(owner_id=owner_id))


async def set_message(tx: Transaction, lobby_id: int, message_id: int) -> None:
    """Store the message that shows the lobby."""
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(message_id=message_id))


async def set_rules(tx: Transaction, lobby_id: int, rules: TableRules) -> None:
    """Store the rules and settings of the table."""
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(_rules(rules)))


def _rules(rules: TableRules) -> dict[str, Any]:
    """Return the columns of the rules and settings of a table."""
    return {"expansions": list(rules.expansions), "options": dict(rules.options), "settings": asdict(rules.settings)}


async def set_started(tx: Transaction, lobby_id: int, game_id: int) -> None:
    """Store that the lobby became a game."""
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(state=LobbyState.STARTED, game_id=game_id))


async def set_event(tx: Transaction, lobby_id: int, event_id: int) -> None:
    """Store that a challenge became an event; as a lobby without a game, it is closed."""
    closed = {"state": LobbyState.CLOSED, "event_id": event_id}
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(closed))


async def claim(tx: Transaction, lobby_id: int, interaction_id: int, now: datetime, until: datetime) -> bool:
    """Let one interaction start the game of an open lobby, until a time; return False while another has the claim."""
    is_free = or_(lobbies.c.starting.is_(None), lobbies.c.starting == interaction_id, lobbies.c.starting_until <= now)
    may_start = (lobbies.c.id == lobby_id, lobbies.c.state == LobbyState.OPEN, is_free)
    claim = {"starting": interaction_id, "starting_until": until}
    return await changes_row(tx, update(lobbies).where(*may_start).values(claim))


async def unclaim(tx: Transaction, lobby_id: int, interaction_id: int) -> None:
    """End the claim of an interaction."""
    is_claimed = (lobbies.c.id == lobby_id, lobbies.c.starting == interaction_id)
    await tx.execute(update(lobbies).where(*is_claimed).values(starting=None, starting_until=None))


async def set_closed(tx: Transaction, lobby_id: int, state: LobbyState = LobbyState.CLOSED) -> None:
    """Close a lobby."""
    await tx.execute(update(lobbies).where(lobbies.c.id == lobby_id).values(state=state))


async def _members(tx: Transaction, lobby_id: int) -> tuple[Person, ...]:
    """Return the members of a lobby, in the order of joining."""
    members = select(lobby_members.c.user_id, lobby_members.c.name).filter_by(lobby_id=lobby_id)
    return await _people(tx, members.order_by(lobby_members.c.position))


async def _barred(tx: Transaction, lobby_id: int) -> tuple[Person, ...]:
    """Return the people who may not join a lobby."""
    return await _people(tx, select(lobby_barred.c.user_id, lobby_barred.c.name).filter_by(lobby_id=lobby_id))


async def _answers(
    tx: Transaction, lobby_id: int, members: tuple[Person, ...]
) -> tuple[tuple[Person, ...], tuple[Person, ...]]:
    """Return the challenged people who have not answered, and those who have declined."""
    columns = (lobby_challenged.c.user_id, lobby_challenged.c.name)
    answers = [select(*columns).filter_by(lobby_id=lobby_id, declined=declined) for declined in (False, True)]
    asked, declined = [await _people(tx, answer.order_by(lobby_challenged.c.user_id)) for answer in answers]
    accepted = {person.user_id for person in members}
    return tuple(person for person in asked if person.user_id not in accepted), declined


async def _people(tx: Transaction, query: Select[int, str]) -> tuple[Person, ...]:
    """Return the people that a query of ids and names finds."""
    return tuple(Person(user_id, name) for user_id, name in await tx.execute(query))
