"""Chance for what only decorates: it falls the same way each time."""

from __future__ import annotations

import random
import zlib


def decoration_dice(seed: str) -> random.Random:
    """Chance for trees and roofs that falls the same way each time."""
    return random.Random(zlib.crc32(seed.encode()))  # noqa: S311 - decoration, and reproducible on purpose
