"""The command line ``python -m engine``: its output can be read back, and users never see a traceback."""

from __future__ import annotations

import io
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from engine import GAMES, Resign
from engine.cli import bench, commands
from engine.cli.commands import main, perft, perft_by_first_action
from engine.cli.picture import picture
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record, records_in
from gallery.built_positions import arrange

RECORDS = Path(__file__).parent / "records"
"""The folder of the stored games."""
FINISHED = RECORDS / "carcassonne-finished.txt"
RUNNING = RECORDS / "carcassonne-running.txt"
POSITION = RECORDS / "carcassonne-position.txt"
ROOT = Path(__file__).parents[2]
"""The folder of the repository."""


class CommandResult(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


RunCommand = Callable[..., CommandResult]
"""Runs a command with these arguments and this input."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> RunCommand:
    """Return a function that runs a command line in this process and captures its output."""

    def command(*arguments: object, stdin: str | bytes = "") -> CommandResult:
        raw = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as usage:
            code = int(usage.code or 0)
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return command


# -- replay -----------------------------------------------------------------------------------------------------------


def test_replay_checks_the_result_and_the_commitment(run: RunCommand) -> None:
    result = run("replay", FINISHED)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        'game 1: Golden Barrow, Ana, Ben "the Builder" [b], Çem 🏰, 202 actions',
        "  over: 63:6:22",
        "  commitment kept; shuffled by its seed alone",
    ]


def test_replay_reports_running_games_and_other_shuffles(run: RunCommand) -> None:
    record = read_record(FINISHED.read_text(encoding="utf-8"))
    other = GAMES["carcassonne"].notation.with_decks(record.setup, {"pile": record.setup.pile[::-1]}, "x")
    resigned = format_record(Record.of(other, [Resign(0), Resign(1)]))
    result = run("replay", "-", stdin=RUNNING.read_text(encoding="utf-8") + "\n" + resigned)
    assert result.out.splitlines() == [
        "game 1: Golden Barrow, Ana, Ben, Cem, 185 actions",
        "  goes on: 3 tiles face down, seat 1 decides",
        "game 2: carcassonne, 3 players, 2 actions",
        "  over: 0:0:0",
        "  commitment kept; not shuffled by its seed alone",
    ]


# -- show -------------------------------------------------------------------------------------------------------------


def test_show_writes_a_position_that_can_be_parsed(run: RunCommand) -> None:
    record = read_record(FINISHED.read_text(encoding="utf-8"))
    for ply in (0, 50, len(record.actions)):
        result = run("show", FINISHED, "--ply", ply, "--only", "text")
        assert result.out == format_position(record.position(ply))
        assert run("show", "-", "--only", "text", stdin=result.out).out == result.out
    assert run("show", FINISHED).out == f"{result.out}\n{run('show', FINISHED, '--only', 'picture').out}"


def test_a_position_is_drawn_in_letters() -> None:
    position = arrange(
        tiles=["base/D 0,0 0", "base/A 0,1 180", "base/X 1,1 0", "bcb/CCCC 0,-1"],
        bridges=["0,1 WE"],
        followers=["0 0,0 field.ER", "1 0,1 monastery", "2 1,1 road.S"],
        castles=[],
        hand="base/U",
    )
    assert picture(position) == PICTURE


PICTURE = """\
       M     N
     #####
 12  #####
     #####
     .###.
 13  ==.==
     ....1
     ..=.. ..=..
 14  ==2== ==.==
     ..... ..3..

# city, = road, . field, M monastery; a number is the seat whose figure stands there"""
"""The text picture of the stored position."""


def test_the_picture_labels_columns_west_of_a_and_empty_rows() -> None:
    head, *rows = picture(arrange(tiles=["base/D 0,0", "base/V -14,2"], hand="base/U")).splitlines()
    assert head.split() == ["-B", "-A", *"ABCDEFGHIJKLM"]
    assert [row[:4].strip() for row in rows[1:9:3]] == ["13", "14", "15"]
    assert rows[7] == " 15  ==..."


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_drawn(run: RunCommand, game: str) -> None:
    played = run("selfplay", "--game", game, "--seed", 3)
    drawn = run("show", "-", "--only", "picture", stdin=played.out).out
    position = read_record(played.out).position()
    *board, empty, legend = drawn.splitlines()
    assert empty == ""
    assert all(f"{sign} {kind}" in legend for kind, sign in GAMES[game].notation.signs.items())
    figures = sum(sign.isdigit() for line in board[1:] for sign in line[5:])
    assert figures == len(list(position.standing_figures()))


# -- perft ------------------------------------------------------------------------------------------------------------


def test_perft_counts_from_a_file_or_a_new_game(run: RunCommand) -> None:
    position = parse_position(POSITION.read_text(encoding="utf-8"))
    assert run("perft", POSITION, "--depth", 2).out == f"{perft(position, 2)}\n"
    middle = read_record(FINISHED.read_text(encoding="utf-8")).position(60)
    assert run("perft", FINISHED, "--ply", 60, "--depth", 1).out == f"{len(middle.legal_actions)}\n"
    new = run("perft", "--depth", 1, "--players", 3, "--seed", "a", "--expansions", "none")
    assert int(new.out) > 0


def test_perft_divides_by_first_action_and_groups_bids(run: RunCommand) -> None:
    position = parse_position(POSITION.read_text(encoding="utf-8"))
    lines = run("perft", POSITION, "--depth", 1, "--divide").out.splitlines()
    assert [line.split() for line in lines] == [["bid:…", "998"], ["pass", "1"], ["999"]]
    assert perft_by_first_action(position, 1) == {"pass": 1, "bid:…": 998}
    assert run("perft", POSITION, "--depth", 0, "--divide").out == "1\n"


# -- selfplay ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_selfplay_writes_records(run: RunCommand, game: str, tmp_path: Path) -> None:
    out = tmp_path / "games.txt"
    assert run("selfplay", "--game", game, "--games", 2, "--out", out).out == ""
    texts = [text for _, text in records_in(out.read_text(encoding="utf-8"))]
    records = [read_record(text) for text in texts]
    assert [record.position().is_over for record in records] == [True, True]
    assert len({record.setup.pile for record in records}) == 2
    assert run("replay", out).code == 0
    second_output = run("selfplay", "--game", game, "--games", 2).out
    assert second_output == out.read_text(encoding="utf-8"), "the same seeds give the same games"


def test_selfplay_takes_a_preset_and_no_expansions(run: RunCommand) -> None:
    setup = read_record(run("selfplay", "--preset", "c2_zmg", "--expansions", "none", "--players", 4).out).setup
    assert setup.options == GAMES["carcassonne"].presets["c2_zmg"]
    assert setup.players == 4
    assert len(setup.pile) == 71


MEASUREMENTS = ["base-2p", "bcb-2p", "bcb-3p", "bcb-4p", "replay-bcb-4p", "read-bcb-4p", "copy", "undo", "the-castle"]
"""The names of the measurements, in the order of the table."""


# -- bench ------------------------------------------------------------------------------------------------------------


def test_bench_prints_medians_as_one_json_object(run: RunCommand) -> None:
    result = run("bench", "--json", "--games", 2)
    assert result.out.count("\n") == 1
    medians = json.loads(result.out)
    assert list(medians) == MEASUREMENTS
    assert all(isinstance(median, float) and median > 0 for median in medians.values())


def test_bench_compares_medians_with_their_targets(run: RunCommand) -> None:
    lines = run("bench", "--games", 2).out.splitlines()
    assert lines[0].split() == ["median", "must", "reach", "ratio"]
    assert [line.split()[0] for line in lines[1:]] == MEASUREMENTS


def test_a_measurement_reports_its_median() -> None:
    measure = bench.Measurement("base-2p", (5.0, 1.0, 2.0))
    assert measure.median == 2.0
    assert measure.line.split() == ["base-2p", "2.0000", "ms", "4.000", "ms", "0.50"]
    assert bench.Measurement("read-bcb-4p", (2.0,)).line.split() == ["read-bcb-4p", "2.0000", "ms"]


# -- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("replay",), ("show",), ("perft", "--depth", "1")])
def test_bad_files_are_refused_in_one_line(run: RunCommand, tmp_path: Path, command: tuple[str, ...]) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    broken = FINISHED.read_text(encoding="utf-8").replace("18. +bcb/CCCC", "18. +bcb/CCCD")
    name, *options = command
    for arguments, stdin, words in (
        ((tmp_path / "nothing",), "", "No such file"),
        ((tmp_path,), "", "directory"),
        ((binary,), "", "not a text in UTF-8: invalid start byte at byte 0"),
        (("-",), "hello", "line 1: "),
        (("-",), "", "line 1: "),
        (("-",), broken, "line 18: no 'bcb/CCCD' is left"),
    ):
        result = run(name, *arguments, *options, stdin=stdin)
        assert (result.code, result.out) == (1, "")
        assert result.err.startswith(f"{name}: ")
        assert words in result.err
        assert result.err.count("\n") == 1


def test_wrong_arguments_are_refused(run: RunCommand, tmp_path: Path) -> None:
    for arguments, code, words in (
        ((), 2, "COMMAND"),
        (("sing",), 2, "invalid choice"),
        (("perft",), 2, "--depth"),
        (("perft", "--depth", "-1"), 2, "not from 0 to 20"),
        (("perft", "--depth", "x"), 2, "invalid"),
        (("selfplay", "--games", "0"), 2, "not from 1"),
        (("selfplay", "--players", "9"), 1, "9 players: 2 to 6 can play"),
        (("selfplay", "--preset", "c3"), 1, "no preset 'c3', only standard"),
        (("selfplay", "--expansions", "rivers"), 1, "unknown expansion 'rivers'"),
        (("selfplay", "--out", tmp_path / "no" / "where"), 1, "No such file"),
        (("show", FINISHED, "--ply", "203"), 1, "the game has the plies 0 to 202, not 203"),
        (("show", FINISHED, "--ply", "-1"), 1, "the game has the plies 0 to 202, not -1"),
    ):
        result = run(*arguments)
        assert (result.code, result.out) == (code, "")
        assert words in result.err


def test_a_broken_pipe_ends_the_command_without_an_error(run: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    redirected: list[tuple[int, int]] = []

    def raise_broken_pipe(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(commands, "print", raise_broken_pipe, raising=False)
    monkeypatch.setattr(commands.os, "dup2", lambda new, old: redirected.append((new, old)))
    monkeypatch.setattr(sys.stdout, "fileno", lambda: 1)
    assert run("perft", "--depth", 1).code == 0
    assert [old for _, old in redirected] == [1]
    os.close(redirected[0][0])


def test_the_program_ends_quietly_when_its_reader_stops() -> None:
    """Pipe the output into ``head -1``, as users do."""
    command = f"{sys.executable} -m engine selfplay --games 30 --players 2 --expansions none | head -1"
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603, S607
    assert (result.stdout, result.stderr) == ('[Castellan "record 1"]\n', "")


def test_python_m_engine_runs_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["engine", "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("engine", run_name="__main__")
    assert ended.value.code == 0
