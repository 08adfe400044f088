"""What is counted and timed while the bot runs, for whoever looks at it from outside.

Names and meanings are in ``docs/operations.md``. Times are seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

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
    """Observe how long a block takes, whatever it ends in."""
    began = perf_counter()
    try:
        yield
    finally:
        meter.observe(perf_counter() - began)
