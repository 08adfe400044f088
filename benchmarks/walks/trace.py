"""A trace of the project's own functions that are called while it records, in all threads.

It uses Python's profile hook, which is called for every call of a function. The stack is measured when the database
driver is about to execute the statement that stores a move.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

import greenlet
from sqlalchemy import Engine, event

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("cogs", "engine", "host", "operations", "renderers", "store", "tournaments")
INNER_PACKAGES: Final = frozenset({"engine", "renderers", "tournaments"})
"""The packages of rules and pictures; calls outside of them are also counted separately, as "outer"."""
APPEND_MOVE_SQL: Final = "INSERT INTO actions "
"""The beginning of the statement that appends a move to the log."""


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """A function by module and qualified name, for example ``host.games.move`` and ``Decision.judge``."""

    module: str
    name: str
    line: int
    """Its first line, which distinguishes lambdas."""

    @property
    def package(self) -> str:
        """The topmost package."""
        return self.module.split(".", maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class RecordedWalk:
    """The functions that were called, in the order of their first calls."""

    functions: tuple[CalledFunction, ...]
    append_depth: int = 0
    """Largest number of own frames on the stack when a move was appended to the log; 0 if none was."""

    @property
    def modules(self) -> dict[str, list[str]]:
        """The names of the functions that were called in each module."""
        by_module: dict[str, list[str]] = {}
        for function in self.functions:
            by_module.setdefault(function.module, []).append(function.name)
        return by_module

    @property
    def outer(self) -> RecordedWalk:
        """The walk without rules and pictures."""
        return RecordedWalk(tuple(function for function in self.functions if function.package not in INNER_PACKAGES))

    def figures(self) -> dict[str, int]:
        """Return all counts by name; the depth only if a move was appended."""
        counts = {
            "modules": len(self.modules),
            "outer_modules": len(self.outer.modules),
            "functions": len(self.functions),
            "outer_functions": len(self.outer.functions),
        }
        return counts | ({"append_depth": self.append_depth} if self.append_depth else {})


@dataclass(slots=True)
class Trace:
    """A profile function for all threads that start while it is installed, and for this thread while recording."""

    _called: dict[CodeType, CalledFunction | None] = field(default_factory=dict)
    """The code objects that were called, in order; None for code that is not an own function."""
    _recording: bool = False
    _append_depth: int = 0

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Install the profile function for new threads, and watch the database, within the block."""
        threading.setprofile(self._note_call)
        event.listen(Engine, "before_cursor_execute", self._note_statement)
        try:
            yield
        finally:
            event.remove(Engine, "before_cursor_execute", self._note_statement)
            threading.setprofile(None)  # type: ignore[arg-type]  # as documented; the stub does not allow it

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record calls within the block."""
        self._recording = True
        sys.setprofile(self._note_call)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._recording = False

    def walk(self) -> RecordedWalk:
        """Return the calls that were recorded so far."""
        called = tuple(function for function in tuple(self._called.values()) if function is not None)
        return RecordedWalk(called, self._append_depth)

    def _note_call(self, frame: FrameType, event: str, _: object) -> None:
        """Record the first call of a function; Python calls this hook for each frame."""
        if self._recording and event == "call" and frame.f_code not in self._called:
            self._called[frame.f_code] = function_of(frame.f_code)

    def _note_statement(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        """Record the depth of the stack when a move is appended to the log."""
        if self._recording and statement.startswith(APPEND_MOVE_SQL):
            self._append_depth = max(self._append_depth, depth(sys._getframe()))


def function_of(code: CodeType) -> CalledFunction | None:
    """Return the own function of a code object; None for any other code.

    Bodies of modules and classes, comprehensions, and generated code such as a dataclass's constructor do not count.
    """
    is_function = code.co_flags & CO_OPTIMIZED and (code.co_name == "<lambda>" or not code.co_name.startswith("<"))
    path = Path(code.co_filename)
    if not is_function or not path.is_relative_to(ROOT):
        return None
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] not in PACKAGES:
        return None
    return CalledFunction(".".join(parts), code.co_qualname, code.co_firstlineno)


def depth(innermost: FrameType) -> int:
    """Count the frames of own functions on the stack of a frame.

    SQLAlchemy runs a statement in a greenlet, whose stack ends where the greenlet was started; the coroutines that wait
    for the statement are on the stack of its parent.
    """
    count, frame, current = 0, innermost, greenlet.getcurrent()
    while current is not None:
        while frame is not None:
            count += function_of(frame.f_code) is not None
            frame = frame.f_back
        current = current.parent
        frame = current and current.gr_frame
    return count
