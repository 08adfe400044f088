"""Random games on a table that is turned by a quarter: everything happens as before, only turned.

The seats cannot be renamed in the same way: whose decision an action is follows from the game, not from the action.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given

from engine import Action, Cell, Deploy, Place
from engine.carcassonne import Axis, DeployFollower, FeatureKind, Position, Segment, Setup
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    CASTLE_SOURCE,
    BuildBridge,
    ChooseSource,
    bridge_on,
    bridge_segment,
)
from engine.carcassonne.expansions.fairy import MoveFairy
from tests.engine.carcassonne_games import setups
from tests.engine.every_game import lengths, luck, moves


def turned_cell(cell: Cell) -> Cell:
    """A quarter clockwise about the start tile: east becomes south."""
    return Cell(-cell.y, cell.x)


def turned_bridge(bridge: BuildBridge) -> BuildBridge:
    return BuildBridge(turned_cell(bridge.cell), Axis.WE if bridge.axis is Axis.NS else Axis.NS)


def turned_segment(position: Position, cell: Cell, name: str) -> str:
    """The name that a segment has on the turned table."""
    placed = position.tile_at(cell)
    assert placed is not None
    bridge = [] if bridge_on(placed) is None else [bridge_segment(bridge_on(placed))]
    segment = next(segment for segment in (*placed.face.segments, *bridge) if segment.is_named(name))
    return segment.turned(1).name


def turned_place(position: Position, cell: Cell, name: str) -> str:
    """The same of a name that may be a castle's; one of two on a tile is called by its side there."""
    if name == CASTLE_SOURCE:
        return name
    if name.startswith(f"{CASTLE_SOURCE}."):
        town = turned_segment(position, cell, name.replace(CASTLE_SOURCE, FeatureKind.CITY))
        return town.replace(FeatureKind.CITY, CASTLE_SOURCE)
    return turned_segment(position, cell, name)


def turned(position: Position, action: Action) -> Action:
    """The action that does on the turned table what this one does in the position."""
    match action:
        case Place(cell, rotation, aid):
            return Place(turned_cell(cell), (rotation + 90) % 360, aid and turned_bridge(aid))
        case BuildBridge():
            return turned_bridge(action)
        case Deploy(segment, figure):
            assert isinstance(position.step, DeployFollower)
            return Deploy(turned_segment(position, position.step.cell, segment), figure)
        case ChooseSource(cell, segment) | MoveFairy(cell, segment):
            return type(action)(turned_cell(cell), turned_place(position, cell, segment))
        case _:
            return action


def turned_part(cell: Cell, segment: Segment) -> tuple[Cell, Segment]:
    return turned_cell(cell), segment.turned(1)


def features(position: Position, *, quarters: int) -> Counter[Any]:
    """The features, turned by no or one quarter."""
    return Counter(
        (
            feature.kind,
            frozenset(turned_part(*part) if quarters else part for part in feature.parts),
            feature.open_ends,
            feature.owners,
        )
        for feature in position.features()
    )


@given(setups(), luck(), lengths())
def test_a_turned_table_plays_alike(setup: Setup, seed: int, plies: int) -> None:
    log: list[Action] = []
    other = Position(replace(setup, start_rotation=90))
    position = before = Position(setup)
    for position, action, _ in moves(setup, seed, plies=plies):
        mapped = turned(before, action)
        assert mapped in other.legal_actions
        other.apply(mapped)
        assert other.scores == position.scores
        assert other.supply == position.supply
        assert other.player == position.player
        assert len(other.legal_actions) == len(position.legal_actions)
        before = position.copy()
        log.append(action)
    assert features(other, quarters=0) == features(position, quarters=1)


@given(setups(), luck())
def test_four_quarters_are_none(setup: Setup, seed: int) -> None:
    """The mapping itself: turning four times gives the same action."""
    tables = [Position(replace(setup, start_rotation=90 * quarters)) for quarters in range(4)]
    for _, action, _ in moves(setup, seed, plies=60):
        mapped = action
        for table in tables:
            following = turned(table, mapped)
            table.apply(mapped)
            mapped = following
        assert mapped == action
