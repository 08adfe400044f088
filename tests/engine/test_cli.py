"""``python -m engine``: its output can be read again, and users never see a traceback."""

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
from engine.carcassonne.built_positions import arrange
from engine.cli import bench, commands
from engine.cli.commands import main, perft, perft_by_first_action
from engine.cli.picture import picture
from engine.notation.positions import format_position, parse_position
from engine.notation.reading import read_record, records_in
from engine.notation.records import Record, format_record

RECORDS = Path(__file__).parent / "records"
FINISHED = RECORDS / "carcassonne-finished.txt"
RUNNING = RECORDS / "carcassonne-running.txt"
POSITION = RECORDS / "carcassonne-position.txt"
ROOT = Path(__file__).parents[2]


class Done(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line."""

    def command(*arguments: object, stdin: str | bytes = "") -> Done:
        raw = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as usage:
            code = int(usage.code or 0)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return command


# -- replay -----------------------------------------------------------------------------------------------------------


def test_replay_checks_what_a_record_promises(run: Run) -> None:
    done = run("replay", FINISHED)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        'game 1: Golden Barrow, Ana, Ben "the Builder" [b], Çem 🏰, 202 actions',
        "  over: 63:6:22",
        "  commitment kept; shuffled by its seed alone",
    ]


def test_replay_tells_of_games_that_go_on_and_of_other_shuffles(run: Run) -> None:
    record = read_record(FINISHED.read_text(encoding="utf-8"))
    other = GAMES["carcassonne"].notation.with_decks(record.setup, {"pile": record.setup.pile[::-1]}, "x")
    resigned = format_record(Record.of(other, [Resign(0), Resign(1)]))
    done = run("replay", "-", stdin=RUNNING.read_text(encoding="utf-8") + "\n" + resigned)
    assert done.out.splitlines() == [
        "game 1: Golden Barrow, Ana, Ben, Cem, 185 actions",
        "  goes on: 3 tiles face down, seat 1 decides",
        "game 2: carcassonne, 3 players, 2 actions",
        "  over: 0:0:0",
        "  commitment kept; not shuffled by its seed alone",
    ]


# -- show -------------------------------------------------------------------------------------------------------------


def test_show_writes_a_position_that_can_be_read(run: Run) -> None:
    record = read_record(FINISHED.read_text(encoding="utf-8"))
    for ply in (0, 50, len(record.actions)):
        done = run("show", FINISHED, "--ply", ply, "--only", "text")
        assert done.out == format_position(record.position(ply))
        assert run("show", "-", "--only", "text", stdin=done.out).out == done.out
    assert run("show", FINISHED).out == f"{done.out}\n{run('show', FINISHED, '--only', 'picture').out}"


def test_a_picture_made_of_letters() -> None:
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


def test_columns_west_of_the_first_and_empty_rows() -> None:
    head, *rows = picture(arrange(tiles=["base/D 0,0", "base/V -14,2"], hand="base/U")).splitlines()
    assert head.split() == ["-B", "-A", *"ABCDEFGHIJKLM"]
    assert [row[:4].strip() for row in rows[1:9:3]] == ["13", "14", "15"]
    assert rows[7] == " 15  ==..."


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_drawn(run: Run, game: str) -> None:
    played = run("selfplay", "--game", game, "--seed", 3)
    drawn = run("show", "-", "--only", "picture", stdin=played.out).out
    position = read_record(played.out).position()
    *board, empty, legend = drawn.splitlines()
    assert empty == ""
    assert all(f"{sign} {kind}" in legend for kind, sign in GAMES[game].notation.signs.items())
    figures = sum(sign.isdigit() for line in board[1:] for sign in line[5:])
    assert figures == len(list(position.standing_figures()))


# -- perft ------------------------------------------------------------------------------------------------------------


def test_perft_counts_from_a_file_or_a_new_game(run: Run) -> None:
    position = parse_position(POSITION.read_text(encoding="utf-8"))
    assert run("perft", POSITION, "--depth", 2).out == f"{perft(position, 2)}\n"
    middle = read_record(FINISHED.read_text(encoding="utf-8")).position(60)
    assert run("perft", FINISHED, "--ply", 60, "--depth", 1).out == f"{len(middle.legal_actions)}\n"
    new = run("perft", "--depth", 1, "--players", 3, "--seed", "a", "--expansions", "none")
    assert int(new.out) > 0


def test_perft_divides_by_first_action_and_takes_bids_together(run: Run) -> None:
    position = parse_position(POSITION.read_text(encoding="utf-8"))
    lines = run("perft", POSITION, "--depth", 1, "--divide").out.splitlines()
    assert [line.split() for line in lines] == [["bid:…", "998"], ["pass", "1"], ["999"]]
    assert perft_by_first_action(position, 1) == {"pass": 1, "bid:…": 998}
    assert run("perft", POSITION, "--depth", 0, "--divide").out == "1\n"


# -- selfplay ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_selfplay_writes_records(run: Run, game: str, tmp_path: Path) -> None:
    out = tmp_path / "games.txt"
    assert run("selfplay", "--game", game, "--games", 2, "--out", out).out == ""
    texts = [text for _, text in records_in(out.read_text(encoding="utf-8"))]
    records = [read_record(text) for text in texts]
    assert [record.position().is_over for record in records] == [True, True]
    assert len({record.setup.pile for record in records}) == 2
    assert run("replay", out).code == 0
    again = run("selfplay", "--game", game, "--games", 2).out
    assert again == out.read_text(encoding="utf-8"), "the same seeds give the same games"


def test_selfplay_plays_by_a_preset_without_expansions(run: Run) -> None:
    setup = read_record(run("selfplay", "--preset", "c2_zmg", "--expansions", "none", "--players", 4).out).setup
    assert setup.options == GAMES["carcassonne"].presets["c2_zmg"]
    assert setup.players == 4
    assert len(setup.pile) == 71


MEASURES = ["base-2p", "bcb-2p", "bcb-3p", "bcb-4p", "replay-bcb-4p", "read-bcb-4p", "copy", "undo", "the-castle"]


# -- bench ------------------------------------------------------------------------------------------------------------


def test_bench_prints_one_object_of_medians(run: Run) -> None:
    done = run("bench", "--json", "--games", 2)
    assert done.out.count("\n") == 1
    medians = json.loads(done.out)
    assert list(medians) == MEASURES
    assert all(isinstance(median, float) and median > 0 for median in medians.values())


def test_bench_compares_with_what_must_be_reached(run: Run) -> None:
    lines = run("bench", "--games", 2).out.splitlines()
    assert lines[0].split() == ["median", "must", "reach", "ratio"]
    assert [line.split()[0] for line in lines[1:]] == MEASURES


def test_a_measure_knows_its_median() -> None:
    measure = bench.Measurement("base-2p", (5.0, 1.0, 2.0))
    assert measure.median == 2.0
    assert measure.line.split() == ["base-2p", "2.0000", "ms", "4.000", "ms", "0.50"]
    assert bench.Measurement("read-bcb-4p", (2.0,)).line.split() == ["read-bcb-4p", "2.0000", "ms"]


# -- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("replay",), ("show",), ("perft", "--depth", "1")])
def test_bad_files_are_refused_in_one_line(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
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
        done = run(name, *arguments, *options, stdin=stdin)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(f"{name}: ")
        assert words in done.err
        assert done.err.count("\n") == 1


def test_wrong_arguments(run: Run, tmp_path: Path) -> None:
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
        done = run(*arguments)
        assert (done.code, done.out) == (code, "")
        assert words in done.err


def test_whoever_reads_the_output_may_go_away(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    redirected: list[tuple[int, int]] = []

    def gone(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(commands, "print", gone, raising=False)
    monkeypatch.setattr(commands.os, "dup2", lambda new, old: redirected.append((new, old)))
    monkeypatch.setattr(sys.stdout, "fileno", lambda: 1)
    assert run("perft", "--depth", 1).code == 0
    assert [old for _, old in redirected] == [1]
    os.close(redirected[0][0])


def test_as_a_program_whose_reader_goes_away() -> None:
    """``python -m engine … | head -1`` ends quietly."""
    command = f"{sys.executable} -m engine selfplay --games 30 --players 2 --expansions none | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603, S607
    assert (done.stdout, done.stderr) == ('[Castellan "record 1"]\n', "")


def test_python_m_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["engine", "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("engine", run_name="__main__")
    assert ended.value.code == 0
