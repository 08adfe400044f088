"""Errors are counted, whoever logs them."""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Final

from host.observability import ERRORS

OTHERS: Final = "others"


class CountingHandler(logging.Handler):
    """Counts records by the room that logs them, those of libraries together; its level says which.

    Each count begins at nothing: of one that is first seen with its first error nobody could say that it has grown.
    """

    def __init__(self, rooms: Collection[str], level: int) -> None:
        super().__init__(level)
        self._counts = {room: ERRORS.labels(room) for room in (*rooms, OTHERS)}

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record."""
        room = record.name.partition(".")[0]
        self._counts.get(room, self._counts[OTHERS]).inc()
