"""A second, slow reckoning of seasons of the ladder, written from ``docs/tournaments.md`` alone.

:class:`SeasonTwin` reads the facts of a season one by one: it keeps its own divisions and results, checks that every
game counts that was entered, and works out the standings. :func:`next_divisions` and :func:`all_time` reckon what
outlasts a season.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import ceil, inf
from typing import TypeVar

from tournaments.chance import player_lot
from tournaments.facts import (
    DISQUALIFIED,
    Correction,
    Fact,
    LateEntry,
    Penalty,
    Rejoined,
    Result,
    SeasonGame,
    StageBegun,
    StageEnded,
    Withdrawal,
)
from tournaments.points import Outcome
from tournaments.specification import Specification

T = TypeVar("T")


class SeasonTwin:
    """A season after the facts that it has taken."""

    def __init__(self, specification: Specification) -> None:
        self.seed, self.meetings = specification.seed, specification.parameters.meetings or 3
        self.keys = [entry.key for entry in specification.entries]
        self.size = specification.parameters.pool or 8
        self.divisions: list[list[int]] = []
        self.games: list[tuple[tuple[int, ...], Outcome | None]] = []
        self.gone: set[int] = set()
        self.disqualified: set[int] = set()
        self.penalties: dict[int, Fraction] = {}
        self.over = False

    def take(self, fact: Fact) -> None:
        """Take the next fact."""
        match fact:
            case StageBegun():
                self.divisions = cut(fact.entrants, self.size, least=2)
            case SeasonGame():
                self.check_counts(fact.seats)
                self.games.append((fact.seats, None))
            case Result() | Correction():
                seats, outcome = self.games[fact.table - 1]
                assert (outcome is None) == isinstance(fact, Result)
                self.games[fact.table - 1] = (seats, fact.outcome)
            case Withdrawal():
                self.gone.add(fact.player)
                self.disqualified |= {fact.player} if fact.reason == DISQUALIFIED else set()
            case Rejoined():
                self.gone.remove(fact.player)
            case LateEntry():
                self.divisions[-1].append(len(self.keys))
                self.keys.append(fact.entry.key)
            case Penalty():
                self.penalties[fact.player] = self.penalties.get(fact.player, Fraction(0)) + Fraction(fact.points)
            case StageEnded():
                assert all(outcome for _, outcome in self.games)
                self.over = True
            case _:
                pass

    def check_counts(self, seats: Sequence[int]) -> None:
        """Check that two players are there, of the same division, and have not met too often."""
        assert len(set(seats)) == 2
        assert not set(seats) & self.gone
        assert sum(set(seats) <= set(division) for division in self.divisions) == 1
        assert sum(set(before) == set(seats) for before, _ in self.games) < self.meetings

    def results_of(self, player: int) -> list[tuple[int, int, int]]:
        """Return a player's decided games: the opponent, 1 for a victory or -1 for a defeat, the difference of scores.

        A game that nobody won counts as 0.
        """
        own = []
        for seats, outcome in self.games:
            if outcome is not None and player in seats:
                seat = seats.index(player)
                present = [each for each in (0, 1) if each not in outcome.out]
                winner = max(present, key=partial(_worth, outcome)) if present else None
                difference = 0 if outcome.out else outcome.scores[seat] - outcome.scores[1 - seat]
                own.append((seats[1 - seat], 0 if winner is None else 1 if winner == seat else -1, difference))
        return own

    def points(self, player: int) -> int:
        """Count a player's victories."""
        return sum(won == 1 for _, won, _ in self.results_of(player))

    def order(self, division: Sequence[int]) -> list[int]:
        """Return a division, best first."""
        results = {player: self.results_of(player) for player in division}
        first = {
            player: (
                self.points(player) - self.penalties.get(player, Fraction(0)),
                bool(results[player]),
                sum(won for _, won, _ in results[player]),
            )
            for player in division
        }

        def direct(player: int) -> int:
            level = {other for other in division if first[other] == first[player]}
            met = [level <= {member, *(other for other, _, _ in results[member])} for member in level]
            return sum(won == 1 and other in level for other, won, _ in results[player]) if all(met) else 0

        def values(player: int) -> tuple[object, ...]:
            beaten = sum(self.points(other) for other, won, _ in results[player] if won == 1)
            scores = sum(difference for _, _, difference in results[player])
            stayed = player not in self.gone
            return (*first[player], direct(player), beaten, scores, stayed, player_lot(self.seed, player))

        return sorted(division, key=values, reverse=True)

    def standings(self) -> list[int]:
        """Return everybody, best first: division by division, and at the end those who were disqualified."""
        order = [player for division in self.divisions for player in self.order(division)]
        return sorted(order, key=lambda player: player in self.disqualified)

    def final_divisions(self) -> list[list[str]]:
        """Return the keys of the players by division, best first, and those who left last."""
        orders = [sorted(self.order(division), key=lambda player: player in self.gone) for division in self.divisions]
        return [[self.keys[player] for player in order] for order in orders]


def _worth(outcome: Outcome, seat: int) -> tuple[bool, int, int]:
    """Return the value by which the two seats of a game are compared: a tie goes to the later one."""
    return seat != outcome.stalled, outcome.scores[seat], seat


def cut(players: Sequence[T], size: int, *, least: int = 1) -> list[list[T]]:
    """Cut players into divisions of at most this size, as even as possible, the larger ones first."""
    count = max(1, min(ceil(len(players) / size), len(players) // least))
    lengths = [len(players) // count + (number < len(players) % count) for number in range(count)]
    ends = [sum(lengths[: number + 1]) for number in range(count)]
    return [list(players[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def next_divisions(final: Sequence[Sequence[str]], entered: Sequence[str], moving: int, size: int) -> list[list[str]]:
    """Return the divisions of the next season: promoted players follow those who stay, relegated ones follow these."""
    places: dict[str, tuple[float, int, int]] = {}
    present = [[key for key in division if key in entered] for division in final]
    for number, division in enumerate(present):
        movers = min(moving, len(division) // 2)
        for place, key in enumerate(division):
            rises = number > 0 and place < movers
            falls = number < len(present) - 1 and place >= len(division) - movers
            places[key] = (number - 1, 1, place) if rises else (number, 2 if falls else 0, place)
    return cut(sorted(entered, key=lambda key: places.get(key, (inf, 0, entered.index(key)))), size)


def all_time(seasons: Sequence[SeasonTwin]) -> list[tuple[str, Fraction, int, int, int]]:
    """Return the key, points, titles, games and number of seasons of everybody, best first."""
    lines = {}
    for key in dict.fromkeys(season.keys[player] for season in seasons for player in season.standings()):
        points, titles, games, count = Fraction(0), 0, 0, 0
        for season in seasons:
            for player in [player for player, own in enumerate(season.keys) if own == key]:
                if player not in season.disqualified:
                    points += season.points(player) - season.penalties.get(player, 0)
                    titles += season.over and season.standings()[0] == player
                    games += len(season.results_of(player))
                    count += 1
        if count:
            lines[key] = (key, points, titles, games, count)
    return sorted(lines.values(), key=lambda line: (-line[1], -line[2], line[3]))
