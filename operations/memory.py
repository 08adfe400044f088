"""How the C library keeps memory: pictures would take twice their own if all that they need were kept for later."""

from __future__ import annotations

import ctypes
from typing import Final

_ARENA_MAX: Final = -8
_MMAP_THRESHOLD: Final = -3
_TRIM_THRESHOLD: Final = -1
"""Names of glibc's ``mallopt`` (malloc.h)."""
FRUGAL: Final = ((_ARENA_MAX, 2), (_MMAP_THRESHOLD, 2**17), (_TRIM_THRESHOLD, 2**17))
"""Two arenas; what is large goes back as soon as it is not wanted any more, and the top of the heap, too."""


def give_back_early() -> bool:
    """Let memory that is not used any more go back to the system; False where the C library cannot be told."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return all(mallopt(name, value) for name, value in FRUGAL)
