"""The files for contributors: templates and checks that run elsewhere, and what only the owner can fill in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from operations.settings import HOME

WORKFLOW = (HOME / ".github" / "workflows" / "test.yml").read_text("utf-8")
MAKEFILE = (HOME / "Makefile").read_text("utf-8")
PYPROJECT = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))
TEMPLATES = sorted((HOME / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
"""The forms of issues."""

CLONE = "git clone …"
"""The command in which the address of the repository is missing."""
OPEN_PLACES = {
    "CHANGELOG.md": ["put the day of the tag v1.0.0 into the heading of that version."],
    "CONTRIBUTING.md": [CLONE, "put the address of the repository into `git clone …`."],
    "README.md": [CLONE],
    "SECURITY.md": [
        "the address for reports of security holes, or a link to GitHub's private reports",
        "how many days",
    ],
    "docs/hosting.md": [
        "put the address of the repository into each `git clone …` below, and into README.md and CONTRIBUTING.md.",
        CLONE,
        CLONE,
        CLONE,
        CLONE,
    ],
}
"""The places that only the owner of the project can fill in, by file; a place that is filled in is removed here."""


def open_places(text: str) -> Iterator[str]:
    """Yield the places of a document that the owner has to fill in, in their order."""
    for found in re.finditer(rf"OWNER: (.+?)(?:\*\*| -->)|^(?:runuser .* -- )?({CLONE})", text, re.MULTILINE):
        yield found[1] or found[2]


def test_what_the_owner_has_to_fill_in_is_listed() -> None:
    documents = [*HOME.glob("*.md"), *(HOME / "docs").rglob("*.md"), *(HOME / ".github").rglob("*.*")]
    found = {path.relative_to(HOME).as_posix(): list(open_places(path.read_text("utf-8"))) for path in documents}
    assert {name: places for name, places in found.items() if places} == OPEN_PLACES


def test_the_hosted_checks_are_those_of_this_repository() -> None:
    commands = re.findall(r"^ +run: (.+)$", WORKFLOW, re.MULTILINE)
    assert commands.count("bash .ci/run") == 1
    assert (HOME / ".ci" / "run").is_file()
    (versions,) = re.findall(r"python: \[(.+)\]", WORKFLOW)
    (pythons,) = re.findall(r"for name in (.+) python3;", MAKEFILE)
    assert [f"python{version}" for version in re.findall(r"\d\.\d+", versions)] == pythons.split()


def test_the_hosted_checks_use_no_action_that_can_be_changed() -> None:
    """Accept actions by the digest of a commit alone: a tag may be moved to another one."""
    used = re.findall(r"uses: (\S+)", WORKFLOW)
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []


def test_hooks_before_a_commit_call_what_make_calls() -> None:
    hooks = (HOME / ".pre-commit-config.yaml").read_text("utf-8")
    entries = re.findall(r"^ +entry: make (\w+)$", hooks, re.MULTILINE)
    assert len(entries) == hooks.count("- id:")
    assert "repo: local" in hooks
    assert [entry for entry in entries if not re.search(rf"^{entry}:", MAKEFILE, re.MULTILINE)] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_forms_of_issues_say_what_they_are_for(path: Path) -> None:
    """Look for the keys without which GitHub does not offer a form."""
    text = path.read_text("utf-8")
    assert re.match(r"name: .+\ndescription: .+\n", text)
    assert "\nbody:\n" in text


def test_packages_that_others_may_use_are_typed() -> None:
    patterns = PYPROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    assert patterns == ["computer*", "engine*", "tournaments*"]
    assert [name for name in patterns if not (HOME / name.rstrip("*") / "py.typed").is_file()] == []
    assert {"py.typed", "*.toml"} <= set(PYPROJECT["tool"]["setuptools"]["package-data"]["*"])
