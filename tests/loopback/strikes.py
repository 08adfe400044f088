"""A process that kills itself at a write transaction: right before it is committed, or right after.

Signals from outside meet a transaction only by chance. So the process of the bot is told by a file what to look for: a
statement (a regular expression), and on which side of the commit of the transaction with it SIGKILL comes.
"""

import json
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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

    def order(self, path: Path) -> None:
        """Let whoever was armed with this file do it."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def ordered(cls, path: Path) -> "Strike | None":
        """What a file says, if it is there."""
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def arm(path: Path) -> None:
    """Let this process, and those that are forked from it, do what the file says."""
    original, seen = Store.writing, list[str]()

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        seen.append(" ".join(statement.split()))

    def strike(*, after: bool) -> None:
        ordered = Strike.ordered(path)
        if ordered and ordered.after == after and any(re.search(ordered.statement, said) for said in seen):
            os.kill(os.getpid(), signal.SIGKILL)

    @asynccontextmanager
    async def writing(store: Store, *args: Any, **options: Any) -> AsyncIterator[Transaction]:
        async with original(store, *args, **options) as tx:
            seen.clear()
            yield tx
            strike(after=False)
        strike(after=True)

    event.listen(Engine, "before_cursor_execute", note)
    Store.writing = writing  # type: ignore[method-assign]
