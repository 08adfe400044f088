"""Matches between two sides: the games of a match, its winner, and the games that are still needed to decide it.

A match between two players has one *contest*; a match between two teams has one for each board. A contest is won by
more than half of its ``best_of`` games. Of a best of three, for example, two games are drawn at once and played at the
same time; a third one follows only if the players are level.

:class:`PastRound` and :class:`DutchRound` are the input and the output of the Dutch System, the rules of the chess
federation FIDE for Swiss pairing, which ``tournaments.duels.dutch`` applies.
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
    """The games of two players against each other at one board.

    ``games`` holds the points that both players have won in their finished games, and ``scores`` the sums of their
    scores in these. ``played`` is the number of finished games, and ``open`` that of unfinished ones.
    """

    match: int
    board: int
    players: tuple[int, int]
    games: tuple[Fraction, Fraction]
    played: int
    open: int
    scores: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Match:
    """A finished match: for both sides the match points, the boards and games that they won, and their scores."""

    number: int
    players: tuple[int, int]
    points: tuple[Fraction, Fraction]
    boards: tuple[Fraction, Fraction]
    games: tuple[Fraction, Fraction]
    scores: tuple[int, int]


def initial_games(match: int, players: tuple[int, int], best_of: int, boards: int = 0) -> Iterator[DrawnTable]:
    """Return the games with which every match begins.

    At each board the two players take turns in the first seat. On every second board the other side begins.
    """
    for board in range(1, boards + 1) if boards else (0,):
        first, second = players if board in (0, 1) or board % 2 else (players[1], players[0])
        for game in range(best_of // 2 + 1):
            yield DrawnTable(match, (first, second) if game % 2 == 0 else (second, first), board)


def contests(drawn: RoundState, plan: StagePlan, match: int = 0) -> list[Contest]:
    """Return every contest of a round, or of one match alone, in the order of its first table."""
    table_numbers: dict[tuple[int, int], list[int]] = {}
    for number, table in enumerate(drawn.tables):
        if match in (0, table.match):
            table_numbers.setdefault((table.match, table.board), []).append(number)
    return [_contest(drawn, numbers, plan) for numbers in table_numbers.values()]


def _contest(drawn: RoundState, numbers: Sequence[int], plan: StagePlan) -> Contest:
    """Return the contest whose games are the tables with these numbers."""
    first_table = drawn.tables[numbers[0]]
    first, second = first_table.seats
    games = {first: ZERO, second: ZERO}
    scores = {first: 0, second: 0}
    open_games = 0
    for number in numbers:
        outcome = drawn.outcomes[number]
        if outcome is None:
            open_games += 1
            continue
        # Since version 2 of the rules for events, scores of a game from which a player withdrew are no tie-break.
        counted = plan.rules < 2 or not outcome.out
        for seat, points in enumerate(table_points(outcome, "win", plan.ties)):
            games[drawn.tables[number].seats[seat]] += points
            scores[drawn.tables[number].seats[seat]] += outcome.scores[seat] if counted else 0
    return Contest(
        first_table.match,
        first_table.board,
        (first, second),
        (games[first], games[second]),
        len(numbers) - open_games,
        open_games,
        (scores[first], scores[second]),
    )


def games_needed(state: StageState, drawn_round: RoundState, withdrawn: Iterable[int]) -> tuple[DrawnTable, ...]:
    """Return all remaining games of the undecided matches in which neither player has left.

    The player who has begun fewer games begins the first of them. If both have begun equally many, it is the one who
    began the match.
    """
    tables: list[DrawnTable] = []
    leavers, plan = set(withdrawn), state.plan
    best_of = plan.games_of_match(drawn_round.places)
    for contest in contests(drawn_round, plan):
        undecided = max(contest.games) * 2 <= best_of and contest.played < best_of
        if contest.open or not undecided or leavers & set(contest.players):
            continue
        first, second = contest.players
        if first_seat_balance(state, first) > first_seat_balance(state, second):
            first, second = second, first
        games = range(best_of - contest.played)
        tables += [
            DrawnTable(contest.match, (second, first) if game % 2 else (first, second), contest.board) for game in games
        ]
    return tuple(tables)


def first_seat_balance(state: StageState, player: int) -> int:
    """Return the number of games that a player began minus the number that they did not begin."""
    seats = [table.seats for drawn in state.rounds for table in drawn.tables if player in table.seats]
    return sum(1 if pair[0] == player else -1 for pair in seats)


def matches(drawn: RoundState, plan: StagePlan) -> list[Match]:
    """Return the matches of a round whose games have all ended."""
    by_match: dict[int, list[Contest]] = {}
    for contest in contests(drawn, plan):
        by_match.setdefault(contest.match, []).append(contest)
    return [_match(group) for group in by_match.values() if not any(contest.open for contest in group)]


def _match(group: Sequence[Contest]) -> Match:
    """Return the match that consists of these contests; the side that won more boards gets the match point."""
    players = group[0].players
    games, boards, scores = [ZERO, ZERO], [ZERO, ZERO], [0, 0]
    for contest in group:
        won = boards_won(contest)
        for side, player in enumerate(players):
            index = contest.players.index(player)
            games[side] += contest.games[index]
            scores[side] += contest.scores[index]
            boards[side] += won[index]
    won_boards, won_games = (boards[0], boards[1]), (games[0], games[1])
    return Match(group[0].match, players, _split_point(*boards), won_boards, won_games, (scores[0], scores[1]))


def boards_won(contest: Contest) -> tuple[Fraction, Fraction]:
    """Return the points that both sides get from the current state of a board."""
    return _split_point(*contest.games)


def _split_point(first: Fraction, second: Fraction) -> tuple[Fraction, Fraction]:
    """Return one point for the side that has more, half a point each if equal, none if neither appeared."""
    if first == second:
        return (ZERO, ZERO) if not first else (ONE / 2, ONE / 2)
    return (ONE, ZERO) if first > second else (ZERO, ONE)


@dataclass(frozen=True, slots=True)
class PastRound:
    """A past round of a player: the opponent, the points, and whether the player began (``first``).

    If there was no opponent (-1), the player had a bye or was absent.
    """

    opponent: int = -1
    first: bool = False
    points: Fraction = Fraction(0)
    bye: bool = False


@dataclass(frozen=True, slots=True)
class DutchRound:
    """A paired round: the pairs in the order of their tables, each with its beginner first, and who has the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None
