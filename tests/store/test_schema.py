"""Tables are defined in `store/schema` alone. Migrations have definitions of their own and are left out.

The test parses the source files and looks for calls that define a table or an index.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from store import schema

ROOT = Path(schema.__file__).parents[2]
DEFINING = {"Table", "stored_table", "Index"}
"""Names of the functions that define one."""
PACKAGES = ("bot.py", "cogs", "host", "operations", "preview", "store")
"""The packages that are searched for definitions."""


def definitions(path: Path) -> Iterator[str]:
    """Yield the lines of a module that define a table or an index."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DEFINING:
            yield f"{path.relative_to(ROOT)}:{node.lineno}"


def modules_with_tables() -> dict[str, list[str]]:
    """Return the modules, migrations left out, that define tables or indexes, with the lines."""
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    with_sql = (path for path in paths if "sqlalchemy" in path.read_text(encoding="utf-8"))
    by_module = {path.relative_to(ROOT).as_posix(): list(definitions(path)) for path in with_sql}
    return {name: lines for name, lines in by_module.items() if lines and "migrations" not in name}


def test_tables_and_their_indexes_are_defined_in_the_schema_alone() -> None:
    assert {name.rpartition("/")[0] for name in modules_with_tables()} == {"store/schema"}


def test_importing_the_schema_imports_every_module_with_tables() -> None:
    assert {Path(name).stem for name in modules_with_tables()} - {"columns"} <= {*schema.__all__}
