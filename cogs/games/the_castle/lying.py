"""A castle tile, or a start space, as it lies: what covers which corner, clockwise, and to which sides its paths run.

No two drawings sound alike, nor do two ways in which one of them may lie and look different.
"""

from __future__ import annotations

from cogs.texts import t
from cogs.words.names import CORNERS, corner, sides
from engine import tiles
from engine.geometry import Side
from engine.the_castle import FeatureKind, Segment


def lying(kind: tiles.TileKind, rotation: int) -> str:
    """A tile that lies so: ``tower: north-west and north-east; court: south-east and south-west; path: north``."""
    segments = [segment.turned(rotation // 90) for segment in kind.segments if isinstance(segment, Segment)]
    paths = sorted((part for part in segments if part.kind is FeatureKind.PATH), key=lambda path: path.places)
    areas = sorted((part for part in segments if part.kind is not FeatureKind.PATH), key=_corners)
    parts = [t("lies.part", what=feature(segment), where=where(segment)) for segment in (*areas, *paths)]
    return "; ".join([*parts, *([t("ward_tile.square", count=len(paths))] if "square" in kind.flags else ())])


def feature(segment: Segment) -> str:
    """A part of a feature with what is drawn on it, such as ``court with a market``."""
    words = t(f"feature.{segment.kind}")
    if segment.markets:
        return t("ward_tile.markets", kind=words, count=segment.markets)
    return t("ward_tile.well", path=words) if segment.well else words


def where(segment: Segment) -> str:
    """The sides to which a path runs, or the corners that something else covers."""
    if segment.kind is FeatureKind.PATH:
        return sides(Side(place).name for place in segment.places)
    return sides(CORNERS[place] for place in _corners(segment))


def _corners(segment: Segment) -> list[int]:
    return sorted({corner(half) for half in segment.places})
