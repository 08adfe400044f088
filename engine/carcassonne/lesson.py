"""The setup of the first lesson: a short game of two, whose pile is authored so that everything comes up early."""

from __future__ import annotations

import tomllib
from importlib import resources

from engine.carcassonne.expansions import DEFAULT_EXPANSIONS
from engine.carcassonne.setup import Setup


def lesson_setup() -> Setup:
    """Return the setup of the first lesson, in which the learner has the first seat."""
    text = resources.files("engine.carcassonne.data").joinpath("lesson.toml").read_text(encoding="utf-8")
    return Setup(players=2, pile=tuple(tomllib.loads(text)["pile"]), expansions=DEFAULT_EXPANSIONS)
