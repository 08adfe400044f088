"""An event as stored, the view that is made from it, and the translation of errors.

:class:`StoredEvent` is everything that the database holds about an event, with the state computed from its *facts*, the
entries of its log. :func:`event_view` turns it into the :class:`~host.events.views.EventView` that is shown to users.
The rules of events raise errors of their own; :func:`translating_refusals` turns them into the host's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

from engine import GAMES
from host.errors import ErrorCode, HostError
from host.events.views import EntrantKey, EntryView, EventPlan, EventView, TeamView, computer_key
from store import EntryRecord, EventRecord, EventState, FactRecord, Person, Player, TeamRecord, columns_of
from tournaments.chance import commitment
from tournaments.errors import EventRuleError
from tournaments.event import EventFold
from tournaments.formats import format_named
from tournaments.weeks import WEEKS_BETWEEN_ROUNDS, promised_weeks

ENDED_STATES = (EventState.FINISHED, EventState.CLOSED)
"""The states of an event that is over."""
ACTIVE_STATES = (EventState.RUNNING, EventState.PAUSED)
"""The states of an event that is being played."""
SIGN_UP_STATES = (EventState.OPEN, EventState.CHECK_IN)
"""The states of an event that can be entered and has not begun."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """Everything that is stored about an event, read at one moment."""

    record: EventRecord
    plan: EventPlan
    organisers: tuple[Person, ...]
    entries: Sequence[EntryRecord]
    """The people who have entered, those on the waiting list included."""
    teams: Sequence[TeamRecord]
    event: EventFold | None
    """The state computed from the facts, which must not be changed; None before the start."""
    facts: Sequence[FactRecord]

    @property
    def running(self) -> EventFold:
        """The state of an event that has begun.

        Raises:
            HostError: ``event_not_running``.
        """
        if self.event is None:
            raise HostError(ErrorCode.EVENT_NOT_RUNNING, code=self.record.code)
        return self.event

    def names(self) -> dict[str, Person]:
        """Return the people by the keys that the rules of events use: user ids as text."""
        return {str(entry.person.user_id): entry.person for entry in self.entries}

    def players(self) -> dict[str, Player]:
        """Return the people and computers by these keys."""
        return {**self.names(), **{computer_key(computer): computer for computer in self.plan.computers}}

    def person(self, number: int) -> Person | None:
        """Return the person who plays now for the entry with this number; None for a team or a computer."""
        return self.names().get(self.running.persons[number][-1][1])

    def key_of(self, number: int) -> EntrantKey:
        """Return who plays now for the entry with this number, which is not a team."""
        person, key = self.person(number), self.running.persons[number][-1][1]
        return key if person is None else person.user_id

    def number_of(self, entrant: EntrantKey) -> int | None:
        """Return the number of the entry for which somebody plays now, alone or in a team; None if there is none."""
        if self.event is None:
            return None
        for number, persons in enumerate(self.event.persons):
            if persons[-1][1] == str(entrant) or str(entrant) in self.event.entries[number].roster:
                return number
        return None


def event_view(stored: StoredEvent, *, inherited: bool) -> EventView:
    """Return the view of an event; ``inherited`` says that managers of the server may organise it."""
    record, plan, event = stored.record, stored.plan, stored.event
    entries = tuple(_entry_view(entry, event) for entry in stored.entries)
    teams = tuple(_team_view(team, entries) for team in stored.teams)
    event_format = format_named(plan.format)
    single_players = sum(not entry.waiting for entry in entries) + len(plan.computers)
    entered = len(stored.teams) if event_format.teams else single_players
    size = len(event.specification.entries) if event else entered
    planned_size = size if event else max(entered, plan.most)
    is_example = event is None and planned_size < event_format.least  # then its stages would be those of hardly anybody
    try:
        if is_example:
            planned_size = event_format.usual_entries(plan.parameters)
        stages = event.plans if event else event_format.stages(planned_size, plan.parameters)
    except EventRuleError:  # more have entered than the format that was chosen since takes
        stages = ()
    has_table_of_five = size == 5 and bool(stages) and stages[0].kind == "tables" and _asks_every_player(plan)
    over = record.state in ENDED_STATES
    line_up_hours = plan.line_up_hours if any(stage.boards for stage in stages) else 0
    promises = bool(stages) and (size >= event_format.least or plan.most > 0)  # the fewest entries finish sooner
    before_rounds = WEEKS_BETWEEN_ROUNDS + Fraction(line_up_hours, 24 * 7) + (plan.rounds == "organiser")
    late_weeks = event.late_weeks if event else 0
    return EventView(
        **columns_of(record) | {"seed": record.seed if over and event else ""},
        organisers=stored.organisers,
        plan=plan,
        commitment=commitment(record.seed),
        stages=stages,
        planned_size=planned_size,
        is_example=is_example,
        promised_weeks=promised_weeks(stages, planned_size, before_rounds) + late_weeks if promises else 0,
        least=event_format.least,
        most=min(plan.most or event_format.most, event_format.most),
        warnings=("table-of-five",) if has_table_of_five else (),
        entries=entries,
        teams=teams,
        check_in_at=check_in_at(plan),
        inherited=not over and inherited,
        event=event,
    )


def _asks_every_player(plan: EventPlan) -> bool:
    """Return whether an expansion asks every player in turn, which takes very long with five players."""
    return not {*GAMES[plan.parameters.game].expansions_asking_all}.isdisjoint(plan.expansions)


def check_in_at(plan: EventPlan) -> datetime | None:
    """Return the time at which check-in begins; None without check-in."""
    if plan.starts_at is None or not plan.check_in_hours:
        return None
    return plan.starts_at - timedelta(hours=plan.check_in_hours)


def _entry_view(entry: EntryRecord, event: EventFold | None) -> EntryView:
    """Return the view of an entry; its person is gone if the entry was withdrawn or has another player now."""
    number = entry.number
    gone = False
    if event is not None and number is not None and number < len(event.persons):
        gone = number in event.gone or (
            entry.team is None and event.persons[number][-1][1] != str(entry.person.user_id)
        )
    return EntryView(**columns_of(entry), gone=gone)


def _team_view(team: TeamRecord, entries: Sequence[EntryView]) -> TeamView:
    """Return the view of a team, with its members among the entries."""
    members = tuple(entry for entry in entries if entry.team == team.team)
    return TeamView(**columns_of(team), members=members)


_CODES: Final = {  # the host's error code for each code of the rules; all others mean that the plan is bad
    "too-few": ErrorCode.TOO_FEW_ENTRIES,
    "too-many": ErrorCode.TOO_MANY_ENTRIES,
    "sign-up-closed": ErrorCode.SIGN_UP_CLOSED,
    "already-entered": ErrorCode.ENTERED_ALREADY,
    "already-withdrawn": ErrorCode.NOT_ENTERED,
    "no-such-player": ErrorCode.NOT_ENTERED,
    "not-withdrawn": ErrorCode.NOT_ENTERED,
    "no-such-round": ErrorCode.NO_SUCH_TABLE,
    "no-such-table": ErrorCode.NO_SUCH_TABLE,
    "game-running": ErrorCode.GAME_UNDECIDED,
    "seats-differ": ErrorCode.BAD_RESULT,
    "no-such-seat": ErrorCode.BAD_RESULT,
    "already-extended": ErrorCode.EXTENDED_ALREADY,
    "round-has-results": ErrorCode.ROUND_PLAYED,
    "stage-not-running": ErrorCode.NO_SUCH_TABLE,
    "line-up-length": ErrorCode.BAD_LINE_UP,
    "line-up-twice": ErrorCode.BAD_LINE_UP,
    "not-in-roster": ErrorCode.BAD_LINE_UP,
    "team-not-paired": ErrorCode.NO_LINE_UP_DUE,
    "board-decided": ErrorCode.LINE_UP_LATE,
    "no-such-board": ErrorCode.BAD_LINE_UP,
    "no-round-due": ErrorCode.NO_ROUND_DUE,
    "not-in-round": ErrorCode.NOT_ENTERED,
}


def refusal(error: EventRuleError) -> HostError:
    """Return the host's error for an error of the rules, whose code it carries as ``reason``."""
    code = _CODES.get(error.code, ErrorCode.BAD_PLAN)
    values = {"players": "entries"}
    return HostError(code, reason=error.code, **{values.get(name, name): value for name, value in error.values.items()})


@contextmanager
def translating_refusals() -> Iterator[None]:
    """Turn errors of the rules of events that are raised in this block into the host's errors."""
    try:
        yield
    except EventRuleError as error:
        raise refusal(error) from error
