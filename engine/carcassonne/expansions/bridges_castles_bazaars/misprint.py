"""The first German print run of the edition of 2017 (SU-10): its tiles C and I are missing, E and J are there twice.

Which drawing each of these letters means no public text says for all of them. The data file names the letters that a
drawing may have, and where that leaves a choice the game's seed makes it, so that nothing is claimed that nobody knows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Final

from engine.carcassonne.expansions.bridges_castles_bazaars.options import BridgesOptions
from engine.carcassonne.tiles import TileKind
from engine.options import Options

COPIES: Final[Mapping[str, int]] = {"I": 0, "C": 0, "J": 2, "E": 2}
"""How many tiles of a letter that print run holds."""


def counts(kinds: Iterable[TileKind], options: Options, seed: str) -> Mapping[str, int]:
    """How many of each tile are in the box, by id, where that is not what is usual (option ``c2_tile_mix``)."""
    first = isinstance(options, BridgesOptions) and options.c2_tile_mix == "first_print"
    return first_print(tuple(kinds), seed) if first else {}


def first_print(kinds: Collection[TileKind], seed: str) -> dict[str, int]:
    """How many of each tile are in a box of the first print run, by id."""
    counts = {kind.id: kind.count for kind in kinds}
    free = {kind.id: kind.letters for kind in kinds}
    for letter, copies in COPIES.items():
        candidates = [tile_id for tile_id, letters in free.items() if letter in letters]
        lot = int(sha256(f"{seed}:{letter}".encode()).hexdigest(), 16)
        chosen = candidates[lot % len(candidates)]
        counts[chosen] = copies
        del free[chosen]
    return counts
