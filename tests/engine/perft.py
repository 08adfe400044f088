"""Perft: count all sequences of legal actions from a position, a regression test of the legality rules.

``python -m tests.engine.perft`` prints the counts for the stored cases. To find the cause of a wrong count, compare the
breakdowns by first action, apply an action whose counts differ, and repeat one action deeper.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from engine import Position, parse_action, replay, state_digest
from engine.carcassonne import PRESETS, Options, Setup
from engine.carcassonne.expansions import BCB
from engine.carcassonne.setup import START_TILE
from engine.cli.commands import perft, perft_by_first_action

DATA = Path(__file__).parent / "perft.json"
"""The file that contains the cases."""


class Case(NamedTuple):
    """A fixed pile and the number of action sequences of each length: ``counts[0]`` is for one action."""

    name: str
    setup: Setup
    counts: tuple[int, ...]
    breakdown: dict[str, int]
    """The last count, split by the first action. All bids on a lot share one entry."""
    before: tuple[str, ...] = ()
    """Actions to apply to the new game before counting starts."""

    def position(self) -> Position:
        """Return the position in which the counting begins."""
        return replay(self.setup, map(parse_action, self.before))


def read_cases() -> list[Case]:
    """Read the fixed piles with their expected counts."""
    return [_case(entry) for entry in json.loads(DATA.read_text(encoding="utf-8"))]


def _case(entry: dict[str, Any]) -> Case:
    """Read a case from an entry of the file."""
    setup = Setup(
        players=entry["players"],
        pile=tuple(entry["pile"]),
        options=PRESETS[entry["preset"]] if "preset" in entry else Options.of(entry["options"]),
        expansions=(*((BCB,) if entry["expansion"] else ()), *entry.get("boxes", ())),
        start_tile=entry.get("start", START_TILE),
    )
    return Case(entry["name"], setup, tuple(entry["counts"]), entry["breakdown"], tuple(entry.get("before", ())))


def differences(expected: dict[str, int], counted: dict[str, int]) -> list[str]:
    """Return one line for each first action whose counts differ."""
    return [
        f"{action:>16}: expected {expected.get(action, 'nothing')}, counted {counted.get(action, 'nothing')}"
        for action in sorted(expected.keys() | counted.keys())
        if expected.get(action) != counted.get(action)
    ]


def check_counts(case: Case) -> None:
    """Assert that the counts of a case are as stored and that counting leaves the position unchanged."""
    position = case.position()
    digest = state_digest(position)
    depth = len(case.counts)
    wrong_counts = differences(case.breakdown, perft_by_first_action(position, depth))
    assert not wrong_counts, "\n".join([f"{case.name}, {depth} actions:", *wrong_counts])
    assert tuple(perft(position, plies) for plies in range(1, depth + 1)) == case.counts
    assert state_digest(position) == digest


def report(cases: Iterable[Case]) -> str:
    """Return the counts and breakdowns of these cases as text."""
    lines = []
    for case in cases:
        depth = len(case.counts)
        position = case.position()
        lines.append(f"{case.name}: {' '.join(str(perft(position, plies)) for plies in range(1, depth + 1))}")
        lines += [f"{action:>16} {count}" for action, count in perft_by_first_action(position, depth).items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report(read_cases()) + "\n")
