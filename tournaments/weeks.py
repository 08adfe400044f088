"""The duration of events: weeks for a game by pace, and the weeks that an announcement may promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import Final

from tournaments.specification import PaceName
from tournaments.stages.robin import rounds_of
from tournaments.states import StagePlan, groups_of

TABLE_WEEKS: Final[Mapping[PaceName, int]] = MappingProxyType({"live": 1, "fast": 5, "standard": 8, "slow": 12})
DUEL_WEEKS: Final[Mapping[PaceName, int]] = MappingProxyType({"live": 1, "fast": 2, "standard": 4, "slow": 6})
"""After so many weeks an unfinished game is adjudicated."""
BETWEEN: Final = Fraction(1, 7)
"""From the last result of a round to the first cards of the next one: a day."""


def game_weeks(pace: PaceName, *, duel: bool) -> int:
    """The time for one game."""
    return (DUEL_WEEKS if duel else TABLE_WEEKS)[pace]


def waves(plan: StagePlan) -> int:
    """Return the number of waves of games in a match: the deciding games follow those that every match needs."""
    return 2 if plan.best_of > 1 else 1


def promised(plans: Sequence[StagePlan], players: int, between: Fraction = BETWEEN) -> int:
    """The weeks that an event takes at most, when no deadline is extended; ``between`` what goes before each round."""
    total, field = Fraction(0), players
    for plan in plans:
        field = min(field, plan.size or field)
        rounds = plan.rounds or expected_rounds(plan, field)
        opened = -(-rounds // plan.together) if plan.together else 1
        total += opened * (plan.weeks * waves(plan) + between)
    return ceil(total)


def expected_rounds(plan: StagePlan, field: int) -> int:
    """The rounds of a stage whose players decide it."""
    match plan.kind:
        case "robin":
            return rounds_of(-(-field // groups_of(field, plan.pool)))
        case "knockout":
            return max(0, field - 1).bit_length()
        case "double":
            return double_rounds(field)
        case _:
            return 1


def double_rounds(field: int) -> int:
    """The most rounds of a double elimination without fixed bracket: whoever rests or wins on and on is counted."""
    unbeaten, beaten, rounds = field, 0, 0
    while unbeaten + beaten > 1 and rounds < 100:
        floating = unbeaten % 2 and beaten % 2
        lost, out = unbeaten // 2, beaten // 2
        if floating and unbeaten == 1 == beaten:
            return rounds + 2
        if floating:
            out += 1
        unbeaten, beaten, rounds = unbeaten - lost, beaten + lost - out, rounds + 1
    return rounds + 1
