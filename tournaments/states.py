"""The parts of an event's state: its stages with their rounds, tables and outcomes.

A *stage* is a part of an event with rules of its own, such as a knock-out; a *round* is a set of games that are drawn
together. A stage can be divided into *pools*, whose members meet only each other: groups of equal strength, or the
divisions of a league. :class:`StagePlan` is a stage as it was announced, :class:`StageState` one that has begun, and
:class:`StageContext` everything that its rules look at when they draw a round or rank the players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from tournaments.facts import DrawnTable
from tournaments.points import DUEL_SCHEME, Outcome, TieRule
from tournaments.specification import EVENT_RULES, Entry, Parameters
from tournaments.tables.field import Pair
from tournaments.tables.pairing import meetings

AT_TABLES: Final = frozenset({"tables", "final", "pools"})
"""Kinds of stages with tables of three or more players; all others have matches between two sides."""
ROBIN: Final = "robin"
"""The kind of a round robin of duels, in one pool or several."""
SEASON: Final = "season"
"""The kind of a season of the ladder, in whose only round players find their opponents themselves."""
ELIMINATIONS: Final = frozenset({"knockout", "double", "group-knockout", "group-double"})
"""Kinds of stages in which a lost match, or the second one, ends the stage for a player."""


@dataclass(frozen=True, slots=True)
class StagePlan:
    """A stage as it was announced."""

    name: str
    kind: str
    """The key of its rules in ``STAGE_KINDS``, such as ``swiss``."""
    size: int = 0
    """The number of players taken from the stage before; 0 for all."""
    rounds: int = 0
    """The number of rounds; 0 if it follows from the number of players."""
    together: int = 1
    """The number of rounds that are open at the same time; 0 for all."""
    best_of: int = 1
    """The number of games of a match, of which more than half have to be won."""
    points: str = DUEL_SCHEME
    """The scheme by which places give points."""
    ties: TieRule = "later-seat"
    pool: int = 0
    """The number of players of a pool; 0 if the stage is not divided."""
    divisions: bool = False
    """True if pools are divisions, ordered by strength, and not groups of equal strength."""
    groups: int = 0
    """The number of pools, at most; 0 if it follows from their size."""
    advance: int = 0
    """The number of players of each pool who advance to the next stage."""
    firsts: int = 0
    """The number of entrants who have a bye in the first round because they won their groups."""
    last_best_of: int = 0
    """The number of games of a match from the round with ``last_from`` places on; 0 if it does not change."""
    last_from: int = 0
    """The places of a bracket, or the players still in a double elimination, from which matches have that length."""
    third_place: bool = False
    """True if the losers of the semi-finals play for the third place."""
    accelerated: bool = False
    """True if the better half of a Swiss is paired with additional points in the first half of the rounds."""
    meetings: int = 0
    """The most games against the same opponent that count in a season of the ladder."""
    boards: int = 0
    """The number of boards of a team match; 0 if players play for themselves."""
    tie_breaks: tuple[str, ...] = ()
    weeks: int = 0
    """The time limit of one game, in weeks; of a season of the ladder, its length."""
    late: bool = False
    """True if players may still enter after the stage has begun."""
    rules: int = EVENT_RULES
    """The version of the rules for events under which the event began."""

    @property
    def duel(self) -> bool:
        """True if matches are between two sides."""
        return self.kind not in AT_TABLES

    @property
    def divided(self) -> bool:
        """True if the stage is divided into pools."""
        return bool(self.pool or self.groups)

    def games_of_match(self, places: int = 0) -> int:
        """Return the number of games of a match in a round of an elimination with this number of places."""
        return self.last_best_of if self.last_best_of and 0 < places <= self.last_from else self.best_of

    @property
    def least(self) -> int:
        """The fewest players of a division. Version 1 of the rules allowed divisions too small to play in."""
        if self.rules < 2:
            return 1
        return 2 if self.duel else 3


@dataclass(slots=True)
class RoundState:
    """A round that was drawn."""

    number: int
    tables: list[DrawnTable]
    active: tuple[int, ...]
    """The players who had not left when it was drawn."""
    byes: tuple[int, ...] = ()
    """Players without an opponent, who get points all the same."""
    slots: tuple[int, ...] = ()
    """The bracket of a knock-out: two neighbours are a pair."""
    reasons: tuple[str, ...] = ()
    """Codes of the goals that the draw could not reach."""
    outcomes: list[Outcome | None] = field(default_factory=list)
    """The result of each table; None while it is undecided."""
    resting: tuple[int, ...] = ()
    """Players without a game by the schedule, who get no points."""

    @property
    def decided(self) -> bool:
        """True if all games of the round have ended."""
        return all(self.outcomes)

    @property
    def places(self) -> int:
        """The number of places of the bracket, also empty ones; without one, of players who play or have a bye."""
        return len(self.slots) or len({*self.byes, *(player for table in self.tables for player in table.seats)})

    def copy(self) -> RoundState:
        """Return a copy to which results and tables can be added without changing this one."""
        return replace(self, tables=list(self.tables), outcomes=list(self.outcomes))

    def games(self) -> Iterator[tuple[DrawnTable, Outcome]]:
        """Yield the games that have ended, with their outcomes."""
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
    """The reason for its end; empty while it goes on."""
    undone: int = 0
    """The number of rounds undone and drawn again."""
    joined: dict[int, int] = field(default_factory=dict)
    """By late entrant, the number of rounds drawn before they entered."""
    group_joined: dict[int, int] = field(default_factory=dict)
    """By late entrant of a stage with groups, the index of the group that they joined."""

    @property
    def decided(self) -> bool:
        """True if all games so far have ended."""
        return all(drawn.decided for drawn in self.rounds)

    def copy(self) -> StageState:
        """Return a copy that can be continued without changing this one."""
        rounds = [drawn.copy() for drawn in self.rounds]
        joined, group_joined = dict(self.joined), dict(self.group_joined)
        return replace(self, entrants=list(self.entrants), rounds=rounds, joined=joined, group_joined=group_joined)

    def met(self) -> dict[Pair, int]:
        """Return the number of meetings of any two entrants, counting at most one per round."""
        return meetings([[table.seats for table in drawn.tables] for drawn in self.rounds])

    def pools(self) -> list[list[int]]:
        """Return the entrants by pool.

        Groups are dealt out (:func:`dealt`); divisions are cut large enough to play in. Late entrants stand at the end
        of the group that they joined; they belong to the last division.
        """
        size, count = self.plan.pool or len(self.entrants), len(self.entrants)
        if self.plan.divisions:
            count -= len(self.joined)
            began, late = self.entrants[:count], self.entrants[count:]
            *higher, last = divisions(began, max(1, min(-(-count // size), count // self.plan.least)))
            return [*higher, last + late]
        began = [player for player in self.entrants if player not in self.group_joined]
        groups = dealt(began, groups_of(len(began), size, self.plan.groups))
        for player, group in self.group_joined.items():
            groups[group].append(player)
        return groups


def groups_of(players: int, size: int, number: int = 0) -> int:
    """Return the number of groups of about this size, or this number of groups of two players or more."""
    if number:
        return max(1, min(number, players // 2))
    return max(1, (2 * players + size) // (2 * size)) if size else 1


def dealt(players: Sequence[int], count: int) -> list[list[int]]:
    """Deal players out to groups back and forth (1, 2, 3, 3, 2, 1), so that the groups are equally strong."""
    groups: list[list[int]] = [[] for _ in range(count)]
    for number, player in enumerate(players):
        pass_number, position = divmod(number, count)
        groups[position if pass_number % 2 == 0 else count - 1 - position].append(player)
    return groups


def divisions(players: Sequence[int], count: int) -> list[list[int]]:
    """Cut players into divisions of almost equal size; larger divisions come first."""
    size, larger = divmod(len(players), count)
    cuts = [number * size + min(number, larger) for number in range(count + 1)]
    return [list(players[start:end]) for start, end in pairwise(cuts)]


@dataclass(frozen=True, slots=True)
class StageContext:
    """The input of a stage's rules: its state, the parameters, the entries and the players who have left."""

    state: StageState
    parameters: Parameters
    entries: Sequence[Entry]
    seed: str
    gone: frozenset[int]
    groups: Mapping[int, int] = field(default_factory=dict)
    """The group of each player in the previous stage; empty if it had no groups."""
    penalties: Mapping[int, Fraction] = field(default_factory=dict)
    """The points that organisers took from players in this stage."""

    @property
    def active(self) -> list[int]:
        """The entrants who have not left, in the order of the stage."""
        return [player for player in self.state.entrants if player not in self.gone]

    @property
    def next_round(self) -> int:
        """The number of the round to be drawn."""
        return len(self.state.rounds) + 1
