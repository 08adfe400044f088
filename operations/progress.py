"""Progress of long commands, reported on the standard error stream.

The results of a command go to standard output, so that they can be piped without these lines.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

PROGRESS_INTERVAL_SECONDS: Final = 1.0
"""The least time between two lines, except those that end a table."""


class Progress:
    """A reporter of the progress of one command: a line every second at most, and one at the end of each table.

    Its methods have the signatures of the callbacks that the store takes, for example of ``copy_rows``.
    """

    def __init__(self) -> None:
        self._printed_at = monotonic()
        self._part = ""
        self._done = 0

    def rows(self, table: str, done: int) -> None:
        """Report the number of rows that are done of a table; a new name ends the table before."""
        if table != self._part:
            self.end()
        self._part, self._done = table, done
        self._report_sometimes(f"{table}: {done:,} …")

    def games(self, done: int, total: int) -> None:
        """Report the number of games that are checked, and of all games."""
        self._report_sometimes(f"games looked through: {done:,} of {total:,} …")

    def pages(self, done: int, total: int) -> None:
        """Report the number of pages of a file that are copied, and of all pages."""
        self._report_sometimes(f"pages copied: {done:,} of {total:,} …")

    def end(self) -> None:
        """Report the total of the current table, if there is one."""
        if self._part:
            report(f"{self._part}: {self._done:,}")
        self._part = ""

    def _report_sometimes(self, line: str) -> None:
        """Print a line, unless one was printed a moment ago."""
        if monotonic() - self._printed_at > PROGRESS_INTERVAL_SECONDS:
            report(line)
            self._printed_at = monotonic()


class _EchoHandler(logging.Handler):
    """A handler that prints those log messages that begin with a prefix."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def emit(self, record: logging.LogRecord) -> None:
        """Print a message on the error stream."""
        line = record.getMessage()
        if line.startswith(self._prefix):
            report(line)


@contextmanager
def echoed_log(name: str, prefix: str) -> Iterator[None]:
    """Print, within the block, the messages that the logger ``name`` gets and that begin with a prefix."""
    logger, handler = logging.getLogger(name), _EchoHandler(prefix)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(handler)


def report(line: str) -> None:
    """Print a line on the error stream."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
