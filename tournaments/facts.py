"""The log of an event: everything that happened to it, in order, chance included. Each fact has a form in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Final

from tournaments.errors import EventRuleError
from tournaments.points import Outcome
from tournaments.specification import Entry, read_entry

DISQUALIFIED: Final = "disqualified"
NOBODY: Final = -1
"""An empty place in a bracket."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A game to be played: its players in the order of seats; games of the same match share its number."""

    match: int
    seats: tuple[int, ...]
    board: int = 0
    """Of a team match: which board, from 1."""


@dataclass(frozen=True, slots=True)
class StageBegun:
    """Who plays a stage, best first: from here on nobody else does, whatever is corrected."""

    stage: int
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """A round with its seats. ``reasons`` tells by code what could not be had; ``slots`` is the bracket, in pairs.

    ``byes`` are worth something; who is ``resting`` has no game by the schedule of a round robin, and nothing for it.
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
    """More games of matches that are not decided, behind the tables of their round."""

    stage: int
    round: int
    tables: tuple[DrawnTable, ...]


@dataclass(frozen=True, slots=True)
class RoundUndone:
    """The organiser has the newest round drawn anew; no game of it has a result."""

    stage: int
    round: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StageEnded:
    """A stage is over: ``played``, ``no-legal-round`` or ``too-few``."""

    stage: int
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended; tables are counted from 1."""

    stage: int
    round: int
    table: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Correction:
    """A result was wrong. Rounds already drawn and who plays which stage stay as they are."""

    stage: int
    round: int
    table: int
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A player leaves the event, or has to: who is ``disqualified`` ranks last."""

    player: int
    reason: str = "left"


@dataclass(frozen=True, slots=True)
class Rejoined:
    """A player who left plays again from the next round on; what was missed is worth nothing."""

    player: int


@dataclass(frozen=True, slots=True)
class LateEntry:
    """Somebody joins after the start, with the next number."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class EntrySubstitution:
    """Somebody else plays on for an entry."""

    player: int
    key: str


@dataclass(frozen=True, slots=True)
class Extended:
    """A round's deadline was moved, once at most."""

    stage: int
    round: int
    days: int
    reason: str


@dataclass(frozen=True, slots=True)
class LineUp:
    """A team's players for a round, by board; nobody sees it before both are in."""

    stage: int
    round: int
    team: int
    members: tuple[str, ...]


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
    | Extended
    | LineUp
)

FACTS: Final[Mapping[str, type[Fact]]] = MappingProxyType(
    {
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
        "extended": Extended,
        "line-up": LineUp,
    }
)
_NAMES: Final = {kind: name for name, kind in FACTS.items()}


def to_json(fact: Fact) -> str:
    """One line."""
    return json.dumps({"fact": _NAMES[type(fact)], **asdict(fact)}, separators=(",", ":"))


def read_fact(text: str) -> Fact:
    """What :func:`to_json` wrote."""
    data: dict[str, Any] = json.loads(text)
    kind = FACTS.get(str(data.pop("fact", "")))
    if kind is None:
        raise EventRuleError("unknown-fact", text=text)
    return kind(**{name: _READERS.get(name, _plain)(value) for name, value in data.items()})


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _outcome(data: Mapping[str, Any]) -> Outcome:
    return Outcome(tuple(data["scores"]), tuple(data["out"]), int(data["stalled"]), data["how"])


def _tables(data: list[Mapping[str, Any]]) -> tuple[DrawnTable, ...]:
    return tuple(DrawnTable(int(table["match"]), tuple(table["seats"]), int(table["board"])) for table in data)


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {"outcome": _outcome, "tables": _tables, "entry": read_entry}
