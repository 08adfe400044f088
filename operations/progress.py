"""Progress of long commands, on the error stream, so that their results can be piped."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

PROGRESS_INTERVAL_SECONDS: Final = 1.0
"""The least time between two lines about the same table."""


class Progress:
    """A reporter of progress: a line now and then, and one at the end of each table."""

    def __init__(self) -> None:
        self._printed_at = monotonic()
        self._part = ""
        self._done = 0

    def rows(self, table: str, done: int) -> None:
        """Report the number of rows of a table that are done."""
        if table != self._part:
            self.end()
        self._part, self._done = table, done
        self._report_sometimes(f"{table}: {done:,} …")

    def games(self, done: int, total: int) -> None:
        """Report the number of games that are done, of all."""
        self._report_sometimes(f"games looked through: {done:,} of {total:,} …")

    def pages(self, done: int, total: int) -> None:
        """Report the number of pages of a file that are copied, of all."""
        self._report_sometimes(f"pages copied: {done:,} of {total:,} …")

    def end(self) -> None:
        """End the current table."""
        if self._part:
            report(f"{self._part}: {self._done:,}")
        self._part = ""

    def _report_sometimes(self, line: str) -> None:
        """Print a line, unless one was printed a moment ago."""
        if monotonic() - self._printed_at > PROGRESS_INTERVAL_SECONDS:
            report(line)
            self._printed_at = monotonic()


class _EchoHandler(logging.Handler):
    """A log handler that prints the messages that begin with a prefix."""

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
    """Print the messages that a library logs within the block and that begin with a prefix."""
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
