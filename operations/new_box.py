"""Scaffolding for a new box of Carcassonne: the files with which it begins, and its lines in the registries.

A *box* is an expansion as it is sold. It has files in the engine, the renderers, the cogs (the bot's user interface),
the rule book and the tests, and a line in the registry of each of the first three. :func:`lay_out` writes them from
templates, in which ``WRITE:`` marks what the author has to fill in; ``python -m tests.boxes`` lists what is missing.
``docs/adding-a-box.md`` describes the next steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from string import Template
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_NAME_PATTERN: Final = re.compile(r"[a-z]+(-[a-z]+)*")
_GROUP_PATTERN: Final = re.compile(r"[A-Z]{2}")
_LINE_LENGTH: Final = 120
_RULE_BOOK: Final = "cogs/texts/en/rulebook"
_ENGINE: Final = "engine/carcassonne/expansions"
_RENDERERS: Final = "renderers/carcassonne/boxes"
_COGS: Final = "cogs/games/carcassonne/boxes"

_TEMPLATES: Final[Mapping[str, str]] = {
    f"{_ENGINE}/$engine": "engine.py",
    f"{_RENDERERS}/$module.py": "renderers.py",
    f"{_COGS}/$module.py": "cogs.py",
    "cogs/texts/en/$name.toml": "texts.toml",
    f"{_RULE_BOOK}/$name.toml": "rulebook.toml",
    "tests/scenarios/test_$module.py": "scenarios.py",
}
"""Names of the templates of a box's files in the folder ``box_templates``, by templates of their paths."""
_TILES_TEMPLATES: Final[Mapping[str, str]] = {f"{_ENGINE}/$module/tiles.toml": "tiles.toml"}
"""The same for a box with tiles."""


class NewBoxError(Exception):
    """The files of a box cannot be written, for the reason in the text; nothing was changed."""


def lay_out(name: str, title: str, group: str, *, tiles: bool, root: Path = ROOT) -> list[str]:
    """Write the files of a new box and register it; return the paths of all files that were written or changed.

    ``name`` is used in code and setups, such as ``old-well``; ``title`` is shown to players; ``group`` is the two
    letters with which the ids of its rules begin. With ``tiles`` the box gets a file for its tiles.

    Raises:
        NewBoxError: the name or the group of rules cannot be used, or is taken.
    """
    if not _NAME_PATTERN.fullmatch(name):
        raise NewBoxError(f"{name!r}: a box is called by words in lower case with hyphens, as in old-well")
    if not _GROUP_PATTERN.fullmatch(group):
        raise NewBoxError(f"{group!r}: the ids of its rules begin with two capital letters, as in OW")
    if not (root / "tests").is_dir():
        raise NewBoxError(f"{root} is no checkout of the sources with their tests")
    if pages := [page.name for page in (root / _RULE_BOOK).glob("*.toml") if f"[{group}-0" in _text(page)]:
        raise NewBoxError(f"{group}: rules with these letters are in {pages[0]}")
    module = name.replace("-", "_")
    words = {
        "name": name,
        "title": title,
        "group": group,
        "module": module,
        "class_name": "".join(part.capitalize() for part in name.split("-")),
        "engine": f"{module}/__init__.py" if tiles else f"{module}.py",
        "tiles": ", tiles=TileSet(NAME, __name__)" if tiles else "",
        "tiles_import": "from engine.carcassonne.tiles import TileSet\n" if tiles else "",
    }
    templates = {**_TEMPLATES, **(_TILES_TEMPLATES if tiles else {})}
    created = {Template(path).substitute(words): _filled(name, words) for path, name in templates.items()}
    if existing := [path for path in created if (root / path).exists()]:
        raise NewBoxError(f"{existing[0]} exists already")
    registries = {path: change(_text(root / path), words) for path, change in _REGISTRIES.items()}
    for path, text in {**created, **registries}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return [*created, *registries]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _filled(name: str, words: Mapping[str, str]) -> str:
    """Return the text of a file by the name of its template."""
    return Template(_text(Path(__file__).parent / "box_templates" / f"{name}.template")).substitute(words)


# -- registries -------------------------------------------------------------------------------------------------------


def _register_in_engine(text: str, words: Mapping[str, str]) -> str:
    """Add a box to the registry of the engine."""
    module = words["module"]
    text = _with_import(text, "engine.carcassonne.expansions", module)
    return _after_last(text, r"\w+: Final = register\(.*\)\n", f"{module.upper()}: Final = register({module}.BOX)\n")


def _register_in_renderers(text: str, words: Mapping[str, str]) -> str:
    """Add a box to the registry of the renderers."""
    module, drawings = words["module"], f"{words['class_name']}Drawings"
    text = _with_import(text, "engine.carcassonne.expansions", module.upper())
    line = f"from renderers.carcassonne.boxes.{module} import {drawings}\n"
    imports = re.findall(r"from renderers\.carcassonne\.boxes\.\w+ import .*\n", text)
    text = text.replace("".join(imports), "".join(sorted([*imports, line])))
    return _after_last(text, r"    [A-Z_]+: \w+\(\),\n", f"    {module.upper()}: {drawings}(),\n")


def _register_in_cogs(text: str, words: Mapping[str, str]) -> str:
    """Add a box to the registry of the cogs."""
    module = words["module"]
    text = _with_import(text, "cogs.games.carcassonne.boxes", module)
    text = _with_import(text, "engine.carcassonne.expansions", module.upper())
    return _after_last(text, r"BOXES\[\w+\] = .*\n", f"BOXES[{module.upper()}] = {module}.BOX\n")


_REGISTRIES: Final[Mapping[str, Callable[[str, Mapping[str, str]], str]]] = {
    f"{_ENGINE}/__init__.py": _register_in_engine,
    f"{_RENDERERS}/__init__.py": _register_in_renderers,
    f"{_COGS}/__init__.py": _register_in_cogs,
}
"""The registries of boxes, each with the function that adds a box to its text."""


def _with_import(text: str, package: str, name: str) -> str:
    """Add a name to the import of several names from a package, in the order and form of the formatter."""
    pattern = rf"from {re.escape(package)} import (\([^)]*\)|[^\n(]*)\n"
    statement = next(match for match in re.finditer(pattern, text) if " as " not in match[0])
    names = sorted([*filter(None, (part.strip() for part in statement[1].strip("()").split(","))), name])
    line = f"from {package} import {', '.join(names)}\n"
    if len(line) > _LINE_LENGTH + 1:
        line = f"from {package} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"
    return text.replace(statement[0], line)


def _after_last(text: str, pattern: str, line: str) -> str:
    """Insert a line after the last match of a pattern."""
    end = [match.end() for match in re.finditer(pattern, text)][-1]
    return text[:end] + line + text[end:]
