"""The real bot with a meter: run as a script it counts what its database does and how late its loop runs.

The counts lie in a small file that both processes have in memory, so that reading them costs the bot nothing. Nothing
in the bot knows of it.
"""

from __future__ import annotations

import asyncio
import cProfile
import mmap
import os
import struct
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import perf_counter
from typing import Any, Final

METER: Final = "METER_FILE"
"""The variable that names the file of the counts."""
PROFILE: Final = "METER_PROFILE"
"""The variable that names a file for a profile of the event loop's thread; none is made without it."""
STALLS: Final = "METER_STALLS"
"""The variable that wants the loop watched: waking twenty times a second costs more than the bot at rest."""
_FORM: Final = struct.Struct("<4q")
_TICK: Final = 0.05
"""Seconds between two looks at the event loop."""
_NO_STATEMENTS: Final = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA")
_ROUND: Final = "discord-ext-tasks:"
"""The names of the tasks of loops."""
_READS: Final = ("SELECT", "EXPLAIN", "WITH")
_OF_DEVELOPERS: Final = "rich"
"""Modules of import-linter that structlog loads if they are installed: six MiB that a deployed bot does not have."""


class Meter:
    """Four counters in a file: statements, transactions, write transactions, longest stall in microseconds."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_FORM.size))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _FORM.size)

    def read(self) -> tuple[int, int, int, int]:
        """The counters as they are now."""
        statements, transactions, writes, stall = _FORM.unpack_from(self._memory)
        return statements, transactions, writes, stall

    def add(self, *, statements: int = 0, transactions: int = 0, writes: int = 0) -> None:
        """Count something."""
        old = self.read()
        _FORM.pack_into(self._memory, 0, old[0] + statements, old[1] + transactions, old[2] + writes, old[3])

    def stalled(self, seconds: float) -> None:
        """The event loop was held up for so long."""
        *counts, longest = self.read()
        _FORM.pack_into(self._memory, 0, *counts, max(longest, int(seconds * 1e6)))

    def forget_stalls(self) -> None:
        """Begin anew with the longest stall."""
        _FORM.pack_into(self._memory, 0, *self.read()[:3], 0)


def _watch_database(meter: Meter) -> None:
    """Count every statement, and each transaction at its first write."""
    from sqlalchemy import Connection, Engine, event  # noqa: PLC0415 - the path is set by now

    def begun(connection: Connection) -> None:
        connection.info["meter_wrote"] = False
        meter.add(transactions=1)

    def executed(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        word = statement.lstrip().upper()
        if word.startswith(_NO_STATEMENTS) or _in_a_round():
            return
        wrote = not word.startswith(_READS) and not connection.info.get("meter_wrote")
        if wrote:
            connection.info["meter_wrote"] = True
        meter.add(statements=1, writes=int(wrote))

    event.listen(Engine, "begin", begun)
    event.listen(Engine, "before_cursor_execute", executed)


def _in_a_round() -> bool:
    """Return whether it is done every few seconds without any player: a heartbeat, or the check for due timers."""
    task = asyncio.current_task()
    return task is not None and task.get_name().startswith(_ROUND)


def _watch_loop(meter: Meter) -> None:
    """Whatever is run runs beside a task that wants to be called now and then."""
    runner: Any = asyncio.Runner
    run: Callable[..., object] = runner.run

    async def tick() -> None:
        while True:
            before = perf_counter()
            await asyncio.sleep(_TICK)
            meter.stalled(perf_counter() - before - _TICK)

    async def both(work: Coroutine[object, object, object]) -> object:
        ticking = asyncio.create_task(tick(), name="tick")
        try:
            return await work
        finally:
            ticking.cancel()

    runner.run = lambda self, work, **options: run(self, both(work), **options)


def main() -> None:
    """Run the bot as `python bot.py` does."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    sys.modules[_OF_DEVELOPERS] = None  # type: ignore[assignment]  # it counts as not installed
    meter = Meter(Path(os.environ[METER]))
    _watch_database(meter)
    if STALLS in os.environ:
        _watch_loop(meter)
    import bot  # noqa: PLC0415 - it has to be watched from its first line on

    if PROFILE not in os.environ:
        bot.main()
        return
    profile = cProfile.Profile()
    try:
        profile.runcall(bot.main)
    finally:
        profile.dump_stats(os.environ[PROFILE])


if __name__ == "__main__":
    main()
