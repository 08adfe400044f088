"""The commands of the computer player that explain the values of a position and tune its weights.

A weight is the factor of one part in the value of a position. Tuning improves all weights by self-play.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from computer.cli import main
from computer.weights import START, read_weights
from engine import GAMES
from engine.notation.positions import format_position
from engine.selfplay import random_game
from tests.engine.carcassonne_games import SAMPLE_EXPANSIONS


def test_explain_prints_candidates_with_their_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = GAMES["carcassonne"]
    setup = game.new_setup(players=2, seed="e", options=game.options(), expansions=SAMPLE_EXPANSIONS)
    position, _ = random_game(setup, Random(2), plies=40)
    file = tmp_path / "position"
    file.write_text(format_position(position), encoding="utf-8")
    assert main(["explain", str(file), "--all"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{len(lines)} candidates of ")
    values = [float(line.split()[0]) for line in lines]
    assert values == sorted(values, reverse=True)
    parts = [sum(float(word) for word in line.split()[2:] if word[0] in "+-" and "." in word) for line in lines]
    assert parts == pytest.approx(values, abs=0.1)


@pytest.mark.parametrize("arguments", [("explain", "nowhere"), ("arena", "--a", "nobody", "--b", "quick")])
def test_unreadable_arguments_are_reported(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(list(arguments)) == 1
    assert arguments[0] in capsys.readouterr().err


@pytest.mark.parametrize("game", list(GAMES))
def test_tuning_writes_weights_that_can_be_played(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "found.toml"
    arguments = ["tune", "--game", game, "--from", START, "--steps", "1", "--pairs", "1", "--workers", "1"]
    assert main([*arguments, "--only", "pace", "--out", str(file)]) == 0
    before, after = read_weights(START, game), read_weights(str(file), game)
    assert {name for name in before if before[name] != pytest.approx(after[name], rel=1e-4)} <= {"pace"}
    assert before.keys() == after.keys()
    assert (
        main(["arena", "--game", game, "--a", f"quick:{file}", "--b", "random", "--pairs", "1", "--workers", "1"]) == 0
    )
    assert '"wins_a": 2' in capsys.readouterr().out
