"""A process on a machine with a wrong clock: it is told another time of day, and what counts evenly goes on."""

import datetime as dt
import time
from types import ModuleType

import discord.utils

import host.clock


def be_ahead(by: dt.timedelta) -> None:
    """Let this process, and those that are forked from it, live in the future."""
    exact, machine = time.time, dt.datetime

    class Ahead(machine):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            return machine.now(tz) + by

    module = ModuleType("datetime")
    module.__dict__.update(dt.__dict__, datetime=Ahead)
    time.time = lambda: exact() + by.total_seconds()
    host.clock.datetime = Ahead  # type: ignore[attr-defined]
    discord.utils.datetime = module  # type: ignore[attr-defined]
