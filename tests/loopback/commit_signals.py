"""Signals at a commit: a process kills or suspends itself right before or right after it commits a certain transaction.

A signal from outside would hit that moment only by chance. So a test writes a file that names a statement, as a regular
expression; the bot's process reads it and sends the signal to itself when it commits a transaction with that statement.
"""

import json
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from store import Store, Transaction


@dataclass(frozen=True, slots=True)
class CommitSignal:
    """A signal right before or after the commit of a transaction with a matching statement."""

    statement: str
    """A regular expression that matches a statement of the transaction."""
    after: bool
    suspends: bool = False
    """True to suspend the process once, until it is resumed, instead of killing it."""

    def write(self, path: Path) -> None:
        """Write the signal to a file, for a process that called `install` with the same path and may run already."""
        unfinished = path.with_suffix(".new")
        unfinished.write_text(json.dumps(asdict(self)), encoding="utf-8")
        unfinished.replace(path)  # at once, so that no process reads half of it

    @classmethod
    def read(cls, path: Path) -> "CommitSignal | None":
        """Read the signal from a file; return None if there is no file."""
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None


def suspended_marker(path: Path) -> Path:
    """Return the path to which a process renames its file right before it is suspended."""
    return path.with_suffix(".stopped")


def install(path: Path) -> None:
    """Make this process, and those that are forked from it, send itself the signal in the file."""
    original, executed = Store.writing, ContextVar[list[str] | None]("executed", default=None)

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        """Record a statement of the current transaction."""
        if (statements := executed.get()) is not None:
            statements.append(" ".join(statement.split()))

    def send_if_due(statements: list[str], *, after: bool) -> None:
        """Send the signal if a statement matches and the signal is meant for this side of the commit."""
        due = CommitSignal.read(path)
        if due and due.after == after and any(re.search(due.statement, statement) for statement in statements):
            if due.suspends:
                path.rename(suspended_marker(path))
            os.kill(os.getpid(), signal.SIGSTOP if due.suspends else signal.SIGKILL)

    @asynccontextmanager
    async def writing(store: Store, *args: Any, **options: Any) -> AsyncIterator[Transaction]:
        """Open a transaction and send the signal at its commit if it is due."""
        async with original(store, *args, **options) as tx:
            executed.set(statements := [])
            yield tx
            send_if_due(statements, after=False)
        send_if_due(statements, after=True)

    event.listen(Engine, "before_cursor_execute", note)
    Store.writing = writing  # type: ignore[method-assign]
