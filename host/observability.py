"""Log context, log fields and Prometheus metrics of the host.

Every piece of work (an interaction, a timer, a post) has a reference, which is bound to all its log lines and shown to
players in error messages, so that operators find the lines that belong to a report.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

from prometheus_client import Counter, Gauge, Histogram
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from store import TransientError, UnreadableError

if TYPE_CHECKING:
    from store import Game


bind_fields = bind_contextvars
"""Binds further fields to the log lines of the current work, once they are known."""
_REFERENCE: Final = "reference"
_CAUSE: Final = ("interaction", _REFERENCE)


def new_reference() -> str:
    """Return a random reference for a piece of work: 8 hexadecimal digits."""
    return secrets.token_hex(4).upper()


def reference() -> str:
    """Return the reference of the current work, or a new one if none is bound."""
    return str(get_contextvars().get(_REFERENCE) or new_reference())


def game_fields(game: Game) -> dict[str, object]:
    """Return the log fields of a game."""
    return {"game": game.code, "ply": game.ply, "server": game.guild_id}


def cause_fields() -> dict[str, object]:
    """Return the log fields of the current interaction, to be bound again when its effects are carried out later."""
    bound = get_contextvars()
    return {name: bound[name] for name in _CAUSE if name in bound}


@contextmanager
def log_context(**about: object) -> Iterator[None]:
    """Bind these fields and a new reference to the log lines of this block, in place of the current ones."""
    before = get_contextvars()
    clear_contextvars()
    bind_contextvars(**{_REFERENCE: new_reference(), **about})
    try:
        yield
    finally:
        clear_contextvars()
        bind_contextvars(**before)


def new_log_context(**about: object) -> Context:
    """Return a context for a new piece of work, which inherits no log fields from the code that starts it."""
    context = Context()
    context.run(bind_contextvars, **{_REFERENCE: new_reference(), **about})
    return context


_SOON: Final = (0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0)
_LATER: Final = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 15.0, 45.0, 120.0, 600.0)

ACKNOWLEDGED: Final = Histogram(
    "castellan_click_acknowledged_seconds", "From a click, as Discord dates it, to its acknowledgement.", buckets=_SOON
)
CARD_POSTED: Final = Histogram(
    "castellan_card_posted_seconds", "From a post that may be sent to Discord's answer to it.", buckets=_LATER
)
DRAWING: Final = Histogram(
    "castellan_drawing_seconds", "A picture, waiting for a thread included.", ["what"], buckets=_SOON
)
TRANSACTION: Final = Histogram(
    "castellan_transaction_seconds", "A transaction, waiting for the database included.", ["kind"], buckets=_SOON
)
REQUESTS: Final = Counter("castellan_discord_requests", "Answers of Discord.", ["status"])
ERRORS: Final = Counter("castellan_errors", "Lines of the log at level error.", ["logger"])
LOOP_LAG: Final = Histogram(
    "castellan_loop_lag_seconds", "How much later the event loop wakes up than it should.", buckets=_SOON
)
GATEWAY_WAIT: Final = Gauge(
    "castellan_gateway_wait_seconds", "The wait between attempts to connect to Discord's gateway; 0 without failures."
)
UNSENT: Final = Gauge("castellan_unsent_posts", "Posts that wait in the outbox.", ["waits"])
OLDEST: Final = Gauge("castellan_oldest_unsent_seconds", "For how long the oldest of them that may be sent has waited.")
GAMES: Final = Gauge("castellan_games", "Games that are not over.", ["status"])


@contextmanager
def timing(meter: Histogram) -> Iterator[None]:
    """Observe the duration of a block, also if it fails."""
    began = perf_counter()
    try:
        yield
    finally:
        meter.observe(perf_counter() - began)


log = logging.getLogger(__name__)

T = TypeVar("T")


def log_failure(
    logger: logging.Logger, what: str, error: Exception, details: Mapping[str, object] | None = None
) -> None:
    """Log a failure that will be retried; outages are at debug level, since the database layer has logged them."""
    if isinstance(error, TransientError):
        logger.debug("%s: %s", what, error, extra=details)
    else:
        logger.error(what, exc_info=error, extra=details)


class UnreadableRows:
    """The rows that this process has reported as unreadable."""

    def __init__(self) -> None:
        self._reported: set[tuple[str, int]] = set()

    def report(self, error: UnreadableError) -> None:
        """Log an unreadable row, once per process."""
        if (error.table, error.id) not in self._reported:
            self._reported.add((error.table, error.id))
            log.error("%s; it is left alone, everything else goes on", error)

    def readable(self, found: Iterable[T | UnreadableError]) -> list[T]:
        """Return the readable rows and report the others."""
        left: list[T] = []
        for entry in found:
            if isinstance(entry, UnreadableError):
                self.report(entry)
            else:
                left.append(entry)
        return left


def observe_transaction(kind: str, seconds: float) -> None:
    """Record how long a transaction of a kind has taken."""
    TRANSACTION.labels(kind).observe(seconds)
