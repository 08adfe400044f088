"""How the C library keeps memory that is free."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import Final

_ARENA_MAX: Final = -8
"""``M_ARENA_MAX`` of glibc's ``mallopt``."""
ARENAS: Final = 2


def share_arenas() -> None:
    """Let all threads take memory from the same two pools, where there is glibc; to be said before they begin.

    It would give each of a dozen threads a pool of its own, and what one has freed is no use to the others. Those who
    draw wait for the interpreter's lock most of the time, not for a pool's.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library has neither pools nor a name for it
            ctypes.CDLL(None).mallopt(_ARENA_MAX, ARENAS)
