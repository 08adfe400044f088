"""Golden games of Carcassonne, recorded by an independent implementation: our engine reproduces every line.

A line of a recording has the decisions of a turn, and everything that was legal, offered, scored and left after it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from tests.golden.comparison import differences
from tests.golden.incomplete import incomplete_versions, replay_and_print
from tests.golden.recordings import Line, read_recording
from tests.golden.replay import main, replay_recording

FOLDER = Path(__file__).parent
"""The folder of the recordings."""
FOLDERS = ("games", "inns", "boxes")
"""The folders of recordings: the base game with bridges, with inns, and with further boxes."""
GAMES = sorted(path for name in FOLDERS for path in (FOLDER / name).glob("*.jsonl.gz"))
"""All recorded games."""
SHORT_GAME = FOLDER / "games" / "compact-base-bcb_4p_0218.jsonl.gz"
"""A short game of four players."""
DRAFT_GAME = FOLDER / "games" / "compact-base-bcb_3p_noauction_0302.jsonl.gz"
"""A game whose bazaars are drafts."""
LINE_NEEDING_A_BRIDGE = 4
"""Number of the line of the short game whose tile fits only with a bridge."""


def test_all_recordings_are_present() -> None:
    assert len(GAMES) == 42 + 10 + 12


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_a_recorded_game_is_reproduced(path: Path) -> None:
    recording = read_recording(path)
    ours = replay_recording(recording)
    for number, (recorded, facts) in enumerate(zip(recording[1:], ours, strict=False), start=1):
        diffs = list(differences(recorded, facts))
        assert not diffs, f"line {number} after the header:\n" + "\n".join(diffs)
    assert len(ours) == len(recording) - 1
    assert ours[-1]["game_over"]


def eventful_turn() -> Line:
    """Return a recorded turn with a value for most of the keys."""
    recording = read_recording(FOLDER / "games" / "compact-base-bcb_2p_0220.jsonl.gz")
    return next(line for line in recording if "bridge_optional" in line)


@pytest.mark.parametrize(
    ("key", "value", "expected_difference"),
    [
        ("tile", "base/X", "tile:"),
        ("legal", [], "legal:"),
        ("bridge_offers", [], "bridge_offers on the tile:"),
        ("legal_with_bridge", [[9, 9, 0, 9, 9, "NS"]], "legal_with_bridge:"),
        ("asked", [{"phase": "action"}], "asked:"),
        ("after.supply", {"abbot": [1, 0]}, "supply:"),
        ("castles", [{"player": 0, "offers": [[0, 0, ["N"]]], "build": [0, 0, ["N"]]}], "castle offers:"),
        ("scored", [[0, 3, "road", ["tiles"]]], "scored:"),
        ("deploy_offers", {}, "deploy_offers:"),
        ("after.pile", 99, "pile:"),
        ("after.standing", [], "standing:"),
        ("after.features", [], "features:"),
    ],
)
def test_a_difference_is_noticed(key: str, value: object, expected_difference: str) -> None:
    recorded = eventful_turn()
    ours = deepcopy(recorded)
    assert not list(differences(recorded, ours))
    place = recorded
    *path, last = key.split(".")
    for name in path:
        place = place[name]
    place[last] = value
    assert any(text.startswith(expected_difference) for text in differences(recorded, ours))


def test_a_declined_tile_is_discarded() -> None:
    recording = read_recording(SHORT_GAME)[: LINE_NEEDING_A_BRIDGE + 1]
    recording[-1] = {"declined": True, "scored": []}
    *earlier, declined = replay_recording(recording)
    before = next(facts["after"] for facts in reversed(earlier) if "after" in facts)
    assert declined["declined"]
    assert not declined["legal"]
    assert declined["legal_with_bridge"]
    assert "place" not in declined
    assert declined["after"]["pile"] == before["pile"] - 1
    for key in ("features", "standing", "bridges"):
        assert declined["after"][key] == before[key]


def test_a_refused_decision_ends_the_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header, first, *_ = read_recording(SHORT_GAME)
    recording = tmp_path / "refused.jsonl"
    recording.write_text("\n".join(map(json.dumps, [header, first | {"place": [40, 40, 0]}, first])))
    assert main([str(recording)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert "not legal now" in json.loads(lines[0])["error"]


@pytest.mark.parametrize("path", [SHORT_GAME, DRAFT_GAME], ids=["auction", "draft"])
def test_a_missing_bazaar_ends_the_replay(path: Path, tmp_path: Path) -> None:
    recording = read_recording(path)
    number = next(number for number, line in enumerate(recording) if "bazaar" in line)
    *lines_before, last = replay_and_print(main, tmp_path, [*recording[:number], *recording[number + 1 :]])
    assert lines_before == replay_recording(recording[:number])
    assert last["error"].startswith("RecordingError: no lot is recorded, but the engine is at")


@pytest.mark.parametrize("path", [SHORT_GAME, DRAFT_GAME], ids=["auction", "draft"])
def test_an_incomplete_recording_is_replayed_up_to_the_gap(path: Path, tmp_path: Path) -> None:
    recording = read_recording(path)
    bazaar = next(number for number, line in enumerate(recording) if "bazaar" in line)
    errors = [
        replay_and_print(main, tmp_path, incomplete)[-1].get("error", "")
        for number in (0, 1, bazaar - 1, bazaar, bazaar + 1)
        for incomplete in incomplete_versions(recording[: bazaar + 4], number)
    ]
    assert sum("the recording says nothing of 'place'" in error for error in errors) >= 3


def test_an_empty_recording_is_an_error(tmp_path: Path) -> None:
    assert replay_and_print(main, tmp_path, []) == [{"error": "RecordingError: the recording is empty"}]


def test_the_command_works_in_any_directory(tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / "replay.py"), str(SHORT_GAME)]
    output = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True).stdout  # noqa: S603
    assert [json.loads(line) for line in output.splitlines()] == replay_recording(read_recording(SHORT_GAME))
