"""The size of the source: the number of its files and of its lines of code.

Blank lines, comments and docstrings do not count as lines of code.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from benchmarks.walks.trace import PACKAGES, ROOT

MIGRATIONS: Final = Path("store", "migrations")
"""The scripts that upgrade old databases; written once, so they count as modules but not as source."""
SHORT_MODULE_LINES: Final = 60
"""The number of lines, including comments, below which a module counts as short."""
_LAYOUT_TOKENS: Final = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)


def figures(root: Path = ROOT) -> dict[str, int]:
    """Return the numbers of source files and of their lines of code, and the numbers of all and of short modules.

    Migrations are modules, but not source files.
    """
    modules = {
        path.relative_to(root): path.read_text(encoding="utf-8")
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
    }
    sources = [text for path, text in modules.items() if not path.is_relative_to(MIGRATIONS)]
    return {
        "source_files": len(sources),
        "code_lines": sum(map(code_lines, sources)),
        "modules": len(modules),
        "short_modules": sum(len(text.splitlines()) < SHORT_MODULE_LINES for text in modules.values()),
    }


def code_lines(source: str) -> int:
    """Count the lines of a module that are neither blank nor comment nor docstring."""
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _LAYOUT_TOKENS:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - _docstring_lines(ast.walk(ast.parse(source))))


def _docstring_lines(nodes: Iterable[ast.AST]) -> set[int]:
    """Return the lines of all strings that are statements, including those below attributes."""
    lines = set[int]()
    for node in nodes:
        match node:
            case ast.Expr(ast.Constant(str()), lineno=first, end_lineno=int(last)):
                lines.update(range(first, last + 1))
            case _:
                pass
    return lines
