"""Why one player is before another, in one sentence: the tie-break that decides, and both values, told apart."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from cogs.words.events import explanation_words
from tests.cogs.event_views import view_of
from tests.tournaments.invariants import STORM
from tournaments.progress import standings
from tournaments.ranking.standings import Explanation, explain
from tournaments.trials.simulation import Weather, simulated


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (("share", 2, (Fraction(131, 100), Fraction(128, 100))), "2. share of the scores, 1.31 to 1.28"),
        (("share", 2, (Fraction(4, 7), Fraction(57, 100))), "2. share of the scores, 0.571 to 0.570"),
        (("points", 1, (Fraction(9, 2), Fraction(13, 3))), "1. points, 4½ to 4⅓"),
        (("seed", 2, (Fraction(-1), Fraction(-3))), "2. preliminary rank, 1 to 3"),
        (("stage", 0, (Fraction(2), Fraction(1))), "came as far as this stage: Final"),
        (("disqualified", 0, (Fraction(0), Fraction(1))), "Player number 3 was disqualified"),
    ],
)
def test_the_value_that_decides_is_told(why: tuple[str, int, tuple[Fraction, Fraction]], told: str) -> None:
    view = view_of(simulated("swiss-tables", 8, "why", Weather()).event)
    words = explanation_words(view, Explanation(1, 3, *why))
    assert words == f"**Player number 1 before Player number 3:** {told}."


@pytest.mark.parametrize("name", ["tables", "duel-swiss-knockout", "duel-groups", "league"])
def test_any_two_players_are_told_apart(name: str) -> None:
    event = simulated(name, 9, "why", STORM).event
    view, lines = view_of(event), standings(event)
    for first, second in combinations(lines, 2):
        why = explain(lines, second.player, first.player, event.disqualified)
        assert (why.before, why.behind) == (first.player, second.player)
        words = explanation_words(view, why)
        assert words.startswith(f"**Player number {first.player} before Player number {second.player}:**")
        if why.name != "stage":
            one, _, other = words.rpartition(", ")[2].removesuffix(".").partition(" to ")
            assert one != other, words
