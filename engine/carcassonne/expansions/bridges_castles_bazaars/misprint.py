"""The misprinted first German print run of the 2017 edition (SU-10): tiles C and I are missing, E and J are doubled.

The letters are those of the rule book's list of tiles. Public sources do not say which drawing every letter stands for.
The data file therefore lists the letters that each drawing may have; if a letter fits several drawings, the seed
decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from engine.carcassonne.expansions.bridges_castles_bazaars.options import BridgesOptions
from engine.carcassonne.tiles import TileKind
from engine.options import Options

COPIES: Final[Mapping[str, int]] = {"I": 0, "C": 0, "J": 2, "E": 2}
"""The number of copies of each affected letter in that print run."""


def counts(kinds: Mapping[TileKind, int], options: Options, seed: str) -> Mapping[str, int]:
    """Return the number of copies of each tile by id, if it is not the usual one (option ``c2_tile_mix``)."""
    misprinted = isinstance(options, BridgesOptions) and options.c2_tile_mix == "first_print"
    return first_print(kinds, seed) if misprinted else {}


def first_print(kinds: Mapping[TileKind, int], seed: str) -> dict[str, int]:
    """Return the number of copies of each tile by id in a box of the first print run, given the intended ones."""
    counts = {kind.id: count for kind, count in kinds.items()}
    unassigned = {kind.id: kind.letters for kind, count in kinds.items() if count}
    for letter, copies in COPIES.items():
        candidates = [tile_id for tile_id, letters in unassigned.items() if letter in letters]
        draw = int(sha256(f"{seed}:{letter}".encode()).hexdigest(), 16)
        chosen = candidates[draw % len(candidates)]
        counts[chosen] = copies
        del unassigned[chosen]
    return counts
