"""The text forms of The Castle's actions: examples, round trips, and no overlap with those of other games.

A text form is the text by which an action is stored, such as ``score:H7.path.N`` for the feature that is scored next.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES, Action, Cell, NotationError, parse_action
from engine.actions import FORMS
from engine.the_castle import Double, PlayAgain, ScoreFeature, Triple

cells = st.builds(Cell, st.integers(-12, 3), st.integers(-12, 20))
segments = st.sampled_from(["path.N", "tower.NL", "house.WR", "court.ER"])
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(ScoreFeature, cells, segments), st.sampled_from([Double(), Triple(), PlayAgain()])
)

EXAMPLES: list[tuple[str, Action]] = [
    ("score:H7.path.N", ScoreFeature(Cell.parse("H7"), "path.N")),
    ("score:A14.tower.WR", ScoreFeature(Cell.parse("A14"), "tower.WR")),
    ("double", Double()),
    ("triple", Triple()),
    ("again", PlayAgain()),
]
"""Texts with the actions that they stand for."""


@pytest.mark.parametrize(("text", "action"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_text_forms(text: str, action: Action) -> None:
    assert str(action) == text
    assert parse_action(text) == action


@given(actions)
def test_text_forms_round_trip(action: Action) -> None:
    assert parse_action(str(action)) == action


@pytest.mark.parametrize("text", [text for text, _ in EXAMPLES])
def test_no_text_is_read_by_two_forms(text: str) -> None:
    forms = [*FORMS, *(form for game in GAMES.values() for form in game.forms)]
    assert sum(form.pattern.fullmatch(text) is not None for form in forms) == 1


@pytest.mark.parametrize("text", ["score:", "score:H7", "score:H7.path", "score:ZZ9.path.N", "Double", "double "])
def test_a_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="not an action"):
        parse_action(text)
