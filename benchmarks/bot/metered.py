"""A script that runs the real bot with a meter, which counts database statements and measures stalls of the event loop.

A *stall* is the time for which the event loop does not get to run other tasks. The counters are in a small file that
the bot and the benchmark both map into memory, so that reading them costs the bot nothing. The bot's own code does not
know of the meter: it is attached to SQLAlchemy and asyncio before the bot is imported.
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

METER_VARIABLE: Final = "METER_FILE"
"""Environment variable with the path of the counters."""
PROFILE_VARIABLE: Final = "METER_PROFILE"
"""Environment variable with the path for a profile of the event loop's thread; without it none is made."""
STALLS_VARIABLE: Final = "METER_STALLS"
"""Environment variable that enables ticks to find stalls: twenty a second, which cost more than an idle bot."""
_LAYOUT: Final = struct.Struct("<4q")
"""The layout of the file: four integers of 64 bits."""
_TICK_SECONDS: Final = 0.05
"""The interval of the ticks whose delays are the stalls."""
_UNCOUNTED_STATEMENTS: Final = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA")
_PERIODIC_TASK_PREFIX: Final = "discord-ext-tasks:"
"""Prefix of the names of asyncio tasks that discord.py's loops run in."""
_READ_STATEMENTS: Final = ("SELECT", "EXPLAIN", "WITH")
_DEVELOPMENT_MODULE: Final = "rich"
"""A dependency of import-linter that structlog loads if it is installed: six MiB that a deployed bot does not have."""


class Meter:
    """Four counters in a file: statements, transactions, write transactions, longest stall in microseconds."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_LAYOUT.size))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _LAYOUT.size)

    def read(self) -> tuple[int, int, int, int]:
        """Return the current counters."""
        statements, transactions, writes, stall = _LAYOUT.unpack_from(self._memory)
        return statements, transactions, writes, stall

    def add(self, *, statements: int = 0, transactions: int = 0, writes: int = 0) -> None:
        """Add to the counters of statements, transactions and write transactions; the longest stall stays."""
        old = self.read()
        _LAYOUT.pack_into(self._memory, 0, old[0] + statements, old[1] + transactions, old[2] + writes, old[3])

    def record_stall(self, seconds: float) -> None:
        """Record a stall of the event loop."""
        *counts, longest = self.read()
        _LAYOUT.pack_into(self._memory, 0, *counts, max(longest, int(seconds * 1e6)))

    def reset_longest_stall(self) -> None:
        """Set the longest stall to zero."""
        _LAYOUT.pack_into(self._memory, 0, *self.read()[:3], 0)


def _watch_database(meter: Meter) -> None:
    """Count statements, transactions, and write transactions at their first write."""
    from sqlalchemy import Connection, Engine, event  # noqa: PLC0415 - not before the path is set

    def on_begin(connection: Connection) -> None:
        connection.info["meter_wrote"] = False
        meter.add(transactions=1)

    def on_execute(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        text = statement.lstrip().upper()
        if text.startswith(_UNCOUNTED_STATEMENTS) or _in_periodic_task():
            return
        first_write = not text.startswith(_READ_STATEMENTS) and not connection.info.get("meter_wrote")
        if first_write:
            connection.info["meter_wrote"] = True
        meter.add(statements=1, writes=int(first_write))

    event.listen(Engine, "begin", on_begin)
    event.listen(Engine, "before_cursor_execute", on_execute)


def _in_periodic_task() -> bool:
    """Return whether the code runs in a periodic task, such as the heartbeat or the check for due timers."""
    task = asyncio.current_task()
    return task is not None and task.get_name().startswith(_PERIODIC_TASK_PREFIX)


def _watch_loop(meter: Meter) -> None:
    """Run the bot beside a task that measures how late it is called."""
    runner: Any = asyncio.Runner
    run: Callable[..., object] = runner.run

    async def tick() -> None:
        while True:
            before = perf_counter()
            await asyncio.sleep(_TICK_SECONDS)
            meter.record_stall(perf_counter() - before - _TICK_SECONDS)

    async def run_with_ticks(work: Coroutine[object, object, object]) -> object:
        ticking = asyncio.create_task(tick(), name="tick")
        try:
            return await work
        finally:
            ticking.cancel()

    runner.run = lambda self, work, **options: run(self, run_with_ticks(work), **options)


def main() -> None:
    """Run the bot as `python bot.py` does."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    sys.modules[_DEVELOPMENT_MODULE] = None  # type: ignore[assignment]  # as if it were not installed
    meter = Meter(Path(os.environ[METER_VARIABLE]))
    _watch_database(meter)
    if STALLS_VARIABLE in os.environ:
        _watch_loop(meter)
    import bot  # noqa: PLC0415 - after the hooks are installed

    if PROFILE_VARIABLE not in os.environ:
        bot.main()
        return
    profile = cProfile.Profile()
    try:
        profile.runcall(bot.main)
    finally:
        profile.dump_stats(os.environ[PROFILE_VARIABLE])


if __name__ == "__main__":
    main()
