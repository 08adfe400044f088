"""The text forms of Carcassonne's actions: examples, round trips and refused texts.

A text form is the text by which an action is stored, typed and put on a button, such as ``M12/90`` for a placement or
``bid:5`` for a bid.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Action, Adjudicate, Cell, Deploy, EngineError, NotationError, Pass, Place, Resign, Skip, parse_action
from engine.carcassonne import Axis, Decline
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    Bid,
    BuildBridge,
    BuildCastle,
    Buy,
    ChooseSource,
    PickLot,
    ScoreTown,
    SelectLot,
    Sell,
)

cells = st.builds(Cell, st.integers(-300, 300), st.integers(-300, 300))
"""Random cells; the following draw parts of actions, and actions."""
bridges = st.builds(BuildBridge, cells, st.sampled_from(Axis))
segments = st.sampled_from(["city.N", "road.W", "field.NL", "field.WR", "monastery"])
lots = st.integers(1, 12)
points = st.integers(0, 9999)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Place, cells, st.sampled_from([0, 90, 180, 270]), st.none() | bridges),
    bridges,
    st.builds(Deploy, segments),
    st.builds(Deploy, segments, st.sampled_from(["follower", "builder", "pig"])),
    st.builds(ChooseSource, cells, segments | st.just("castle")),
    st.builds(SelectLot, lots, points),
    st.builds(Bid, points),
    st.builds(PickLot, lots),
    st.builds(Resign, st.integers(0, 5)),
    st.just(Skip()),
    st.builds(Adjudicate, st.none() | st.integers(0, 8)),
    st.sampled_from([Decline(), Pass(), BuildCastle(), ScoreTown(), Buy(), Sell()]),
)

EXAMPLES: list[tuple[str, Action]] = [
    ("M12/90", Place(Cell(0, -1), 90)),
    ("M12/90~M13WE", Place(Cell(0, -1), 90, BuildBridge(Cell(0, 0), Axis.WE))),
    ("-A-1/0", Place(Cell(-13, -14), 0)),
    ("decline", Decline()),
    ("~M13NS", BuildBridge(Cell(0, 0), Axis.NS)),
    ("@road.W", Deploy("road.W")),
    ("@monastery", Deploy("monastery")),
    ("builder@road.W", Deploy("road.W", "builder")),
    ("pass", Pass()),
    ("castle", BuildCastle()),
    ("town", ScoreTown()),
    ("take:M12.road.W", ChooseSource(Cell(0, -1), "road.W")),
    ("take:M12.castle", ChooseSource(Cell(0, -1), "castle")),
    ("lot:2@3", SelectLot(2, 3)),
    ("bid:5", Bid(5)),
    ("buy", Buy()),
    ("sell", Sell()),
    ("pick:2", PickLot(2)),
    ("resign:1", Resign(0)),
    ("skip", Skip()),
    ("adjudicate", Adjudicate()),
    ("adjudicate:3", Adjudicate(2)),
]
"""Texts with the actions that they stand for."""


@pytest.mark.parametrize(("text", "action"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_text_forms(text: str, action: Action) -> None:
    assert str(action) == text
    assert parse_action(text) == action


@given(actions)
def test_text_forms_round_trip(action: Action) -> None:
    assert parse_action(str(action)) == action


@given(actions, actions)
def test_different_actions_have_different_texts(first: Action, second: Action) -> None:
    assert (first == second) == (str(first) == str(second))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Pass",
        "pass ",
        "M12/45",
        "M12/90~",
        "M12/90~M13EW",
        "M9999/0",
        "ZZ13/0",
        "~M13",
        "~ZZ13NS",
        "@",
        "@road.",
        "@Road.W",
        "take:M12",
        "lot:0@3",
        "lot:2@-1",
        "bid:",
        "bid:-1",
        "bid:1.5",
        "bid:12345",
        "pick:0",
        "resign:0",
        "resign:7777",
        "M12/90\n",
    ],
)
def test_a_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="not an action") as caught:
        parse_action(text)
    assert repr(text) in str(caught.value)
    assert isinstance(caught.value, EngineError)
    assert caught.value.code == "notation"
