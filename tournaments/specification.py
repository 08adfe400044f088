"""What is frozen at the start of an event: its format, everything the organiser chose, who entered, and the seed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Literal

from tournaments.chance import commitment, lot
from tournaments.errors import EventRuleError

PaceName = Literal["live", "fast", "standard", "slow"]

EVENT_RULES: Final = 3
"""The rules of new events; raised when from the same facts a running one would have other pools, points or standings.

Since 2, leagues are cut in divisions in which everybody can play, the scores of a duel from which somebody withdrew are
no tie-break, in a double elimination somebody loses a level match, too, and an average game stands for rounds before a
late entry alone, not for those in which somebody had left before the first one played.

Since 3, of two between whom only the seed or the lot would decide, the one who left is behind; so is whoever is struck
out of a pool. In a knock-out and a double elimination a match that was cut short by one who left goes to the other one.
"""
PLAYED_RULES: Final = frozenset({1, 2, 3})
"""The versions that are played as they were: a running event keeps the rules with which it began."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A player or a team: a key by which the host knows it, and what pairing may ask."""

    key: str
    rating: float | None = None
    party: str = ""
    """The server or team whose members are kept apart, where asked."""
    roster: tuple[str, ...] = ()
    """Of a team: who may play, the captain's order."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What an organiser chooses before the start. Zero and nothing mean what the format does by itself."""

    game: str = "carcassonne"
    preset: str = ""
    pace: PaceName = "standard"
    purist: bool = True
    rated: bool = True
    points: str = "5-3-2-1"
    rounds: int = 0
    best_of: int = 0
    final: Literal["four-games", "one-game", "none"] = "four-games"
    tie_breaks: tuple[str, ...] = ()
    late: Literal["closed", "zero", "average"] = "zero"
    bye: Literal["win", "draw"] = "win"
    apart: Literal["never", "first", "first-and-last"] = "never"
    pool: int = 0
    """Players of a group or division."""
    advance: int = 0
    """How many of each group, or of the whole stage, go on."""
    boards: int = 5


_FORMER: Final = frozenset({"equal_turns"})
"""Parameters that were stored once and never did anything."""


@dataclass(frozen=True, slots=True)
class Specification:
    """An event as it was announced. Players are numbered from 0 in the order of the entries, late ones after them."""

    format: str
    entries: tuple[Entry, ...]
    seed: str
    parameters: Parameters = field(default_factory=Parameters)
    rules: int = EVENT_RULES

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, for the card."""
        return commitment(self.seed)

    def to_json(self) -> str:
        """One line; :func:`read_specification` reads it."""
        return json.dumps(asdict(self), separators=(",", ":"))


def read_specification(text: str) -> Specification:
    """What :meth:`Specification.to_json` wrote; what names no version of the rules was written under the first.

    Raises:
        EventRuleError: ``unknown-rules``, where a later release wrote it.
    """
    data: Mapping[str, Any] = json.loads(text)
    rules = int(data.get("rules", 1))
    if rules not in PLAYED_RULES:
        raise EventRuleError("unknown-rules", rules=rules)
    return Specification(
        str(data["format"]),
        tuple(read_entry(entry) for entry in data["entries"]),
        str(data["seed"]),
        read_parameters(data["parameters"]),
        rules,
    )


def read_entry(data: Mapping[str, Any]) -> Entry:
    """An entry as in JSON."""
    return Entry(**{**data, "roster": tuple(data.get("roster", ()))})


def read_parameters(data: Mapping[str, Any]) -> Parameters:
    """Parameters as in JSON; those that a later version brought have their default."""
    known = {each.name for each in fields(Parameters)}
    unknown = sorted(set(data) - known - _FORMER)
    if unknown:
        raise EventRuleError("unknown-parameter", name=unknown[0])
    given = {name: value for name, value in data.items() if name in known}
    return Parameters(**{**given, "tie_breaks": tuple(data.get("tie_breaks", ()))})


def seeded(entries: Sequence[Entry], seed: str, *, by: Literal["rating", "lot"]) -> tuple[Entry, ...]:
    """Entries in seat order: the strongest first, those without a rating behind them by lot, or all by lot."""
    lots = [-lot(f"{seed}/seeding", number) for number in range(len(entries))]

    def key(number: int) -> tuple[float, int]:
        rating = entries[number].rating
        return (float("inf") if rating is None or by == "lot" else -rating, lots[number])

    return tuple(entries[number] for number in sorted(range(len(entries)), key=key))
