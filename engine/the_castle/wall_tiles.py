"""The wall tiles: eighteen, two of each kind, thirteen of which lie unseen on the corner towers (TC-02, TC-10)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from engine.the_castle.tiles import FeatureKind


class WallTile(IntEnum):
    """The kinds of wall tiles by their printed numbers (TC-61, TC-63 to TC-80)."""

    HIDDEN = 0
    """One that nobody has seen, in positions that are only thought of; it does nothing."""
    EXTRA_TURN = 1
    """Another complete turn (TC-63)."""
    DOUBLE_TOWER = 2
    """Doubles a completed tower (TC-65)."""
    DOUBLE_HOUSE = 3
    """Doubles a completed house (TC-66)."""
    OPEN_PATH = 4
    """Scores an incomplete path at the end (TC-73)."""
    OPEN_TOWER = 5
    """Scores an incomplete tower at the end (TC-74)."""
    OPEN_HOUSE = 6
    """Scores an incomplete house at the end (TC-75)."""
    MARKETS = 7
    """4 points instead of 3 for each market of a court (TC-77)."""
    LARGER_KEEP = 8
    """The own keep counts 2 tiles larger (TC-79)."""
    FIVE_POINTS = 9
    """5 points at the end (TC-80)."""


EACH: Final = 2
"""How many there are of each kind (TC-02)."""
BOX: Final = tuple(kind for kind in WallTile if kind for _ in range(EACH))
"""All wall tiles, in the order of their numbers."""
DOUBLING: Final[Mapping[str, WallTile]] = MappingProxyType(
    {FeatureKind.TOWER: WallTile.DOUBLE_TOWER, FeatureKind.HOUSE: WallTile.DOUBLE_HOUSE}
)
"""What doubles a completed feature (TC-65, TC-66)."""
OPENING: Final[Mapping[WallTile, FeatureKind]] = MappingProxyType(
    {
        WallTile.OPEN_PATH: FeatureKind.PATH,
        WallTile.OPEN_TOWER: FeatureKind.TOWER,
        WallTile.OPEN_HOUSE: FeatureKind.HOUSE,
    }
)
"""What scores an incomplete feature at the end (TC-71)."""
