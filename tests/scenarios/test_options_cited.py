"""Every option of the rule digest exists, its rules have scenarios, and it depends on the expansions it declares.

An option is a point on which editions of the rules differ. It has a number such as O-26 in the digest, and names the
rules that it decides, such as CA-10.
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

from engine.carcassonne import REGISTRY, Options, new_setup
from engine.carcassonne.base import BaseOptions
from engine.carcassonne.expansions.bridges_castles_bazaars import BridgesOptions
from engine.selfplay import random_game

SCENARIO_NAMES = set(
    re.findall(
        r"^def test_(\w+)\(",
        "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")),
        re.MULTILINE,
    )
)
"""The names of all scenarios."""
RULES_OF_OPTIONS = [(field.name, rule) for field in fields(Options) for rule in field.metadata["rules"]]
"""Each option with each of the rules that it decides."""
OPTION_IDS = {f"O-{number:02}" for number in (*range(1, 13), 15, *range(21, 29), 33)}
"""Ids of the options, except those of wagons (O-13), messages (O-14) and dragons (O-32)."""


@pytest.mark.parametrize(("option", "rule"), RULES_OF_OPTIONS)
def test_every_rule_of_an_option_has_a_scenario(option: str, rule: str) -> None:
    assert any(rule.replace("-", "_") in name for name in SCENARIO_NAMES)


def test_every_option_of_the_digest_exists() -> None:
    assert {field.metadata["number"] for field in (*fields(BaseOptions), *fields(BridgesOptions))} == {
        *OPTION_IDS,
        "OA-02",
    }
    numbers = [field.metadata["number"] for field in fields(Options)]
    assert len(set(numbers)) == len(numbers)


def test_every_option_has_several_values_including_the_default() -> None:
    for field in fields(Options):
        values = Options.values()[field.name]
        assert len(values) > 1
        assert field.default in values


@pytest.mark.parametrize("name", [field.name for field in fields(Options) if field.metadata["needs"]])
def test_an_option_makes_no_difference_without_the_expansions_that_it_needs(name: str) -> None:
    (needs,) = (field.metadata["needs"] for field in fields(Options) if field.name == name)
    for lacking in needs:
        boxes = tuple(box for box in REGISTRY if box != lacking)
        logs = set()
        for value in Options.values()[name]:
            setup = new_setup(players=3, seed="7", options=Options.of({name: value}), expansions=boxes)
            logs.add(tuple(map(str, random_game(setup, Random(7))[1])))
        assert len(logs) == 1
