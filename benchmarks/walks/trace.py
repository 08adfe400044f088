"""A record of the functions of ours that are called while the bot does something, in whichever thread."""

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
"""The packages of rules and pictures, which are counted apart."""
MOVE_APPENDED: Final = "INSERT INTO actions "
"""The beginning of the statement that appends to the log, wherever in the code it stands."""


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """A function as it stands in its module: ``host.games.move``, ``Decision.judge``."""

    module: str
    name: str
    line: int
    """The first line, which tells lambdas apart."""

    @property
    def package(self) -> str:
        """The topmost package."""
        return self.module.split(".", maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class RecordedWalk:
    """The functions that were called, in the order of their first calls."""

    functions: tuple[CalledFunction, ...]
    append_depth: int = 0
    """Frames of ours on the stack where a move was appended to the log, the most of several; 0 if none was."""

    @property
    def modules(self) -> dict[str, list[str]]:
        """The names of the functions that were called in each module."""
        found: dict[str, list[str]] = {}
        for function in self.functions:
            found.setdefault(function.module, []).append(function.name)
        return found

    @property
    def outer(self) -> RecordedWalk:
        """The same walk without rules and pictures."""
        return RecordedWalk(tuple(function for function in self.functions if function.package not in INNER_PACKAGES))

    def figures(self) -> dict[str, int]:
        """Return all counts by name; a depth only where a move was appended."""
        found = {
            "modules": len(self.modules),
            "outer_modules": len(self.outer.modules),
            "functions": len(self.functions),
            "outer_functions": len(self.outer.functions),
        }
        return found | ({"append_depth": self.append_depth} if self.append_depth else {})


@dataclass(slots=True)
class Trace:
    """The profile function of all threads that start while it is installed, and of this one while it records."""

    _called: dict[CodeType, CalledFunction | None] = field(default_factory=dict)
    """The code that was called; None for what is no function of ours."""
    _recording: bool = False
    _append_depth: int = 0

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Listen to the threads that are started within the block, and to the database."""
        threading.setprofile(self._note_call)
        event.listen(Engine, "before_cursor_execute", self._note_statement)
        try:
            yield
        finally:
            event.remove(Engine, "before_cursor_execute", self._note_statement)
            threading.setprofile(None)  # type: ignore[arg-type]  # as documented; the stub does not allow it

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record what is called within the block."""
        self._recording = True
        sys.setprofile(self._note_call)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._recording = False

    def walk(self) -> RecordedWalk:
        """Return what was recorded so far."""
        called = tuple(function for function in tuple(self._called.values()) if function is not None)
        return RecordedWalk(called, self._append_depth)

    def _note_call(self, frame: FrameType, what: str, _: object) -> None:
        if self._recording and what == "call" and frame.f_code not in self._called:
            self._called[frame.f_code] = function_of(frame.f_code)

    def _note_statement(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        if self._recording and statement.startswith(MOVE_APPENDED):
            self._append_depth = max(self._append_depth, depth(sys._getframe()))


def function_of(code: CodeType) -> CalledFunction | None:
    """Return the function of ours that has this code.

    Neither bodies of modules and classes nor comprehensions are functions that somebody calls, and what is generated (a
    dataclass's constructor) stands in no file.
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
    """Count the frames of ours from one outwards.

    SQLAlchemy runs a statement in a greenlet, whose stack ends where it was begun: the coroutines that wait for the
    statement are on the stack of its parent.
    """
    count, frame, current = 0, innermost, greenlet.getcurrent()
    while current is not None:
        while frame is not None:
            count += function_of(frame.f_code) is not None
            frame = frame.f_back
        current = current.parent
        frame = current and current.gr_frame
    return count
