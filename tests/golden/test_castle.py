"""Golden games of The Castle, recorded by an independent implementation: our engine reproduces every line.

A line of a recording has the decisions of a turn, and everything that was legal, scored and left after it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.golden.incomplete import incomplete_versions, replay_and_print
from tests.golden.recordings import read_recording
from tests.golden.replay_castle import feature_key, main, replay_recording

FOLDER = Path(__file__).parent
"""The folder of the recordings."""
GAMES = sorted((FOLDER / "castle").glob("*.jsonl.gz"))
"""All recorded games."""
EVENTFUL_GAME = FOLDER / "castle" / "castle-20_greedy-helper.jsonl.gz"
"""A game in which nearly everything happens."""
GAME_WITH_UNPLACEABLE_TILES = FOLDER / "castle" / "castle-52_random-greedy.jsonl.gz"
"""The recorded game whose pile ends with tiles that fit nowhere."""


def test_all_recordings_are_present() -> None:
    assert len(GAMES) == 22
    assert sum("opt_" in path.name for path in GAMES) == 7


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_a_recorded_game_is_reproduced(path: Path) -> None:
    recording = read_recording(path)
    ours = replay_recording(recording)
    for number, (recorded, facts) in enumerate(zip(recording[1:], ours, strict=True), start=1):
        diffs = [f"{name}: {recorded.get(name)}, ours {facts.get(name)}" for name in differing_keys(recorded, facts)]
        assert not diffs, f"line {number} after the header:\n" + "\n".join(diffs)


def differing_keys(recorded: dict[str, Any], ours: dict[str, Any]) -> list[str]:
    """Return the keys whose values differ; a key absent in both does not differ."""
    return [name for name in recorded | ours if recorded.get(name, "absent") != ours.get(name, "absent")]


def test_the_recordings_cover_the_rare_events() -> None:
    """Doubled features, extra turns, turns without a tile and wall tiles in the second lap all occur."""
    lines = [line for path in GAMES for line in read_recording(path)[1:]]
    turns = [line for line in lines if "turn" in line]
    assert any(entry[4] == 2 for turn in turns for entry in turn["scored"])
    assert any(turn.get("extra_turn") for turn in turns)
    assert any(turn["tile"] is None for turn in turns)
    assert any(len({entry[0] for entry in turn["scored"]} - {None}) == 2 for turn in turns)
    assert any([entry[0] for entry in turn["scored"]].count(turn["player"]) > 1 for turn in turns)
    assert any(turn["taken"] and turn["after"]["points"][turn["taken"][0][0]] > 100 for turn in turns)


@pytest.mark.parametrize(
    ("name", "value"),
    [("legal", []), ("deploy_offers", []), ("scored", []), ("taken", [[0, 1, 12, 0]]), ("tile1_offer", "maybe")],
)
def test_a_difference_is_noticed(name: str, value: object) -> None:
    recording = read_recording(EVENTFUL_GAME)
    number = next(at for at, line in enumerate(recording) if line.get("scored") and line["scored"][0][0] is not None)
    ours = replay_recording(recording)[number - 1]
    assert differing_keys(recording[number] | {name: value}, ours) == [name]


def test_the_key_of_a_feature_ignores_the_order_of_its_parts() -> None:
    assert feature_key([[1, 2, ["Na", "Nb"]], [1, 2, ["Sa"]]]) == feature_key([[1, 2, ["Sa", "Nb", "Na"]]])


def test_tiles_that_fit_nowhere_end_the_game() -> None:
    recording = read_recording(GAME_WITH_UNPLACEABLE_TILES)
    *_, last, final = replay_recording(recording)
    assert last["tile"] is None
    assert last["discarded_first"] == recording[-2]["discarded_first"] != []
    assert last["after"]["pile"] == 0
    assert final["final"]


@pytest.mark.parametrize(
    "changes", [{"place": [0, 0, 0]}, {"deploy": ["tower", ["Xx"]]}], ids=["placement", "deployment"]
)
def test_a_refused_decision_ends_the_replay(
    changes: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, first, *_ = read_recording(EVENTFUL_GAME)
    recording = tmp_path / "refused.jsonl"
    recording.write_text("\n".join(map(json.dumps, [header, first | changes, first])))
    assert main([str(recording)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert "error" in json.loads(lines[0])


@pytest.mark.parametrize("number", [0, 1, 9])
def test_an_incomplete_recording_is_replayed_up_to_the_gap(number: int, tmp_path: Path) -> None:
    recording = read_recording(EVENTFUL_GAME)[:12]
    errors = [
        replay_and_print(main, tmp_path, incomplete)[-1].get("error", "")
        for incomplete in incomplete_versions(recording, number)
    ]
    assert any("the recording says nothing of " in error for error in errors)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"place": None}, "no tile is laid"), ({"used": [[0, 2, 0]] * 3}, "3 wall tiles")],
    ids=["no tile", "too many wall tiles"],
)
def test_a_decision_against_our_rules_ends_the_replay(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    recording = read_recording(EVENTFUL_GAME)
    number = next(number for number, line in enumerate(recording) if line.get("used"))
    *lines_before, last = replay_and_print(main, tmp_path, [*recording[:number], recording[number] | changes])
    assert lines_before == replay_recording(recording[:number])
    assert reason in last["error"]


def test_the_command_works_in_any_directory(tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / "replay_castle.py"), str(EVENTFUL_GAME)]
    output = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True).stdout  # noqa: S603
    assert [json.loads(line) for line in output.splitlines()] == replay_recording(read_recording(EVENTFUL_GAME))
