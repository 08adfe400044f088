"""Exports of events: everything as JSON, games and standings as CSV, without anything that is secret until the end."""

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

WITHDREW: Final = "withdrew"
CORRECTED: Final = "corrected"
FORFEITED: Final = "forfeited"
LEFT: Final = "left"
_SEEDED_TIE_BREAK: Final = "lot"
"""The tie-break that would reveal the seed before the end."""
_TABLE_COLUMNS: Final = ("stage", "round", "table", "board", "match")
GAME_COLUMNS: Final = (
    *_TABLE_COLUMNS,
    *("seat", "number", "player", "member", "user", "score", "place", "points", "how"),
)
STANDING_COLUMNS: Final = ("rank", "number", "player", "user", "stage", "status")
"""The columns of the standings before those of the tie-breaks."""


@dataclass(eq=False)
class Exports:
    """Exports events as files for organisers and players."""

    _store: Store
    _log: EventLog
    _reader: EventReader

    async def as_json(self, ref: int | str) -> str:
        """Return an event with plan, entries, facts, rounds, standings, audit log and, once it is over, the seed.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            stored = await self._log.snapshot(tx, ref)
        audit = await self._reader.audit(stored.record.id)
        data = await asyncio.to_thread(to_json_data, stored, self._log.shown(stored))
        data["audit"] = [
            {"at": line.at.isoformat(), "by": line.user_id, "kind": line.kind, **line.details} for line in audit
        ]
        return json.dumps(data, indent=1, ensure_ascii=False)

    async def games_csv(self, ref: int | str) -> str:
        """Return the games of an event, one line for each seat, with players and result.

        ``player`` is the entry, ``member`` who sat at the board of a team, ``number`` that of the entry in all files.
        ``how`` says what happened to the seat: it ``withdrew``, was ``disqualified`` or ``forfeited``; else how the
        game ended, ``played`` or ``adjudicated``, unless its result was ``corrected``.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            stored = await self._log.snapshot(tx, ref)
        return await asyncio.to_thread(_csv_text, GAME_COLUMNS, _game_rows(stored, self._log.shown(stored)))

    async def standings_csv(self, ref: int | str) -> str:
        """Return the standings of an event, best first, with all tie-breaks; of each, the higher value is the better.

        ``stage`` is the last one that somebody played, whose tie-breaks decide; ``status`` says who ``left`` or was
        ``disqualified``.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            stored = await self._log.snapshot(tx, ref)
        lines = [] if stored.event is None else await asyncio.to_thread(standings, stored.event)
        names = list(dict.fromkeys(name for line in lines for name, _ in _public_values(stored, line)))
        rows = (_standing_row(stored, self._log.shown(stored), line, names) for line in lines)
        return _csv_text((*STANDING_COLUMNS, *names), rows)


def to_json_data(stored: StoredEvent, shown: EventView) -> dict[str, Any]:
    """Return an event as JSON data, without sealed line-ups, the unrevealed seed, or anything that follows from it."""
    event, over = stored.event, stored.record.state in ENDED_STATES
    data: dict[str, Any] = {
        "code": shown.code,
        "name": shown.name,
        "state": shown.state,
        "plan": shown.plan.to_data(),
        "commitment": shown.commitment,
        "seed": shown.seed,
        "entries": [
            {"number": entry.number, "user": entry.person.user_id, "name": entry.person.name, "team": entry.team}
            for entry in shown.entries
        ],
        "teams": [{"number": team.number, "name": team.name, "captain": team.captain_id} for team in shown.teams],
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
            "name": shown.name_of(line.player),
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
    """A game with what happened to each of its seats."""

    state: StageState
    round: int
    number: int
    table: DrawnTable
    outcome: Outcome | None
    people: tuple[Person | None, ...]
    """The players by seat, as far as known; None at the boards of a sealed line-up."""
    happened: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Past:
    """Facts about games beside their outcomes."""

    corrected: frozenset[tuple[int, int, int]]
    """By stage, round and table."""
    leaving: Sequence[tuple[int, Withdrawal | Rejoined]]
    """Withdrawals and returns, each with the number of its fact."""

    @classmethod
    def of(cls, stored: StoredEvent) -> _Past:
        """Collect them from the facts of an event."""
        corrected: set[tuple[int, int, int]] = set()
        leaving: list[tuple[int, Withdrawal | Rejoined]] = []
        for number, fact in enumerate(stored.running.facts):
            if isinstance(fact, Correction):
                corrected.add((fact.stage, fact.round, fact.table))
            elif isinstance(fact, Withdrawal | Rejoined):
                leaving.append((number, fact))
        return cls(frozenset(corrected), leaving)

    def reason(self, player: int, facts: int) -> str:
        """Return why a player was out of the event after that many facts; empty if they were in it."""
        reason = ""
        for number, fact in self.leaving:
            if fact.player == player and number < facts:
                reason = fact.reason if isinstance(fact, Withdrawal) else ""
        return reason


def _games(stored: StoredEvent) -> Iterator[_Game]:
    if stored.event is None:
        return
    past, names = _Past.of(stored), stored.names()
    for state in stored.event.stages:
        for drawn in state.rounds:
            for number, (table, outcome) in enumerate(zip(drawn.tables, drawn.outcomes, strict=True), 1):
                place = (state.number, drawn.number, number)
                people = _people(stored, names, place, table)
                happened = tuple(_seat_notes(stored, past, place, table, seat) for seat in range(len(table.seats)))
                yield _Game(state, drawn.number, number, table, outcome, people, happened)


def _people(
    stored: StoredEvent, names: dict[str, Person], place: tuple[int, int, int], table: DrawnTable
) -> tuple[Person | None, ...]:
    """Return the players of a game, including one who was replaced later."""
    event = stored.running
    if table.board:
        return people_at(event, names, *place[:2], table, locked=stored.record.state in ENDED_STATES)
    facts = event.decided.get(place, len(event.facts))
    keys = ([key for since, key in event.persons[player] if since <= facts] for player in table.seats)
    return tuple(names.get(each[-1]) for each in keys)


def _seat_notes(stored: StoredEvent, past: _Past, place: tuple[int, int, int], table: DrawnTable, seat: int) -> str:
    """Return the ``how`` of a seat; empty while the game runs."""
    event = stored.running
    outcome = event.outcome(*place)
    if outcome is None:
        return ""
    if seat not in outcome.out:
        return CORRECTED if place in past.corrected else outcome.how
    reason = past.reason(table.seats[seat], event.decided[place])
    if reason == DISQUALIFIED:
        return DISQUALIFIED
    return FORFEITED if outcome.how == FORFEITED and not reason else WITHDREW


def _points(game: _Game) -> tuple[Fraction, ...]:
    plan = game.state.plan
    return () if game.outcome is None else table_points(game.outcome, plan.points, plan.ties)


def _ranks(game: _Game) -> tuple[int, ...]:
    return () if game.outcome is None else places(game.outcome, game.state.plan.ties)


def _game_data(game: _Game) -> dict[str, Any]:
    """Return a game as JSON data."""
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
        "happened": [each for each in game.happened if each],
    }


def _game_rows(stored: StoredEvent, shown: EventView) -> Iterator[Sequence[object]]:
    """Return the CSV rows of the games, one for each seat."""
    for game in _games(stored):
        points, ranks = _points(game), _ranks(game)
        table = (game.state.number, game.round, game.number, game.table.board, game.table.match)
        for seat, (player, person) in enumerate(zip(game.table.seats, game.people, strict=True)):
            called = "" if person is None else shown.called(person)
            team = bool(game.table.board)
            yield (
                *table,
                seat + 1,
                player,
                _spreadsheet_safe(shown.name_of(player) if team or not called else called),
                _spreadsheet_safe(called) if team else "",
                "" if person is None else person.user_id,
                game.outcome.scores[seat] if game.outcome else "",
                ranks[seat] if ranks else "",
                _plain_number(points[seat]) if points else "",
                game.happened[seat],
            )


# -- standings --------------------------------------------------------------------------------------------------------


def _public_values(stored: StoredEvent, line: Line) -> Iterator[tuple[str, Fraction]]:
    """Return the values of a line without those that are still secret."""
    over = stored.record.state in ENDED_STATES
    return ((name, value) for name, value in line.values if over or name != _SEEDED_TIE_BREAK)


def _status(stored: StoredEvent, player: int) -> str:
    event = stored.running
    if player in event.disqualified:
        return DISQUALIFIED
    return LEFT if player in event.gone else ""


def _standing_row(stored: StoredEvent, shown: EventView, line: Line, names: Sequence[str]) -> Sequence[object]:
    person, values = stored.person(line.player), dict(_public_values(stored, line))
    return (
        line.rank,
        line.player,
        _spreadsheet_safe(shown.name_of(line.player)),
        "" if person is None else person.user_id,
        line.stage,
        _status(stored, line.player),
        *(_plain_number(values[name]) if name in values else "" for name in names),
    )


# -- help -------------------------------------------------------------------------------------------------------------


def _csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(columns)
    lines.writerows(rows)
    return out.getvalue()


def _plain_number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _spreadsheet_safe(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name
