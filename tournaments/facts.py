"""The facts that make up the log of a tournament or league, and their JSON form.

A *fact* is something that has happened: a round was drawn, a game has a result, a player has withdrawn. The log holds
all facts in order, with the outcomes of random draws, so that replaying it needs no randomness. Players are numbers of
entries, from 0; stages, rounds, tables and boards are counted from 1.

>>> to_json(Withdrawal(3))
'{"fact":"withdrawal","player":3,"reason":"left"}'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from tournaments.errors import EventRuleError
from tournaments.points import Outcome
from tournaments.specification import Entry, read_entry

DISQUALIFIED: Final = "disqualified"
"""The reason of a withdrawal that ranks the player last."""
EMPTY_SLOT: Final = -1
"""The value of an empty place in a bracket."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A game to be played, with its players in seat order; games of the same match share its number."""

    match: int
    seats: tuple[int, ...]
    board: int = 0
    """The board of a team match, from 1; 0 in other games."""


@dataclass(frozen=True, slots=True)
class StageBegun:
    """The start of a stage with its entrants, best first; later corrections do not change them."""

    stage: int
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """A drawn round with its seats.

    ``reasons`` holds the codes of goals that the draw could not reach, ``slots`` the bracket in pairs. A player in
    ``byes`` gets points; a player in ``resting`` has no game by the schedule of a round robin and gets none.
    """

    stage: int
    round: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()
    slots: tuple[int, ...] = ()
    reasons: tuple[str, ...] = ()
    resting: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GamesAdded:
    """Additional games of undecided matches, appended to the tables of their round."""

    stage: int
    round: int
    tables: tuple[DrawnTable, ...]


@dataclass(frozen=True, slots=True)
class RoundUndone:
    """The withdrawal of the newest round by the organiser, to be drawn again; no game of it has a result."""

    stage: int
    round: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StageEnded:
    """The end of a stage; its reason is ``played``, ``no-legal-round`` or ``too-few``."""

    stage: int
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game; tables are counted from 1."""

    stage: int
    round: int
    table: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Correction:
    """A corrected result. Rounds already drawn and the entrants of stages do not change."""

    stage: int
    round: int
    table: int
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The withdrawal or exclusion of a player; with the reason ``disqualified`` they rank last."""

    player: int
    reason: str = "left"


@dataclass(frozen=True, slots=True)
class Rejoined:
    """The return of a player who left, from the next round on; missed rounds give no points."""

    player: int


@dataclass(frozen=True, slots=True)
class LateEntry:
    """An entry after the start; it gets the next number."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class EntrySubstitution:
    """A change of the person who plays for an entry; ``key`` identifies the new person."""

    player: int
    key: str


@dataclass(frozen=True, slots=True)
class DeadlineExtended:
    """An extension of a round's deadline, at most once."""

    stage: int
    round: int
    days: int
    reason: str


@dataclass(frozen=True, slots=True)
class LineUp:
    """A team's players for a round, by board; hidden until both teams' line-ups are in."""

    stage: int
    round: int
    team: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatExchange:
    """The exchange of two players in the round that is due, by the organiser before it is opened."""

    stage: int
    round: int
    player: int
    other: int
    reason: str


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that the organiser takes from a player in a stage; ``points`` is a fraction such as ``1/2``."""

    stage: int
    player: int
    points: str
    reason: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning to a player by the organiser; it changes nothing but the record."""

    player: int
    reason: str


@dataclass(frozen=True, slots=True)
class SeasonGame:
    """A game of two that counts for a season of the ladder, with its players in seat order.

    ``game`` identifies it, so that no game counts twice.
    """

    stage: int
    seats: tuple[int, ...]
    game: str


Fact = (
    StageBegun
    | RoundDrawn
    | GamesAdded
    | RoundUndone
    | StageEnded
    | Result
    | Correction
    | Withdrawal
    | Rejoined
    | LateEntry
    | EntrySubstitution
    | DeadlineExtended
    | LineUp
    | SeatExchange
    | Penalty
    | Warned
    | SeasonGame
)

FACTS: Final[Mapping[str, type[Fact]]] = {
    "stage-begun": StageBegun,
    "round-drawn": RoundDrawn,
    "games-added": GamesAdded,
    "round-undone": RoundUndone,
    "stage-ended": StageEnded,
    "result": Result,
    "correction": Correction,
    "withdrawal": Withdrawal,
    "returned": Rejoined,
    "late-entry": LateEntry,
    "substitution": EntrySubstitution,
    "extended": DeadlineExtended,
    "line-up": LineUp,
    "seats-exchanged": SeatExchange,
    "penalty": Penalty,
    "warning": Warned,
    "season-game": SeasonGame,
}
_NAMES: Final = {kind: name for name, kind in FACTS.items()}


def to_json(fact: Fact) -> str:
    """Return a fact as one line of JSON."""
    return json.dumps({"fact": _NAMES[type(fact)], **asdict(fact)}, separators=(",", ":"))


def read_fact(text: str) -> Fact:
    """Read the output of :func:`to_json`.

    Raises:
        EventRuleError: ``unknown-fact``.
    """
    data: dict[str, Any] = json.loads(text)
    kind = FACTS.get(str(data.pop("fact", "")))
    if kind is None:
        raise EventRuleError("unknown-fact", text=text)
    return kind(**{name: _READERS.get(name, _plain)(value) for name, value in data.items()})


def _plain(value: object) -> object:
    """Return a value of JSON with tuples in place of lists."""
    return tuple(value) if isinstance(value, list) else value


def _outcome(data: Mapping[str, Any]) -> Outcome:
    absent = tuple(data.get("absent", ()))
    return Outcome(tuple(data["scores"]), tuple(data["out"]), int(data["stalled"]), data["how"], absent)


def _tables(data: list[Mapping[str, Any]]) -> tuple[DrawnTable, ...]:
    return tuple(DrawnTable(int(table["match"]), tuple(table["seats"]), int(table["board"])) for table in data)


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {"outcome": _outcome, "tables": _tables, "entry": read_entry}
