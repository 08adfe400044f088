"""A process that kills or stops itself at a write transaction: right before it is committed, or right after.

Signals from outside meet a transaction only by chance. So the process of the bot is told by a file what to look for: a
statement (a regular expression), and on which side of the commit of the transaction with it the signal comes.
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
class Strike:
    """At which transaction, and on which side of its commit."""

    statement: str
    after: bool
    stops: bool = False
    """True to suspend the process once, until it is resumed, instead of killing it."""

    def order(self, path: Path) -> None:
        """Write the strike to a file; a process that was armed with it carries it out."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def ordered(cls, path: Path) -> "Strike | None":
        """Read a strike from a file; return None where there is none."""
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def stopped(path: Path) -> Path:
    """Return the file to which a suspended process renames its orders."""
    return path.with_suffix(".stopped")


def arm(path: Path) -> None:
    """Let this process, and those that are forked from it, do what the file says."""
    original, heard = Store.writing, ContextVar[list[str] | None]("heard", default=None)

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if (seen := heard.get()) is not None:
            seen.append(" ".join(statement.split()))

    def strike(seen: list[str], *, after: bool) -> None:
        ordered = Strike.ordered(path)
        if ordered and ordered.after == after and any(re.search(ordered.statement, said) for said in seen):
            if ordered.stops:
                path.rename(stopped(path))
            os.kill(os.getpid(), signal.SIGSTOP if ordered.stops else signal.SIGKILL)

    @asynccontextmanager
    async def writing(store: Store, *args: Any, **options: Any) -> AsyncIterator[Transaction]:
        async with original(store, *args, **options) as tx:
            heard.set(seen := [])
            yield tx
            strike(seen, after=False)
        strike(seen, after=True)

    event.listen(Engine, "before_cursor_execute", note)
    Store.writing = writing  # type: ignore[method-assign]
