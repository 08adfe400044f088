"""Team events: before each round, the captain of a team hands in its *line-up*.

A line-up says which member of the team's *roster* plays at which *board*, the place of a game in the match of two
teams. It stays sealed until the opponents have handed in theirs, or the time for it is over. Afterwards a captain can
still exchange a player at a board, until the first move is made there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import EventLog, check_running, rows_of, table_of
from host.events.sign_up import SignUp
from host.events.stored import StoredEvent, translating_refusals
from host.events.views import ChoiceView
from store import EventPostKind, Person, Store, TablePlace, TableState, TeamRecord, Transaction, events, games
from tournaments.teams import line_up, opponent, with_substitute


@dataclass(eq=False)
class Teams:
    """Takes, reveals and changes the line-ups of teams."""

    _store: Store
    _clock: Clock
    _log: EventLog
    _sign_up: SignUp

    async def hand_in(self, ref: int | str, user_id: int, members: Sequence[int | None], interaction_id: int) -> None:
        """Hand in a line-up for the newest round, at the request of a captain.

        ``members`` are the ids of the players by board, None for an empty board.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``not_captain``, ``no_line_up_due``, ``bad_line_up``,
                ``line_up_late``, ``member_no_access``.
        """
        await self._sign_up.require_players(ref, await self._entered(ref, members))
        async with self._log.changing(ref) as (tx, stored):
            if await self._log.is_repeated(tx, interaction_id):
                return
            team, stage, number = self._captained(stored, user_id)
            with translating_refusals():
                other = opponent(stored.running, stage, number, team)
            keys = tuple("" if member is None else str(member) for member in members)
            if await self._is_locked(tx, stored, stage, number):
                raise HostError(ErrorCode.LINE_UP_LATE, round=number)
            with translating_refusals():
                fact = line_up(stored.running, stage, number, team, keys)
            after = await self._log.append(tx, stored, fact, user_id)
            if (stage, number, other) in after.running.line_ups:
                await self._reveal(tx, after, stage, number, (team, other))

    async def swap(self, ref: int | str, user_id: int, board: int, member: int, interaction_id: int) -> None:
        """Exchange the player at a board for another member of the roster, at the request of a captain.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``not_captain``, ``no_line_up_due``, ``bad_line_up``,
                ``line_up_late``, ``member_no_access``.
        """
        await self._sign_up.require_players(ref, await self._entered(ref, [member]))
        async with self._log.changing(ref) as (tx, stored):
            if await self._log.is_repeated(tx, interaction_id):
                return
            team, stage, number = self._captained(stored, user_id)
            with translating_refusals():
                opponent(stored.running, stage, number, team)
            if await self._has_moved(tx, stored, stage, number, team, board):
                raise HostError(ErrorCode.LINE_UP_LATE, round=number)
            with translating_refusals():
                fact = with_substitute(stored.running, stage, number, team, board, str(member))
            await self._log.append(tx, stored, fact, user_id)

    async def choice(self, ref: int | str, user_id: int, mark: str | None = None) -> ChoiceView:
        """Return what a captain can choose for the newest round, and the present line-up.

        If none was handed in, that is the roster in order. ``mark`` is :attr:`ChoiceView.mark` of the round for which
        the captain has begun to choose; the choice is refused if another round has come up since.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``not_captain``, ``no_round_due``,
                ``no_line_up_due``, ``line_up_late``.
        """
        async with self._store.reading() as tx:
            stored = await self._log.snapshot(tx, ref)
            team, stage, number = self._captained(stored, user_id)
            locked = await self._is_locked(tx, stored, stage, number)
        event, names = stored.running, stored.names()
        with translating_refusals():
            other = opponent(event, stage, number, team)
        if locked:
            raise HostError(ErrorCode.LINE_UP_LATE, round=number)
        roster = [key for key in event.entries[team].roster if key in names]
        boards = event.plans[stage - 1].boards
        default = (*roster[:boards], *[""] * (boards - len(roster)))
        members = event.line_ups.get((stage, number, team), default)
        choice = ChoiceView(
            stage, number, team, other, tuple(names[key] for key in roster), tuple(names.get(key) for key in members)
        )
        if mark not in (None, choice.mark):
            raise HostError(ErrorCode.LINE_UP_LATE, round=mark)
        return choice

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _entered(self, ref: int | str, members: Sequence[int | None]) -> list[Person]:
        """Return those of these users who have entered the event; the rules refuse all others."""
        stored = await self._store.read(self._log.snapshot, ref)
        return [entry.person for entry in stored.entries if entry.person.user_id in members]

    def _newest(self, stored: StoredEvent) -> tuple[int, int]:
        """Return the numbers of the present stage and of its newest round.

        Raises:
            HostError: ``no_round_due``.
        """
        state = stored.running.stage
        if state is None or not state.rounds:
            raise HostError(ErrorCode.NO_ROUND_DUE, code=stored.record.code)
        return state.number, state.rounds[-1].number

    def _captained(self, stored: StoredEvent, user_id: int) -> tuple[int, int, int]:
        """Return the number of a captain's team, and those of the present stage and of its newest round.

        Raises:
            HostError: ``event_not_running``, ``not_captain``, ``no_round_due``.
        """
        check_running(stored)
        team: TeamRecord | None = next((team for team in stored.teams if team.captain_id == user_id), None)
        if team is None or team.number is None:
            raise HostError(ErrorCode.NOT_CAPTAIN, code=stored.record.code)
        return (team.number, *self._newest(stored))

    async def _is_locked(self, tx: Transaction, stored: StoredEvent, stage: int, number: int) -> bool:
        """Return whether the games of a round are being created, so that no line-up can be handed in any more."""
        rows = await rows_of(tx, stored, stage, number)
        return any(row.state is not TableState.TO_OPEN or row.due_at <= self._clock.now() for row in rows)

    async def _reveal(
        self, tx: Transaction, stored: StoredEvent, stage: int, number: int, teams: tuple[int, int]
    ) -> None:
        """Post both line-ups of a match; when all of the round are in, let its games open at once."""
        mark = f"{stage}.{number}.{min(teams)}"
        details = {"teams": sorted(teams)}
        await self._log.post(tx, stored.record.id, EventPostKind.REVEALED, mark, stage, number, details=details)
        now = self._clock.now()
        rows = await rows_of(tx, stored, stage, number)
        if all((stage, number, team) in stored.running.line_ups for row in rows for team in _seats(stored, row.place)):
            await events.bring_tables_forward(tx, stored.record.id, now)
        await events.bring_check_forward(tx, stored.record.id, now)

    async def _has_moved(
        self, tx: Transaction, stored: StoredEvent, stage: int, number: int, team: int, board: int
    ) -> bool:
        """Return whether a move was made at a team's board, or its game is decided."""
        for row in await rows_of(tx, stored, stage, number):
            drawn = table_of(stored, row.place)
            if team in drawn.seats and drawn.board == board:
                if row.state is TableState.DECIDED:
                    return True
                if row.game_id is not None and (await games.get(tx, row.game_id)).ply:
                    return True
        return False


def _seats(stored: StoredEvent, place: TablePlace) -> tuple[int, ...]:
    """Return the numbers of the players or teams at a table."""
    return table_of(stored, place).seats
