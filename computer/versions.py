"""The versions of the computer: a game keeps the one with which it began for as long as this release still has it.

A version is the code that decides and a set of weights. To tune the weights, store the old ones under another name in
``computer/data``, let their version name that set here, and add the next version. Where the code itself decides
differently, all versions before it are removed, because nothing decides as they did any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from computer.weights import TUNED

WEIGHTS_BY_VERSION: Final[Mapping[int, str]] = {4: TUNED}
"""The set of weights of each version that can still be played; the newest one has those that players use by default."""


def newest_version() -> int:
    """Return the version with which new games begin."""
    return max(WEIGHTS_BY_VERSION)
