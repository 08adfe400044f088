"""The duration of events, in weeks: the time limit of a game, and the longest duration that an announcement promises.

A *pace*, such as ``fast``, gives every game a time limit, after which it is adjudicated. An announcement promises that
the event takes no longer than if every game used its limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Final

from tournaments import states
from tournaments.specification import PaceName
from tournaments.stages.robin import robin_rounds
from tournaments.states import SEASON, StagePlan, groups_of

TABLE_WEEKS: Final[Mapping[PaceName, int]] = {"live": 1, "fast": 5, "standard": 8, "slow": 12, "fixed": 2}
DUEL_WEEKS: Final[Mapping[PaceName, int]] = {"live": 1, "fast": 2, "standard": 4, "slow": 6, "fixed": 1}
"""Weeks after which an unfinished duel is adjudicated, by pace; ``TABLE_WEEKS`` are those of games at tables."""
WEEKS_BETWEEN_ROUNDS: Final = Fraction(1, 7)
"""The time from the last result of a round to the opening of the next one, in weeks: one day."""


def game_weeks(pace: PaceName, *, duel: bool) -> int:
    """Return the time limit of one game, in weeks."""
    return (DUEL_WEEKS if duel else TABLE_WEEKS)[pace]


def waves(plan: StagePlan) -> int:
    """Return the number of waves of games in a match: those that every match needs, then the deciding ones."""
    return 2 if plan.best_of > 1 else 1


def promised_weeks(plans: Sequence[StagePlan], players: int, between: Fraction = WEEKS_BETWEEN_ROUNDS) -> int:
    """Return the most weeks that an event takes if no deadline is extended.

    ``between`` is the time before each round, in weeks.
    """
    total, field = Fraction(0), players
    for plan in plans:
        if plan.kind == SEASON:
            total += plan.weeks
            continue
        field = min(field, plan.size or field)
        rounds = plan.rounds or expected_rounds(plan, field)
        blocks = -(-rounds // plan.together) if plan.together else 1
        total += blocks * (plan.weeks * waves(plan) + between) + plan.weeks * _further_waves(plan, field, rounds)
    return ceil(total)


def _further_waves(plan: StagePlan, field: int, rounds: int) -> int:
    """Return the number of the last rounds of an elimination that alone may need deciding games."""
    if plan.last_best_of < 2 or plan.best_of > 1:
        return 0
    if plan.kind == "double":
        return sum(players <= plan.last_from for players in _players_by_round(field)) + (plan.firsts > 0)
    return min(rounds, plan.last_from.bit_length() - 1)


def expected_rounds(plan: StagePlan, field: int) -> int:
    """Return the number of rounds of a stage whose plan leaves it to the number of players."""
    group = -(-field // groups_of(field, plan.pool, plan.groups))
    match plan.kind:
        case states.ROBIN:
            return robin_rounds(group)
        case "knockout" if 0 < plan.firsts < field - 1:
            return 1 + max(0, plan.firsts + -(-(field - plan.firsts) // 2) - 1).bit_length()
        case "knockout" | "group-knockout":
            return max(0, group - 1).bit_length()
        case "double":
            return double_rounds(field) + (plan.firsts > 0)
        case "group-double":
            return max(map(double_rounds, range(2, group + 1)), default=0)
        case _:
            return 1


def double_rounds(field: int) -> int:
    """Return the most rounds of a double elimination without a fixed bracket.

    The rounds are counted for a player who always wins or has a bye.
    """
    return len(_players_by_round(field))


def _players_by_round(field: int) -> list[int]:
    """Return the number of players who are still in a double elimination, by round."""
    unbeaten, beaten = field, 0
    players: list[int] = []
    while unbeaten + beaten > 1 and len(players) < 100:
        players.append(unbeaten + beaten)
        both_odd = unbeaten % 2 and beaten % 2
        losers, eliminated = unbeaten // 2, beaten // 2
        if both_odd and unbeaten == 1 == beaten:
            return [*players, 2]
        if both_odd:
            eliminated += 1
        unbeaten, beaten = unbeaten - losers, beaten + losers - eliminated
    return [*players, 2]
