"""The features and standing followers of a landscape, for those who only look."""

from __future__ import annotations

from collections.abc import Iterator

from engine.carcassonne.landscape import Landscape
from engine.carcassonne.tiles import FeatureKind, Segment
from engine.geometry import Cell
from engine.joining import majority
from engine.views import Feature, Standing


def standing_of(land: Landscape) -> Iterator[Standing]:
    """Every figure on the tiles."""
    for followers in land.holders:
        for follower in followers:
            tile, segment = land.segment_of(follower.segment)
            yield Standing(follower.player, follower.figure, tile.cell, segment)


def features_of(land: Landscape) -> Iterator[Feature]:
    """Every feature, by its first segment."""
    parts: dict[int, list[tuple[Cell, Segment]]] = {}
    for tile in land.placed.values():
        for number, segment in land.segments(tile):
            parts.setdefault(land.find(number), []).append((tile.cell, segment))
    for root, segments in parts.items():
        yield _feature(land, root, tuple(segments))


def feature_of(land: Landscape, cell: Cell, name: str) -> Feature:
    """The feature of one segment.

    Raises:
        KeyError: there is no such segment.
    """
    tile = land.placed.get(cell.position)
    for number, segment in land.segments(tile) if tile else ():
        if segment.is_named(name):
            root = land.find(number)
            parts = [
                (placed.cell, part)
                for placed in land.placed.values()
                for other, part in land.segments(placed)
                if land.find(other) == root
            ]
            return _feature(land, root, tuple(parts))
    raise KeyError(f"{cell.label}.{name}")


def _feature(land: Landscape, root: int, parts: tuple[tuple[Cell, Segment], ...]) -> Feature:
    followers = land.holders[root]
    field = land.kind[root] == FeatureKind.FIELD
    standing = tuple(
        Standing(entry.player, entry.figure, Cell.at(land.home[entry.segment]), land.segment_of(entry.segment)[1])
        for entry in followers
    )
    return Feature(
        land.kind[root],
        parts,
        land.tiles[root].bit_count(),
        land.marks[root],
        -1 if field else land.ends[root],
        not field and not land.ends[root],
        standing,
        majority(followers),
    )
