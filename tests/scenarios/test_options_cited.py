"""Every rule that an option carries has a scenario of its name."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from engine.carcassonne import Options

NAMES = set(
    re.findall(
        r"^def test_(\w+)\(",
        "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")),
        re.MULTILINE,
    )
)
CARRIED = [(field.name, rule) for field in fields(Options) for rule in field.metadata["rules"]]
NUMBERS = {f"O-{number:02}" for number in (*range(1, 13), 15, *range(21, 29), 33)}
"""Those that concern Carcassonne, but for the wagon (O-13), messages (O-14) and dragons (O-32), which are not here."""


@pytest.mark.parametrize(("option", "rule"), CARRIED)
def test_a_rule_has_a_scenario(option: str, rule: str) -> None:
    assert any(rule.replace("-", "_") in name for name in NAMES)


def test_every_option_is_there() -> None:
    assert {field.metadata["number"] for field in fields(Options)} == NUMBERS


def test_every_option_has_two_values_or_more_the_default_among_them() -> None:
    for field in fields(Options):
        values = Options.values()[field.name]
        assert len(values) > 1
        assert field.default in values
