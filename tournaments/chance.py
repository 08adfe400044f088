"""Randomness of an event: random number generators and lots, all derived from the seed of the event.

The *seed* is a random text. Its hash is published before the event starts and the seed itself at the end, so that
anybody can compute all draws again. A *lot* is a player's random number, which breaks ties that nothing else breaks.
"""

from __future__ import annotations

import hashlib
from random import Random


def random_source(seed: str, *purpose: object) -> Random:
    """Return a random number generator; it gives the same numbers for the same seed and purpose."""
    return Random("/".join([seed, *map(str, purpose)]))


def commitment(seed: str) -> str:
    """Return the SHA-256 of the seed, which is published before the start."""
    return hashlib.sha256(seed.encode()).hexdigest()


def player_lot(seed: str, player: int) -> int:
    """Return the lot of a player: the first eight bytes of the SHA-256 of ``SEED/lot/PLAYER``.

    The higher lot ranks first.
    """
    digest = hashlib.sha256(f"{seed}/lot/{player}".encode()).digest()
    return int.from_bytes(digest[:8], "big")
