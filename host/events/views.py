"""Values of events: the plan that organisers choose, and the views that are shown; no texts for players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Literal

from host.naming import unique_names
from store import EntryRecord, EventPostRecord, EventRecord, Person, RatingRecord, TableState, TeamRecord
from tournaments.event import EventFold
from tournaments.points import Outcome
from tournaments.specification import Parameters, read_parameters
from tournaments.states import RoundState, StagePlan

Seeding = Literal["rating", "lot"]
RoundOpening = Literal["auto", "organiser"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """The organisers' choices, frozen at the start.

    ``expansions`` and ``options`` are what is played, as at any table; the parameters say the rest.
    """

    format: str
    parameters: Parameters = field(default_factory=Parameters)
    expansions: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    seeding: Seeding = "rating"
    rounds: RoundOpening = "auto"
    """``auto`` or ``organiser``; a round that no organiser opens for a week opens automatically."""
    most: int = 0
    """The number of entries before the waiting list; 0 for the format's maximum."""
    starts_at: datetime | None = None
    """The time of an automatic start; None if an organiser starts the event."""
    check_in_hours: int = 0
    """The hours of check-in before the start; 0 for none."""
    organiser_role: int | None = None
    """A role whose members organise, too."""
    season_of: str = ""
    """Code of the previous season, whose divisions are continued."""
    moving: int = 2
    """Number of players promoted and relegated between seasons."""
    line_up_hours: int = 24
    """The hours after a round is drawn in which line-ups can be handed in."""
    language: str = ""
    """Language of the event's posts and games; empty for the server's."""

    def to_data(self) -> dict[str, Any]:
        """Return the plan as stored; :func:`read_plan` reads it."""
        data = {name: getattr(self, name) for name in _PLAIN_FIELDS}
        parameters = {name: getattr(self.parameters, name) for name in Parameters.__dataclass_fields__}
        parameters["tie_breaks"] = list(self.parameters.tie_breaks)
        starts_at = None if self.starts_at is None else self.starts_at.isoformat()
        rules = {"expansions": list(self.expansions), "options": dict(self.options)}
        return {**data, **rules, "parameters": parameters, "starts_at": starts_at}


_PLAIN_FIELDS = (
    "format",
    "seeding",
    "rounds",
    "most",
    "check_in_hours",
    "organiser_role",
    "season_of",
    "moving",
    "line_up_hours",
    "language",
)


def read_plan(data: Mapping[str, Any]) -> EventPlan:
    """Read a stored plan; fields of newer releases are ignored."""
    plain = {name: data[name] for name in _PLAIN_FIELDS if name in data}
    starts_at = data.get("starts_at")
    return EventPlan(
        **plain,
        parameters=read_parameters(data.get("parameters", {})),
        expansions=tuple(data.get("expansions", ())),
        options=dict(data.get("options", {})),
        starts_at=None if starts_at is None else datetime.fromisoformat(starts_at),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView(EntryRecord):
    """An entry, ordered before the start by joining, later by number."""

    gone: bool = False
    """True if the person has left the event or was disqualified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamView(TeamRecord):
    """A team with the entries of its members."""

    members: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView(EventRecord):
    """An event for its viewers: its stored record, and values computed from plan, entries and facts.

    The ``seed`` is secret until the end, and empty until then. ``event`` is the fold over the facts from the start on;
    its specification holds the seed, too, so no page shows it.
    """

    plan: EventPlan
    organisers: tuple[Person, ...]
    commitment: str
    """The SHA-256 of the seed."""
    stages: tuple[StagePlan, ...]
    """The stages for as many entries as there are; empty while there are too few."""
    promised_weeks: int
    """Longest duration of the event in weeks; 0 while there are too few entries."""
    least: int
    most: int
    warnings: tuple[str, ...]
    entries: tuple[EntryView, ...]
    teams: tuple[TeamView, ...] = ()
    check_in_at: datetime | None = None
    inherited: bool = False
    """True if no organiser has acted for a week, so that managers of the server may organise."""
    event: EventFold | None = None
    _called: Mapping[int, str] = field(init=False, repr=False, compare=False)
    """Display names of the entrants, by user id."""
    _names: Mapping[int, str] = field(init=False, repr=False, compare=False)
    """Display names of players and teams by number; a reassigned number has its present owner's."""

    def __post_init__(self) -> None:
        people = [entry.person for entry in self.entries]
        called = dict(zip((person.user_id for person in people), unique_names(people), strict=True))
        alone = sorted((entry for entry in self.entries if entry.team is None), key=lambda entry: not entry.gone)
        names = {entry.number: called[entry.person.user_id] for entry in alone if entry.number is not None}
        names |= {team.number: team.name for team in self.teams if team.number is not None}
        object.__setattr__(self, "_called", called)
        object.__setattr__(self, "_names", names)

    @property
    def playing(self) -> tuple[EntryView, ...]:
        """The entries, without the waiting list."""
        return tuple(entry for entry in self.entries if not entry.waiting)

    def entry_of(self, user_id: int) -> EntryView | None:
        """Return a user's entry."""
        return next((entry for entry in self.entries if entry.person.user_id == user_id), None)

    def called(self, person: Person) -> str:
        """Return the display name of a person among all entrants."""
        return self._called.get(person.user_id, person.name)

    def name_of(self, number: int) -> str:
        """Return the display name of a player or team by number."""
        return self._names.get(number) or f"#{number + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSummary(EventRecord):
    """An event in a list, with the number of its entries."""

    entries: int

    @property
    def format(self) -> str:
        """The name of the format; empty if a newer release stored none."""
        return str(self.plan_data.get("format", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A game of a round; ``seats`` are numbers of players or teams, ``people`` those sitting there."""

    stage: int
    round: int
    number: int
    match: int
    board: int
    seats: tuple[int, ...]
    people: tuple[Person | None, ...]
    state: TableState
    game_id: int | None
    code: str
    """The code of the game; empty until the game is created."""
    place: int | None
    """The thread, once it exists."""
    deadline: datetime | None
    outcome: Outcome | None
    points: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round with its tables; ``state`` holds the drawing with byes, bracket and reasons."""

    stage: int
    plan: StagePlan
    number: int
    drawn_at: datetime
    deadline: datetime | None
    """The latest deadline of its tables."""
    extended: int
    """Days by which its deadline was moved."""
    tables: tuple[TableView, ...]
    state: RoundState


@dataclass(frozen=True, slots=True)
class RankView:
    """A line of the standings, with tie-break values in the order in which they decide."""

    rank: int
    number: int
    name: str
    user_id: int | None
    """None for a team."""
    stage: int
    values: tuple[tuple[str, Fraction], ...]
    gone: bool
    disqualified: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPost(EventPostRecord):
    """A post about an event, whose message is composed anew from the event.

    ``attempts`` and ``first_attempt_at`` tell of earlier tries, after which the message may be there already.
    """

    event: EventView


@dataclass(frozen=True, slots=True)
class LineUpView:
    """A team's players for a round by board, as far as the viewer may see them."""

    team: int
    handed_in: bool
    members: tuple[Person | None, ...]


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A captain's choice of the roster's players for the boards of a round; ``members`` as chosen so far."""

    stage: int
    round: int
    team: int
    other: int
    roster: tuple[Person, ...]
    members: tuple[Person | None, ...]

    @property
    def mark(self) -> str:
        """Identifies the round of the choice, so that a panel of an earlier round hands in nothing."""
        return f"{self.stage}.{self.round}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingView(RatingRecord):
    """A rating with its rank in the list; None where it is not listed."""

    provisional: bool
    rank: int | None = None


REFUSAL_DETAIL = "refused"
"""The detail of a post with the refusal's code, if an event did not start."""
ORGANISER_ABSENCE = timedelta(days=7)
"""Time without an organiser after which managers of the server may act, and waiting rounds open."""
MAX_EXTENSION_DAYS = 14
"""Days by which a deadline can be moved, once."""
MAX_EVENT_PAUSE_DAYS = 14
"""Days after which a pause of an event ends by itself."""
