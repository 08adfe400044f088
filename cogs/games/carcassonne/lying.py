"""A tile as it lies, told by its sides in order and by what joins them.

No two drawings sound alike, nor do two ways in which one of them may lie and look different.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from cogs.games.carcassonne.box import BOXES
from cogs.games.carcassonne.drawn_on_tiles import drawn_in, with_drawn
from cogs.texts import listed, t
from cogs.words.names import corner, corners, sides, split_corners
from engine import tiles
from engine.carcassonne import FeatureKind, Segment, tile
from engine.geometry import Side


def lying(kind: tiles.TileKind, rotation: int) -> str:
    """A tile that lies so: ``north: city, east: road, south: field, west: road; road joins east and west``."""
    segments = tile(kind.id).faces[rotation // 90].segments
    around = ", ".join(_sides(segments))
    return "; ".join(
        [*([around] if around else ()), *_joining(segments), *_inside(kind), *_fields(kind, rotation, segments)]
    )


def _sides(segments: Sequence[Segment]) -> Iterator[str]:
    """What is at each side."""
    fields_last = sorted(segments, key=lambda segment: segment.kind is FeatureKind.FIELD)
    for side in Side:
        found = next((segment for segment in fields_last if _touches(segment, side)), None)
        if found is not None:
            what = feature(found) if len(found.places) == 1 else t(f"feature.{found.kind}")
            yield t("lies.part", what=what, where=t(f"direction.{side.name}"))


def _touches(segment: Segment, side: Side) -> bool:
    """Whether a segment is what a side is: of a field both halves."""
    if segment.kind in segment.HALF_KINDS:
        return {2 * side, 2 * side + 1} <= set(segment.places)
    return side in segment.places


def feature(segment: Segment) -> str:
    """A part of a feature with what is drawn on it, such as ``city with a pennant``."""
    words = t(f"feature.{segment.kind}")
    return with_drawn(t("lies.pennant", feature=words) if segment.pennants else words, drawn_in(segment))


def _joining(segments: Sequence[Segment]) -> Iterator[str]:
    """Each feature that runs from side to side."""
    for segment in segments:
        if segment.kind not in segment.HALF_KINDS and not segment.is_bare and len(segment.places) > 1:
            yield t("lies.joins", what=feature(segment), where=sides(Side(place).name for place in segment.places))


def _inside(kind: tiles.TileKind) -> Iterator[str]:
    """What touches no side, and what belongs to the whole tile."""
    if any(segment.kind is FeatureKind.MONASTERY for segment in kind.segments if isinstance(segment, Segment)):
        yield t("tile.monastery")
    for box in BOXES.values():
        yield from box.parts(kind)
    yield from (t(f"tile.flag.{flag}") for flag in sorted(kind.flags))


def _fields(kind: tiles.TileKind, rotation: int, segments: Sequence[Segment]) -> Iterator[str]:
    """How many fields there are, and where each lies if there are several."""
    fields = [segment for segment in segments if segment.kind is FeatureKind.FIELD]
    if len(fields) == 1 and not fields[0].places:
        yield t("lies.enclosed_field")
    elif fields:
        roads = {side for segment in segments if segment.kind not in segment.HALF_KINDS for side in segment.places}
        split = split_corners(kind, rotation, FeatureKind.FIELD)
        where = "; ".join(_field(field, roads, split) for field in fields)
        yield t("lies.fields", count=len(fields), fields=where)


def _field(field: Segment, parted: Collection[int], split: Collection[int]) -> str:
    """Where a field lies: the whole sides that are its own, and the corners that it has beside them."""
    if not field.places:
        return t("lies.enclosed")
    own = [side for side in Side if side not in parted and {2 * side, 2 * side + 1} <= set(field.places)]
    beside = {place for side in own for place in (side, (side + 1) % 4)}
    alone = [half for half in field.places if corner(half) not in beside]
    return listed([*(t(f"direction.{side.name}") for side in own), *corners(alone, split)])
