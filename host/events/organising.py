"""Decisions of organisers during an event: deadlines and pauses, corrections, disqualifications, redraws.

Each decision is recorded in the *audit log*, which everybody can read. Organisers who play in the event cannot decide
about their own games. All methods that change something take the id of the interaction: if it is repeated, nothing
changes. Reports of players to the organisers are private (:class:`Reports`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import (
    EXTENDED_GAME,
    OPEN_STATES,
    EventLog,
    check_not_own,
    check_running,
    check_state,
    extended_games,
    open_rows,
    open_season_seats,
    plays,
    rows_of,
    running_games,
)
from host.events.reader import round_view
from host.events.results import Ratings, Results
from host.events.seasons import running_season
from host.events.sign_up import SignUp, enter_now
from host.events.stored import ACTIVE_STATES, ENDED_STATES, StoredEvent, refusal, translating_refusals
from host.events.views import MAX_EVENT_PAUSE_DAYS, MAX_EXTENSION_DAYS, EntrantKey, EventView, ExchangeView, RoundView
from host.games import end_dates, timekeeping
from host.games.move import schedule_follow_up
from host.games.outbox import Outbox
from host.rights import Asker
from store import clocks, events, games, outbox, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.records import Game, GameStatus, Person, PostKind, TimerKind
from store.tourneys.events import EventState, ReportRecord, TableRecord, TableState
from store.tourneys.posts import EventPostKind
from tournaments.errors import EventRuleError
from tournaments.event import exchanged, penalty_points
from tournaments.facts import (
    DISQUALIFIED,
    Correction,
    DeadlineExtended,
    EntrySubstitution,
    Penalty,
    RoundDrawn,
    RoundUndone,
    SeatExchange,
    Warned,
    Withdrawal,
)
from tournaments.organising import due_round, repeated_pairs, seat_exchange
from tournaments.points import Outcome

ROUND_DELAY: Final = timedelta(minutes=2)
"""The time after which a round begins in calendars; it is playable at once."""


@dataclass(eq=False)
class Deadlines:
    """Moves the deadlines of rounds and games, and pauses events."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _log: EventLog

    def span_of(self, round_view: RoundView) -> tuple[datetime, datetime]:
        """Return when a round is played: from soon, for calendars that begin nothing at once, until its deadline.

        The deadline of a game counts from when it is opened; before any is open, it is reckoned from now.
        """
        now = self._clock.now()
        length = timedelta(weeks=round_view.plan.weeks, days=round_view.extended)
        return now + ROUND_DELAY, round_view.deadline or now + length

    async def extend(
        self, ref: int | str, asker: Asker, at: tuple[int, int], days: int, reason: str, interaction_id: int
    ) -> None:
        """Extend the deadline of a round by some days; this is possible once, and needs a reason.

        ``at`` is the number of the stage and of the round in it. Games that were extended before stay as they are.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``bad_extension``,
                ``no_such_table``, ``extended_already``, ``own_game``.
        """
        async with self._outbox.writing() as tx:
            stored = await self._log.lock_for_organiser(tx, ref, asker)
            if await self._log.is_repeated(tx, interaction_id):
                return
            check_running(stored)
            if not (0 < days <= MAX_EXTENSION_DAYS and reason.strip()):
                raise HostError(ErrorCode.BAD_EXTENSION, most=MAX_EXTENSION_DAYS)
            stage, number = at
            rows = [row for row in await rows_of(tx, stored, stage, number) if row.state in OPEN_STATES]
            stored.running.round(stage, number) if rows else None
            own_number, season_seats = stored.number_of(asker.user_id), open_season_seats(stored.running)
            own_season_game = any(own_number in seats for seats in season_seats)
            if own_season_game or any(plays(stored, row.place, asker.user_id) for row in rows):
                raise HostError(ErrorCode.OWN_GAME, code=stored.record.code)
            await self._log.append(tx, stored, DeadlineExtended(stage, number, days, reason.strip()), asker.user_id)
            await self._shift(tx, rows, timedelta(days=days), exclude=await extended_games(tx, stored))
            details = {"days": days, "reason": reason.strip()}
            await self._log.post(
                tx, stored.record.id, EventPostKind.EXTENDED, f"{stage}.{number}", stage, number, details=details
            )
            await self._log.note(tx, stored.record.id, asker.user_id, "extended", stage=stage, round=number, **details)

    async def extend_game(
        self, game: Game, asker: Asker, ends_at: datetime | None, reason: str, interaction_id: int
    ) -> None:
        """Extend the deadline of one game to ``ends_at``, and tell its players; this is possible once, with a reason.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``game_over``, ``own_game``,
                ``bad_extension``, ``game_extended``.
        """
        row = await self._store.read(events.table_of_game, game.id)
        if row is None:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=game.code)
        async with self._outbox.writing(event=row.event_id, game=game.id) as tx:
            row = await events.table_of_game(tx, game.id) or row
            stored = await self._log.lock_for_organiser(tx, row.event_id, asker)
            if await self._log.is_repeated(tx, interaction_id):
                return
            check_running(stored)
            extension = await self._checked_extension(tx, stored, row, asker, ends_at, reason)
            now, game = self._clock.now(), await games.get(tx, game.id)
            await events.update_table(tx, row, {"deadline": ends_at})
            await end_dates.store_end_date(tx, game, ends_at, now)
            await outbox.add(tx, end_dates.ending_notice(await games.get(tx, game.id), now), now)
            place = {"stage": row.place.stage, "round": row.place.round, "table": row.place.number}
            details = {**place, "game": game.code, "hours": extension // timedelta(hours=1), "reason": reason.strip()}
            await self._log.note(tx, row.event_id, asker.user_id, EXTENDED_GAME, **details)

    async def pause(self, ref: int | str, asker: Asker, days: int, interaction_id: int) -> None:
        """Pause an event for some days: no round opens, and the clocks of its games do not run.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``event_paused``,
                ``bad_extension``, ``bad_plan`` for a season of the ladder, whose games are not its own.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if await self._log.is_repeated(tx, interaction_id):
                return
            if stored.record.state is EventState.PAUSED:
                raise HostError(ErrorCode.EVENT_PAUSED, code=stored.record.code)
            check_running(stored)
            if running_season(stored.running) is not None:
                raise HostError(ErrorCode.BAD_PLAN, reason="season-goes-on")
            if not 0 < days <= MAX_EVENT_PAUSE_DAYS:
                raise HostError(ErrorCode.BAD_EXTENSION, most=MAX_EVENT_PAUSE_DAYS)
            now = self._clock.now()
            until = now + timedelta(days=days)
            values = {"state": EventState.PAUSED, "paused_at": now, "pause_ends_at": until}
            await events.update_event(tx, stored.record.id, values, EventState.RUNNING)
            await events.postpone_tables(tx, stored.record.id, until)
            for _, game in await running_games(tx, stored):
                await timekeeping.begin_pause(tx, game, until, (asker.user_id,), now)
            await self._shift(tx, await open_rows(tx, stored), until - now)
            await events.bring_check_forward(tx, stored.record.id, now)
            mark = int(now.timestamp()) // 60
            details = {"until": int(until.timestamp())}
            await self._log.post(tx, stored.record.id, EventPostKind.PAUSED, mark, details=details)
            await self._log.note(tx, stored.record.id, asker.user_id, "paused", days=days)

    async def resume(self, ref: int | str, asker: Asker, interaction_id: int) -> None:
        """Resume a paused event.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_paused``.
        """
        async with self._outbox.writing() as tx:
            stored = await self._log.lock_for_organiser(tx, ref, asker)
            if not await self._log.is_repeated(tx, interaction_id):
                check_state(stored, ErrorCode.EVENT_NOT_PAUSED, EventState.PAUSED)
                await self._resume(tx, stored)
                await self._log.note(tx, stored.record.id, asker.user_id, "resumed")

    async def end_pause(self, stored: StoredEvent) -> bool:
        """Resume an event if its pause is over; return True if there is nothing left to do now."""
        ends_at = stored.record.pause_ends_at
        if ends_at is not None and ends_at > self._clock.now():
            return True
        async with self._outbox.writing(event=stored.record.id) as tx:
            await self._resume(tx, await self._log.snapshot(tx, stored.record.id))
        return False

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _checked_extension(
        self,
        tx: Transaction,
        stored: StoredEvent,
        row: TableRecord,
        asker: Asker,
        ends_at: datetime | None,
        reason: str,
    ) -> timedelta:
        """Check an extension of a game, and return the time by which its deadline moves.

        A game can be extended once, on its own or with its round.

        Raises:
            HostError: ``game_over``, ``own_game``, ``bad_extension``, ``game_extended``.
        """
        game, place = await games.get(tx, row.game_id or 0), row.place
        if row.state not in OPEN_STATES or game.status is GameStatus.FINISHED:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if plays(stored, place, asker.user_id):
            raise HostError(ErrorCode.OWN_GAME, code=stored.record.code)
        is_round_extended = (place.stage, place.round) in stored.running.extended
        if is_round_extended or game.code in await extended_games(tx, stored):
            raise HostError(ErrorCode.GAME_EXTENDED, code=game.code)
        extension = timedelta(0) if ends_at is None or row.deadline is None else ends_at - row.deadline
        if not (timedelta(0) < extension <= timedelta(days=MAX_EXTENSION_DAYS) and reason.strip()):
            raise HostError(ErrorCode.BAD_EXTENSION, most=MAX_EXTENSION_DAYS)
        return extension

    async def _shift(
        self, tx: Transaction, rows: list[TableRecord], by: timedelta, exclude: Collection[str] = ()
    ) -> None:
        """Move the deadlines of these tables, except those of the games whose codes are in ``exclude``."""
        for row in rows:
            if row.deadline is None or row.game_id is None:
                continue
            game = await games.get(tx, row.game_id)
            if game.code in exclude:
                continue
            deadline = row.deadline + by
            await events.update_table(tx, row, {"deadline": deadline})
            if game.status is not GameStatus.FINISHED:
                await end_dates.store_end_date(tx, game, deadline, self._clock.now())

    async def _resume(self, tx: Transaction, stored: StoredEvent) -> None:
        """Resume a paused event: release its clocks and, if the pause ends early, move the deadlines back."""
        if stored.record.state is not EventState.PAUSED:
            return
        now = self._clock.now()
        ends_at: datetime = stored.record.pause_ends_at or now
        values = {"state": EventState.RUNNING, "paused_at": None, "pause_ends_at": None, "look_at": now}
        await events.update_event(tx, stored.record.id, values, EventState.PAUSED)
        await self._shift(tx, await open_rows(tx, stored), min(now - ends_at, timedelta(0)))
        await events.bring_tables_forward(tx, stored.record.id, now)
        for _, game in await running_games(tx, stored):
            await clocks.end_pause(tx, game.id)
            await timers.stop(tx, game.id, [TimerKind.RESUME])
            await timekeeping.settle_clocks(tx, game, now)
        await self._log.post(tx, stored.record.id, EventPostKind.RESUMED, int(ends_at.timestamp()) // 60)


log = logging.getLogger(__name__)


MAX_REPORT_LENGTH: Final = 2000
"""The most characters of a report."""
MAX_DUE_ROUNDS: Final = 8
"""The most events whose due round is kept."""
MAX_DAILY_REPORTS: Final = 5
"""The most reports that a player can send to the organisers of an event within a day."""
_DAY: Final = timedelta(days=1)


@dataclass(eq=False)
class Organising:
    """Carries out decisions of organisers, apart from those about deadlines and pauses."""

    _clock: Clock
    _outbox: Outbox
    _log: EventLog
    _sign_up: SignUp
    _results: Results
    _ratings: Ratings
    _due_rounds: dict[int, tuple[list[str], RoundDrawn]] = field(default_factory=dict, init=False)
    """The due rounds at which organisers have looked last, by event, with the facts from which they follow.

    Half a minute goes by until one of 211 players is drawn on a slow machine.
    """

    async def open_round(self, ref: int | str, asker: Asker, interaction_id: int) -> None:
        """Allow the round to open that waits for an organiser.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``no_round_due``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                if stored.record.waits_since is None or stored.record.state is not EventState.RUNNING:
                    raise HostError(ErrorCode.NO_ROUND_DUE, code=stored.record.code)
                await events.update_event(tx, stored.record.id, {"released": len(stored.facts)})
                await events.bring_check_forward(tx, stored.record.id, self._clock.now())
                await self._log.note(tx, stored.record.id, asker.user_id, "opened")

    async def correct(
        self, ref: int | str, asker: Asker, place: tuple[int, int, int], outcome: Outcome, reason: str
    ) -> None:
        """Correct the outcome of a game that is decided; ``place`` is its stage, round and table.

        The correction counts for the standings, the ratings, and the rounds that are not drawn yet.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``no_such_table``,
                ``game_undecided``, ``own_game``, ``bad_result``.
        """
        scale = None
        async with self._log.organising(ref, asker) as (tx, stored):
            if stored.event is None or stored.record.state is EventState.CLOSED:
                raise HostError(ErrorCode.EVENT_NOT_RUNNING, code=stored.record.code)
            stage, number, table = place
            fact = Correction(stage, number, table, outcome, reason.strip())
            rows = [row for row in await rows_of(tx, stored, stage, number) if row.place.number == table]
            with translating_refusals():
                before = stored.event.outcome(stage, number, table)
            if stored.number_of(asker.user_id) in stored.event.round(stage, number).tables[table - 1].seats:
                raise HostError(ErrorCode.OWN_GAME, code=stored.record.code)
            if before == outcome:
                return
            after = await self._log.append(tx, stored, fact, asker.user_id)
            scale = await self._results.rate_again(tx, after, rows[-1]) if rows else None
            details = {"table": table, "scores": list(outcome.scores), "reason": reason.strip()}
            mark = len(after.facts)
            await self._log.post(tx, stored.record.id, EventPostKind.CORRECTED, mark, stage, number, details=details)
            await self._log.note(tx, stored.record.id, asker.user_id, "corrected", stage=stage, round=number, **details)
        if scale is not None:
            await self._ratings.rebuild(scale)

    async def disqualify(
        self, ref: int | str, asker: Asker, entrant: EntrantKey, reason: str, interaction_id: int
    ) -> None:
        """Disqualify an entrant: before the start remove them, later rank them last and withdraw them from their games.

        A computer can only be disqualified after the start; before it, it is taken out of the plan.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``not_entered``, ``event_over``, ``own_game``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                if stored.event is None and isinstance(entrant, int):
                    await self._sign_up.withdraw_in(tx, stored, entrant)
                else:
                    if stored.record.state in ENDED_STATES:
                        raise HostError(ErrorCode.EVENT_OVER, code=stored.record.code)
                    number = stored.number_of(entrant)
                    if number is None:
                        raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
                    await check_not_own(tx, stored, asker, entrant)
                    await self._log.append(tx, stored, Withdrawal(number, DISQUALIFIED), asker.user_id)
                await self._log.note(
                    tx, stored.record.id, asker.user_id, "disqualified", user=entrant, reason=reason.strip()
                )

    async def replace(
        self, ref: int | str, asker: Asker, user_id: int, person: Person, guild_id: int, interaction_id: int
    ) -> None:
        """Replace the player of an entry by another person, also in its running games.

        The games of a substitute are not rated.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``not_entered``,
                ``plays_there``, ``member_no_access``, ``own_game``.
        """
        await self._sign_up.require_players(ref, [person])
        async with self._log.organising(ref, asker) as (tx, stored):
            if await self._log.is_repeated(tx, interaction_id):
                return
            check_running(stored)
            number = stored.number_of(user_id)
            if number is None or number in stored.running.gone or stored.running.entries[number].roster:
                raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
            if any(entry.person.user_id == person.user_id and not entry.waiting for entry in stored.entries):
                raise HostError(ErrorCode.PLAYS_THERE, player=self._log.view_of(stored).name_of_person(person))
            await check_not_own(tx, stored, asker, user_id)
            await self._log.append(tx, stored, EntrySubstitution(number, str(person.user_id)), asker.user_id)
            await enter_now(tx, stored, person, guild_id, number, self._clock.now())
            await self._log.note(tx, stored.record.id, asker.user_id, "replaced", user=user_id, by=person.user_id)

    async def redraw(self, ref: int | str, asker: Asker, reason: str, interaction_id: int) -> None:
        """Close the games of the newest round and draw it again, if nobody has made a move in them.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``round_played``,
                ``own_game``.
        """
        async with self._outbox.writing() as tx:
            stored = await self._log.lock_for_organiser(tx, ref, asker)
            if await self._log.is_repeated(tx, interaction_id):
                return
            check_running(stored)
            state = stored.running.stage
            if state is None or not state.rounds:
                raise HostError(ErrorCode.NO_ROUND_DUE, code=stored.record.code)
            number = state.rounds[-1].number
            rows = await rows_of(tx, stored, state.number, number)
            games_by_id = await games.by_ids(tx, [row.game_id for row in rows if row.game_id is not None])
            if any(not isinstance(game, Game) or game.ply or game.taken_back for game in games_by_id.values()):
                raise HostError(ErrorCode.ROUND_PLAYED, round=number)
            if any(plays(stored, row.place, asker.user_id) for row in rows):
                raise HostError(ErrorCode.OWN_GAME, code=stored.record.code)
            await self._log.append(tx, stored, RoundUndone(state.number, number, reason.strip()), asker.user_id)
            for row in rows:
                await events.update_table(tx, row, {"state": TableState.VOID})
                game = games_by_id.get(row.game_id or 0)
                if isinstance(game, Game):
                    await self._end_unplayed(tx, game)
            details = {"reason": reason.strip()}
            mark = len(stored.facts)
            await self._log.post(
                tx, stored.record.id, EventPostKind.UNDONE, mark, state.number, number, details=details
            )
            await self._log.note(
                tx, stored.record.id, asker.user_id, "redrawn", stage=state.number, round=number, **details
            )

    async def preview(self, ref: int | str, asker: Asker) -> tuple[EventView, RoundView]:
        """Return the round that waits for an organiser, as it would be opened now, and the event with it.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``no_round_due``.
        """
        stored = await self._waiting(ref, asker)
        with translating_refusals():
            drawn = await self._due_round(stored)
        return self._shown(stored, drawn)

    async def weigh_exchange(self, ref: int | str, asker: Asker, players: tuple[int, int], facts: int) -> ExchangeView:
        """Return what :meth:`exchange_entries` would change, without changing anything.

        Raises:
            HostError: as there.
        """
        stored = await self._waiting(ref, asker)
        _check_unchanged(stored, facts)
        weighed, _ = await self._weigh(stored, asker, players, "")
        return weighed

    async def exchange(
        self, ref: int | str, asker: Asker, entrants: tuple[EntrantKey, EntrantKey], reason: str, interaction_id: int
    ) -> ExchangeView:
        """Let two players, or the teams of two members, change places in the round that waits for an organiser.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``no_round_due``, ``not_entered``, ``own_game``,
                ``bad_plan`` with the reason why the two can't be exchanged, and names; ``round_changed``.
        """
        stored = await self._waiting(ref, asker)
        players = _number_of(stored, entrants[0]), _number_of(stored, entrants[1])
        weighed, fact = await self._weigh(stored, asker, players, reason)
        users = {"user": entrants[0], "by": entrants[1]}
        await self._exchange(stored, asker, fact, users, interaction_id)
        return weighed

    async def exchange_entries(
        self, ref: int | str, asker: Asker, players: tuple[int, int], facts: int, reason: str, interaction_id: int
    ) -> ExchangeView:
        """Let two players or teams, given by their numbers, change places in the round that waits for an organiser.

        ``facts`` is how many facts the event had when the organiser looked at the round.

        Raises:
            HostError: as :meth:`exchange`; ``round_changed`` if something has happened in the event since then.
        """
        stored = await self._waiting(ref, asker)
        _check_unchanged(stored, facts)
        weighed, fact = await self._weigh(stored, asker, players, reason)
        if any(stored.running.entries[number].roster for number in players):
            teams = [weighed.view.name_of(number) for number in players]
            names: dict[str, object] = dict(zip(("team", "other"), teams, strict=True))
        else:
            names = {"user": stored.key_of(players[0]), "by": stored.key_of(players[1])}
        await self._exchange(stored, asker, fact, names, interaction_id)
        return weighed

    async def penalise(
        self, ref: int | str, asker: Asker, entrant: EntrantKey, points: str, reason: str, interaction_id: int
    ) -> None:
        """Take points from a player in the newest stage, or from the team of a member, and tell so in the channel.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``not_entered``,
                ``own_game``, ``bad_plan`` if these points can't be taken.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if await self._log.is_repeated(tx, interaction_id):
                return
            number = await self._judged_player(tx, stored, asker, entrant)
            stage = len(stored.running.stages)
            await self._log.append(tx, stored, Penalty(stage, number, points, reason.strip()), asker.user_id)
            details = {"user": entrant, "points": str(penalty_points(points)), "reason": reason.strip()}
            await self._log.post(tx, stored.record.id, EventPostKind.PENALISED, len(stored.facts), details=details)
            await self._log.note(tx, stored.record.id, asker.user_id, "penalised", **details)

    async def warn(self, ref: int | str, asker: Asker, entrant: EntrantKey, reason: str, interaction_id: int) -> None:
        """Warn a player, or the team of a member, and tell so in the channel.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``not_entered``,
                ``own_game``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if await self._log.is_repeated(tx, interaction_id):
                return
            number = await self._judged_player(tx, stored, asker, entrant)
            await self._log.append(tx, stored, Warned(number, reason.strip()), asker.user_id)
            details = {"user": entrant, "reason": reason.strip()}
            await self._log.post(tx, stored.record.id, EventPostKind.WARNED, len(stored.facts), details=details)
            await self._log.note(tx, stored.record.id, asker.user_id, "warned", **details)

    async def close(self, ref: int | str, asker: Asker, reason: str, interaction_id: int) -> None:
        """Abandon an event; its games continue, but do not count for it any more.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_over``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                if stored.record.state in ENDED_STATES:
                    raise HostError(ErrorCode.EVENT_OVER, code=stored.record.code)
                now = self._clock.now()
                await events.update_event(
                    tx, stored.record.id, {"state": EventState.CLOSED, "finished_at": now, "look_at": None}
                )
                details = {"reason": reason.strip()}
                if stored.record.state is not EventState.DRAFT:
                    await self._log.post(tx, stored.record.id, EventPostKind.CLOSED, "end", details=details)
                await self._log.note(tx, stored.record.id, asker.user_id, "closed", **details)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _waiting(self, ref: int | str, asker: Asker) -> StoredEvent:
        """Return an event of which a round waits for an organiser.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``no_round_due``.
        """
        async with self._log.organising(ref, asker) as (_, stored):
            _check_waiting(stored)
        return stored

    async def _due_round(self, stored: StoredEvent) -> RoundDrawn:
        """Return the round that is due; an organiser who looks at it again need not wait once more.

        Raises:
            EventRuleError: ``no-round-due``.
        """
        facts, drawn = self._due_rounds.get(stored.record.id, ([], None))
        if drawn is None or facts != [record.fact for record in stored.facts]:
            drawn = await asyncio.to_thread(due_round, stored.running)
            self._keep(stored, drawn)
        return drawn

    def _keep(self, stored: StoredEvent, drawn: RoundDrawn) -> None:
        """Keep the round that is due in an event, in place of that of the event that was looked at longest ago."""
        self._due_rounds.pop(stored.record.id, None)
        self._due_rounds[stored.record.id] = [record.fact for record in stored.facts], drawn
        if len(self._due_rounds) > MAX_DUE_ROUNDS:
            del self._due_rounds[next(iter(self._due_rounds))]

    def _shown(self, stored: StoredEvent, drawn: RoundDrawn) -> tuple[EventView, RoundView]:
        """Return the round that is due as it would be opened, and the event with it."""
        event = stored.running.copy()
        event.apply(drawn)
        view = self._log.view_of(replace(stored, event=event))
        drawn_round = event.round(drawn.stage, drawn.round)
        return view, round_view(event, stored.names(), drawn.stage, drawn_round, (), {})

    async def _weigh(
        self, stored: StoredEvent, asker: Asker, players: tuple[int, int], reason: str
    ) -> tuple[ExchangeView, SeatExchange]:
        """Check an exchange, and return the round before and after it, and its fact.

        Raises:
            HostError: ``no_round_due``, ``not_entered``, ``own_game``, ``bad_plan``.
        """
        player, other = players
        try:
            drawn = await self._due_round(stored)
            fact = seat_exchange(stored.running, player, other, reason.strip(), drawn)
        except EventRuleError as error:
            view = self._log.view_of(stored)
            values = {
                name: view.name_of(value) if isinstance(value, int) and name in {"player", "other"} else value
                for name, value in error.values.items()
            }
            raise refusal(EventRuleError(error.code, **values)) from error
        changed, own = exchanged(drawn, [players]), stored.number_of(asker.user_id)
        if any(own in table.seats and {*players} & {*table.seats} for table in (*drawn.tables, *changed.tables)):
            raise HostError(ErrorCode.OWN_GAME, code=stored.record.code)
        _, before = self._shown(stored, drawn)
        view, after = self._shown(stored, changed)
        repeats = tuple(repeated_pairs(stored.running, changed))
        return ExchangeView(view=view, players=players, before=before, after=after, repeats=repeats), fact

    async def _exchange(
        self, stored: StoredEvent, asker: Asker, fact: SeatExchange, names: Mapping[str, object], interaction_id: int
    ) -> None:
        """Store an exchange that was checked, if nothing has happened in the event since.

        Raises:
            HostError: ``round_changed``.
        """
        async with self._log.organising(stored.record.id, asker) as (tx, current):
            if await self._log.is_repeated(tx, interaction_id):
                return
            _check_unchanged(current, len(stored.facts))
            after = await self._log.append(tx, current, fact, asker.user_id)
            details = {"stage": fact.stage, "round": fact.round, "reason": fact.reason}
            await self._log.note(tx, current.record.id, asker.user_id, "exchanged", **names, **details)
        self._keep(after, exchanged(await self._due_round(stored), [(fact.player, fact.other)]))

    async def _judged_player(self, tx: Transaction, stored: StoredEvent, asker: Asker, entrant: EntrantKey) -> int:
        """Return the number of a player about whom an organiser may decide, in an event that is not over.

        Raises:
            HostError: ``event_not_running``, ``not_entered``, ``own_game``.
        """
        check_state(stored, ErrorCode.EVENT_NOT_RUNNING, *ACTIVE_STATES)
        number = _number_of(stored, entrant)
        await check_not_own(tx, stored, asker, entrant)
        return number

    async def _end_unplayed(self, tx: Transaction, game: Game) -> None:
        """Close a game in which nobody has moved, without a result.

        Raises:
            HostError: ``round_played`` if somebody has just moved.
        """
        now = self._clock.now()
        try:
            await games.close(tx, game.id, game.stamp, now)
        except PlyConflictError as error:
            raise HostError(ErrorCode.ROUND_PLAYED, round=0) from error
        await timekeeping.stop_clocks(tx, game, now)
        await timers.stop(tx, game.id, [TimerKind.END, TimerKind.PRESENT, TimerKind.LEFT])
        await schedule_follow_up(tx, game, now)
        await self._outbox.add_notice(tx, game, PostKind.CLOSED)


def _check_waiting(stored: StoredEvent) -> None:
    """Check that a round waits for an organiser to open it.

    Raises:
        HostError: ``no_round_due``.
    """
    if stored.record.waits_since is None or stored.record.state is not EventState.RUNNING:
        raise HostError(ErrorCode.NO_ROUND_DUE, code=stored.record.code)


def _check_unchanged(stored: StoredEvent, facts: int) -> None:
    """Check that nothing has happened in an event since it had this number of facts.

    Raises:
        HostError: ``round_changed``.
    """
    if len(stored.facts) != facts:
        raise HostError(ErrorCode.ROUND_CHANGED, code=stored.record.code)


def _number_of(stored: StoredEvent, entrant: EntrantKey) -> int:
    """Return the number of a player who has not left, or of their team.

    Raises:
        HostError: ``not_entered``.
    """
    number = stored.number_of(entrant)
    if number is None or number in stored.running.gone:
        raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
    return number


@dataclass(eq=False)
class Reports:
    """Takes private reports of players, and shows them to the organisers of their event."""

    _clock: Clock
    _log: EventLog

    async def send(
        self, ref: int | str, person: Person, text: str, interaction_id: int, game: Game | None = None
    ) -> int:
        """Store a report to the organisers, perhaps about a game, and notify them; return its number.

        A repeated interaction returns 0.

        Raises:
            HostError: ``unknown_event``, ``not_entered``, ``report_long``, ``reports_many``.
        """
        if len(text) > MAX_REPORT_LENGTH:
            raise HostError(ErrorCode.REPORT_LONG, most=MAX_REPORT_LENGTH, length=len(text))
        async with self._log.changing(ref) as (tx, stored):
            if not any(entry.person.user_id == person.user_id for entry in stored.entries):
                raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
            if await self._log.is_repeated(tx, interaction_id):
                return 0
            now = self._clock.now()
            if await events.count_reports(tx, stored.record.id, person.user_id, now - _DAY) >= MAX_DAILY_REPORTS:
                raise HostError(ErrorCode.REPORTS_MANY, most=MAX_DAILY_REPORTS)
            game_and_ply = None if game is None else (game.id, game.ply)
            number = await events.add_report(tx, stored.record.id, person, game_and_ply, text, now)
            # One post is enough until an organiser has been active again.
            mark = f"r{int(stored.record.tended_at.timestamp())}"
            await self._log.post(tx, stored.record.id, EventPostKind.REPORTED, mark, details={"number": number})
            return number

    async def read(self, ref: int | str, asker: Asker) -> tuple[ReportRecord, ...]:
        """Return the reports for one of the organisers, except those about games in which they play.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            reports = await events.reports_of(tx, stored.record.id)
            games_by_id = await games.by_ids(tx, [report.game_id for report in reports if report.game_id is not None])
        return tuple(
            report for report in reports if not _is_seated(games_by_id.get(report.game_id or 0), asker.user_id)
        )


def _is_seated(game: object, user_id: int) -> bool:
    """Return whether this is a game, and a user has a seat in it."""
    return isinstance(game, Game) and game.seat_of(user_id) is not None
