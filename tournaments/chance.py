"""Randomness of an event, all derived from its seed: random number generators by purpose, and the lots of players.

A lot is a player's random number that breaks the last ties. Anybody who knows the seed can compute all draws again.
"""

from __future__ import annotations

import hashlib
from random import Random


def random_source(seed: str, *purpose: object) -> Random:
    """Return a random number generator that is the same for the same seed and purpose."""
    return Random("/".join([seed, *map(str, purpose)]))


def commitment(seed: str) -> str:
    """Return the SHA-256 of the seed.

    It is published before the start and the seed at the end, so that players can verify that the draws were fair.
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def player_lot(seed: str, player: int) -> int:
    """Return the lot of a player: the first eight bytes of the SHA-256 of ``SEED/lot/PLAYER``.

    The higher lot ranks first.
    """
    digest = hashlib.sha256(f"{seed}/lot/{player}".encode()).digest()
    return int.from_bytes(digest[:8], "big")
