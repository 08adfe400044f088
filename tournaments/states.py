"""The state of an event after its facts: stages, rounds, tables and outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from tournaments.facts import DrawnTable
from tournaments.points import DUEL, Outcome, TieRule
from tournaments.specification import EVENT_RULES, Entry, Parameters
from tournaments.tables.pairing import meetings
from tournaments.tables.sitters import Pair

AT_TABLES: Final = frozenset({"tables", "final", "pools"})
"""Kinds of stages at whose tables three and more sit; at all others two play each other, in matches."""


@dataclass(frozen=True, slots=True)
class StagePlan:
    """A stage as it was announced."""

    name: str
    kind: str
    size: int = 0
    """The number of players taken from the stage before; 0 for all."""
    rounds: int = 0
    """0 where the players who are there decide it."""
    together: int = 1
    """The number of rounds open at a time; 0 for all."""
    best_of: int = 1
    points: str = DUEL
    ties: TieRule = "later-seat"
    pool: int = 0
    divisions: bool = False
    """Pools are divisions, one above the other, not groups of equal strength."""
    boards: int = 0
    tie_breaks: tuple[str, ...] = ()
    weeks: int = 0
    """The time for one game."""
    late: bool = False
    rules: int = EVENT_RULES

    @property
    def duel(self) -> bool:
        """True if matches are between two sides."""
        return self.kind not in AT_TABLES

    @property
    def least(self) -> int:
        """Players of the smallest division; by the first rules there were some in which nobody could play."""
        if self.rules < 2:
            return 1
        return 2 if self.duel else 3


@dataclass(slots=True)
class RoundState:
    """A round that was drawn."""

    number: int
    tables: list[DrawnTable]
    active: tuple[int, ...]
    byes: tuple[int, ...] = ()
    slots: tuple[int, ...] = ()
    reasons: tuple[str, ...] = ()
    outcomes: list[Outcome | None] = field(default_factory=list)
    resting: tuple[int, ...] = ()

    @property
    def decided(self) -> bool:
        """True if all games of the round have ended."""
        return all(self.outcomes)

    def copy(self) -> RoundState:
        """The same round, of which results and tables can be added without changing this one."""
        return replace(self, tables=list(self.tables), outcomes=list(self.outcomes))

    def games(self) -> Iterator[tuple[DrawnTable, Outcome]]:
        """The games that have ended."""
        for table, outcome in zip(self.tables, self.outcomes, strict=True):
            if outcome is not None:
                yield table, outcome


@dataclass(slots=True)
class StageState:
    """A stage that has begun."""

    number: int
    plan: StagePlan
    entrants: list[int]
    rounds: list[RoundState] = field(default_factory=list)
    ended: str = ""
    undone: int = 0
    """The number of rounds undone and drawn again."""
    joined: dict[int, int] = field(default_factory=dict)
    """By who entered late: how many rounds had been drawn."""

    @property
    def decided(self) -> bool:
        """True if all games so far have ended."""
        return all(each.decided for each in self.rounds)

    def copy(self) -> StageState:
        """The same stage, which can go on without changing this one."""
        rounds = [each.copy() for each in self.rounds]
        return replace(self, entrants=list(self.entrants), rounds=rounds, joined=dict(self.joined))

    def met(self) -> dict[Pair, int]:
        """Count the meetings of any two entrants, at most one a round."""
        return meetings([[table.seats for table in each.tables] for each in self.rounds])

    def pools(self) -> list[list[int]]:
        """The entrants by pool: dealt out to and fro to groups, or cut in divisions that can play."""
        size, count = self.plan.pool or len(self.entrants), len(self.entrants)
        if self.plan.divisions:
            return divisions(self.entrants, max(1, min(-(-count // size), count // self.plan.least)))
        count = groups_of(len(self.entrants), size)
        found: list[list[int]] = [[] for _ in range(count)]
        for number, player in enumerate(self.entrants):
            turn, place = divmod(number, count)
            found[place if turn % 2 == 0 else count - 1 - place].append(player)
        return found


def groups_of(players: int, size: int) -> int:
    """Return the number of groups of about this size."""
    return max(1, (2 * players + size) // (2 * size)) if size else 1


def divisions(players: Sequence[int], count: int) -> list[list[int]]:
    """Players cut in divisions as even as possible, the larger ones above."""
    size, more = divmod(len(players), count)
    cuts = [number * size + min(number, more) for number in range(count + 1)]
    return [list(players[start:end]) for start, end in pairwise(cuts)]


@dataclass(frozen=True, slots=True)
class Scene:
    """The input of a stage's rules: its state, what the organiser chose, the entries, and who has left."""

    state: StageState
    parameters: Parameters
    entries: Sequence[Entry]
    seed: str
    gone: frozenset[int]
    groups: Mapping[int, int] = field(default_factory=dict)
    """The group of the stage before in which somebody played, where there were groups."""

    @property
    def active(self) -> list[int]:
        """The entrants who have not left, in order."""
        return [player for player in self.state.entrants if player not in self.gone]

    @property
    def next_round(self) -> int:
        """The number of the round to be drawn."""
        return len(self.state.rounds) + 1
