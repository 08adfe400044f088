"""Seasons of the ladder: games that players of a division find themselves are entered into the season's log.

The games belong to the ladder's queue, or to matches, which are events of their own. So a season only follows them:
every quarter of an hour it enters those that have begun and count, and takes the results of those that have ended. At
its end it decides what is still open, against whoever has used more time (:mod:`tournaments.stages.season`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from host.clock import Clock
from host.errors import HostError
from host.events.log import EventLog, outcome_of
from host.events.stored import ENDED_STATES, StoredEvent
from host.events.views import MATCH_FORMAT
from host.games.end_dates import is_due, time_used, waits_of
from host.games.reader import GameReader
from host.values import setup_of
from store import (
    EventPostKind,
    EventState,
    Game,
    GameStatus,
    Store,
    TablePlace,
    TableState,
    Transaction,
    UnreadableError,
    events,
    games,
    ladder,
    ratings,
)
from store.tourneys.events import TableRecord
from tournaments.event import EventFold
from tournaments.facts import Correction, EntrySubstitution, Fact, LateEntry, Rejoined, Result, SeasonGame, StageEnded
from tournaments.lasting.ratings import scale_of
from tournaments.points import Outcome
from tournaments.stages.base import PLAYED
from tournaments.stages.season import CLOSING_WEEKS, reason_not_to_count
from tournaments.states import SEASON, StageState

SEASON_CHECK_SPACING: Final = timedelta(minutes=15)
"""The time between two looks for games of a season."""
CLOSING_NOTICE: Final = timedelta(days=7)
"""The time before the last games of a season may begin at which its players are told."""
MAX_SEASONS: Final = 40
"""The most seasons that the table of all time adds up: those of ten years."""
MAX_NEW_FACTS: Final = 50
"""The most facts that are added to a season in one transaction."""
ABANDONED: Final = Outcome((0, 0), (0, 1), how="forfeited")
"""The result of a game that was called off, or cannot be read any more: nobody wins it."""


class SeasonDates(NamedTuple):
    """The time from which on no game counts that begins, and the end of a season."""

    closes_at: datetime
    ends_at: datetime


def running_season(event: EventFold) -> StageState | None:
    """Return the stage of a season of the ladder that is being played; None in other events."""
    state = event.stage
    return state if state is not None and state.plan.kind == SEASON and state.rounds else None


def season_dates(stored: StoredEvent) -> SeasonDates | None:
    """Return the dates of a season of the ladder that has begun; None for other events."""
    if stored.event is None or stored.record.started_at is None or stored.event.plans[0].kind != SEASON:
        return None
    days = stored.event.extended.get((1, 1), 0)
    ends_at = stored.record.started_at + timedelta(weeks=stored.event.plans[0].weeks, days=days)
    return SeasonDates(ends_at - timedelta(weeks=CLOSING_WEEKS), ends_at)


def season_check_times(stored: StoredEvent, now: datetime) -> Iterator[datetime]:
    """Yield the next times to look at a running season."""
    dates = season_dates(stored)
    if dates is not None and stored.record.state is EventState.RUNNING:
        yield from (now + SEASON_CHECK_SPACING, *dates)


@dataclass(eq=False)
class SeasonGames:
    """Enters games and their results into seasons of the ladder, and ends these."""

    _store: Store
    _clock: Clock
    _log: EventLog
    _games: GameReader

    async def settle(self, stored: StoredEvent) -> bool:
        """Add what has happened in the games of a season; return whether anything was added."""
        dates = season_dates(stored)
        if dates is None or running_season(stored.running) is None:
            return False
        facts = await self._new_facts(stored, dates)
        closing_soon = dates.closes_at - CLOSING_NOTICE <= self._clock.now()
        if not facts and not closing_soon:
            return False
        async with self._store.writing(event=stored.record.id) as tx:
            for fact in facts[:MAX_NEW_FACTS]:
                stored = await self._log.append(tx, stored, fact)
            if closing_soon:
                until, ends = (int(at.timestamp()) for at in dates)
                details = {"until": until, "ends": ends}
                await self._log.post(tx, stored.record.id, EventPostKind.CLOSING, ends, details=details)
        return bool(facts)

    async def _new_facts(self, stored: StoredEvent, dates: SeasonDates) -> list[Fact]:
        """Return the games that have begun, the results that have become known or were corrected, and the end."""
        event, game_name = stored.running.copy(), stored.running.specification.parameters.game
        scale, since = scale_of(game_name, 2), stored.record.started_at or stored.record.created_at
        async with self._store.reading() as tx:
            guild_id = stored.record.guild_id
            found = await ladder.found_games(tx, guild_id, scale, MATCH_FORMAT, since)
            known = set(event.season_games)
            new = [game for game in found if game.code not in known and game.begun_at < dates.closes_at]
            by_id = await games.by_ids(tx, [game.game_id for game in new])
            corrected = set(await ratings.corrected_games(tx, scale, guild_id, since))
        candidates = [game for each in new if isinstance(game := by_id.get(each.game_id), Game)]
        entered_at = _entry_times(stored, since)
        facts = await asyncio.to_thread(_enter_games, event, candidates, game_name, entered_at)
        return [*facts, *await self._results(stored, event, corrected, dates.ends_at)]

    async def _results(
        self, stored: StoredEvent, event: EventFold, corrected: set[int], ends_at: datetime
    ) -> list[Fact]:
        """Return results that the season does not have yet, and its end if it is over; ``event`` has all its games."""
        over = is_due(ends_at, self._clock.now())
        facts: list[Fact] = []
        drawn = event.round(1, 1)
        tables = list(enumerate(zip(event.season_games, drawn.tables, drawn.outcomes, strict=True), 1))
        async with self._store.reading() as tx:
            by_code = await games.by_codes(tx, [code for _, (code, _, outcome) in tables if outcome is None])
            corrected_games = await games.by_ids(tx, corrected)
        corrected_codes = {game.code: game for game in corrected_games.values() if isinstance(game, Game)}
        for number, (code, table, before) in tables:
            if before is None:
                outcome = await self._result(by_code.get(code), over=over)
                if outcome is not None:
                    facts.append(Result(1, 1, number, outcome))
            elif code in corrected_codes and not event.gone & set(table.seats):
                outcome = await self._outcome(corrected_codes[code])
                if outcome is not None and outcome != before and not _corrected_by_organiser(stored, number):
                    facts.append(Correction(1, 1, number, outcome))
        if over and len(facts) < MAX_NEW_FACTS:
            facts.append(StageEnded(1, PLAYED))
        return facts

    async def _result(self, game: Game | UnreadableError | None, *, over: bool) -> Outcome | None:
        """Return the result of a game, at the end of the season of each; None while it is played."""
        if not isinstance(game, Game):
            return ABANDONED if over else None
        outcome = await self._outcome(game)
        return await self._decided_by_time(game) if outcome is None and over else outcome

    async def _outcome(self, game: Game) -> Outcome | None:
        """Return the result of a game, for one of a match that in the event of the match; None while it is played."""
        async with self._store.reading() as tx:
            row = await events.table_of_game(tx, game.id)
            if row is not None:
                match = await self._log.snapshot(tx, row.event_id)
                outcome = match.running.outcome(row.place.stage, row.place.round, row.place.number)
                return ABANDONED if outcome is None and match.record.state in ENDED_STATES else outcome
        if game.status is not GameStatus.FINISHED:
            return None
        try:
            _, played = await self._games.load(game)
        except (HostError, UnreadableError):  # frozen
            return None
        return await asyncio.to_thread(outcome_of, played.position, played.log)

    async def _decided_by_time(self, game: Game) -> Outcome:
        """Return the result of a game that is open at the end: as it stands, but lost by whoever has used more time."""
        try:
            game, played = await self._games.load(game)
        except (HostError, UnreadableError):  # frozen: the end of a season waits for no game
            return ABANDONED
        outcome = await asyncio.to_thread(outcome_of, played.position, played.log)
        waits = await asyncio.to_thread(waits_of, game, played.log)
        async with self._store.reading() as tx:
            used = await time_used(tx, game, waits, self._clock.now())
        most = max(used.values(), default=timedelta(0))
        slowest = [seat for seat, time in used.items() if time == most]
        return replace(outcome, stalled=slowest[0] if len(slowest) == 1 else -1)


async def seasons_until(tx: Transaction, log: EventLog, stored: StoredEvent) -> list[StoredEvent]:
    """Return a season and those before it, the earliest first; each began after the one before it was over."""
    seasons = [stored]
    while stored.plan.season_of and len(seasons) < MAX_SEASONS:
        record = await events.by_code(tx, stored.plan.season_of)
        if record is None:
            break
        stored = await log.snapshot(tx, record.id)
        if stored.event is None:
            break
        seasons.append(stored)
    return seasons[::-1]


async def season_tables(
    tx: Transaction, stored: StoredEvent
) -> tuple[list[TableRecord], dict[int, Game | UnreadableError]]:
    """Return a row for each game of a season, as other events store them, and these games by id.

    In a season, all games have the same deadline, its end.
    """
    dates, event = season_dates(stored), stored.event
    if dates is None or event is None or not event.season_games:
        return [], {}
    by_code = await games.by_codes(tx, event.season_games)
    rows = []
    for number, code in enumerate(event.season_games, 1):
        game, outcome = by_code.get(code), event.outcome(1, 1, number)
        if isinstance(game, Game):
            state = TableState.OPEN if outcome is None else TableState.DECIDED
            row = TableRecord(
                event_id=stored.record.id, place=TablePlace(1, 0, 1, number), state=state, due_at=game.created_at
            )
            rows.append(replace(row, game_id=game.id, opened_at=game.created_at, deadline=dates.ends_at))
    return rows, {game.id: game for game in by_code.values() if isinstance(game, Game)}


def _entry_times(stored: StoredEvent, started_at: datetime) -> dict[int, datetime]:
    """Return the time from which games of each present player count: their entry, last return or substitution."""
    players = range(len(stored.running.entries))
    entered_at = dict.fromkeys(players, started_at)
    late = len(stored.running.specification.entries)
    for fact, record in zip(stored.running.facts, stored.facts, strict=True):
        match fact:
            case LateEntry():
                entered_at[late] = record.at
                late += 1
            case Rejoined(player) | EntrySubstitution(player):
                entered_at[player] = record.at
            case _:
                pass
    return entered_at


def _enter_games(
    event: EventFold, candidates: Iterable[Game], game_name: str, entered_at: Mapping[int, datetime]
) -> list[Fact]:
    """Enter those games into ``event`` that count, in this order, and return the facts."""
    facts: list[Fact] = []
    for game in candidates:
        fact = _season_game(event, game, game_name, entered_at)
        if fact is not None:
            event.apply(fact)
            facts.append(fact)
    return facts


def _season_game(event: EventFold, game: Game, game_name: str, entered_at: Mapping[int, datetime]) -> SeasonGame | None:
    """Return the fact that enters a game into a season; None if it does not count."""
    state = running_season(event)
    numbers = {persons[-1][1]: number for number, persons in enumerate(event.persons)}
    seats = tuple(numbers.get(str(person.user_id), -1) for person in game.seats)
    if state is None or -1 in seats or len(seats) != 2 or setup_of(game).game != game_name:
        return None
    present = all(entered_at[player] <= game.created_at for player in seats)
    counts = present and not reason_not_to_count(event.context(state), seats)
    return SeasonGame(state.number, seats, game.code) if counts else None


def _corrected_by_organiser(stored: StoredEvent, table: int) -> bool:
    """Return whether an organiser of the season has corrected a result, which no correction of the match changes."""
    facts = zip(stored.running.facts, stored.facts, strict=True)
    return any(isinstance(fact, Correction) and fact.table == table and record.user_id for fact, record in facts)
