"""What a command tells while it works: how far it is, on the error stream, so that its result can be piped."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

SECONDS: Final = 1.0
"""How often it is said how far a work is."""


class Progress:
    """How far a work is: a line now and then, and one at the end of each part."""

    def __init__(self) -> None:
        self._said_at = monotonic()
        self._part = ""
        self._done = 0

    def rows(self, table: str, done: int) -> None:
        """So many rows of a table are done."""
        if table != self._part:
            self.end()
        self._part, self._done = table, done
        self._now_and_then(f"{table}: {done:,} …")

    def games(self, done: int, all_of_them: int) -> None:
        """So many games of so many are done."""
        self._now_and_then(f"games looked through: {done:,} of {all_of_them:,} …")

    def pages(self, done: int, all_of_them: int) -> None:
        """So many pages of a file of so many are copied."""
        self._now_and_then(f"pages copied: {done:,} of {all_of_them:,} …")

    def end(self) -> None:
        """A part is done."""
        if self._part:
            say(f"{self._part}: {self._done:,}")
        self._part = ""

    def _now_and_then(self, line: str) -> None:
        if monotonic() - self._said_at > SECONDS:
            say(line)
            self._said_at = monotonic()


class Sayer(logging.Handler):
    """Says what somebody logs, as far as it begins so."""

    def __init__(self, begins: str) -> None:
        super().__init__()
        self._begins = begins

    def emit(self, record: logging.LogRecord) -> None:
        """A line on the error stream."""
        line = record.getMessage()
        if line.startswith(self._begins):
            say(line)


@contextmanager
def saying(name: str, begins: str) -> Iterator[None]:
    """Say what a library tells of its work in the block, as far as it begins so."""
    logger, sayer = logging.getLogger(name), Sayer(begins)
    level = logger.level
    logger.addHandler(sayer)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(sayer)


def say(line: str) -> None:
    """A line on the error stream."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
