"""The line protocol of the computer player: a whole game, and the answers to invalid lines.

A program writes commands such as ``game`` or ``go`` as lines, and reads the answers as lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random

import pytest

from computer import Level, versions
from computer.protocol import serve
from engine import GAMES, Position, begin, parse_action
from engine.notation.positions import format_position
from engine.notation.records import Record, format_record
from engine.selfplay import random_game
from tests.computer.positions import ALL_BOXES, random_positions


def run_protocol(*lines: str) -> list[str]:
    """Return the answers to the lines of another program."""
    return list(serve(lines))


def best_move(answers: Iterable[str]) -> str:
    """Return the move in an answer of the form ``bestmove MOVE …``."""
    return next(answer for answer in answers if answer.startswith("bestmove ")).split()[1]


def new_game(expansions: tuple[str, ...] = ()) -> tuple[Position, str]:
    """Return the first position of a game of two, and its setup as text."""
    game = GAMES["carcassonne"]
    setup = game.new_setup(players=2, seed="protocol", options=game.options(), expansions=expansions)
    position = begin(setup)
    return position, setup.to_json()


def test_a_program_introduces_itself() -> None:
    answers = run_protocol("computer", "isready", "quit", "isready")
    assert answers[1:4] == ["id version 4", "versions 4", "levels " + " ".join(Level)]
    assert answers[-2:] == ["computerok", "readyok"]


@pytest.mark.parametrize("expansions", [(), ALL_BOXES])
def test_best_moves_make_a_game(expansions: tuple[str, ...]) -> None:
    """Before each request for a move, the test sends all moves so far. The game includes bids and purchases."""
    (position, setup), moves = new_game(expansions), list[str]()
    for _ in range(12):
        move = best_move(run_protocol(f"game setup {setup} moves {' '.join(moves)}", "go level quick"))
        assert parse_action(move) in position.legal_actions
        position.apply(parse_action(move))
        moves.append(move)
    lines = [f"game setup {setup}", *(f"moves {move}" for move in moves), "show"]
    assert run_protocol(*lines) == [*format_position(position).splitlines(), "end"]


def test_a_move_comes_with_its_value_and_the_line_expected() -> None:
    _, setup = new_game()
    info, move = run_protocol(f"game setup {setup}", "go nodes 100")
    assert info.startswith("info nodes ")
    words = move.split()
    assert words[::2][:2] == ["bestmove", "value"]
    float(words[3])
    assert words[4:6] == ["line", words[1]]


def test_older_versions_decide_by_their_own_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 1 has older weights here than version 2, and somewhere in a game the two decide differently."""
    monkeypatch.setattr(versions, "WEIGHTS_BY_VERSION", by_version := {1: "start", 2: "weights"})
    monkeypatch.setattr("computer.protocol.WEIGHTS_BY_VERSION", by_version)
    (position, setup), moves, differing = new_game(), list[str](), 0
    for _ in range(20):  # the first difference is at the seventh tile
        game = f"game setup {setup} moves {' '.join(moves)}"
        newest, *others = (
            best_move(run_protocol(game, go))
            for go in ("go", "go level quick version 1 seed s", "go level quick:start", "go level quick version 2")
        )
        assert others == [others[0], others[0], newest]
        differing += newest != others[0]
        position.apply(parse_action(newest))
        moves.append(newest)
    assert differing
    assert run_protocol("computer")[1:3] == ["id version 2", "versions 1 2"]
    assert run_protocol(f"game setup {setup}", "go version 3") == ["error no version '3'"]


@pytest.mark.parametrize("expansions", [(), ALL_BOXES])
def test_the_best_moves_are_explained_by_the_parts_of_their_values(expansions: tuple[str, ...]) -> None:
    position, setup = new_game(expansions)
    *candidates, last = run_protocol(f"game setup {setup}", "explain 3")
    assert last == "explained"
    assert len(candidates) == 3
    values = []
    for candidate in candidates:
        words, _, parts = candidate.partition(" parts ")
        kind, _, value, line, *moves = words.split()
        assert (kind, line) == ("candidate", "line")
        after = position.copy()
        for move in moves:
            after.apply(parse_action(move))
        assert float(value) == pytest.approx(sum(json.loads(parts).values()), abs=0.1)
        values.append(float(value))
    assert values == sorted(values, reverse=True)
    best = best_move(run_protocol(f"game setup {setup}", "go level quick"))
    assert candidates[0].split()[4] == best


def test_records_and_positions_are_read() -> None:
    game = GAMES["carcassonne"]
    setup = game.new_setup(players=3, seed="r", options=game.options(), expansions=ALL_BOXES)
    position, log = random_game(setup, Random(1), plies=40)
    record = format_record(Record.of(setup, log)).splitlines()
    for kind, text in (("record", record), ("position", format_position(position).splitlines())):
        move = best_move(run_protocol(f"game {kind}", *text, "end", "go"))
        assert parse_action(move) in position.legal_actions


@pytest.mark.parametrize(
    "lines",
    [
        ("go",),
        ("walk",),
        ("game",),
        ("game setup {}",),
        ("game record", "nothing", "end"),
        ("game setup SETUP", "moves A1/0"),
        ("game setup SETUP", "go level nobody"),
        ("game setup SETUP", "go nodes many"),
        ("explain 3",),
        ("game setup SETUP", "explain"),
        ("game setup SETUP", "explain many"),
        ("game setup SETUP", "explain 3 level nobody"),
    ],
)
def test_wrong_lines_are_answered_and_the_session_goes_on(lines: tuple[str, ...]) -> None:
    _, setup = new_game()
    answers = run_protocol(*(line.replace("SETUP", setup) for line in lines), "isready")
    assert answers[0].startswith("error ")
    assert answers[-1] == "readyok"


def test_nothing_is_asked_when_the_game_is_over() -> None:
    *_, last = random_positions("carcassonne", 2, (), "", seed=1)
    assert last.is_over
    for question in ("go", "explain 3"):
        answers = run_protocol("game position", *format_position(last).splitlines(), "end", question)
        assert answers == ["error the game is over"]
