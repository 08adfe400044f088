"""Values of events: the plan that organisers choose, and the views that users see.

A *view* contains everything that a message or panel about an event shows, but no texts. Players and teams have
*numbers*, by which the rules of events (the package ``tournaments``) know them from the start on. The *facts* of an
event are the entries of its log, such as results.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final, Literal

from host.naming import unique_names
from store import (
    Computer,
    EntryRecord,
    EventPostRecord,
    EventRecord,
    Person,
    RatingRecord,
    TableState,
    TeamRecord,
    columns_of,
)
from tournaments.event import EventFold
from tournaments.lasting.leagues import AllTimeLine
from tournaments.points import Outcome
from tournaments.specification import Parameters, read_parameters
from tournaments.states import RoundState, StagePlan

Seeding = Literal["rating", "lot"]
"""The order of the entries: by rating, or drawn by lot."""
RoundOpening = Literal["auto", "organiser"]
"""The way in which rounds open: automatically, or by an organiser."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """The choices of the organisers, which cannot be changed after the start."""

    format: str
    """The name of the format, such as a Swiss system or a league."""
    parameters: Parameters = field(default_factory=Parameters)
    """The game, its pace, and the numbers that the format needs."""
    expansions: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the game that differ from its defaults."""
    seeding: Seeding = "rating"
    rounds: RoundOpening = "auto"
    """The way in which rounds open. A round that no organiser opens for a week opens automatically."""
    most: int = 0
    """The most entries, after which come those on the waiting list; 0 for the maximum of the format."""
    starts_at: datetime | None = None
    """The time at which the event starts automatically; None if an organiser starts it."""
    check_in_hours: int = 0
    """The hours before the start in which entrants have to check in; 0 for no check-in."""
    organiser_role: int | None = None
    """The id of a role whose members may organise the event as well."""
    season_of: str = ""
    """The code of the previous season of a league; empty for none."""
    moving: int = 2
    """The number of players who are promoted and relegated between two seasons."""
    line_up_hours: int = 24
    """The hours after the draw of a round in which captains can hand in line-ups."""
    language: str = ""
    """The language of the event's messages and games; empty for the server's."""
    prizes: str = ""
    """The prizes in the organisers' words; empty for none."""
    computers: tuple[Computer, ...] = ()
    """The computers that play along, each with a place of its own; with any, this is a practice event."""

    @property
    def rated(self) -> bool:
        """True if the games count for ratings; those of a practice event never do."""
        return self.parameters.rated and not self.computers

    def to_data(self) -> dict[str, Any]:
        """Return the plan in its stored form, which :func:`read_plan` reads."""
        parameters = {**columns_of(self.parameters), "tie_breaks": list(self.parameters.tie_breaks)}
        starts_at = None if self.starts_at is None else self.starts_at.isoformat()
        rules = {"expansions": list(self.expansions), "options": dict(self.options)}
        computers = [columns_of(computer, "version") for computer in self.computers]
        return {**columns_of(self), **rules, "parameters": parameters, "starts_at": starts_at, "computers": computers}


def read_plan(data: Mapping[str, Any]) -> EventPlan:
    """Read a stored plan; fields that only a newer release has are ignored."""
    fields = {name: data[name] for name in EventPlan.__dataclass_fields__ if name in data}
    starts_at = fields.get("starts_at")
    fields["parameters"] = read_parameters(fields.get("parameters", {}))
    fields["expansions"] = tuple(fields.get("expansions", ()))
    fields["computers"] = tuple(Computer(**computer) for computer in fields.get("computers", ()))
    fields["starts_at"] = None if starts_at is None else datetime.fromisoformat(starts_at)
    return EventPlan(**fields)


EntrantKey = int | str
"""The user id of a person, or the key of a computer, who plays in an event."""
_COMPUTER_PREFIX: Final = "computer:"
"""The beginning of the key of a computer; that of a person is their user id in digits."""


def computer_key(computer: Computer) -> str:
    """Return the key by which the rules of events know a computer."""
    return f"{_COMPUTER_PREFIX}{computer.name}"


def computer_of(key: object) -> Computer | None:
    """Return the computer with this key, without its level; None if the key is a person's, or no key."""
    is_computer = isinstance(key, str) and key.startswith(_COMPUTER_PREFIX)
    return Computer(str(key).removeprefix(_COMPUTER_PREFIX), "") if is_computer else None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView(EntryRecord):
    """An entry: a person who takes part, alone or as a member of a team."""

    gone: bool = False
    """True if the person has left the event, was replaced, or was disqualified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamView(TeamRecord):
    """A team with the entries of its members."""

    members: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView(EventRecord):
    """An event as users see it: its stored record, and values computed from its plan, entries and facts.

    The ``seed`` is secret until the end of the event, and empty until then.
    """

    plan: EventPlan
    organisers: tuple[Person, ...]
    commitment: str
    """The SHA-256 of the seed, published before the start to prove that the seed was not changed."""
    stages: tuple[StagePlan, ...]
    """The stages that ``planned_size`` entries will play; empty if the format does not take as many."""
    planned_size: int
    """The entries for which stages and duration are worked out: before the start all places, if their number is chosen,
    otherwise those who have entered, or a usual number while they are too few."""
    is_example: bool
    """True if ``planned_size`` is that usual number."""
    promised_weeks: int
    """The longest duration of the event in weeks; 0 if there are too few entries and no chosen number of places."""
    least: int
    """The fewest entries with which the event can start."""
    most: int
    """The most entries; further ones are on the waiting list."""
    warnings: tuple[str, ...]
    """The keys of warnings to the organisers about the plan."""
    entries: tuple[EntryView, ...]
    """All entries: before the start in the order of joining, later by number."""
    teams: tuple[TeamView, ...] = ()
    check_in_at: datetime | None = None
    """The time at which check-in begins; None without check-in."""
    inherited: bool = False
    """True if no organiser has been active for a week, so that managers of the server may organise the event."""
    event: EventFold | None = None
    """The state computed from the facts; None before the start. It contains the seed, so it must not be shown."""
    computers: Mapping[int, Computer] = field(init=False)
    """The computers, by number; empty before the start."""
    _names_by_user: Mapping[int, str] = field(init=False, repr=False, compare=False)
    """The display names of the entrants, by user id."""
    _names_by_number: Mapping[int, str] = field(init=False, repr=False, compare=False)
    """The display names of players and teams, by number; that of a substitute if a player was replaced."""

    def __post_init__(self) -> None:
        people = [entry.person for entry in self.entries]
        names = unique_names([*people, *self.plan.computers])
        names_by_user = dict(zip((person.user_id for person in people), names, strict=False))
        keyed = {computer_key(computer): computer for computer in self.plan.computers}
        keys = [entry.key for entry in self.event.entries] if self.event else []
        computers = {number: keyed[key] for number, key in enumerate(keys) if key in keyed}
        singles = [entry for entry in self.entries if entry.team is None and entry.number is not None]
        singles.sort(key=lambda entry: not entry.gone)  # the present player of a number comes last, and wins
        names_by_number = {entry.number: names_by_user[entry.person.user_id] for entry in singles}
        names_by_number |= {team.number: team.name for team in self.teams if team.number is not None}
        names_by_number |= {number: computer.name for number, computer in computers.items()}
        object.__setattr__(self, "_names_by_user", names_by_user)
        object.__setattr__(self, "_names_by_number", names_by_number)
        object.__setattr__(self, "computers", computers)

    @property
    def playing(self) -> tuple[EntryView, ...]:
        """The entries without those on the waiting list."""
        return tuple(entry for entry in self.entries if not entry.waiting)

    @property
    def size(self) -> int:
        """The number of players or teams: before the start those who would play now."""
        if self.event is not None:
            return len(self.event.specification.entries)
        return len(self.teams) or len(self.playing) + len(self.plan.computers)

    def entry_of(self, user_id: int) -> EntryView | None:
        """Return the entry of a user; None if they have not entered."""
        return next((entry for entry in self.entries if entry.person.user_id == user_id), None)

    def name_of_person(self, person: Person) -> str:
        """Return the display name of a person, which differs from those of all other entrants."""
        return self._names_by_user.get(person.user_id, person.name)

    def name_of(self, number: int) -> str:
        """Return the display name of the player or team with this number."""
        return self._names_by_number.get(number) or f"#{number + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSummary(EventRecord):
    """An event in a list, with the number of its entries."""

    entries: int

    @property
    def format(self) -> str:
        """The name of the format; empty if the plan names none."""
        return str(self.plan_data.get("format", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table: a game of a round, from its draw to its outcome."""

    stage: int
    round: int
    number: int
    match: int
    """The number of the match to which the game belongs, if several games make a match."""
    board: int
    """The number of the board in the match of two teams; 0 if single players play."""
    seats: tuple[int, ...]
    """The numbers of the players or teams, by seat."""
    people: tuple[Person | None, ...]
    """The people by seat; None for a computer, and where a line-up is still sealed."""
    state: TableState
    game_id: int | None
    """The id of the game; None until it is created."""
    code: str
    """The code of the game; empty until it is created."""
    place: int | None
    """The id of the game's thread; None until it is opened."""
    deadline: datetime | None
    outcome: Outcome | None
    points: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round with its tables."""

    stage: int
    plan: StagePlan
    """The plan of the stage to which the round belongs."""
    number: int
    deadline: datetime | None
    """The latest deadline of its tables; None if none is open."""
    extended: int
    """The days by which its deadline was extended."""
    tables: tuple[TableView, ...]
    state: RoundState
    """The draw as the rules made it, with its byes, its bracket and its reasons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeView:
    """Two players or teams who change places in a round that waits to be opened."""

    view: EventView
    """The event as if the round were drawn."""
    players: tuple[int, int]
    before: RoundView
    after: RoundView
    repeats: tuple[tuple[int, int], ...]
    """The pairs who meet again in the round, whom the draw could not avoid."""


@dataclass(frozen=True, slots=True)
class RankView:
    """A line of the standings."""

    rank: int
    number: int
    """The number of the player or team."""
    name: str
    user_id: int | None
    """The id of the player; None for a team or a computer."""
    stage: int
    """The last stage that the player or team has reached."""
    values: tuple[tuple[str, Fraction], ...]
    """The names and values of the tie-breaks, in the order in which they decide."""
    gone: bool
    disqualified: bool
    penalty: Fraction = Fraction(0)
    """The points that organisers took in that stage."""
    warnings: int = 0


@dataclass(frozen=True, slots=True)
class AllTimeView:
    """A line of the table of all seasons of a league or of the ladder; equal lines share a rank."""

    rank: int
    name: str
    line: AllTimeLine


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPost(EventPostRecord):
    """A message about an event to be sent, which is composed from the present state of the event.

    After an earlier attempt (``attempts``, ``first_attempt_at``) the message may have been posted already.
    """

    event: EventView


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """The choices of a captain for the line-up of a round."""

    stage: int
    round: int
    team: int
    other: int
    """The number of the opposing team."""
    roster: tuple[Person, ...]
    """All members of the team."""
    members: tuple[Person | None, ...]
    """The present line-up: the players by board, None for an empty board."""

    @property
    def mark(self) -> str:
        """The text that identifies the round, so that a panel of an earlier round hands in nothing."""
        return f"{self.stage}.{self.round}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingView(RatingRecord):
    """A player's rating, with its rank in the list of its scale."""

    provisional: bool
    """True if the player has played too few rated games to be listed."""
    rank: int | None = None
    """None if the player is not listed."""


MATCH_FORMAT = "duel-knockout"
"""The format of a match, which is an event of two that nobody organises: they meet in its only round."""
REFUSAL_DETAIL = "refused"
"""The key, in the details of a post, of the error code because of which an event did not start."""
ORGANISER_ABSENCE = timedelta(days=7)
"""The time without an active organiser after which managers of the server may act, and waiting rounds open."""
MAX_EXTENSION_DAYS = 14
"""The most days by which a deadline can be extended."""
MAX_EVENT_PAUSE_DAYS = 14
"""The most days of a pause of an event."""
