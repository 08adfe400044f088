"""Bridges (BR-01 to BR-38): the places where they may be built, and the tiles that fit only with one.

A bridge carries a road across a tile, above its fields. Edges are stored as bits (four a side, see
:mod:`engine.carcassonne.tiles`), so that building a bridge is an exclusive or with the edges of a tile, and fitting
remains a table lookup. Codes such as BR-01 are rules of the rule digest.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.actions import Action, Place, Seat
from engine.board import SegmentNumber
from engine.caching import thread_safe_cache
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import BuildBridge
from engine.carcassonne.expansions.bridges_castles_bazaars.events import BridgeBuilt
from engine.carcassonne.expansions.bridges_castles_bazaars.options import options_of
from engine.carcassonne.landscape import Landscape, PlacedTile
from engine.carcassonne.table import Deployment, Expansion, Tabletop
from engine.carcassonne.tiles import FIELD_EDGE, ROAD_EDGE, Face, FeatureKind, Segment, TileKind, satisfied_constraints
from engine.geometry import AXIS_OF, STEP, Axis, Cell, Square

BRIDGE: Final = "bridge"
"""The name of the supply of bridges."""
_CLASH: Final = FIELD_EDGE ^ ROAD_EDGE
"""The exclusive or of the edge bits of a road and a field; applied to a field it makes a road."""


class Span(NamedTuple):
    """The effect of a bridge along an axis on the edges of its tile, as edge bits."""

    axis: Axis
    ends: int
    """The mask of the edge bits at both ends."""
    fields: int
    """The required edges at both ends: fields (BR-05)."""
    change: int
    """The bits whose exclusive or turns these fields into roads (BR-20)."""


def _span(axis: Axis) -> Span:
    """Return the span of a bridge along an axis."""
    ones = sum(1 << (4 * side) for side in axis.sides)
    return Span(axis, 15 * ones, FIELD_EDGE * ones, _CLASH * ones)


SPANS: Final[Mapping[Axis, Span]] = {axis: _span(axis) for axis in Axis}
"""The span of a bridge along each axis."""
_SPAN_OF: Final = tuple(SPANS[axis] for axis in AXIS_OF)
"""The span that ends at each side."""


@thread_safe_cache
def bridge_segment(axis: Axis) -> Segment:
    """Return the road segment of a bridge (BR-20)."""
    return Segment(FeatureKind.ROAD, tuple(sorted(axis.sides)))


def bridge_on(tile: PlacedTile) -> Axis | None:
    """Return the axis of the bridge on a tile, or None."""
    return next((axis for _, segment in tile.added for axis in Axis if segment is bridge_segment(axis)), None)


def axes_over_fields(face: Face) -> Iterator[Axis]:
    """Yield the axes along which both ends of a bridge on a tile would rest on fields (BR-05)."""
    return (axis for axis, span in SPANS.items() if face.edges & span.ends == span.fields)


def build_bridge(land: Landscape, square: Square, axis: Axis) -> SegmentNumber:
    """Put a bridge on a tile (BR-20); the fields below stay whole (BR-24). Return the new segment."""
    return land.add_segment(square, bridge_segment(axis))


class Remedy(NamedTuple):
    """A bridge that makes a tile fit in a rotation: on the neighbour at ``side``, or on the tile itself (-1)."""

    rotation: int
    span: Span
    side: int


@thread_safe_cache
def remedies(kind: TileKind) -> Mapping[int, tuple[Remedy, ...]]:
    """Return the bridges that make a tile fit, by the constraint of a cell (a value of ``Landscape.frontier``).

    Constraints that no bridge can satisfy are missing. The result depends on the tile alone, and this lookup makes
    listing fast. Whether a bridge can stand on the neighbour is not checked here.
    """
    by_constraint: dict[int, tuple[Remedy, ...]] = {}
    for face in kind.faces:
        for remedy, change in _changes(face):
            for constraint in satisfied_constraints(face.edges ^ change):
                if constraint & change:
                    by_constraint[constraint] = (*by_constraint.get(constraint, ()), remedy)
    return by_constraint


def _changes(face: Face) -> Iterator[tuple[Remedy, int]]:
    """Yield the bridges (BR-11) that can change edges: both ends of a span on the tile, or the edge of a neighbour.

    Each remedy comes with the exclusive or that turns the tile's edges into those that would fit without the bridge.
    """
    for axis in axes_over_fields(face):
        yield Remedy(face.rotation, SPANS[axis], -1), SPANS[axis].change
    for side, span in enumerate(_SPAN_OF):
        if _edge(face.edges, side) == ROAD_EDGE:
            yield Remedy(face.rotation, span, side), _CLASH << (4 * side)


class Bridges(Expansion):
    """A bridge carries a road over a tile whose edges at both ends are fields (BR-05, BR-20)."""

    def pieces(self, players: int) -> Mapping[str, int]:
        """Return three bridges for up to four players, otherwise two (SU-04)."""
        return {BRIDGE: 3 if players <= 4 else 2}

    def aided_placements(self, position: Tabletop, player: Seat, tile: TileKind, at: Cell | None = None) -> list[Place]:
        """Return the placements whose only conflict is a road meeting a field, which a bridge solves (BR-09, BR-10)."""
        if not may_build(position, player):
            return []
        land, helpful = position.land, remedies(tile)
        placements: list[Place] = []
        for place, constraint in land.frontier.items() if at is None else _frontier_at(land, at):
            for rotation, span, side in helpful.get(constraint, ()):
                if side < 0:
                    placements.append(_placement_with_bridge(place, rotation, place, span))
                elif _may_stand(land, land.placed[place + STEP[side]], span):
                    placements.append(_placement_with_bridge(place, rotation, Square(place + STEP[side]), span))
        return placements

    def placement_extras(self, position: Tabletop, step: Deployment) -> Sequence[Action]:
        """Return the bridges on the tile just laid or a neighbour (BR-02, BR-04, BR-08, BR-14, BR-15)."""
        if step.built or not may_build(position, step.player):
            return ()
        if step.deployed and options_of(position).bridge_timing == "after_tile":
            return ()
        return list(_optional_bridges(position.land, step.cell.square))

    def perform(self, position: Tabletop, player: Seat, action: Action) -> bool:
        """Build a bridge."""
        if not isinstance(action, BuildBridge):
            return False
        build_bridge(position.land, action.cell.square, action.axis)
        position.supply[BRIDGE][player] -= 1
        position.emit(BridgeBuilt(player, action.cell, action.axis))
        return True


def may_build(position: Tabletop, player: Seat) -> bool:
    """Return True if a player has a bridge left (BR-03) and has not used up the limit of a double turn (O-21)."""
    if not position.supply[BRIDGE][player]:
        return False
    first = first_tile(position)
    return (
        first < 0 or options_of(position).bridge_limit_scope == "per_placement" or not _built_with(position.land, first)
    )


def _built_with(land: Landscape, number: int) -> bool:
    """Return True if a bridge was built with the tile of this number: after that tile and before the next one."""
    firsts = [land.placed[square].base for square in land.order]
    roads = (road for tile in land.placed.values() if bridge_on(tile) is not None for road, _ in tile.added)
    return any(bisect(firsts, road) == number + 1 for road in roads)


def _frontier_at(land: Landscape, at: Cell) -> Iterator[tuple[Square, int]]:
    """Yield the constraint of one cell, if it is empty and has neighbours."""
    constraint = land.frontier.get(at.square)
    if constraint is not None:
        yield at.square, constraint


def _placement_with_bridge(place: Square, rotation: int, bridge_square: Square, span: Span) -> Place:
    """Return the placement of a tile on a square, together with a bridge on the same or another square."""
    return Place(Cell.at(place), rotation, BuildBridge(Cell.at(bridge_square), span.axis))


def _optional_bridges(land: Landscape, place: Square) -> Iterator[BuildBridge]:
    """Yield the bridges that may be built on a tile and its neighbours."""
    for step in (0, *STEP):
        tile = land.placed.get(place + step)
        if tile is not None:
            for span in SPANS.values():
                if _may_stand(land, tile, span):
                    yield BuildBridge(tile.cell, span.axis)


def _may_stand(land: Landscape, tile: PlacedTile, span: Span) -> bool:
    """Return True if a bridge may be built there: on fields, with both ends open or at roads."""
    return rests_on_field(tile, span) and all(_may_end(land, tile.square, side) for side in span.axis.sides)


def rests_on_field(tile: PlacedTile, span: Span) -> bool:
    """Return True if both ends rest on fields (BR-05) and the tile has no other bridge (BR-29)."""
    return (not tile.added or bridge_on(tile) is None) and tile.edges & span.ends == span.fields


def _may_end(land: Landscape, square: Square, side: int) -> bool:
    """Return True if the cell beyond the end is empty, or meets it with a road or bridge (BR-07)."""
    beyond = land.placed.get(square + STEP[side])
    return beyond is None or _edge(beyond.edges, (side + 2) % 4) == ROAD_EDGE


def _edge(edges: int, side: int) -> int:
    """Return the four edge bits of one side."""
    return edges >> (4 * side) & 15
