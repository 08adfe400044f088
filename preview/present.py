"""The offline Discord lives in the present: its clock is this machine's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import time

import simcord
from simcord._clock import Clock


class PresentClock(Clock):
    """Goes on by itself, where simcord's own stands still until a test moves it; it, too, can be moved ahead."""

    def __init__(self) -> None:
        self._start = time()
        super().__init__()
        self._epoch = datetime.fromtimestamp(self._start, UTC)

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was made."""
        return time() - self._start

    @elapsed.setter
    def elapsed(self, seconds: float) -> None:
        self._start = time() - seconds


def follow_present(env: simcord.Env) -> None:
    """Let time pass from now on: ids of messages and interactions never repeat an earlier run's."""
    env.backend.clock = PresentClock()


def show_present(page: simcord.Preview) -> None:
    """Let a page count from the present how long ago something was; by itself it does so at a refresh only."""
    publish: Callable[..., None] = page._publish

    def published(*arguments: object, **named: object) -> None:
        page._advance_presentation_time()
        publish(*arguments, **named)

    page._publish = published  # type: ignore[method-assign]
