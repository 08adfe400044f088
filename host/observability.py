"""Log context, log fields and Prometheus metrics of the host.

Every piece of work, such as an interaction, a timer or a post, has a *reference*: a short random text. It is bound to
all log lines of the work, and shown to players in error messages, so that operators find the lines that belong to a
player's report.
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
"""The log field of the reference."""
_CAUSE_FIELDS: Final = ("interaction", _REFERENCE)
"""The log fields that follow-up work inherits from the work that caused it."""


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
    """Return the log fields that identify the current work, so that follow-up work can bind them again."""
    bound = get_contextvars()
    return {name: bound[name] for name in _CAUSE_FIELDS if name in bound}


@contextmanager
def log_context(**fields: object) -> Iterator[None]:
    """Bind these fields and a new reference to the log lines of this block, in place of the current ones."""
    before = get_contextvars()
    clear_contextvars()
    bind_contextvars(**{_REFERENCE: new_reference(), **fields})
    try:
        yield
    finally:
        clear_contextvars()
        bind_contextvars(**before)


def new_log_context(**fields: object) -> Context:
    """Return a context for a new piece of work, which inherits no log fields from the code that starts it."""
    context = Context()
    context.run(bind_contextvars, **{_REFERENCE: new_reference(), **fields})
    return context


_SHORT_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0)
"""Histogram buckets, in seconds, for work that a player waits for."""
_LONG_BUCKETS: Final = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 15.0, 45.0, 120.0, 600.0)
"""Histogram buckets, in seconds, for work that rate limits or outages may hold up."""

ACKNOWLEDGED: Final = Histogram(
    "castellan_click_acknowledged_seconds",
    "Time from a click, as dated by Discord, to its acknowledgement.",
    buckets=_SHORT_BUCKETS,
)
CARD_POSTED: Final = Histogram(
    "castellan_card_posted_seconds", "Time from when a post may be sent to Discord's response.", buckets=_LONG_BUCKETS
)
DRAWING: Final = Histogram(
    "castellan_drawing_seconds",
    "Time to draw a picture, including the wait for a thread.",
    ["what"],
    buckets=_SHORT_BUCKETS,
)
TRANSACTION: Final = Histogram(
    "castellan_transaction_seconds",
    "Duration of a transaction, including the wait for the database.",
    ["kind"],
    buckets=_SHORT_BUCKETS,
)
REQUESTS: Final = Counter(
    "castellan_discord_requests", "Requests to Discord by the status of the response.", ["status"]
)
ERRORS: Final = Counter("castellan_errors", "Log lines at level error.", ["logger"])
LOOP_LAG: Final = Histogram(
    "castellan_loop_lag_seconds", "Delay of the event loop beyond a scheduled wake-up.", buckets=_SHORT_BUCKETS
)
GATEWAY_WAIT: Final = Gauge(
    "castellan_gateway_wait_seconds",
    "Wait until the next attempt to connect to Discord's gateway; 0 while there are no failures.",
)
UNSENT_POSTS: Final = Gauge("castellan_unsent_posts", "Posts waiting in the outbox.", ["waits"])
OLDEST_UNSENT: Final = Gauge("castellan_oldest_unsent_seconds", "Age of the oldest post that is ready to be sent.")
UNFINISHED_GAMES: Final = Gauge("castellan_games", "Unfinished games.", ["status"])
COMPUTER_WAITING: Final = Histogram(
    "castellan_computer_waiting_seconds", "Wait of a computer's decision for a worker.", buckets=_LONG_BUCKETS
)
COMPUTER_THINKING: Final = Histogram(
    "castellan_computer_thinking_seconds",
    "Time that a worker takes for a decision, also for one that fails.",
    ["level"],
    buckets=_LONG_BUCKETS,
)
COMPUTER_FAILURES: Final = Counter(
    "castellan_computer_failures", "Decisions that no computer of a level has made.", ["level"]
)
COMPUTER_WORKERS: Final = Gauge("castellan_computer_workers", "Processes in which computers think.")
OLDEST_COMPUTER_TURN: Final = Gauge(
    "castellan_oldest_computer_turn_seconds", "Time for which a game has waited longest for its computer."
)


@contextmanager
def timed(meter: Histogram) -> Iterator[None]:
    """Observe the duration of a block in a histogram, also if the block fails."""
    start = perf_counter()
    try:
        yield
    finally:
        meter.observe(perf_counter() - start)


log = logging.getLogger(__name__)

T = TypeVar("T")


def log_failure(
    logger: logging.Logger, what: str, error: Exception, details: Mapping[str, object] | None = None
) -> None:
    """Log a failure of work that will be retried; ``what`` says which.

    Outages of the database are logged at debug level only, since the database layer has logged them already.
    """
    if isinstance(error, TransientError):
        logger.debug("%s: %s", what, error, extra=details)
    else:
        logger.error(what, exc_info=error, extra=details)


@contextmanager
def logging_failures(logger: logging.Logger, what: str, details: Mapping[str, object] | None = None) -> Iterator[None]:
    """Log a failure of work that will be retried, as :func:`log_failure` does, instead of raising it."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - one failure must not end the loop that tries again
        log_failure(logger, what, error, details)


class UnreadableRows:
    """Reports rows that cannot be read, each once per process."""

    def __init__(self) -> None:
        self._reported: set[tuple[str, int]] = set()

    def report(self, error: UnreadableError) -> None:
        """Log an unreadable row, unless this process has done so before."""
        if (error.table, error.id) not in self._reported:
            self._reported.add((error.table, error.id))
            log.error("%s; this row is skipped", error)

    def readable(self, rows: Iterable[T | UnreadableError]) -> list[T]:
        """Return the readable rows, and report the others."""
        readable: list[T] = []
        for row in rows:
            if isinstance(row, UnreadableError):
                self.report(row)
            else:
                readable.append(row)
        return readable


def observe_transaction(kind: str, seconds: float) -> None:
    """Observe the duration, in seconds, of a transaction of this kind."""
    TRANSACTION.labels(kind).observe(seconds)
