"""Every rule of the book has a scenario that is named after it, or ``docs/rules.md`` says why not."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "cogs" / "texts" / "en" / "rulebook"
DOCUMENT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
HEADING = "## Rules without a test of their own"
RULE = re.compile(r"[A-Z]{2}-\d{2}[a-z]?")
NAMED = re.compile(r"(?<![A-Z0-9])([A-Z]{2})_(\d{2}[a-z]?)(?![0-9a-z])")
"""A rule within the name of a test."""


def rules() -> set[str]:
    """The ids of the rule book."""
    return {name for page in BOOK.glob("*.toml") for name in tomllib.loads(page.read_text()) if RULE.fullmatch(name)}


def scenarios() -> set[str]:
    """The names of all scenarios."""
    files = Path(__file__).parent.glob("test_*.py")
    return {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text(encoding="utf-8"))}


def with_scenario() -> set[str]:
    """The rules after which a scenario is named."""
    return {f"{letters}-{number}" for name in scenarios() for letters, number in NAMED.findall(name)}


def excused() -> Iterator[tuple[str, str]]:
    """The rules of the table, each with its reason."""
    table = DOCUMENT.partition(HEADING)[2].partition("\n\nOf these")[0]
    for line in table.splitlines():
        ids, _, why = line.removeprefix("| ").partition(" | ")
        yield from ((rule, why.removesuffix(" |")) for rule in RULE.findall(ids))


def test_every_rule_has_a_scenario_or_a_reason() -> None:
    reasons = dict(excused())
    assert len(reasons) > 60
    assert sorted(rules() - with_scenario() - reasons.keys()) == []
    assert [rule for rule, why in reasons.items() if not why] == []


def test_no_reason_is_given_without_need() -> None:
    listed = [rule for rule, _ in excused()]
    assert sorted(listed) == sorted(set(listed))
    assert sorted(set(listed) - rules()) == []
    assert sorted(set(listed) & with_scenario()) == []


def test_the_scenarios_that_are_named_instead_are_there() -> None:
    names = set(re.findall(r"`(test_\w+)`", DOCUMENT.partition(HEADING)[2]))
    assert len(names) > 20
    assert sorted(name for name in names if not any(there.startswith(name) for there in scenarios())) == []
