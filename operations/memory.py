"""Tuning of the memory allocator of glibc, the C library of most Linux systems, to keep the bot's memory small.

An *arena* is a separate heap that the allocator gives to threads so that they do not wait for each other. Drawing
pictures in many threads would fill one arena after another, so their number is limited, and memory that is free in
them is returned to the system. On other systems these functions do nothing.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from typing import Final

_ARENA_MAX: Final = -8
"""The parameter ``M_ARENA_MAX`` of glibc's function ``mallopt``."""
ARENAS: Final = 2
"""The number of arenas that all threads share."""
TRIM_INTERVAL_SECONDS: Final = 60.0
"""The interval at which free memory is returned to the system."""


def limit_arenas() -> None:
    """Limit glibc to two arenas for all threads; call this before any thread starts.

    By default each of a dozen threads gets an arena of its own, and memory that one thread has freed is no use to the
    others. Rendering threads wait for the interpreter's lock most of the time, so an arena's lock costs them little.
    """
    if (library := _glibc()) is not None:
        library.mallopt(_ARENA_MAX, ARENAS)


async def trim_regularly() -> None:
    """Return free memory to the system once a minute, where there is glibc, until cancelled.

    Glibc keeps free memory between blocks in use: a tenth of a bot that has rendered for a while. Finding it takes some
    milliseconds during which allocations wait, so it is not done after each picture.
    """
    if (library := _glibc()) is None:
        return
    while True:
        await asyncio.sleep(TRIM_INTERVAL_SECONDS)
        await asyncio.to_thread(library.malloc_trim, 0)


def _glibc() -> ctypes.CDLL | None:
    """Return the C library; None if it is not glibc."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if hasattr(library, "malloc_trim") else None
