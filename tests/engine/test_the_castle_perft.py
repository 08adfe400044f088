"""Perft counts of fixed piles of The Castle: the numbers of action sequences, which change when legality does.

``python -m tests.engine.test_the_castle_perft`` prints what the engine counts now.

Perft, a term from chess engines, is the number of ways to play a number of actions from a position.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import Place
from engine.the_castle import (
    PRESETS,
    ChooseFeature,
    DoubleFeature,
    ExtraTurn,
    Options,
    PlaceTile,
    Position,
    Setup,
    new_setup,
)
from engine.the_castle.setup import GAME
from engine.the_castle.wall import ALL_WALL_TILES
from tests.engine import naive_castle
from tests.engine.perft import Case, check_counts, report

DATA = Path(__file__).parent / "perft_the_castle.json"
"""The file of the cases."""


def read_cases() -> list[Case]:
    """Read the cases: fixed piles, or seeds with the actions played first, and the expected counts."""
    return [_case(entry) for entry in json.loads(DATA.read_text(encoding="utf-8"))]


def _case(entry: dict[str, Any]) -> Case:
    """Read a case from an entry of the file."""
    options = PRESETS[entry["preset"]] if "preset" in entry else Options()
    if "seed" in entry:
        setup = new_setup(seed=entry["seed"], options=options)
    else:
        pile = tuple(f"castle/{name}" for name in entry["pile"].split())
        setup = Setup(players=2, pile=pile, wall_tiles=ALL_WALL_TILES, options=options)
    before = tuple(entry.get("before", "").split())
    return Case(entry["name"], setup, tuple(entry["counts"]), entry["breakdown"], before)


CASES = read_cases()
"""The piles, with the numbers of their action sequences."""
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@every_case
def test_perft_counts_are_as_stored(case: Case) -> None:
    check_counts(case)


@every_case
def test_placements_are_those_of_the_oracle(case: Case) -> None:
    position = case.position()
    while not isinstance(position.step, PlaceTile | None):
        position.apply(position.legal_actions[0])
    assert isinstance(position, Position)
    assert position.hand is not None
    places = {(*action.cell, action.rotation) for action in position.legal_actions if isinstance(action, Place)}
    assert places == naive_castle.placements(naive_castle.table_of(position), position.hand)


def test_the_cases_cover_every_kind_of_decision() -> None:
    steps_seen: set[type] = set()
    for case in CASES:
        position = case.position()
        steps_seen.add(type(position.step))
        for action in position.legal_actions:
            position.push(action)
            steps_seen.add(type(position.step))
            position.pop()
    assert steps_seen >= {PlaceTile, ChooseFeature, DoubleFeature, ExtraTurn}
    assert all(case.setup.game == GAME for case in CASES)


if __name__ == "__main__":
    sys.stdout.write(report(CASES) + "\n")
