"""Helpers of the scenarios of The Castle.

A cell is written by its label: ``A1`` is the upper left corner of the castle's map, in the wall:

       A B C D E F G H I J K
     1       + # # # S # # +      S start spaces: D2 E2, D7 E7, B11 C11, J9 I9, K4 J4, H1 H2, E14 E13
     2       S . . . . . . #      (the square of the wall, and the cell that it faces)
     3 + # # + . . . . . . #
     4 # . . . . . . . . . S
     5 # . . . . . . . . + +
     6 + # # + . . . . . #
     7       S . . . . . #
     8   + # + . . . . . #
     9   # . . . . . . . S
    10   # . . . . . . . #
    11   S . . . . . . . #
    12   # . . . . . . . #
    13   # . . . . + # # +
    14   0 # # S # +

Tiles are those of ``engine/the_castle/data/tiles.toml`` without their set. Tiles that are often used: D01 tower, D02
house, D03 court with a market all over; D07 tower, D10 house in the northern half and court in the southern; D20 tower,
D22 house in the south-western quarter and court in the rest; D29 a path from north to south, D28 one with a well; D56 a
path from the south that ends at a building.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.actions import Deploy, Pass, Place
from engine.events import Event, Scored
from engine.geometry import Cell
from engine.the_castle import DeployFollower, FeatureKind, Position, wall
from engine.the_castle.events import WallTileTaken
from engine.views import Feature
from tests.scenarios.vocabulary import events_of

BLACK, WHITE = 0, 1
"""The seats of the two players."""

TOWER_OF_THREE = ["D20 E2 180", "D20 G2 90"]
"""A tower along the northern wall without its middle: D07 on F2 completes it."""
HOUSE_OF_THREE = ["D22 E2 180", "D22 G2 90"]
"""A house in the same place: D10 on F2 completes it."""
HOUSE_OF_TWO = ["D22 E2 180"]
"""A smaller house: D22 on F2 at 90 degrees completes it."""
HOUSE_OF_ONE = ["D03 C12"]
"""A place for a house of one tile: D22 on C13 completes it at once."""
TOWER_OF_FOUR = ["D20 F8 270", "D20 G8 0", "D20 F9 180"]
"""A tower round a corner where four tiles meet: D20 on G9 at 90 degrees completes it."""
HOUSE_OF_FOUR = ["D22 F8 270", "D22 G8 0", "D22 F9 180"]
"""A house in the same place: D22 on G9 at 90 degrees completes it."""
PATH_OF_TWO = ["D49 E3"]
"""A path from a square to the wall: D29 on E2 completes it."""
PATH_AND_HOUSE = ["D56 D12 0", "D22 C12 270", "D10 C13 90"]
"""D34 on D13 completes a path of 2 (D12) and a house of 3 (C12, C13), and a tower of its own."""
TWO_TOWERS = ["D56 D12 0", "D20 C13 270", "D20 E13 0"]
"""D30 on D13 completes a tower of 2 (C13), one of 3 with a start space (E13), and a path of 2 (D12)."""


def cross_of_five(middle: str, arm: str) -> list[str]:
    """Return a tower or house on a cross of five tiles without its southern arm: ``arm`` on F11 completes it."""
    corners = [f"D03 {label}" for label in ("E9", "G9", "E11", "G11")]
    return [f"{middle} F10", f"{arm} F9 180", f"{arm} G10 270", f"{arm} E10 90", *corners]


def row_of(tile: str, *, count: int, rotation: int = 0) -> list[str]:
    """Return the same tile several times, from D9 to the east.

    The row can be extended at C9, north of E9 and in row 10.
    """
    return [f"{tile} {chr(ord('D') + step)}9 {rotation}" for step in range(count)]


def fill_with_courts(*, except_for: Iterable[str]) -> list[str]:
    """Return courts for all cells within the wall except these."""
    empty = {cell(label) for label in except_for}
    return [f"D03 {inside.label}" for inside in wall().interior if inside not in empty]


def cell(label: str) -> Cell:
    """Return the cell with this label."""
    return Cell.parse(label)


def placement(where: str, rotation: int = 0) -> Place:
    """Return the action that places the tile in hand."""
    return Place(cell(where), rotation)


def play_turn(position: Position, where: str, rotation: int = 0, *, deploy: str | None = None) -> list[Event]:
    """Place the tile in hand and deploy a figure, or pass; return the events up to the next decision."""
    events = list(position.apply(placement(where, rotation)))
    return events + list(position.apply(Pass() if deploy is None else Deploy(deploy)))


def place_tile(position: Position, where: str, rotation: int = 0) -> Position:
    """Place the tile in hand and stop where a figure may be deployed."""
    position.apply(placement(where, rotation))
    assert isinstance(position.step, DeployFollower)
    return position


def legal_placements(position: Position, where: str) -> set[int]:
    """Return the rotations in which the tile in hand may be placed on a cell."""
    return {
        action.rotation for action in position.legal_actions if isinstance(action, Place) and action.cell == cell(where)
    }


def scores(events: Iterable[object]) -> list[tuple[int, str, int]]:
    """Return the scores in order: seat, kind of feature and points."""
    return [(scored.player, str(scored.kind), scored.points) for scored in events_of(Scored, events)]


def final_scores(events: Iterable[object]) -> list[tuple[int, str, int]]:
    """Return the scores of the final scoring alone, as :func:`scores` does."""
    return scores(scored for scored in events_of(Scored, events) if scored.final)


def wall_tiles_taken(events: Iterable[object]) -> list[tuple[int, int, int]]:
    """Return the wall tiles taken: seat, kind and space."""
    return [(event.player, int(event.kind), event.space) for event in events_of(WallTileTaken, events)]


def feature(position: Position, where: str, segment: str) -> Feature:
    """Return the feature to which a segment belongs."""
    return position.feature_at(cell(where), segment)


def standing_figures(position: Position) -> set[tuple[int, str, str]]:
    """Return where the figures stand: (seat, label, name of the segment)."""
    return {(figure.player, figure.cell.label, figure.segment.name) for figure in position.standing_figures()}


def feature_counts(position: Position, where: str) -> dict[FeatureKind, int]:
    """Return the number of features of each kind on a tile."""
    placed = position.tile_at(cell(where))
    assert placed is not None
    kinds = [segment.kind for segment in placed.face.segments]
    return {kind: kinds.count(kind) for kind in FeatureKind if kind in kinds}
