"""Errors are counted, whoever logs them."""

from __future__ import annotations

import logging

from host.meters import ERRORS


class CountingHandler(logging.Handler):
    """Counts records by who logs them; its level says which."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record."""
        ERRORS.labels(record.name).inc()
