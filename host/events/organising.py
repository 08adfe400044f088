"""Organisers' decisions during an event, recorded in the audit log; none concerns a game of the organiser's own."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import EventLog
from host.events.results import Ratings, Results
from host.events.sign_up import SignUp
from host.events.stored import ENDED_STATES
from host.events.tables import check_not_own, check_running, plays, rows_of
from host.events.views import EventView
from host.games import timekeeping
from host.games.move import schedule_follow_up
from host.games.outbox import Outbox
from host.rights import Asker
from store import (
    EntryRecord,
    EventPostKind,
    EventState,
    Game,
    Person,
    PlyConflictError,
    PostKind,
    ReportRecord,
    Store,
    TableState,
    TimerKind,
    Transaction,
    event_entries,
    events,
    games,
    timers,
)
from tournaments.facts import DISQUALIFIED, Correction, EntrySubstitution, RoundUndone, Withdrawal
from tournaments.points import Outcome

log = logging.getLogger(__name__)


MAX_REPORT_LENGTH: Final = 2000
"""Characters of a report."""
MAX_DAILY_REPORTS: Final = 5
"""Reports of one player about an event within a day."""
_DAY: Final = timedelta(days=1)


@dataclass(eq=False)
class Organising:
    """The organisers' actions."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _log: EventLog
    _sign_up: SignUp
    _results: Results
    _ratings: Ratings

    async def open_round(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Open the round that waits for an organiser.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``no_round_due``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if not await self._log.repeated(tx, interaction_id):
                if known.record.waits_since is None or known.record.state is not EventState.RUNNING:
                    raise HostError(ErrorCode.NO_ROUND_DUE, code=known.record.code)
                await events.change(tx, known.record.id, {"released": len(known.facts)})
                await events.look(tx, known.record.id, self._clock.now())
                await self._log.note(tx, known.record.id, asker.user_id, "opened")
            return await self._log.view(tx, known.record.id)

    async def correct(
        self, ref: int | str, asker: Asker, place: tuple[int, int, int], outcome: Outcome, reason: str
    ) -> EventView:
        """Correct the outcome of a decided game (stage, round, table).

        Standings, ratings and rounds not yet drawn follow; said again, nothing happens.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``no_such_table``,
                ``game_undecided``, ``own_game``, ``bad_result``.
        """
        scale = None
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if known.event is None or known.record.state is EventState.CLOSED:
                raise HostError(ErrorCode.EVENT_NOT_RUNNING, code=known.record.code)
            stage, number, table = place
            fact = Correction(stage, number, table, outcome, reason.strip())
            rows = [row for row in await rows_of(tx, known, stage, number) if row.place.number == table]
            if rows and plays(known, rows[-1].place, asker.user_id):
                raise HostError(ErrorCode.OWN_GAME, code=known.record.code)
            if rows and known.event.outcome(stage, number, table) == outcome:
                return self._log.shown(known)
            known = await self._log.append(tx, known, fact, asker.user_id)
            scale = await self._results.rate_again(tx, known, rows[-1]) if rows else None
            details = {"table": table, "scores": list(outcome.scores), "reason": reason.strip()}
            mark = len(known.facts)
            await self._log.post(tx, known.record.id, EventPostKind.CORRECTED, mark, stage, number, details=details)
            await self._log.note(tx, known.record.id, asker.user_id, "corrected", stage=stage, round=number, **details)
            shown = await self._log.view(tx, known.record.id)
        if scale is not None:
            await self._ratings.rebuild(scale)
        return shown

    async def disqualify(
        self, ref: int | str, asker: Asker, user_id: int, reason: str, interaction_id: int
    ) -> EventView:
        """Disqualify an entrant: remove them before the start, later rank them last and take them out of their games.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``not_entered``, ``event_over``, ``own_game``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if not await self._log.repeated(tx, interaction_id):
                if known.event is None:
                    await self._sign_up.leave_in(tx, known, user_id)
                else:
                    if known.record.state in ENDED_STATES:
                        raise HostError(ErrorCode.EVENT_OVER, code=known.record.code)
                    number = known.number_of(user_id)
                    if number is None:
                        raise HostError(ErrorCode.NOT_ENTERED, code=known.record.code)
                    await check_not_own(tx, known, asker, user_id)
                    await self._log.append(tx, known, Withdrawal(number, DISQUALIFIED), asker.user_id)
                await self._log.note(
                    tx, known.record.id, asker.user_id, "disqualified", user=user_id, reason=reason.strip()
                )
            return await self._log.view(tx, known.record.id)

    async def replace(
        self, ref: int | str, asker: Asker, user_id: int, person: Person, guild_id: int, interaction_id: int
    ) -> EventView:
        """Let another person play on for an entry, in its running games, too; their games are not rated.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``not_entered``,
                ``plays_there``, ``member_no_access``, ``own_game``.
        """
        await self._sign_up.require_players(ref, [person])
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if await self._log.repeated(tx, interaction_id):
                return self._log.shown(known)
            check_running(known)
            number = known.number_of(user_id)
            if number is None or number in known.running.gone or known.running.entries[number].roster:
                raise HostError(ErrorCode.NOT_ENTERED, code=known.record.code)
            if any(entry.person.user_id == person.user_id and not entry.waiting for entry in known.entries):
                raise HostError(ErrorCode.PLAYS_THERE, player=self._log.shown(known).called(person))
            await check_not_own(tx, known, asker, user_id)
            await self._log.append(tx, known, EntrySubstitution(number, str(person.user_id)), asker.user_id)
            await event_entries.remove(tx, known.record.id, person.user_id)  # from the waiting list
            now = self._clock.now()
            entry = EntryRecord(
                event_id=known.record.id,
                person=person,
                guild_id=guild_id,
                joined_at=now,
                checked_in_at=now,
                number=number,
            )
            await event_entries.add(tx, entry)
            await self._log.note(tx, known.record.id, asker.user_id, "replaced", user=user_id, by=person.user_id)
            return await self._log.view(tx, known.record.id)

    async def redraw(self, ref: int | str, asker: Asker, reason: str, interaction_id: int) -> EventView:
        """Draw the newest round anew, as long as no one has moved in it; its games are closed.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``round_played``,
                ``own_game``.
        """
        async with self._outbox.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if await self._log.repeated(tx, interaction_id):
                return self._log.shown(known)
            check_running(known)
            state = known.running.stage
            if state is None or not state.rounds:
                raise HostError(ErrorCode.NO_ROUND_DUE, code=known.record.code)
            number = state.rounds[-1].number
            rows = await rows_of(tx, known, state.number, number)
            found = await games.some(tx, [row.game_id for row in rows if row.game_id is not None])
            if any(not isinstance(game, Game) or game.ply or game.taken_back for game in found.values()):
                raise HostError(ErrorCode.ROUND_PLAYED, round=number)
            if any(plays(known, row.place, asker.user_id) for row in rows):
                raise HostError(ErrorCode.OWN_GAME, code=known.record.code)
            await self._log.append(tx, known, RoundUndone(state.number, number, reason.strip()), asker.user_id)
            for row in rows:
                await events.change_table(tx, row, {"state": TableState.VOID})
                game = found.get(row.game_id or 0)
                if isinstance(game, Game):
                    await self._end_unplayed(tx, game)
            details = {"reason": reason.strip()}
            mark = len(known.facts)
            await self._log.post(tx, known.record.id, EventPostKind.UNDONE, mark, state.number, number, details=details)
            await self._log.note(
                tx, known.record.id, asker.user_id, "redrawn", stage=state.number, round=number, **details
            )
            return await self._log.view(tx, known.record.id)

    async def close(self, ref: int | str, asker: Asker, reason: str, interaction_id: int) -> EventView:
        """Abandon an event; its games continue, and count for nothing in it.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_over``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if not await self._log.repeated(tx, interaction_id):
                if known.record.state in ENDED_STATES:
                    raise HostError(ErrorCode.EVENT_OVER, code=known.record.code)
                now = self._clock.now()
                await events.change(
                    tx, known.record.id, {"state": EventState.CLOSED, "finished_at": now, "look_at": None}
                )
                details = {"reason": reason.strip()}
                if known.record.state is not EventState.DRAFT:
                    await self._log.post(tx, known.record.id, EventPostKind.CLOSED, "end", details=details)
                await self._log.note(tx, known.record.id, asker.user_id, "closed", **details)
            return await self._log.view(tx, known.record.id)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _end_unplayed(self, tx: Transaction, game: Game) -> None:
        """End a game in which no one has moved; it counts for nothing."""
        now = self._clock.now()
        try:
            await games.close(tx, game.id, game.stamp, now)
        except PlyConflictError as error:
            raise HostError(ErrorCode.ROUND_PLAYED, round=0) from error
        await timekeeping.stop_clocks(tx, game, now)
        await timers.stop(tx, game.id, [TimerKind.END, TimerKind.PRESENT, TimerKind.LEFT])
        await schedule_follow_up(tx, game, now)
        await self._outbox.notice(tx, game, game.ply, PostKind.CLOSED)


@dataclass(eq=False)
class Reports:
    """Private reports to the organisers of an event."""

    _store: Store
    _clock: Clock
    _log: EventLog

    async def send(
        self, ref: int | str, person: Person, words: str, interaction_id: int, game: Game | None = None
    ) -> int:
        """Send the organisers a private report about a game as it stands now, or about none; return its number.

        Raises:
            HostError: ``unknown_event``, ``not_entered``, ``report_long``, ``reports_many``.
        """
        if len(words) > MAX_REPORT_LENGTH:
            raise HostError(ErrorCode.REPORT_LONG, most=MAX_REPORT_LENGTH, length=len(words))
        async with self._store.writing() as tx:
            known = await self._log.held(tx, ref)
            if not any(entry.person.user_id == person.user_id for entry in known.entries):
                raise HostError(ErrorCode.NOT_ENTERED, code=known.record.code)
            if await self._log.repeated(tx, interaction_id):
                return 0
            now = self._clock.now()
            if await events.count_reports(tx, known.record.id, person.user_id, now - _DAY) >= MAX_DAILY_REPORTS:
                raise HostError(ErrorCode.REPORTS_MANY, most=MAX_DAILY_REPORTS)
            about = None if game is None else (game.id, game.ply)
            number = await events.add_report(tx, known.record.id, person, about, words, now)
            mark = f"r{int(known.record.tended_at.timestamp())}"  # once until an organiser has been there
            await self._log.post(tx, known.record.id, EventPostKind.REPORTED, mark, details={"number": number})
            return number

    async def read(self, ref: int | str, asker: Asker) -> tuple[ReportRecord, ...]:
        """Return the reports to the organisers, except those about games in which the asking organiser plays.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            found = await events.reports_of(tx, known.record.id)
            its = await games.some(tx, [each.game_id for each in found if each.game_id is not None])
        return tuple(each for each in found if not _sits(its.get(each.game_id or 0), asker.user_id))


def _sits(game: object, user_id: int) -> bool:
    return isinstance(game, Game) and game.seat_of(user_id) is not None
