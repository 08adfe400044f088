"""Explanations of ranks in a tournament: one sentence with the deciding tie-break and the values of both players.

If rounding would make the two values look equal, more digits are shown.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from cogs.panels.events.pictures import standings_pictures
from cogs.panels.events.private import rules_page
from cogs.words.events import explanation_words, standing_line
from tests.cogs.event_views import event_view, rank_views
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.event import standings
from tournaments.ranking import Explanation, explain
from tournaments.trials import TrialConditions, simulate_format


@pytest.mark.parametrize(
    ("explanation", "expected"),
    [
        (("share", 2, (Fraction(131, 100), Fraction(128, 100))), "2. share of the scores, 1.31 to 1.28"),
        (("share", 2, (Fraction(4, 7), Fraction(57, 100))), "2. share of the scores, 0.571 to 0.570"),
        (("points", 1, (Fraction(9, 2), Fraction(13, 3))), "1. points, 4½ to 4⅓"),
        (("seed", 2, (Fraction(-1), Fraction(-3))), "2. seed, 1 to 3"),
        (("stage", 0, (Fraction(2), Fraction(1))), "got as far as this stage: Final"),
        (("disqualified", 0, (Fraction(0), Fraction(1))), "Player number 3 was disqualified"),
        (("stayed", 0, (Fraction(1), Fraction(0))), "Player number 3 has left the event"),
        (
            ("counted", 0, (Fraction(1), Fraction(0))),
            "Player number 3 left before playing half of their games, and is struck out",
        ),
    ],
)
def test_the_deciding_value_is_named(explanation: tuple[str, int, tuple[Fraction, Fraction]], expected: str) -> None:
    view = event_view(simulate_format("swiss-tables", 8, "why", TrialConditions()).event)
    words = explanation_words(view, Explanation(1, 3, *explanation))
    assert words == f"**Player number 1 ahead of Player number 3:** {expected}."


@pytest.mark.parametrize("name", ["tables", "duel-swiss-knockout", "duel-groups", "league"])
def test_the_explanation_of_any_two_players_has_different_values(name: str) -> None:
    event = simulate_format(name, 9, "why", ROUGH_CONDITIONS).event
    view, lines = event_view(event), standings(event)
    for first, second in combinations(lines, 2):
        explanation = explain(lines, second.player, first.player, event.disqualified)
        assert (explanation.before, explanation.behind) == (first.player, second.player)
        words = explanation_words(view, explanation)
        assert words.startswith(f"**Player number {first.player} ahead of Player number {second.player}:**")
        assert bool(explanation.number) is (explanation.name not in {"stage", "stayed", "counted", "disqualified"})
        if explanation.number:
            value, _, other_value = words.rpartition(", ")[2].removesuffix(".").partition(" to ")
            assert value != other_value, words


@pytest.mark.parametrize("name", ["duel-knockout", "duel-groups", "league"])
def test_leavers_are_marked_by_strikethrough_and_no_value(name: str) -> None:
    """The criterion that ranks leavers last appears in no line or column of the standings."""
    event = simulate_format(name, 9, "why", ROUGH_CONDITIONS).event
    lines = rank_views(event)
    assert any("stayed" in dict(line.values) for line in lines)
    line_texts = [standing_line(event_view(event), line) for line in lines]
    assert not any("stayed" in words or "counted" in words for words in line_texts)
    assert {"~~" in words for words in line_texts} == {True, False}
    assert all(not picture.alt.count("event.") for picture in standings_pictures(event_view(event), lines))


def test_the_rules_of_an_event_explain_the_ranking_of_leavers() -> None:
    event = simulate_format("duel-knockout", 8, "why", TrialConditions()).event
    expected = "players who left rank behind those who stayed"
    assert expected in str(rules_page(event_view(event)).to_components())
    old_stages = tuple(replace(plan, rules=2) for plan in event.plans)
    assert expected not in str(rules_page(replace(event_view(event), stages=old_stages)).to_components())
