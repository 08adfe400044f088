"""How the C library keeps memory that is free."""

from __future__ import annotations

import asyncio
import ctypes
import sys
from typing import Final

_ARENA_MAX: Final = -8
"""``M_ARENA_MAX`` of glibc's ``mallopt``."""
ARENAS: Final = 2
MINUTE: Final = 60.0


def share_arenas() -> None:
    """Let all threads take memory from the same two pools, where there is glibc; to be said before they begin.

    It would give each of a dozen threads a pool of its own, and what one has freed is no use to the others. Those who
    draw wait for the interpreter's lock most of the time, not for a pool's.
    """
    if (library := _glibc()) is not None:
        library.mallopt(_ARENA_MAX, ARENAS)


async def give_back() -> None:
    """Once a minute, give the system the memory that is free, where there is glibc; until it is cancelled.

    It keeps what lies between pieces in use: a tenth of a bot that has drawn for a while, to be asked for again by the
    next picture or never. Looking for it takes some milliseconds in which others may want memory, so not after each.
    """
    if (library := _glibc()) is None:
        return
    while True:
        await asyncio.sleep(MINUTE)
        await asyncio.to_thread(library.malloc_trim, 0)


def _glibc() -> ctypes.CDLL | None:
    """The C library, if it is the one that these functions are of."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if hasattr(library, "malloc_trim") else None
