"""The tables of an event: setting up their games, reading their outcomes, and their rows in the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from engine import GAMES, INTERVENTIONS, Adjudicate, Position, begin, state_digest
from host.errors import ErrorCode, HostError
from host.events.stored import StoredEvent
from host.naming import Label
from host.rights import Asker
from host.values import LoggedAction
from store import (
    EventState,
    Game,
    GameStatus,
    NewGame,
    Person,
    TablePlace,
    TableRecord,
    TableSettings,
    TableState,
    Transaction,
    events,
    games,
)
from tournaments.event import EventFold
from tournaments.facts import DrawnTable
from tournaments.points import Outcome

OPEN_STATES = (TableState.OPENING, TableState.OPEN)
"""States of tables whose game is being played or opened."""
EXTENDED_GAME: Final = "extended_game"
"""The kind of audit lines about an extended single game."""


def table_of(known: StoredEvent, place: TablePlace) -> DrawnTable:
    """Return the drawn table at a place."""
    return known.running.round(place.stage, place.round).tables[place.number - 1]


def table_seed(seed: str, place: TablePlace) -> str:
    """Return the seed of a game, derived from the event's; neither reveals the other."""
    return sha256(f"{seed}/game/{'/'.join(map(str, place))}".encode()).hexdigest()[:32]


def new_table_game(
    known: StoredEvent, place: TablePlace, people: Sequence[Person], label: Label, material: Mapping[str, Any]
) -> NewGame:
    """Return the game of a table: seats as paired, everything by chance from the event's seed."""
    parameters, plan = known.running.specification.parameters, known.plan
    game = GAMES[parameters.game]
    edition = game.presets.get(parameters.preset)
    options = {**({} if edition is None else edition.differences()), **plan.options}
    setup = game.new_setup(
        players=len(people),
        seed=table_seed(known.record.seed, place),
        options=game.options.of(options),
        expansions=plan.expansions,
        **material,
    )
    position = begin(setup)
    return NewGame(
        code=label.code,
        name=label.name,
        guild_id=known.record.guild_id,
        channel_id=known.record.channel_id,
        seats=tuple(people),
        setup=setup.to_json(),
        digest=state_digest(position),
        seat_to_act=position.player,
        settings=TableSettings(hints=not parameters.purist, pace=parameters.pace, language=plan.language),
    )


def outcome_of(position: Position, log: Sequence[LoggedAction]) -> Outcome:
    """Return the outcome of a finished game; one that was ended early is scored as it stands."""
    end = position if position.is_over else position.concluded()[0]
    out = tuple(seat for seat, left in enumerate(position.withdrawn) if left)
    last = log[-1].action if log else None
    scores = tuple(end.scores)
    if not any(_is_played(entry) for entry in log) and out:
        return Outcome((0,) * len(scores), out, how="forfeited")
    if isinstance(last, Adjudicate):
        return Outcome(scores, out, -1 if last.ranked_last is None else last.ranked_last, "adjudicated")
    return Outcome(scores, out, -1, "played" if position.is_over else "adjudicated")


def _is_played(entry: LoggedAction) -> bool:
    return not isinstance(entry.action, INTERVENTIONS)


def people_at(
    event: EventFold, names: Mapping[str, Person], stage: int, number: int, table: DrawnTable, *, locked: bool = False
) -> tuple[Person | None, ...]:
    """Return the people at a table by seat; of teams the line-ups, once both are in or locked."""
    if not table.board:
        return tuple(names.get(event.persons[player][-1][1]) for player in table.seats)
    found: list[Person | None] = []
    revealed = locked or all((stage, number, team) in event.line_ups for team in table.seats)
    for team in table.seats:
        members = event.line_ups.get((stage, number, team), ()) if revealed else ()
        found.append(names.get(members[table.board - 1]) if len(members) >= table.board else None)
    return tuple(found)


# -- rows -------------------------------------------------------------------------------------------------------------


def check_running(known: StoredEvent) -> None:
    """Make sure that an event is being played.

    Raises:
        HostError: ``event_not_running``.
    """
    if known.record.state is not EventState.RUNNING:
        raise HostError(ErrorCode.EVENT_NOT_RUNNING, code=known.record.code)


async def extended_games(tx: Transaction, known: StoredEvent) -> set[str]:
    """Return the codes of games that were extended on their own."""
    return {str(line.details["game"]) for line in await events.audit_of(tx, known.record.id, EXTENDED_GAME)}


def plays(known: StoredEvent, place: TablePlace, user_id: int) -> bool:
    """Return whether a user plays at a table."""
    number = known.number_of(user_id)
    return number is not None and number in table_of(known, place).seats


async def check_not_own(tx: Transaction, known: StoredEvent, asker: Asker, user_id: int) -> None:
    """Make sure that an organiser decides neither about themselves nor about someone at their own table.

    Raises:
        HostError: ``own_game``.
    """
    other = known.number_of(user_id)
    for row in await open_rows(tx, known):
        if plays(known, row.place, asker.user_id) and other in table_of(known, row.place).seats:
            raise HostError(ErrorCode.OWN_GAME, code=known.record.code)


async def rows_of(tx: Transaction, known: StoredEvent, stage: int, number: int) -> list[TableRecord]:
    """Return the rows of a round, without those of drawings that were replaced."""
    rows = await events.tables_of(tx, known.record.id)
    return [
        row
        for row in rows
        if (row.place.stage, row.place.round) == (stage, number) and row.state is not TableState.VOID
    ]


async def open_rows(tx: Transaction, known: StoredEvent) -> list[TableRecord]:
    """Return the rows of tables whose game is being played or opened."""
    return [row for row in await events.tables_of(tx, known.record.id) if row.state in OPEN_STATES]


async def running_games(tx: Transaction, known: StoredEvent) -> list[tuple[TableRecord, Game]]:
    """Return the running games, with their rows."""
    rows = [row for row in await open_rows(tx, known) if row.game_id is not None]
    found = await games.some(tx, [row.game_id for row in rows if row.game_id is not None])
    pairs = [(row, found.get(row.game_id or 0)) for row in rows]
    return [(row, game) for row, game in pairs if isinstance(game, Game) and game.status is not GameStatus.FINISHED]
