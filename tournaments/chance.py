"""Chance, all of it from the event's seed: a source for each purpose, and the lot that decides last of all."""

from __future__ import annotations

import hashlib
from random import Random


def source(seed: str, *purpose: object) -> Random:
    """A source of randomness that is the same wherever the same thing is drawn."""
    return Random("/".join([seed, *map(str, purpose)]))


def commitment(seed: str) -> str:
    """SHA-256 of the seed, to be shown before the start; the seed itself is told at the end."""
    return hashlib.sha256(seed.encode()).hexdigest()


def lot(seed: str, player: int) -> int:
    """The lot of a player: the first eight bytes of SHA-256 of ``SEED/lot/PLAYER``; the higher one goes first."""
    digest = hashlib.sha256(f"{seed}/lot/{player}".encode()).digest()
    return int.from_bytes(digest[:8], "big")
