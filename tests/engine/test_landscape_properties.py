"""Features and placements of random games against the slow oracle."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given

from engine import Action, Cell, Deploy, Pass, Place
from engine.board import Follower
from engine.carcassonne import Axis, DeployFollower, FeatureKind, PlaceTile, Position, Setup
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.expansions import FAIRY
from engine.carcassonne.expansions.bridges_castles_bazaars import BridgeBuilt, BuildBridge, bridge_on, castles_of
from engine.carcassonne.expansions.fairy import MoveFairy, companion_of
from engine.events import Event
from tests.engine import naive
from tests.engine.carcassonne_games import modelled, setups
from tests.engine.every_game import lengths, luck, moves, play


def described(position: Position) -> Counter[Any]:
    """The features of a position as the oracle tells them; the town under a castle is still a city to it."""
    return Counter(
        (
            "city" if feature.kind == "castle" else feature.kind,
            frozenset((cell, segment.places) for cell, segment in feature.parts),
            feature.open_ends,
            feature.marks,
        )
        for feature in position.features()
    )


def looked_at(position: Position) -> Counter[Any]:
    """Everything that the views tell about the features."""
    return Counter(
        feature._replace(
            parts=tuple(sorted(feature.parts, key=str)), followers=tuple(sorted(feature.followers, key=str))
        )
        for feature in position.features()
    )


FOLLOWERS = {"follower": 1, "big-follower": 2}
"""Kinds of followers, with what one of them counts for the majority."""


@given(setups(), luck(), lengths())
def test_joined_features_are_those_of_the_oracle(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies=plies)
    assert described(position) == naive.features(naive.table_of(position))


@given(setups(), luck(), lengths())
def test_rebuilding_changes_nothing(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies=plies)
    rebuilt = position.rebuilt()
    assert looked_at(rebuilt) == looked_at(position)
    assert rebuilt.land.frontier == position.land.frontier
    assert Counter(rebuilt.standing_figures()) == Counter(position.standing_figures())
    assert set(rebuilt.legal_actions) == set(position.legal_actions)


@given(setups(), luck(), lengths())
def test_placements_are_those_of_the_oracle(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    bridged: set[int] = set()
    for position, _, events in moves(setup, seed, plies=plies):
        bridged |= bridged_by(position, events)
        step = position.step
        if not isinstance(step, PlaceTile) or chance.random() > 0.1:
            continue
        bridges = bridges_left(position, step.player, bridged)
        plain, aided = naive.placements(naive.table_of(position), step.tile, bridges=bridges)
        places = [action for action in position.legal_actions if isinstance(action, Place)]
        assert {(*place.cell, place.rotation) for place in places if place.aid is None} == plain
        assert {
            (*place.cell, place.rotation, *place.aid.cell, str(place.aid.axis)) for place in places if place.aid
        } == aided
        assert len(places) == len(plain) + len(aided)
        assert (len(places) < len(position.legal_actions)) == (not plain)


@given(modelled(), luck(), lengths())
def test_tiles_count_once_and_ends_close_features(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies=plies)
    for feature in position.features():
        assert feature.tiles == len({cell for cell, _ in feature.parts})
        assert feature.complete == (feature.open_ends == 0)
        assert feature.owners == () or feature.followers
        counts = Counter[int]()
        for entry in feature.followers:
            counts[entry.player] += FOLLOWERS.get(entry.figure, 0)
        counts = +counts
        assert set(feature.owners) == {seat for seat in counts if counts[seat] == max(counts.values())}
        if feature.complete and position.hand is not None:
            assert not feature.followers


@given(modelled(), luck(), lengths())
def test_what_may_follow_a_placement(setup: Setup, seed: int, plies: int) -> None:
    """Free features of the tile (BA-09, BA-10) and bridges on it and beside it (BR-02, BR-04, BR-08, BR-14, BR-15).

    Builders and pigs beside followers (IX-06, IX-07), and the fairy to followers (IX-14).
    """
    built = deployed = False
    bridged: set[int] = set()
    for position, action, events in moves(setup, seed, plies=plies):
        bridged |= bridged_by(position, events)
        deployed = isinstance(action, Deploy | MoveFairy)
        built = any(isinstance(event, BridgeBuilt) for event in events) or (built and not isinstance(action, Place))
        step = position.step
        if not isinstance(step, DeployFollower):
            continue
        late = deployed and position.options.bridge_timing == "after_tile"
        none = built or late or not bridges_left(position, step.player, bridged)
        bridges = set() if none else bridges_around(position, step.cell)
        figures = set() if deployed else figures_around(position, step.cell)
        assert set(position.legal_actions) == {Pass()} | bridges | figures


def bridged_by(position: Position, events: tuple[Event, ...]) -> set[int]:
    """The number of the tile with which a bridge was built just now."""
    return {len(position.land.order) - 1} if any(isinstance(event, BridgeBuilt) for event in events) else set()


def bridges_left(position: Position, player: int, bridged: set[int]) -> int:
    """Return a player's number of bridges: none after a bridge in the first half of their turn (O-21)."""
    if position.options.bridge_limit_scope == "per_turn" and first_tile(position) in bridged:
        return 0
    return position.supply["bridge"][player] if "bridge" in position.supply else 0


def bridges_around(position: Position, cell: Cell) -> set[Action]:
    """The bridges that may be built on a tile and its neighbours."""
    table = naive.table_of(position)
    where = {cell, *(naive.beside(cell, side) for side in range(4))} & table.keys()
    return {BuildBridge(spot, axis) for spot in where for axis in Axis if naive.bridgeable(table, spot, axis)}


def figures_around(position: Position, cell: Cell) -> set[Action]:
    """Return the actions of a player with one figure."""
    return free_segments(position, cell) | companions(position, cell) | fairy_moves(position)


def companions(position: Position, cell: Cell) -> set[Action]:
    """Return the segments where a builder or pig may join a follower of its owner."""
    placed, player = position.tile_at(cell), position.player
    assert placed is not None
    figures = [figure for figure in ("builder", "pig") if figure in position.supply and position.supply[figure][player]]
    return {
        Deploy(segment.name, figure)
        for segment in naive.Laid(placed.face.segments, bridge_on(placed)).all_segments
        for figure in figures
        if segment.kind in ({"field"} if figure == "pig" else {"city", "road"})
        and any(
            entry.player == player and entry.figure in FOLLOWERS
            for entry in position.feature_at(cell, segment.name).followers
        )
    }


def fairy_moves(position: Position) -> set[Action]:
    """Return the player's followers to which they may move the fairy."""
    if FAIRY not in position.setup.expansions:
        return set()
    hosts: dict[Action, Follower] = {
        MoveFairy(placed.cell, segment.name): follower
        for placed in position.placed()
        for number, segment in position.land.segments(placed)
        for follower in position.land.holders[position.land.find(number)]
        if follower.segment == number
    }
    if position.options.castle_fairy == "allowed":
        for castle in castles_of(position):
            hosts.update((MoveFairy(castle.cells[0], "castle"), follower) for follower in castle.followers)
    return {
        host
        for host, follower in hosts.items()
        if follower.player == position.player and follower.figure in FOLLOWERS and follower != companion_of(position)
    }


def free_segments(position: Position, cell: Cell) -> set[Action]:
    """The deployments open to a player on a tile."""
    placed = position.tile_at(cell)
    assert placed is not None
    kinds = [figure for figure in FOLLOWERS if figure in position.supply and position.supply[figure][position.player]]
    segments = naive.Laid(placed.face.segments, bridge_on(placed)).all_segments
    return {
        Deploy(segment.name, figure)
        for segment in segments
        for figure in kinds
        if not position.feature_at(cell, segment.name).followers
        and (position.options.farmers or segment.kind is not FeatureKind.FIELD)
        and segment.kind in {*FeatureKind}
    }
