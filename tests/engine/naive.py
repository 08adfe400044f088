"""A slow but simple reimplementation of placing tiles and joining features, to check the engine.

It compares the printed segments of neighbouring tiles directly and keeps nothing between calls. Sides are numbered
clockwise from 0 in the north, half-sides from 0 at the left end of the northern side. Codes such as BA-07 are rules of
the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine import Cell
from engine.carcassonne import Axis, FeatureKind, Position, Segment, TileKind
from engine.carcassonne.expansions.bridges_castles_bazaars import bridge_on

NEIGHBOUR_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Steps in x and y to the neighbour at each side, clockwise from north."""
Spot = tuple[int, int, int]
"""Column, row and rotation."""
BridgedSpot = tuple[int, int, int, int, int, str]
"""Column, row, rotation; column, row and axis of the bridge."""


@dataclass(frozen=True)
class LaidTile:
    """A tile on the table with its segments as oriented on the board, and the axis of its bridge."""

    segments: tuple[Segment, ...]
    bridge: Axis | None = None

    def edge(self, side: int) -> str:
        """Return the edge at a side: city, road, river or field; a bridge counts as a road."""
        kinds = [
            segment.kind
            for segment in reversed(self.all_segments)
            if segment.kind not in (FeatureKind.FIELD, FeatureKind.MONASTERY) and side in segment.places
        ]
        return str(kinds[0]) if kinds else "field"

    @property
    def all_segments(self) -> tuple[Segment, ...]:
        """The segments printed on the tile, then the road of its bridge."""
        if self.bridge is None:
            return self.segments
        sides = (0, 2) if self.bridge is Axis.NS else (1, 3)
        return (*self.segments, Segment(FeatureKind.ROAD, sides))


Table = Mapping[Cell, LaidTile]
"""All tiles that have been laid, by cell."""


def table_of(position: Position) -> dict[Cell, LaidTile]:
    """Return the tiles on the table of a position."""
    return {placed.cell: LaidTile(placed.face.segments, bridge_on(placed)) for placed in position.placed()}


def beside(cell: Cell, side: int) -> Cell:
    """Return the neighbouring cell at a side."""
    east, south = NEIGHBOUR_STEPS[side]
    return Cell(cell.x + east, cell.y + south)


def matches(table: Table, cell: Cell) -> bool:
    """Return whether the tile on a cell matches all its neighbours (BA-07)."""
    return all(
        table[cell].edge(side) == table[beside(cell, side)].edge((side + 2) % 4)
        for side in range(4)
        if beside(cell, side) in table
    )


def can_hold_bridge(table: Table, cell: Cell, axis: Axis) -> bool:
    """Return whether a bridge may stand on a tile (BR-05, BR-07, BR-29)."""
    if table[cell].bridge is not None:
        return False
    for side in (0, 2) if axis is Axis.NS else (1, 3):
        beyond = table.get(beside(cell, side))
        if table[cell].edge(side) != "field" or (beyond and beyond.edge((side + 2) % 4) != "road"):
            return False
    return True


def placements(table: Table, kind: TileKind, *, bridges: int) -> tuple[set[Spot], set[BridgedSpot]]:
    """Return the placements that need no bridge, and those that need one with each possible bridge (BR-09 to BR-11)."""
    plain: set[Spot] = set()
    aided: set[BridgedSpot] = set()
    open_cells = {beside(cell, side) for cell in table for side in range(4)} - table.keys()
    for cell in open_cells:
        for quarters in range(4):
            laid = LaidTile(tuple(segment.turned(quarters) for segment in kind.segments))
            with_tile = {**table, cell: laid}
            spot = (*cell, quarters * 90)
            if leaves_river(with_tile, cell):
                continue
            if matches(with_tile, cell):
                plain.add(spot)
            elif bridges:
                aided |= {(*spot, *where, str(axis)) for where, axis in remedying_bridges(with_tile, cell)}
    return plain, aided


def river_sides(laid: LaidTile) -> set[int]:
    """Return the sides of a tile that the river crosses."""
    return {side for side in range(4) if laid.edge(side) == "river"}


def leaves_river(table: Table, cell: Cell) -> bool:
    """Return whether a river tile does not continue the river, connects two branches, or makes a U-turn.

    The rules are RI-04, RI-05 and RT-06.
    """
    own = river_sides(table[cell])
    joined = [side for side in own if beside(cell, side) in table]
    turns_back = any(
        len(own) == 2 and own - {side} == river_sides(table[beside(cell, side)]) - {(side + 2) % 4} for side in joined
    )
    return bool(own) and (len(joined) != 1 or turns_back)


def remedying_bridges(table: Table, cell: Cell) -> Iterator[tuple[Cell, Axis]]:
    """Yield the bridges, on the tile or on a neighbour, that make the tile match all its neighbours."""
    for where in (cell, *(beside(cell, side) for side in range(4))):
        for axis in Axis:
            if where not in table or not can_hold_bridge(table, where, axis):
                continue
            built = {**table, where: LaidTile(table[where].segments, axis)}
            if matches(built, cell):
                yield where, axis


Part = tuple[Cell, int]
"""A cell and the index of a segment there."""


def features(table: Table, surrounded: Collection[str] = (FeatureKind.MONASTERY,)) -> Counter[Any]:
    """Count all features, as (kind, parts, open ends, pennants); a part is a cell and the places of its segment.

    ``surrounded`` are the kinds that are complete when the eight cells around them are filled.
    """
    parts = [(cell, index) for cell, laid in table.items() for index in range(len(laid.all_segments))]
    counts: Counter[Any] = Counter()
    visited: set[Part] = set()
    for part in parts:
        if part in visited:
            continue
        feature = joined(table, part)
        visited |= feature
        counts[_describe(table, feature, surrounded)] += 1
    return counts


def joined(table: Table, part: Part) -> set[Part]:
    """Return all parts of the feature of a part."""
    feature, unvisited = {part}, [part]
    while unvisited:
        found_parts = set(_adjoining(table, unvisited.pop())) - feature
        feature |= found_parts
        unvisited += found_parts
    return feature


def _adjoining(table: Table, part: Part) -> Iterator[Part]:
    """Yield the parts that touch this one across a side."""
    cell, index = part
    segment = table[cell].all_segments[index]
    for place in segment.places:
        side, opposite = _opposite(segment.kind, place)
        neighbour = table.get(beside(cell, side))
        for other, candidate in enumerate(neighbour.all_segments if neighbour else ()):
            if candidate.kind is segment.kind and opposite in candidate.places:
                yield beside(cell, side), other


def _opposite(kind: FeatureKind, place: int) -> tuple[int, int]:
    """Return the side on which a place lies, and the place of the neighbour that touches it."""
    if kind is FeatureKind.FIELD:
        side, half = divmod(place, 2)
        return side, 2 * ((side + 2) % 4) + 1 - half
    return place, (place + 2) % 4


def _describe(table: Table, feature: set[Part], surrounded: Collection[str]) -> tuple[Any, ...]:
    """Return a feature as values that can be compared with those of the engine."""
    segments = [(cell, table[cell].all_segments[index]) for cell, index in feature]
    kind = segments[0][1].kind
    open_ends = 0
    for cell, segment in segments:
        match kind:
            case _ if kind in surrounded:
                around = [Cell(cell.x + x, cell.y + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
                open_ends += 9 - sum(other in table for other in around)
            case FeatureKind.CITY | FeatureKind.ROAD:
                open_ends += sum(beside(cell, side) not in table for side in segment.places)
            case _:
                open_ends = -1
    return (
        kind,
        frozenset((cell, segment.places) for cell, segment in segments),
        open_ends,
        sum(segment.pennants for _, segment in segments),
    )
