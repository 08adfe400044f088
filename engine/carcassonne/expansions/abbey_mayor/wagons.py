"""Wagons (AM-31 to AM-45): followers that may move on when their feature was scored.

In the first edition a wagon moves to a feature that is directly connected with the scored one; in the second to any
that has a piece on the wagon's tile or around it. Codes such as AM-33 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from engine.actions import Action, Pass, Seat
from engine.agenda import Step, Task
from engine.board import Follower, SegmentNumber, bits
from engine.carcassonne.box import ExtraCodec
from engine.carcassonne.expansions.abbey_mayor.options import options_of
from engine.carcassonne.landscape import Landscape, PlacedTile
from engine.carcassonne.segments import follower_text, read_follower
from engine.carcassonne.table import Expansion, Figure, Placement, Tabletop, free_features_of
from engine.carcassonne.tiles import FeatureKind
from engine.figures import deploy, return_figure
from engine.geometry import AROUND, STEP, Cell, Square

WAGON: Final = "wagon"
"""The name of the figure and of its supply."""
WAGONS: Final = "wagons"
"""Key in ``position.extra``: the wagons of this round that came home and may move on."""
_STRUCTURES: Final = frozenset({FeatureKind.ROAD, FeatureKind.CITY, FeatureKind.MONASTERY})
"""The kinds of features on which a wagon may stand (AM-31)."""


def may_move_on(position: Tabletop, wagon: Follower) -> bool:
    """Return True unless a wagon is in a castle, from which it comes home when it has scored (AM-43)."""
    return position.land.kind[position.land.find(wagon.segment)] in _STRUCTURES


def _come_home(position: Tabletop, wagon: Follower) -> None:
    """Return a wagon to its owner, who may move it on unless it was in a castle (AM-33, AM-43)."""
    return_figure(position, wagon)
    if may_move_on(position, wagon):
        position.extra[WAGONS] = (*position.extra.get(WAGONS, ()), wagon)


_WAGON: Final = Figure(WAGON, 1, places=free_features_of(*_STRUCTURES), scored=_come_home)
"""The wagon, of which each player has one (AM-01, AM-31, AM-32)."""


@dataclass(frozen=True, slots=True)
class MoveWagon(Action):
    """Move a scored wagon on to a segment of a tile (AM-33, AM-38)."""

    cell: Cell
    segment: str

    def __str__(self) -> str:
        return f"wagon:{self.cell.label}.{self.segment}"


class Wagons(Expansion):
    """The owner of a scored wagon chooses whether it comes home or moves on."""

    def figures(self) -> Sequence[Figure]:
        """Return one wagon."""
        return (_WAGON,)

    def followers_returned(self, position: Tabletop, task: Placement) -> None:
        """Push the moves of wagons, if one is on the board (AM-40)."""
        if 0 in position.supply[WAGON]:
            position.agenda.append(MoveWagons(task.player))


@dataclass(frozen=True, slots=True)
class MoveWagons(Task[Tabletop]):
    """The moves of scored wagons: that of the player of the round first, then clockwise (AM-39)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Ask the first owner whose wagon has somewhere to go."""
        came_home: tuple[Follower, ...] = position.extra.pop(WAGONS, ())
        if not came_home:
            return
        wagons = sorted(came_home, key=lambda wagon: (wagon.player - self.player) % position.players)
        for number, wagon in enumerate(wagons, 1):
            if wagon_targets(position, wagon.segment):
                if wagons[number:]:
                    position.extra[WAGONS] = tuple(wagons[number:])
                    position.agenda.append(self)
                position.agenda.append(DecideWagon(wagon.player, wagon.segment))
                return


@dataclass(frozen=True, slots=True)
class DecideWagon(Step[Tabletop]):
    """The decision about a scored wagon, which stood on a segment and is in its owner's supply by now (AM-33)."""

    out_of_turn: ClassVar[bool] = True
    player: Seat
    segment: SegmentNumber

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return leaving it at home, and each place to which it may move."""
        return (Pass(), *wagon_targets(position, self.segment))

    def apply(self, position: Tabletop, action: Pass | MoveWagon) -> None:
        """Move the wagon, which scores nothing."""
        if isinstance(action, MoveWagon):
            deploy(position, self.player, action.cell, action.segment, WAGON)

    def forfeit(self, position: Tabletop) -> None:
        """Leave the wagon at home."""


def wagon_targets(position: Tabletop, stood: SegmentNumber) -> tuple[MoveWagon, ...]:
    """Return the places to which a scored wagon may move that stood on a segment, in the order of placing (AM-38)."""
    land = position.land
    if options_of(position).wagon_move == "c1":
        connected = {land.find(number) for number in _connected(land, land.find(stood))}
        tiles = _tiles_of(land, (root for root in connected if _is_open(land, root)))
    else:
        connected = None
        around = (land.placed.get(land.home[stood] + step) for step in (0, *AROUND))
        tiles = sorted((placed for placed in around if placed is not None), key=lambda placed: placed.number)
    return tuple(
        MoveWagon(placed.cell, segment.name)
        for placed in tiles
        for number, segment in land.segments(placed)
        if _is_open(land, root := land.find(number)) and (connected is None or root in connected)
    )


def _is_open(land: Landscape, root: SegmentNumber) -> bool:
    """Return True if a wagon may enter a feature: an incomplete one without figures (AM-33, AM-40, AM-45)."""
    return land.kind[root] in _STRUCTURES and land.ends[root] > 0 and not land.holders[root]


def _tiles_of(land: Landscape, roots: Iterator[SegmentNumber]) -> list[PlacedTile]:
    """Return the tiles of features, in the order of placing."""
    tiles = 0
    for root in roots:
        tiles |= land.tiles[root]
    return [land.placed[land.order[number]] for number in bits(tiles)]


def _connected(land: Landscape, root: SegmentNumber) -> Iterator[SegmentNumber]:
    """Yield segments of the features that are directly connected with a feature, wherever along it (AM-35)."""
    for number in bits(land.tiles[root]):
        placed = land.placed[land.order[number]]
        for own, segment in land.segments(placed):
            if land.find(own) == root:
                yield from _linked(land, placed, own)
                if placed.face.closes:
                    yield from _beside(land, placed.square)
                else:
                    yield from _abbeys_beside(land, placed.square, segment.places)


def _linked(land: Landscape, placed: PlacedTile, own: SegmentNumber) -> Iterator[SegmentNumber]:
    """Yield the segments that meet another one on its tile; two cities are never connected (AM-36)."""
    for group in placed.tile.links:
        if own - placed.base in group:
            for index in group:
                other = SegmentNumber(placed.base + index)
                if not land.kind[own] == land.kind[other] == FeatureKind.CITY:
                    yield other


def _beside(land: Landscape, abbey: Square) -> Iterator[SegmentNumber]:
    """Yield the roads and cities that end at an abbey."""
    for side, step in enumerate(STEP):
        neighbour = land.placed.get(abbey + step)
        if neighbour is not None and neighbour.sides[side - 2] >= 0:
            yield neighbour.sides[side - 2]


def _abbeys_beside(land: Landscape, square: Square, sides: Sequence[int]) -> Iterator[SegmentNumber]:
    """Yield the abbeys at the sides of a road or city."""
    for side in sides:
        neighbour = land.placed.get(square + STEP[side])
        if neighbour is not None and neighbour.face.closes:
            yield SegmentNumber(neighbour.base + neighbour.face.monastery)


def _write_wagons(position: Tabletop) -> str:
    """Write the wagons that wait: ``2wagon@M12.road.N``."""
    return " ".join(follower_text(position.land, wagon) for wagon in position.extra.get(WAGONS, ()))


def _read_wagons(position: Tabletop, text: str) -> None:
    """Read what :func:`_write_wagons` wrote."""
    position.extra[WAGONS] = tuple(read_follower(position, entry) for entry in text.split())


EXTRA_CODEC: Final = ExtraCodec("Wagons", _write_wagons, _read_wagons)
"""The tag ``[Wagons]``, the scored wagons whose owners have not been asked yet."""
