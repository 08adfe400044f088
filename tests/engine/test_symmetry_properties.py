"""Rotation symmetry in random games: on a board turned by 90 degrees, the same game takes place, only turned.

The same random decisions are played twice, the second time on a table that is turned; no rule may prefer a direction.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import is_dataclass, replace
from typing import Any

from hypothesis import given

from engine import Action, Cell, Deploy, Place
from engine.carcassonne import Axis, DeployFollower, FeatureKind, Position, Segment, Setup
from engine.carcassonne.expansions.abbey_mayor import MoveWagon, PutBarn
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    CASTLE_SOURCE,
    BuildBridge,
    ChooseSource,
    bridge_on,
    bridge_segment,
)
from engine.carcassonne.expansions.fairy import MoveFairy
from engine.geometry import CORNERS
from tests.engine.carcassonne_games import setups
from tests.engine.every_game import action_counts, play_moves, seeds


def turn_cell(cell: Cell) -> Cell:
    """Turn a cell clockwise by a quarter about the start tile: east becomes south."""
    return Cell(-cell.y, cell.x)


def turn_bridge(bridge: BuildBridge) -> BuildBridge:
    """Return a bridge turned by a quarter around the start tile."""
    return BuildBridge(turn_cell(bridge.cell), Axis.WE if bridge.axis is Axis.NS else Axis.NS)


def turn_segment(position: Position, cell: Cell, name: str) -> str:
    """Return the name of a segment on the turned board."""
    placed = position.tile_at(cell)
    assert placed is not None
    bridge = [] if bridge_on(placed) is None else [bridge_segment(bridge_on(placed))]
    segment = next(segment for segment in (*placed.face.segments, *bridge) if segment.is_named(name))
    return segment.turned(1).name


def turn_source(position: Position, cell: Cell, name: str) -> str:
    """Return the name of a segment or castle on the turned board; one of two castles on a tile is named by its side."""
    if name == CASTLE_SOURCE:
        return name
    if name.startswith(f"{CASTLE_SOURCE}."):
        town = turn_segment(position, cell, name.replace(CASTLE_SOURCE, FeatureKind.CITY))
        return town.replace(FeatureKind.CITY, CASTLE_SOURCE)
    return turn_segment(position, cell, name)


def turn_action(position: Position, action: Action) -> Action:
    """Return the corresponding action on the turned board."""
    match action:
        case Place(cell, rotation, aid):
            return Place(turn_cell(cell), (rotation + 90) % 360, aid and turn_bridge(aid))
        case BuildBridge():
            return turn_bridge(action)
        case Deploy(segment, figure):
            assert isinstance(position.step, DeployFollower)
            return Deploy(turn_segment(position, position.step.cell, segment), figure)
        case ChooseSource(cell, segment) | MoveFairy(cell, segment) | MoveWagon(cell, segment):
            return type(action)(turn_cell(cell), turn_source(position, cell, segment))
        case _ if is_dataclass(action):
            return replace(action, **turned_fields(position, action))
        case _:
            return action


def turned_fields(position: Position, action: Action) -> dict[str, str]:
    """Return the fields of an action of a box that differ on the turned board: a corner, or a segment of the tile."""
    if isinstance(action, PutBarn):
        return {"corner": CORNERS[(CORNERS.index(action.corner) + 1) % 4]}
    if hasattr(action, "segment") and hasattr(position.step, "cell"):
        return {"segment": turn_segment(position, position.step.cell, action.segment)}
    return {}


def turn_part(cell: Cell, segment: Segment) -> tuple[Cell, Segment]:
    """Return a segment and its cell turned by a quarter around the start tile."""
    return turn_cell(cell), segment.turned(1)


def feature_values(position: Position, *, quarters: int) -> Counter[Any]:
    """Return the features, turned by no or one quarter."""
    return Counter(
        (
            feature.kind,
            frozenset(turn_part(*part) if quarters else part for part in feature.parts),
            feature.open_ends,
            feature.owners,
        )
        for feature in position.features()
    )


@given(setups(), seeds(), action_counts())
def test_a_turned_board_plays_alike(setup: Setup, seed: int, plies: int) -> None:
    log: list[Action] = []
    turned_game = Position(replace(setup, start_rotation=90))
    position = before = Position(setup)
    for position, action, _ in play_moves(setup, seed, plies=plies):
        turned_action = turn_action(before, action)
        assert turned_action in turned_game.legal_actions
        turned_game.apply(turned_action)
        assert turned_game.scores == position.scores
        assert turned_game.supply == position.supply
        assert turned_game.player == position.player
        assert len(turned_game.legal_actions) == len(position.legal_actions)
        before = position.copy()
        log.append(action)
    assert feature_values(turned_game, quarters=0) == feature_values(position, quarters=1)


@given(setups(), seeds())
def test_turning_an_action_four_times_gives_the_same_action(setup: Setup, seed: int) -> None:
    """Check the mapping of actions itself."""
    positions = [Position(replace(setup, start_rotation=90 * quarters)) for quarters in range(4)]
    for _, action, _ in play_moves(setup, seed, plies=60):
        turned_action = action
        for turned_position in positions:
            next_action = turn_action(turned_position, turned_action)
            turned_position.apply(turned_action)
            turned_action = next_action
        assert turned_action == action
