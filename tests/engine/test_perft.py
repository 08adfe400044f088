"""Perft counts of fixed piles of Carcassonne: the numbers of action sequences, which change when legality does.

Perft, a term from chess engines, is the number of ways to play a number of actions from a position.
"""

from __future__ import annotations

import pytest

from engine import Pass, Place
from engine.carcassonne import PRESETS, PlaceTile, Position
from tests.engine import naive
from tests.engine.perft import Case, check_counts, differences, read_cases, report

CASES = read_cases()
"""The piles, with the numbers of their action sequences."""
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@every_case
def test_perft_counts_are_as_stored(case: Case) -> None:
    check_counts(case)


@every_case
def test_first_and_second_placements_are_those_of_the_oracle(case: Case) -> None:
    position = Position(case.setup)
    check_placements_with_oracle(position)
    for action in position.legal_actions:
        position.push(action)
        while Pass() in position.legal_actions and not isinstance(position.step, PlaceTile):
            position.apply(Pass())
        if isinstance(position.step, PlaceTile):
            check_placements_with_oracle(position)
        position.pop()


def check_placements_with_oracle(position: Position) -> None:
    """Compare the legal placements with those of the slow reimplementation (``naive.py``)."""
    assert position.hand is not None
    bridges = position.supply["bridge"][position.player] if "bridge" in position.supply else 0
    plain, aided = naive.placements(naive.table_of(position), position.hand, bridges=bridges)
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    assert {(*place.cell, place.rotation) for place in places if place.aid is None} == plain
    assert {
        (*place.cell, place.rotation, *place.aid.cell, str(place.aid.axis)) for place in places if place.aid
    } == aided


def test_every_preset_is_counted() -> None:
    named = {case.name.split(":")[0] for case in CASES}
    assert named >= PRESETS.keys()


def test_a_mismatch_lists_the_first_actions_that_differ() -> None:
    assert differences({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "d": 4}) == [
        "               b: expected 2, counted 3",
        "               c: expected 3, counted nothing",
        "               d: expected nothing, counted 4",
    ]


def test_the_report_lists_counts_and_breakdown() -> None:
    case = CASES[0]
    first, *breakdown = report([case]).splitlines()
    assert first == f"{case.name}: {' '.join(map(str, case.counts))}"
    assert len(breakdown) == case.counts[0]
