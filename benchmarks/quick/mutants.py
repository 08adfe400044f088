"""Mutants: the source with one small fault, such as ``<`` for ``<=``, ``and`` for ``or``, or a statement left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOMS = ("bot.py", "cogs", "computer", "engine", "host", "operations", "renderers", "store", "tournaments")
"""Files and packages whose lines are mutated."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """A change of one place in one file.

    A fault is anywhere between the first and the last line of a statement, or of the head of a compound statement;
    whoever executes one of those lines may notice it. What stands outside all functions runs at import.
    """

    path: str
    start: int
    """The first byte that is replaced."""
    end: int
    new: str
    first_line: int
    last_line: int
    at_import: bool
    kind: str

    @property
    def name(self) -> str:
        """A name by which a result is found again."""
        return f"{self.path}:{self.first_line}:{self.start}:{self.kind}"

    def applied(self, source: bytes) -> bytes:
        """Return the mutated text of the file."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def sources(root: Path) -> list[Path]:
    """Return the files whose lines are mutated."""
    return [
        path
        for room in ROOMS
        for path in ([root / room] if room.endswith(".py") else sorted((root / room).rglob("*.py")))
    ]


def draw(root: Path, seed: int, count: int) -> list[Mutant]:
    """Draw different mutants: a file in proportion to its lines, then any of its places."""
    paths = [
        path
        for room in ROOMS
        for path in ([root / room] if room.endswith(".py") else sorted((root / room).rglob("*.py")))
    ]
    lines = [path.read_bytes().count(b"\n") for path in paths]
    places: dict[Path, list[Mutant]] = {}
    random = Random(seed)
    drawn: dict[str, Mutant] = {}
    while len(drawn) < count:
        (path,) = random.choices(paths, lines)
        if path not in places:
            places[path] = list(mutants(path.relative_to(root).as_posix(), path.read_bytes()))
        if places[path]:
            mutant = random.choice(places[path])
            drawn.setdefault(mutant.name, mutant)
    return list(drawn.values())


def mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, (first, last), at_import in _executed(ast.parse(source), (0, 0), at_import=True):
        for kind, place, new in _faults(node):
            start = starts[place.lineno - 1] + place.col_offset
            end = starts[(place.end_lineno or 0) - 1] + (place.end_col_offset or 0)
            yield Mutant(path, start, end, new, first, last, at_import, kind)


def _executed(
    node: ast.AST, lines: tuple[int, int], *, at_import: bool
) -> Iterator[tuple[ast.AST, tuple[int, int], bool]]:
    """Yield what is executed: the node and those below it, with the lines of the statement of each."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return
        case ast.stmt() | ast.ExceptHandler() | ast.match_case():
            lines = lines_of(node)
        case _:
            pass
    yield node, lines, at_import
    in_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _executed(child, lines, at_import=at_import and not (in_function and name == "body"))


def lines_of(statement: ast.stmt | ast.ExceptHandler | ast.match_case) -> tuple[int, int]:
    """Return the first and last line of a statement; of a compound one, those of its head."""
    match statement:
        case ast.match_case(pattern=pattern, guard=guard):
            return pattern.lineno, (guard or pattern).end_lineno or pattern.lineno
        case ast.Match(subject=subject):
            return subject.lineno, subject.end_lineno or subject.lineno
        case _ if isinstance(inner := next(iter(getattr(statement, "body", ())), None), ast.stmt):
            return statement.lineno, max(statement.lineno, inner.lineno - 1)
        case _:
            return statement.lineno, statement.end_lineno or statement.lineno


def _faults(node: ast.AST) -> Iterator[tuple[str, ast.stmt | ast.expr, str]]:
    """Yield the kind of each fault that can be made of a node, the place that is replaced, and its new text."""
    match node:
        case ast.expr():
            yield from _faults_of_expression(node)
        case ast.stmt():
            yield from _faults_of_statement(node)
        case _:
            pass
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Constant):
            yield "condition", test, f"(not ({ast.unparse(test)}))"
        case _:
            pass


def _faults_of_expression(node: ast.expr) -> Iterator[tuple[str, ast.expr, str]]:
    """Yield another operator, or another constant."""
    match node:
        case ast.Compare(ops=[operator]):
            yield "comparison", node, _text(node, ops=[COMPARISONS[type(operator)]()])
        case ast.BoolOp(op=operator):
            yield "and-or", node, _text(node, op=ast.And() if isinstance(operator, ast.Or) else ast.Or())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", node, f"({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            yield "constant", node, str(not value)
        case ast.Constant(value=int() as value):
            yield "constant", node, str(value + 1)
        case ast.BinOp(op=operator) if type(operator) in ARITHMETIC:
            yield "arithmetic", node, _text(node, op=ARITHMETIC[type(operator)]())
        case _:
            pass


def _faults_of_statement(node: ast.stmt) -> Iterator[tuple[str, ast.stmt, str]]:
    """Yield a statement that does less, or the opposite."""
    match node:
        case ast.AugAssign(target=target, op=operator, value=value):
            if type(operator) in ARITHMETIC:
                yield "arithmetic", node, ast.unparse(ast.AugAssign(target, ARITHMETIC[type(operator)](), value))
            yield "left-out", node, "pass"
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield "return", node, "return None"
        case (
            ast.Expr(value=ast.Call() | ast.Await())
            | ast.Raise()
            | ast.Continue()
            | ast.Break()
            | ast.Delete()
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
        ):
            yield "left-out", node, "pass"
        case _:
            pass


def _text(node: ast.expr, **changes: object) -> str:
    """Return the text of a node of which something is different, in parentheses."""
    return f"({ast.unparse(type(node)(**{**dict(ast.iter_fields(node)), **changes}))})"


def _is_none(value: ast.expr) -> bool:
    """Tell the constant None from all other expressions."""
    return isinstance(value, ast.Constant) and value.value is None
