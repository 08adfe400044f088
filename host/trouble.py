"""What cannot be read is reported once, and never in the way of anything else."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import TypeVar

from store import PassingError, UnreadableError

log = logging.getLogger(__name__)

T = TypeVar("T")


def complain(logger: logging.Logger, what: str, error: Exception, details: Mapping[str, object] | None = None) -> None:
    """Say in the log what has failed and will be tried again; that the database does not answer it has said itself."""
    if isinstance(error, PassingError):
        logger.debug("%s: %s", what, error, extra=details)
    else:
        logger.error(what, exc_info=error, extra=details)


class Trouble:
    """The rows of which this process has said that they cannot be read."""

    def __init__(self) -> None:
        self._reported: set[tuple[str, int]] = set()

    def report(self, error: UnreadableError) -> None:
        """Say it in the log, if nobody has."""
        if (error.table, error.id) not in self._reported:
            self._reported.add((error.table, error.id))
            log.error("%s; it is left alone, everything else goes on", error)

    def readable(self, found: Iterable[T | UnreadableError]) -> list[T]:
        """What can be read; the rest is reported."""
        left: list[T] = []
        for entry in found:
            if isinstance(entry, UnreadableError):
                self.report(entry)
            else:
                left.append(entry)
        return left
