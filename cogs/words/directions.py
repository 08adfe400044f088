"""Directions in whole words, for who hears them: letters of the compass stay in notation and in pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final

from cogs.texts import listed, t
from engine.geometry import Side

if TYPE_CHECKING:
    from engine.tiles import Segment, TileKind

CORNERS: Final = ("NW", "NE", "SE", "SW")
"""The corners of a tile, clockwise."""


def sides(names: Iterable[str]) -> str:
    """Sides and corners in one phrase, such as ``north, north-east and east``."""
    return listed([t(f"direction.{name}") for name in names])


def corner(half: int) -> int:
    """The corner of the tile, by its place in :data:`CORNERS`, at which a half-side lies."""
    return (half + 1) // 2 % 4


def corners(halves: Iterable[int], split: Collection[int] = ()) -> list[str]:
    """The corners at which half-sides lie; in a corner that is split, told with the side."""
    found = dict.fromkeys((corner(half), half // 2 if corner(half) in split else -1) for half in sorted(halves))
    return [_corner(place, side) for place, side in sorted(found)]


def _corner(place: int, side: int) -> str:
    words = t(f"direction.{CORNERS[place]}")
    return words if side < 0 else t("lies.corner", corner=words, side=t(f"direction.{Side(side).name}"))


def split_corners(tile: TileKind, rotation: int, kind: str) -> frozenset[int]:
    """The corners of a tile that lies so which two features of a kind share, as fields on both sides of a hedge."""
    parts = [part.turned_places(rotation // 90) for part in tile.segments if part.kind == kind]
    touched = Counter(place for part in parts for place in {corner(half) for half in part})
    return frozenset(place for place, count in touched.items() if count > 1)


def segment_aloud(segment: Segment, split: Collection[int] = ()) -> str:
    """A segment of a tile and where on it: ``city north and east``, ``field south-west``, ``monastery``."""
    kind = t(f"feature.{segment.kind}")
    if not segment.places:
        return kind
    if segment.kind in segment.HALF_KINDS:
        where = listed(corners(segment.places, split))
    else:
        where = sides(Side(place).name for place in segment.places)
    return t("segment.there", kind=kind, where=where)
