"""Blocks of code that mark when they are executed, in a file that all processes of a test share.

Coverage.py would say the same, but here a run takes hardly longer than without, and a process that is killed has marked
what it did. A block is a list of statements in a function: its body, that of an ``if``, a loop, a handler.
"""

from __future__ import annotations

import ast
import json
import mmap
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

FOLDER: str = "BLOCKS_FOLDER"
"""The environment variable with the folder of what is recorded."""
INDEX: str = "BLOCKS_INDEX"
"""The environment variable with the file that says where the marks of each module begin."""
MARKS: str = "BLOCKS_MARKS"
"""The environment variable with the file of marks, a byte for each block."""
NAME = "__marks__"
"""The name by which an instrumented module finds the marks."""


def blocks(tree: ast.AST, *, in_function: bool = False) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of all functions, the outer before the inner ones."""
    in_function |= isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef)
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        children = getattr(tree, name, None)
        if not isinstance(children, list) or not children:
            continue
        if in_function and isinstance(children[0], ast.stmt):
            yield children
        for child in children:
            yield from blocks(child, in_function=in_function)


@dataclass(frozen=True)
class Index:
    """The number of the first block of each file, and of all blocks together."""

    firsts: dict[str, int]
    count: int


def write_index(file: Path, paths: Sequence[Path]) -> None:
    """Number the blocks of all files."""
    firsts = {}
    count = 0
    for path in paths:
        firsts[str(path)] = count
        count += sum(1 for _ in blocks(ast.parse(path.read_bytes())))
    file.write_text(json.dumps(asdict(Index(firsts, count))), "utf-8")


def read_index(file: Path | None = None) -> Index:
    """Read the index, by default the one that the environment names."""
    return Index(**json.loads((file or Path(os.environ[INDEX])).read_text("utf-8")))


class Loader(SourceFileLoader):
    """A loader of modules whose blocks mark that they are executed."""

    def __init__(self, name: str, path: str, first: int, marks: mmap.mmap) -> None:
        super().__init__(name, path)
        self.first = first
        self.marks = marks

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - as importlib calls it
        """Compile the module with its marks, past all caches."""
        tree = ast.parse(self.get_data(self.path))
        for number, block in enumerate([*blocks(tree)], self.first):
            documented = isinstance(block[0], ast.Expr) and isinstance(block[0].value, ast.Constant) and len(block) > 1
            mark = ast.parse(f"{NAME}[{number}] = 1").body[0]
            for node in ast.walk(mark):
                ast.copy_location(node, block[documented])
            block.insert(documented, mark)
        return compile(tree, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module, which can find the marks."""
        vars(module)[NAME] = self.marks
        super().exec_module(module)


class Finder(MetaPathFinder):
    """A finder that hands the modules of an index to that loader."""

    def __init__(self, firsts: dict[str, int]) -> None:
        self.firsts = firsts
        self.marks: mmap.mmap | None = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module as usual, but load it otherwise."""
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin not in self.firsts:
            return None
        self.marks = self.marks or open_marks()
        spec.loader = Loader(fullname, spec.origin, self.firsts[spec.origin], self.marks)
        return spec


def open_marks() -> mmap.mmap:
    """Open the file of marks that the environment names."""
    with Path(os.environ[MARKS]).open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)


def install() -> None:
    """Let this process mark what it executes, from the first module on that it imports."""
    sys.meta_path.insert(0, Finder(read_index().firsts))
