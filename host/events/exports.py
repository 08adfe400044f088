"""Exports of events as files: everything as JSON, games and standings as CSV.

The *facts* of an event are the entries of its log, such as results and withdrawals.

Until an event is over, the files leave out two secrets: its *seed*, from which all draws by lot are derived, and
line-ups of teams that are not revealed yet.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Final

from host.events.log import EventLog, people_at
from host.events.reader import EventReader
from host.events.stored import ENDED_STATES, StoredEvent
from host.events.views import EventView
from store import Person, Store
from tournaments.event import standings
from tournaments.facts import DISQUALIFIED, Correction, DrawnTable, LineUp, Rejoined, Withdrawal, read_fact, to_json
from tournaments.points import Outcome, places, table_points
from tournaments.ranking import Line
from tournaments.states import StageState

# Words of the files for what has happened to a seat of a game or to a player.
WITHDREW: Final = "withdrew"
NO_SHOW: Final = "no-show"
CORRECTED: Final = "corrected"
FORFEITED: Final = "forfeited"
LEFT: Final = "left"
_SEEDED_TIE_BREAK: Final = "lot"
"""The tie-break that would reveal something about the seed."""
_TABLE_COLUMNS: Final = ("stage", "round", "table", "board", "match")
"""The columns that identify a game."""
GAME_COLUMNS: Final = (
    *_TABLE_COLUMNS,
    *("seat", "number", "player", "member", "user", "score", "place", "points", "how"),
)
"""The columns of the games; see :meth:`Exports.games_csv`."""
STANDING_COLUMNS: Final = ("rank", "number", "player", "user", "stage", "status")
"""The columns of the standings before those of the tie-breaks."""


@dataclass(eq=False)
class Exports:
    """Writes the files that organisers and players can download."""

    _store: Store
    _log: EventLog
    _reader: EventReader

    async def as_json(self, ref: int | str) -> str:
        """Return everything about an event as JSON: plan, entries, facts, games, standings and audit log.

        Raises:
            HostError: ``unknown_event``.
        """
        stored = await self._store.read(self._log.snapshot, ref)
        audit = await self._reader.audit(stored.record.id)
        data = await asyncio.to_thread(event_data, stored, self._log.view_of(stored))
        data["audit"] = [
            {"at": line.at.isoformat(), "by": line.user_id, "kind": line.kind, **line.details} for line in audit
        ]
        return json.dumps(data, indent=1, ensure_ascii=False)

    async def games_csv(self, ref: int | str) -> str:
        """Return the games of an event as CSV, one line for each seat.

        The column ``number`` is that of the player or team in all files, ``player`` is their name, and ``member`` the
        person at the board of a team. The column ``how`` says what happened to the seat (``withdrew``,
        ``disqualified``, ``forfeited``) or else how the game ended: ``played``, ``adjudicated`` or ``corrected``.

        Raises:
            HostError: ``unknown_event``.
        """
        stored = await self._store.read(self._log.snapshot, ref)
        return await asyncio.to_thread(_csv_text, GAME_COLUMNS, _game_rows(stored, self._log.view_of(stored)))

    async def standings_csv(self, ref: int | str) -> str:
        """Return the standings of an event as CSV, best first, with a column for each tie-break (higher is better).

        The column ``stage`` is the last stage that the player has reached, whose tie-breaks decide; ``status`` is
        ``left`` or ``disqualified``, else empty.

        Raises:
            HostError: ``unknown_event``.
        """
        stored = await self._store.read(self._log.snapshot, ref)
        lines = [] if stored.event is None else await asyncio.to_thread(standings, stored.event)
        names = list(dict.fromkeys(name for line in lines for name, _ in _public_values(stored, line)))
        rows = (_standing_row(stored, self._log.view_of(stored), line, names) for line in lines)
        return _csv_text((*STANDING_COLUMNS, *names), rows)


def event_data(stored: StoredEvent, view: EventView) -> dict[str, Any]:
    """Return an event as data for JSON, without what is secret until its end."""
    event, over = stored.event, stored.record.state in ENDED_STATES
    data: dict[str, Any] = {
        "code": view.code,
        "name": view.name,
        "state": view.state,
        "plan": view.plan.to_data(),
        "commitment": view.commitment,
        "seed": view.seed,
        "entries": [
            {"number": entry.number, "user": entry.person.user_id, "name": entry.person.name, "team": entry.team}
            for entry in view.entries
        ]
        + [
            {"number": number, "user": None, "name": computer.name, "team": None, "computer": computer.level}
            for number, computer in view.computers.items()
        ],
        "teams": [{"number": team.number, "name": team.name, "captain": team.captain_id} for team in view.teams],
    }
    if event is None:
        return data
    facts = [(line, read_fact(line.fact)) for line in stored.facts]
    data["facts"] = [
        {"at": line.at.isoformat(), "by": line.user_id, **json.loads(to_json(fact))}
        for line, fact in facts
        if over or not isinstance(fact, LineUp)
    ]
    data["games"] = [_game_data(game) for game in _games(stored)]
    data["standings"] = [
        {
            "player": line.player,
            "name": view.name_of(line.player),
            "rank": line.rank,
            "stage": line.stage,
            "status": _status(stored, line.player),
            "tie_breaks": {name: _plain_number(value) for name, value in _public_values(stored, line)},
        }
        for line in standings(event)
    ]
    return data


# -- games ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Game:
    """A game of an event, as the files describe it."""

    state: StageState
    round: int
    number: int
    table: DrawnTable
    outcome: Outcome | None
    people: tuple[Person | None, ...]
    """The players by seat; None where a line-up is still sealed."""
    seat_notes: tuple[str, ...] = ()
    """The fate of each seat, as in the column ``how``."""


@dataclass(frozen=True, slots=True)
class _History:
    """The facts of an event that explain outcomes of games."""

    corrected: frozenset[tuple[int, int, int]]
    """The games with corrected outcomes, by stage, round and table."""
    leaving: Sequence[tuple[int, Withdrawal | Rejoined]]
    """Withdrawals and returns, each with the number of its fact."""

    @classmethod
    def of(cls, stored: StoredEvent) -> _History:
        """Collect these facts from the log of an event."""
        corrected: set[tuple[int, int, int]] = set()
        leaving: list[tuple[int, Withdrawal | Rejoined]] = []
        for number, fact in enumerate(stored.running.facts):
            if isinstance(fact, Correction):
                corrected.add((fact.stage, fact.round, fact.table))
            elif isinstance(fact, Withdrawal | Rejoined):
                leaving.append((number, fact))
        return cls(frozenset(corrected), leaving)

    def reason(self, player: int, facts: int) -> str:
        """Return why a player was out of the event after a number of facts; empty if they were in it."""
        reason = ""
        for number, fact in self.leaving:
            if fact.player == player and number < facts:
                reason = fact.reason if isinstance(fact, Withdrawal) else ""
        return reason


def _games(stored: StoredEvent) -> Iterator[_Game]:
    """Yield all games of an event, in the order of stages, rounds and tables."""
    if stored.event is None:
        return
    history, names = _History.of(stored), stored.names()
    for state in stored.event.stages:
        for drawn in state.rounds:
            for number, (table, outcome) in enumerate(zip(drawn.tables, drawn.outcomes, strict=True), 1):
                place = (state.number, drawn.number, number)
                people = _people(stored, names, place, table)
                notes = tuple(_seat_note(stored, history, place, table, seat) for seat in range(len(table.seats)))
                yield _Game(state, drawn.number, number, table, outcome, people, notes)


def _people(
    stored: StoredEvent, names: dict[str, Person], place: tuple[int, int, int], table: DrawnTable
) -> tuple[Person | None, ...]:
    """Return the players of a game by seat: those who played when it was decided, even if they were replaced later."""
    event = stored.running
    if table.board:
        return people_at(event, names, *place[:2], table, locked=stored.record.state in ENDED_STATES)
    facts = event.decided.get(place, len(event.facts))
    keys_by_seat = ([key for since, key in event.persons[player] if since <= facts] for player in table.seats)
    return tuple(names.get(keys[-1]) for keys in keys_by_seat)


def _seat_note(
    stored: StoredEvent, history: _History, place: tuple[int, int, int], table: DrawnTable, seat: int
) -> str:
    """Return what the column ``how`` says about a seat; empty while the game runs."""
    event = stored.running
    outcome = event.outcome(*place)
    if outcome is None:
        return ""
    if place in history.corrected and seat not in outcome.out:
        return CORRECTED
    if seat not in outcome.out and seat not in outcome.absent:
        return outcome.how
    reason = history.reason(table.seats[seat], event.decided[place])
    if reason == DISQUALIFIED:
        return DISQUALIFIED
    if seat in outcome.absent:
        return NO_SHOW
    return FORFEITED if outcome.how == FORFEITED and not reason else WITHDREW


def _points(game: _Game) -> tuple[Fraction, ...]:
    """Return the points that a game gives, by seat; empty while it runs."""
    plan = game.state.plan
    return () if game.outcome is None else table_points(game.outcome, plan.points, plan.ties)


def _ranks(game: _Game) -> tuple[int, ...]:
    """Return the ranks in a game, by seat; empty while it runs."""
    return () if game.outcome is None else places(game.outcome, game.state.plan.ties)


def _game_data(game: _Game) -> dict[str, Any]:
    """Return a game as data for JSON."""
    outcome = game.outcome
    row: dict[str, Any] = {"stage": game.state.number, "round": game.round, "table": game.number}
    row |= asdict(game.table) | {"seats": list(game.table.seats)}
    return row | {
        "users": [None if person is None else person.user_id for person in game.people],
        "scores": list(outcome.scores) if outcome else [],
        "out": list(outcome.out) if outcome else [],
        "places": list(_ranks(game)),
        "points": [_plain_number(value) for value in _points(game)],
        "how": outcome.how if outcome else "",
        "happened": [note for note in game.seat_notes if note],
    }


def _game_rows(stored: StoredEvent, view: EventView) -> Iterator[Sequence[object]]:
    """Yield the CSV rows of the games, one for each seat."""
    for game in _games(stored):
        points, ranks = _points(game), _ranks(game)
        table = (game.state.number, game.round, game.number, game.table.board, game.table.match)
        for seat, (player, person) in enumerate(zip(game.table.seats, game.people, strict=True)):
            person_name = "" if person is None else view.name_of_person(person)
            is_team = bool(game.table.board)
            yield (
                *table,
                seat + 1,
                player,
                _spreadsheet_safe(view.name_of(player) if is_team or not person_name else person_name),
                _spreadsheet_safe(person_name) if is_team else "",
                "" if person is None else person.user_id,
                game.outcome.scores[seat] if game.outcome else "",
                ranks[seat] if ranks else "",
                _plain_number(points[seat]) if points else "",
                game.seat_notes[seat],
            )


# -- standings --------------------------------------------------------------------------------------------------------


def _public_values(stored: StoredEvent, line: Line) -> Iterator[tuple[str, Fraction]]:
    """Return the tie-breaks of a line of the standings, without one that is still secret."""
    over = stored.record.state in ENDED_STATES
    return ((name, value) for name, value in line.values if over or name != _SEEDED_TIE_BREAK)


def _status(stored: StoredEvent, player: int) -> str:
    """Return whether a player has left or was disqualified, as the column ``status`` says it."""
    event = stored.running
    if player in event.disqualified:
        return DISQUALIFIED
    return LEFT if player in event.gone else ""


def _standing_row(stored: StoredEvent, view: EventView, line: Line, names: Sequence[str]) -> Sequence[object]:
    """Return the CSV row of a line of the standings; ``names`` are those of the tie-breaks."""
    person, values = stored.person(line.player), dict(_public_values(stored, line))
    return (
        line.rank,
        line.player,
        _spreadsheet_safe(view.name_of(line.player)),
        "" if person is None else person.user_id,
        line.stage,
        _status(stored, line.player),
        *(_plain_number(values[name]) if name in values else "" for name in names),
    )


# -- writing files ----------------------------------------------------------------------------------------------------


def _csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a CSV file with these column names and rows."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _plain_number(value: Fraction) -> int | float:
    """Return a fraction as a number of JSON or CSV."""
    return int(value) if value.denominator == 1 else float(value)


def _spreadsheet_safe(name: str) -> str:
    """Return a name that no spreadsheet program takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name
