"""Bridges (rules BR-01 to BR-38)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from engine.actions import Action, Place
from engine.carcassonne.actions import BuildBridge
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.events import BridgeBuilt
from engine.carcassonne.expansions.base import Expansion
from engine.carcassonne.landscape import Landscape, PlacedTile
from engine.carcassonne.tiles import FIELD_EDGE, ROAD_EDGE
from engine.geometry import AXIS_OF, STEP, Axis, Cell

if TYPE_CHECKING:
    from engine.carcassonne.position import Position
    from engine.carcassonne.steps import DeployFollower
    from engine.carcassonne.tiles import Face, TileKind

BRIDGE: Final = "bridge"
"""The name of the supply."""
_CLASH: Final = FIELD_EDGE ^ ROAD_EDGE
"""What the edge bits of a road against a field leave in an exclusive or."""
_HEALABLE: Final[Mapping[int, tuple[int, ...]]] = {
    **{_CLASH << (4 * side): (side,) for side in range(4)},
    _CLASH | _CLASH << 8: (0, 2),
    _CLASH << 4 | _CLASH << 12: (1, 3),
}
"""Conflicts that lie on one axis (BR-11): the exclusive or of the edges to the sides concerned."""


class Bridges(Expansion):
    """A bridge carries a road over a tile, whatever is printed there but its two ends (BR-05, BR-20)."""

    def pieces(self, players: int) -> Mapping[str, int]:
        """Three for up to four players, else two (SU-04)."""
        return {BRIDGE: 3 if players <= 4 else 2}

    def aided_placements(self, position: Position, player: int, tile: TileKind) -> list[Place]:
        """Placements whose only conflicts are roads against fields that one bridge continues (BR-09, BR-10)."""
        if not may_build(position, player):
            return []
        land = position.land
        found: list[Place] = []
        for place, wanted in land.frontier.items():
            values = wanted >> 16
            for face in tile.faces:
                conflict = (values ^ face.edges) & wanted
                sides = _HEALABLE.get(conflict)
                if sides is not None:
                    bridge = _healing_bridge(land, place, wanted, face, sides)
                    if bridge is not None:
                        found.append(Place(Cell.at(place), face.rotation, bridge))
        return found

    def placement_extras(self, position: Position, step: DeployFollower) -> Sequence[Action]:
        """Bridges on the tile just laid or a neighbour (BR-04, BR-08): one a turn (BR-02), in time (BR-14, BR-15)."""
        if step.built or not may_build(position, step.player):
            return ()
        if step.deployed and position.options.bridge_timing == "after_tile":
            return ()
        return list(_optional_bridges(position.land, step.cell.position))

    def perform(self, position: Position, player: int, action: Action) -> bool:
        """Build a bridge."""
        if not isinstance(action, BuildBridge):
            return False
        position.land.build_bridge(action.cell.position, action.axis)
        position.supply[BRIDGE][player] -= 1
        position.note(BridgeBuilt(player, action.cell, action.axis))
        return True


def may_build(position: Position, player: int) -> bool:
    """Whether a player has a bridge left (BR-03) and, in a second half, has built none in the first (option O-21)."""
    if not position.supply[BRIDGE][player]:
        return False
    first = first_tile(position)
    return first < 0 or position.options.bridge_limit_scope == "per_placement" or not _built_with(position.land, first)


def _built_with(land: Landscape, number: int) -> bool:
    """Whether a bridge came with the tile of this number: it was joined after that tile and before the next one."""
    first = land.placed[land.order[number]].base
    later = land.order[number + 1 : number + 2]
    end = land.placed[later[0]].base if later else len(land.parent)
    return any(first < tile.span < end for tile in land.placed.values())


def _healing_bridge(land: Landscape, place: int, wanted: int, face: Face, sides: tuple[int, ...]) -> BuildBridge | None:
    """The bridge that makes a face legal in spite of road against field at these sides."""
    side = sides[0]
    axis = AXIS_OF[side]
    if all(_edge(face.edges, at) == FIELD_EDGE for at in sides):
        free = [at for at in axis.sides if at not in sides]
        rests = all(_edge(face.edges, at) == FIELD_EDGE and not _edge(wanted, at) for at in free)
        return BuildBridge(Cell.at(place), axis) if rests else None
    if len(sides) > 1:
        return None
    neighbour = land.placed[place + STEP[side]]
    if not rests_on_field(neighbour, axis) or not _may_end(land, neighbour.position, side):
        return None
    return BuildBridge(neighbour.cell, axis)


def _optional_bridges(land: Landscape, place: int) -> Iterator[BuildBridge]:
    for position in (place, *(place + step for step in STEP)):
        tile = land.placed.get(position)
        if tile is None:
            continue
        for axis in Axis:
            if rests_on_field(tile, axis) and all(_may_end(land, position, side) for side in axis.sides):
                yield BuildBridge(Cell.at(position), axis)


def _edge(edges: int, side: int) -> int:
    return edges >> (4 * side) & 15


def rests_on_field(tile: PlacedTile, axis: Axis) -> bool:
    """BR-05 and BR-29: both ends on field, no other bridge on the tile."""
    return tile.bridge is None and all(_edge(tile.edges, side) == FIELD_EDGE for side in axis.sides)


def _may_end(land: Landscape, position: int, side: int) -> bool:
    """BR-07: beyond the end lies nothing, a road or another bridge."""
    beyond = land.placed.get(position + STEP[side])
    return beyond is None or _edge(beyond.edges, (side + 2) % 4) == ROAD_EDGE
