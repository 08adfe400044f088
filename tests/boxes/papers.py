"""Requirements of tests and documents: a scenario for each rule, a place in the documents, no open ``WRITE:`` marks.

``python -m operations new-box`` creates the files of a box with such marks, where the author has to write something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cogs.texts import catalogue
from engine.carcassonne import REGISTRY
from tests.boxes.words import rules_of
from tests.scenarios.test_every_rule import excused_rules, rules_with_scenario

ROOT = Path(__file__).parents[2]
"""The folder of the repository."""
TO_WRITE = "WRITE:"
"""The mark of a place where the author of a new box has to write something."""
NOTATION = ROOT / "docs" / "notation.md"
"""The document about the text forms of positions."""
LISTING = ("README.md", "docs/rules.md")
"""Documents with a list of all boxes that a table can choose."""
BOX_LIST = re.compile(r"(<!-- boxes -->).*?(<!-- /boxes -->)", re.DOTALL)
"""The part of a document that lists all boxes."""
CLOSING = "\"')"
"""Characters that may close the string or call that contains such a mark."""
RULES = ROOT / "docs" / "rules.md"
"""The document about the rules and their tests."""
OFFERED_ROW = re.compile(r"\| (?P<title>[^|]+) \| (?P<where>[^|]+) \| [^|]+ \|")
"""A row of the table of expansions in ``docs/rules.md``."""


def files_of(name: str) -> list[Path]:
    """Return the files of a box in the code, texts and scenarios."""
    module = name.replace("-", "_")
    files = [
        path
        for room in ("engine/carcassonne/expansions", "renderers/carcassonne/boxes", "cogs/games/carcassonne/boxes")
        for pattern in (f"{module}.py", f"{module}/**/*.py", f"{module}/**/*.toml")
        for path in (ROOT / room).glob(pattern)
    ]
    texts = (ROOT / "cogs" / "texts").glob(f"*/**/{name}.toml")
    return sorted([*files, *texts, *(ROOT / "tests" / "scenarios").glob(f"test_{module}*.py")])


def left_to_write(name: str) -> Iterator[str]:
    """Yield the places in the files of a box that are still to be written, with a description."""
    for path in files_of(name):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            _, mark, what = line.partition(TO_WRITE)
            if mark:
                yield f"{path.relative_to(ROOT)}:{number}: {what.strip().rstrip(CLOSING)}"


def without_scenario(name: str) -> Iterator[str]:
    """Yield the rules of a box that no scenario is named after, and that no reason excuses."""
    tried = rules_with_scenario() | dict(excused_rules()).keys()
    for rule_id in sorted(rules_of(name).keys() - tried):
        scenario = f"test_{rule_id.replace('-', '_')}_…"
        yield f"{rule_id}: a scenario {scenario} in tests/scenarios/, or a reason in docs/rules.md"


def offered_boxes() -> str:
    """Return the titles of all boxes that a table can choose, as a list in a sentence."""
    titles = (f"*{catalogue().sentences[f'expansion.{name}']}*" for name, box in REGISTRY.items() if box.offered)
    return catalogue().listed(list(titles))


def with_boxes(document: str) -> str:
    """Return a document with the list of boxes brought up to date."""
    return BOX_LIST.sub(lambda found: f"{found[1]}{offered_boxes()}{found[2]}", document)


def write_lists() -> None:
    """Write the list of boxes into all documents that have one."""
    for name in LISTING:
        path = ROOT / name
        path.write_text(with_boxes(path.read_text(encoding="utf-8")), encoding="utf-8")


def without_title(name: str) -> Iterator[str]:
    """Yield the documents whose list of boxes is out of date, with one box more or less."""
    offered, title = REGISTRY[name].offered, f"*{catalogue().sentences.get(f'expansion.{name}', name)}*"
    for document in LISTING:
        box_list = BOX_LIST.search((ROOT / document).read_text(encoding="utf-8"))
        if box_list is None or (title in box_list[0]) != offered:
            yield f"{document}: its list of boxes is out of date (python -m tests.boxes --write)"


def missing(name: str) -> Iterator[str]:
    """Yield everything about a box that the documents do not say."""
    document = RULES.read_text(encoding="utf-8")
    title, offered = str(catalogue().sentences.get(f"expansion.{name}", name)), REGISTRY[name].offered
    rows = {plain(row["title"]): row["where"] for row in OFFERED_ROW.finditer(document)}
    where = rows.get(plain(title))
    if where is None:
        yield f"docs/rules.md: no row *{title}* in the table of what a table can choose"
    elif where.startswith("offered") != offered:
        yield f"docs/rules.md: the row *{title}* says {where!r}, the Box {'is' if offered else 'is not'} offered"
    notation = NOTATION.read_text(encoding="utf-8")
    words = [word.name for word in REGISTRY[name].words]
    for text in (*words, *(codec.tag for codec in REGISTRY[name].extra_codecs)):
        if not re.search(rf"`{text}[:`]", notation):
            yield f"docs/notation.md does not explain `{text}`"
    for group in sorted({rule_id[:2] for rule_id in rules_of(name)}):
        if not re.search(rf"\b{group}\b", document):
            yield f"docs/rules.md does not say what {group} stands for"


def plain(title: str) -> str:
    """Return a title without emphasis, in lower case."""
    return title.replace("*", "").casefold()
