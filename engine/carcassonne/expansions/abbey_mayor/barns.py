"""Barns (AM-46 to AM-62): a figure on the point where four tiles meet, which scores a farm and closes it to farmers.

A barn is an entry of the field of the tile to the south-east of its point, which is the north-western corner of that
tile. The farm is scored when the barn comes, and again when other farmers are joined to it; at the end the barn scores.
Codes such as AM-48 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import Action, Instead, Seat
from engine.agenda import Task
from engine.board import Follower, SegmentNumber, counts_nothing
from engine.carcassonne.expansions.abbey_mayor.options import options_of
from engine.carcassonne.landscape import Landscape, PlacedTile
from engine.carcassonne.scoring import field_terms, field_values, pay_field
from engine.carcassonne.table import Deployment, Expansion, Figure, Placement, Tabletop, nowhere
from engine.carcassonne.tiles import FeatureKind
from engine.errors import IllegalActionError
from engine.events import Scored, Term
from engine.figures import deploy
from engine.geometry import CORNERS, STEP, Cell, Square

BARN: Final = "barn"
"""The name of the figure, of its supply, and of the kind of its score."""
BARN_CITY_POINTS: Final = 4
"""The points of a barn at the end for each completed city; a castle brings one more (AM-58)."""
JOINED_CITY_POINTS: Final = 1
"""The points of farmers for each completed city when their farm is joined to a barn's (AM-54)."""
_PIG: Final = "pig"
"""The figure that may join farmers whose farm a tile has joined to a barn's, by option ``barn_join_pig``."""
_NORTH, _EAST, _SOUTH, _WEST = STEP
_SOUTH_EAST_AT: Final = dict(zip(CORNERS, (0, _EAST, _SOUTH + _EAST, _SOUTH), strict=True))
"""The offset from a tile to the one south-east of each of its corners, by the name of the corner."""
_AROUND_POINT: Final = ((_WEST, 1, 2), (_NORTH + _WEST, 3, 4), (_NORTH, 5, 6), (0, 7, 0))
"""The tiles around a point, as offsets from the south-eastern one, the last of them, with their half-sides there."""
_OTHERS_AT: Final = {
    corner: tuple(south_east + offset for offset, _, _ in _AROUND_POINT if south_east + offset)
    for corner, south_east in _SOUTH_EAST_AT.items()
}
"""The offsets from a tile to the three others around each of its corners, by the name of the corner."""
_BARN: Final = Figure(BARN, 1, is_follower=False, weight=counts_nothing, places=nowhere)
"""The barn, of which each player has one (AM-01, AM-02)."""


@dataclass(frozen=True, slots=True)
class PutBarn(Instead):
    """Put the barn on a corner of the tile just laid, instead of deploying a figure (AM-46, AM-48)."""

    corner: str

    def __str__(self) -> str:
        return f"barn:{self.corner}"


class Barns(Expansion):
    """A barn scores the farmers of its farm, and lets no others come (AM-50, AM-53)."""

    def figures(self) -> Sequence[Figure]:
        """Return one barn."""
        return (_BARN,)

    def instead_of_follower(self, position: Tabletop, step: Deployment) -> Sequence[Action]:
        """Return the corners on which the player may put their barn."""
        return [*map(PutBarn, barn_corners(position, step.cell))] if position.supply[BARN][step.player] else ()

    def perform(self, position: Tabletop, player: Seat, action: Action) -> bool:
        """Put the barn on a corner of the tile just laid."""
        if not isinstance(action, PutBarn):
            return False
        land = position.land
        field = barn_field(land, land.order[-1], action.corner)
        if field is None:
            raise IllegalActionError(f"no field on all four tiles: {action}")
        cell, segment = land.part(field)
        deploy(position, player, cell, segment.name, BARN)
        return True

    def barred_places(self, position: Tabletop, step: Deployment) -> Collection[tuple[str, str]]:
        """Return the fields with a barn where no pig may come, by option ``barn_join_pig`` (AM-56)."""
        if options_of(position).barn_join_pig:
            return ()
        land = position.land
        return {
            (_PIG, segment.name)
            for number, segment in land.segments(land.placed[step.cell.square])
            if barns_on(land, land.find(number))
        }

    def followers_returned(self, position: Tabletop, task: Placement) -> None:
        """Push the scoring of farmers beside barns, if a barn is on the board (AM-51)."""
        if 0 in position.supply[BARN]:
            position.agenda.append(ScoreBarns())

    def game_ending(self, position: Tabletop) -> None:
        """Award each barn the cities and castles of its farm (AM-58 to AM-60)."""
        for root, player, terms in _final_terms(position):
            points = sum(term.points for term in terms)
            position.award(Scored(player, points, BARN, terms, position.land.cells(root), final=True))

    def field_points(self, position: Tabletop) -> Iterator[tuple[SegmentNumber, Seat, int]]:
        """Yield the points of each barn at the end."""
        for root, player, terms in _final_terms(position):
            yield root, player, sum(term.points for term in terms)


def _final_terms(position: Tabletop) -> Iterator[tuple[SegmentNumber, Seat, tuple[Term, ...]]]:
    """Yield the farm of each barn, its player, and what it scores at the end (AM-58, AM-59)."""
    land = position.land
    farms = [(root, barn.player) for root in land.numbers if land.holders[root] for barn in barns_on(land, root)]
    values = field_values(position, BARN_CITY_POINTS, [root for root, _ in farms])
    return ((root, player, field_terms(values.get(root, {}).values())) for root, player in farms)


def barns_on(land: Landscape, root: SegmentNumber) -> tuple[Follower, ...]:
    """Return the barns of a farm."""
    return tuple(figure for figure in land.holders[root] if figure.figure == BARN)


def barn_corners(position: Tabletop, cell: Cell) -> list[str]:
    """Return the corners of the tile just laid on which a barn may stand (AM-48, AM-49); none without farmers."""
    land = position.land
    if not position.options.farmers:
        return []
    placed, square = land.placed, cell.square
    return [
        name
        for name, (first, second, third) in _OTHERS_AT.items()
        if square + first in placed
        and square + second in placed
        and square + third in placed
        and (field := barn_field(land, square, name)) is not None
        and (not barns_on(land, land.find(field)) or options_of(position).barn_placement == "also_beside_barns")
    ]


def barn_field(land: Landscape, square: Square, corner: str) -> SegmentNumber | None:
    """Return the field of a barn on a corner of a tile, if the corner is one field on each of four tiles (AM-48)."""
    field, south_east = None, Square(square + _SOUTH_EAST_AT[corner])
    for offset, before, after in _AROUND_POINT:
        placed = land.placed.get(south_east + offset)
        if placed is None:
            return None
        halves = placed.face.half_segments
        if not halves[before] == halves[after] >= 0:
            return None
        field = SegmentNumber(placed.base + halves[after])
    return field


@dataclass(frozen=True, slots=True)
class ScoreBarns(Task[Tabletop]):
    """The scoring of farmers whose farm has got a barn with the last tile (AM-50 to AM-56)."""

    def run(self, position: Tabletop) -> None:
        """Score each farm of that tile with barns and farmers; all go home except the barns."""
        land = position.land
        newest = land.placed[land.order[-1]]
        for number, segment in land.segments(newest):
            if segment.kind is not FeatureKind.FIELD:
                continue
            root = land.find(number)
            barns = barns_on(land, root) if len(land.holders[root]) > 1 else ()
            if 0 < len(barns) < len(land.holders[root]):
                is_new = any(_touches(land, newest, barn) for barn in barns)
                pay_field(position, root, staying=barns, city_points=None if is_new else JOINED_CITY_POINTS)


def _touches(land: Landscape, placed: PlacedTile, barn: Follower) -> bool:
    """Return True if a barn stands on a corner of a tile: then it came with that tile, if this is the newest."""
    return land.home[barn.segment] - placed.square in _SOUTH_EAST_AT.values()
