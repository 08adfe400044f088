"""How the bot is, as one of its own tasks last saw it: read by another thread, which answers whoever asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from host.clock import Clock
from host.meters import GAMES, OLDEST, UNSENT
from store import GameStatus, Store, games, outbox

STILL: Final = 30.0
"""Seconds without a sign of the event loop after which it stands still."""
WAITS: Final = timedelta(minutes=2)
"""How long a post that may be sent waits until the outbox counts as stuck."""


@dataclass(slots=True)
class Health:
    """What is known of the bot; ``troubles`` name what is stuck, each with why."""

    seen: float = field(default_factory=monotonic)
    troubles: Mapping[str, str] = field(default_factory=lambda: {"start": "not connected yet"})

    def live(self) -> bool:
        """Whether the event loop moves. Nothing else is a reason to begin anew."""
        return monotonic() - self.seen < STILL

    def ready(self) -> bool:
        """Whether everything works."""
        return self.live() and not self.troubles

    def note(self, troubles: Mapping[str, str]) -> None:
        """The event loop moves, and this is stuck."""
        self.seen, self.troubles = monotonic(), dict(troubles)


class Looking:
    """Looks what waits, for meters and health."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def look(self) -> dict[str, str]:
        """Set the meters of what waits; what is stuck, and why."""
        try:
            async with self._store.reading() as tx:
                waiting, by_status = await outbox.backlog(tx), await games.count_by_status(tx)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the database is what is looked for
            return {"database": type(error).__name__}
        for status in (GameStatus.RUNNING, GameStatus.FROZEN):
            GAMES.labels(status).set(by_status.get(status, 0))
        UNSENT.labels("to be sent").set(waiting.due)
        UNSENT.labels("for its place").set(waiting.parked)
        age = self._age(waiting.oldest)
        OLDEST.set(age.total_seconds())
        return {"outbox": f"the oldest post has waited for {int(age.total_seconds())} s"} if age > WAITS else {}

    def _age(self, oldest: datetime | None) -> timedelta:
        return timedelta(0) if oldest is None else self._clock.now() - oldest
