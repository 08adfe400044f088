"""The arena, which measures computer players against each other: reproducible results, and interrupted matches.

In a pair of games the two players exchange their seats, so that neither has an advantage from beginning.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from computer.arena import Match, Pair, ResumeError, run, summary
from computer.cli import main
from tests.computer.positions import ALL_BOXES

TIMES = {"cpu_ms", "calibration_ms"}
"""The keys of a result that depend on the machine."""
KEYS = ["games", "wins_a", "wins_b", "draws", "points_a", "points_b", "win_error", "points_error"]
"""The keys of a result, in the order in which they are written."""


def line(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """Run the arena and return the line that it prints, read from JSON."""
    assert main(["arena", "--workers", "1", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_repeated_matches_differ_only_in_times(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--a", "greedy", "--b", "random", "--pairs", "2", "--seed", "7"]
    first, second = line(capsys, *arguments), line(capsys, *arguments)
    assert list(first) == [*KEYS, "cpu_ms", "calibration_ms"]
    assert set(first["cpu_ms"]) == {"a", "b"}
    assert set(first["cpu_ms"]["a"]) == {"p50", "p95"}
    assert {key: first[key] for key in KEYS} == {key: second[key] for key in KEYS}
    assert first["games"] == 4 == first["wins_a"] + first["wins_b"] + first["draws"]


def test_a_match_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    match, file = Match("random", "random", seed=3), tmp_path / "pairs"
    first = list(run(match, 2, resume=file, workers=1))
    lines = file.read_text(encoding="utf-8")
    resumed = list(run(match, 4, resume=file, workers=1))
    assert resumed[:2] == first
    assert file.read_text(encoding="utf-8").startswith(lines)
    assert [pair.games for pair in resumed] == [pair.games for pair in run(match, 4, workers=1)]
    with pytest.raises(ResumeError):
        list(run(Match("random", "greedy", seed=3), 2, resume=file, workers=1))


def test_pairs_play_the_same_pile_with_seats_exchanged() -> None:
    """Two players who decide alike get each other's points. At a table of four, one player A plays against three B."""
    (pair,) = run(Match("greedy", "greedy"), 1, workers=1)
    first, second = pair.games
    assert (first.points, first.rival_points) == (second.rival_points, second.points)
    (four,) = run(Match("greedy", "random", players=4), 1, workers=1)
    assert len(four.placing["a"]) * 2 < len(four.placing["b"])


def test_shared_first_places_count_as_draws() -> None:
    pairs = [Pair(0, ((1.0, 9, 5.0), (0.5, 7, 7.0)), {"a": [], "b": []}, {"a": [], "b": []})]
    pairs = [Pair.from_json(pair.to_json()) for pair in pairs]
    result = summary(pairs)
    assert (result["wins_a"], result["wins_b"], result["draws"], result["points_a"]) == (1, 0, 1, 8)


def test_a_game_with_every_box_and_bids_is_finished() -> None:
    (pair,) = run(Match("quick", "quick+cheapest", players=2, expansions=ALL_BOXES), 1, workers=1)
    assert all(game.points > 0 for game in pair.games)
    assert pair.other["a"]
