"""Every rule of the rule book has a scenario with its id in the name, or a reason in ``docs/rules.md``.

The rule book is ``cogs/texts/en/rulebook``. A rule has an id such as BA-18, and its scenario a name such as
``test_BA_18_…``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The folder of the repository."""
RULE_BOOK = ROOT / "cogs" / "texts" / "en" / "rulebook"
"""The folder of the rule book's texts."""
RULES_DOCUMENT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
"""The document that gives the reasons."""
HEADING = "## Rules without a test of their own"
"""The heading above the reasons."""
RULE_ID = re.compile(r"[A-Z]{2}-\d{2}[a-z]?")
"""The id of a rule, such as BA-18 or CA-28a."""
RULE_IN_TEST_NAME = re.compile(r"(?<![A-Z0-9])([A-Z]{2})_(\d{2}[a-z]?)(?![0-9a-z])")
"""A rule id as written in the name of a test: ``BR_10``."""


def rule_ids() -> set[str]:
    """Return the ids of all rules in the rule book."""
    return {
        name for page in RULE_BOOK.glob("*.toml") for name in tomllib.loads(page.read_text()) if RULE_ID.fullmatch(name)
    }


def scenario_names() -> set[str]:
    """Return the names of all scenarios."""
    files = Path(__file__).parent.glob("test_*.py")
    return {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text(encoding="utf-8"))}


def rules_with_scenario() -> set[str]:
    """Return the rules that have a scenario."""
    return {f"{letters}-{number}" for name in scenario_names() for letters, number in RULE_IN_TEST_NAME.findall(name)}


def excused_rules() -> Iterator[tuple[str, str]]:
    """Yield the rules without a scenario that the document lists, with the reason."""
    table = RULES_DOCUMENT.partition(HEADING)[2].partition("\n\nOf these")[0]
    for line in table.splitlines():
        ids, _, reason = line.removeprefix("| ").partition(" | ")
        yield from ((rule, reason.removesuffix(" |")) for rule in RULE_ID.findall(ids))


def test_every_rule_has_a_scenario_or_a_reason() -> None:
    reasons = dict(excused_rules())
    assert len(reasons) > 50
    assert sorted(rule_ids() - rules_with_scenario() - reasons.keys()) == []
    assert [rule for rule, reason in reasons.items() if not reason] == []


def test_no_rule_with_a_scenario_is_excused() -> None:
    listed = [rule for rule, _ in excused_rules()]
    assert sorted(listed) == sorted(set(listed))
    assert sorted(set(listed) - rule_ids()) == []
    assert sorted(set(listed) & rules_with_scenario()) == []


def test_scenarios_named_as_substitutes_exist() -> None:
    names = set(re.findall(r"`(test_\w+)`", RULES_DOCUMENT.partition(HEADING)[2]))
    assert len(names) > 20
    assert sorted(name for name in names if not any(there.startswith(name) for there in scenario_names())) == []
