"""Matches between two sides: their simultaneous games, the winners, and the games still needed.

The input and output of the Dutch System are defined here, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.facts import DrawnTable
from tournaments.points import table_points
from tournaments.states import RoundState, StagePlan, StageState

ONE = Fraction(1)
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Contest:
    """The games of two players against each other at one board: points by game, and the number of open games."""

    match: int
    board: int
    players: tuple[int, int]
    games: tuple[Fraction, Fraction]
    played: int
    open: int
    scores: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Match:
    """A finished match: the match points, boards and games of both sides."""

    players: tuple[int, int]
    points: tuple[Fraction, Fraction]
    boards: tuple[Fraction, Fraction]
    games: tuple[Fraction, Fraction]
    scores: tuple[int, int]


def initial_games(match: int, players: tuple[int, int], best_of: int, boards: int = 0) -> Iterator[DrawnTable]:
    """Return the games that every match needs; seats alternate from game to game and from board to board."""
    for board in range(1, boards + 1) if boards else (0,):
        first, second = players if board in (0, 1) or board % 2 else (players[1], players[0])
        for game in range(best_of // 2 + 1):
            yield DrawnTable(match, (first, second) if game % 2 == 0 else (second, first), board)


def contests(drawn: RoundState, plan: StagePlan) -> list[Contest]:
    """Yield every contest of a round, in the order of its first table."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, table in enumerate(drawn.tables):
        found.setdefault((table.match, table.board), []).append(number)
    return [_contest(drawn, numbers, plan) for numbers in found.values()]


def _contest(drawn: RoundState, numbers: Sequence[int], plan: StagePlan) -> Contest:
    first = drawn.tables[numbers[0]]
    one, other = first.seats
    games = {one: ZERO, other: ZERO}
    scores = {one: 0, other: 0}
    waiting = 0
    for number in numbers:
        outcome = drawn.outcomes[number]
        if outcome is None:
            waiting += 1
            continue
        counted = plan.rules < 2 or not outcome.out
        for seat, points in enumerate(table_points(outcome, "win", plan.ties)):
            games[drawn.tables[number].seats[seat]] += points
            scores[drawn.tables[number].seats[seat]] += outcome.scores[seat] if counted else 0
    return Contest(
        first.match,
        first.board,
        (one, other),
        (games[one], games[other]),
        len(numbers) - waiting,
        waiting,
        (scores[one], scores[other]),
    )


def games_needed(state: StageState, drawn: RoundState, gone: Iterable[int]) -> tuple[DrawnTable, ...]:
    """Return the remaining games of undecided matches in which both still play, all at once.

    The player who has begun less often begins the first of them; if equal, the one who began the match.
    """
    added: list[DrawnTable] = []
    left, plan = set(gone), state.plan
    for contest in contests(drawn, plan):
        undecided = max(contest.games) * 2 <= plan.best_of and contest.played < plan.best_of
        if contest.open or not undecided or left & set(contest.players):
            continue
        one, other = contest.players
        if first_seat_balance(state, one) > first_seat_balance(state, other):
            one, other = other, one
        games = range(plan.best_of - contest.played)
        added += [
            DrawnTable(contest.match, (other, one) if game % 2 else (one, other), contest.board) for game in games
        ]
    return tuple(added)


def first_seat_balance(state: StageState, player: int) -> int:
    """Return the number of games that a player began, less those they did not begin."""
    seats = [table.seats for each in state.rounds for table in each.tables if player in table.seats]
    return sum(1 if two[0] == player else -1 for two in seats)


def matches(drawn: RoundState, plan: StagePlan) -> list[Match]:
    """Return the matches of a round whose games have all ended."""
    by_match: dict[int, list[Contest]] = {}
    for contest in contests(drawn, plan):
        by_match.setdefault(contest.match, []).append(contest)
    return [_match(group) for group in by_match.values() if not any(contest.open for contest in group)]


def _match(group: Sequence[Contest]) -> Match:
    players = group[0].players
    games, boards, scores = [ZERO, ZERO], [ZERO, ZERO], [0, 0]
    for each in group:
        won = boards_won(each)
        for side, player in enumerate(players):
            own = each.players.index(player)
            games[side] += each.games[own]
            scores[side] += each.scores[own]
            boards[side] += won[own]
    return Match(players, _split_point(*boards), (boards[0], boards[1]), (games[0], games[1]), (scores[0], scores[1]))


def boards_won(contest: Contest) -> tuple[Fraction, Fraction]:
    """Return the points that a board gives both sides as it stands."""
    return _split_point(*contest.games)


def _split_point(one: Fraction, other: Fraction) -> tuple[Fraction, Fraction]:
    """Return one point for the side that has more, half a point each if equal, none if neither appeared."""
    if one == other:
        return (ZERO, ZERO) if not one else (ONE / 2, ONE / 2)
    return (ONE, ZERO) if one > other else (ZERO, ONE)


@dataclass(frozen=True, slots=True)
class PastRound:
    """A past round of a player: the opponent, whether the player began, the points; or a bye, or an absence."""

    opponent: int = -1
    first: bool = False
    points: Fraction = Fraction(0)
    bye: bool = False


@dataclass(frozen=True, slots=True)
class DutchRound:
    """A round: its pairs in the order of their tables, the beginner of each first, and the player with the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None
