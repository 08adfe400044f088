"""The proof of a fair pile: its text, and the shell command that verifies the commitment.

A game's commitment is a hash of its seed and setup, shown from its start; the seed is revealed at its end.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest

from cogs.commands.info import proof_text, verification_command
from cogs.messages import notice
from cogs.texts import t
from engine import GAMES, Setup, begin
from engine.the_castle import read_tiles
from host import GameStatus
from tests.cogs.positions import game_of
from tests.discord_limits.components import component_problems
from tests.engine.test_the_castle_tiles import DEFAULT_TILES_TEXT

ROOT = Path(__file__).parents[2]
BOXES = GAMES["carcassonne"].expansions
"""All expansions."""
EXPANSION_SETS = [*chain.from_iterable(combinations(BOXES, size) for size in range(min(4, len(BOXES)))), BOXES]
"""No expansions, every combination of up to three, and all: a small part of all subsets."""
SEED = "8f" * 16
"""A revealed seed: 32 hexadecimal digits."""


def setups() -> list[Setup]:
    """Return a setup of each combination of expansions, one with other tiles, and one of The Castle."""
    carcassonne, castle = GAMES["carcassonne"], GAMES["the-castle"]
    options = carcassonne.options.of({"c2_tile_mix": "first_print", "farmers": False})
    return [
        *(carcassonne.new_setup(players=3, seed=SEED, expansions=boxes) for boxes in EXPANSION_SETS),
        carcassonne.new_setup(players=2, seed=SEED, expansions=EXPANSION_SETS[1], options=options),
        castle.new_setup(players=2, seed=SEED),
    ]


def run_command(command: str) -> str:
    """Run a shell command of the documentation and return its output."""
    program, *arguments = shlex.split(command)
    assert program == "python"
    completed = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    return completed.stdout.strip()


def test_the_documented_command_is_right_with_every_expansion() -> None:
    """Regression: it printed a wrong commitment with Traders & Builders."""
    code_block = re.search(r"## Checking the pile.*?```sh\n(.*?)\n```", (ROOT / "docs/rules.md").read_text(), re.DOTALL)
    assert code_block is not None
    command = code_block[1].replace("THE SEED", SEED)
    placeholder = "game.expansions"
    assert placeholder in command
    assert run_command(command) == GAMES["carcassonne"].new_setup(players=4, seed=SEED, expansions=BOXES).commitment
    for boxes in EXPANSION_SETS:
        for changed in ({}, {"c2_tile_mix": "first_print"}):
            filled_command = command.replace(placeholder, repr(boxes)).replace("of({})", f"of({changed!r})")
            code = shlex.split(filled_command)[2].replace("print(", "printed.append(")
            printed: list[str] = []
            exec(code, {"printed": printed})  # noqa: S102 - the line itself is what is tested
            options = GAMES["carcassonne"].options.of(changed)
            assert printed == [
                GAMES["carcassonne"].new_setup(players=3, seed=SEED, expansions=boxes, options=options).commitment
            ]


@pytest.mark.parametrize("setup", setups(), ids=lambda setup: "+".join(setup.expansions) or setup.game)
def test_the_command_of_a_game_prints_its_commitment(setup: Setup) -> None:
    code = shlex.split(verification_command(setup))[2].replace("print(", "printed.append(")
    printed: list[str] = []
    exec(code, {"printed": printed})  # noqa: S102 - as above
    assert printed == [setup.commitment]


def test_the_command_can_be_run_unchanged() -> None:
    setup = setups()[-2]
    assert run_command(verification_command(setup)) == setup.commitment


def proof_of(setup: Any, status: GameStatus) -> str:
    """Return the text of the proof."""
    text = proof_text(replace(game_of(begin(setup)), status=status))
    assert not list(component_problems(notice(text).to_components(), v2=True))
    return text


def test_a_running_game_reveals_its_commitment_only() -> None:
    for setup in setups():
        text = proof_of(setup, GameStatus.RUNNING)
        assert setup.commitment in text
        assert setup.seed not in text
        assert "python" not in text


def test_a_finished_game_reveals_its_seed_and_the_command() -> None:
    for setup in setups():
        text = proof_of(setup, GameStatus.FINISHED)
        assert setup.seed in text
        assert verification_command(setup) in text


def test_a_game_with_an_owners_tiles_has_no_command() -> None:
    setup = GAMES["the-castle"].new_setup(
        players=2, seed=SEED, tiles=read_tiles(DEFAULT_TILES_TEXT.replace("D01", "X01"))
    )
    assert verification_command(setup) == ""
    assert t("proof.by_hand") in proof_of(setup, GameStatus.FINISHED)
