"""Features and placements of random games against the slow oracle."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given

from engine import Action, Cell, Deploy, Pass, Place
from engine.carcassonne import Axis, BuildBridge, DeployFollower, FeatureKind, PlaceTile, Position, Setup
from engine.carcassonne.events import BridgeBuilt
from tests.engine import naive
from tests.engine.games import lengths, luck, moves, play, setups


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
    assert Counter(rebuilt.standing()) == Counter(position.standing())
    assert set(rebuilt.legal_actions) == set(position.legal_actions)


@given(setups(), luck(), lengths())
def test_placements_are_those_of_the_oracle(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies=plies):
        step = position.step
        if not isinstance(step, PlaceTile) or chance.random() > 0.1:
            continue
        bridges = position.supply["bridge"][step.player] if "bridge" in position.supply else 0
        plain, aided = naive.placements(naive.table_of(position), step.tile, bridges=bridges)
        places = [action for action in position.legal_actions if isinstance(action, Place)]
        assert {(*place.cell, place.rotation) for place in places if place.aid is None} == plain
        assert {
            (*place.cell, place.rotation, *place.aid.cell, str(place.aid.axis)) for place in places if place.aid
        } == aided
        assert len(places) == len(plain) + len(aided)
        assert (len(places) < len(position.legal_actions)) == (not plain)


@given(setups(), luck(), lengths())
def test_tiles_count_once_and_ends_close_features(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies=plies)
    for feature in position.features():
        assert feature.tiles == len({cell for cell, _ in feature.parts})
        assert feature.complete == (feature.open_ends == 0)
        assert feature.owners == () or feature.followers
        counts = Counter(follower.player for follower in feature.followers)
        assert set(feature.owners) == {seat for seat in counts if counts[seat] == max(counts.values())}
        if feature.complete and position.hand is not None:
            assert not feature.followers


@given(setups(), luck(), lengths())
def test_what_may_follow_a_placement(setup: Setup, seed: int, plies: int) -> None:
    """Free features of the tile (BA-09, BA-10) and bridges on it and beside it (BR-02, BR-04, BR-08, BR-14, BR-15)."""
    built = deployed = False
    for position, action, events in moves(setup, seed, plies=plies):
        deployed = isinstance(action, Deploy)
        built = any(isinstance(event, BridgeBuilt) for event in events) or (built and not isinstance(action, Place))
        step = position.step
        if not isinstance(step, DeployFollower):
            continue
        late = deployed and position.options.bridge_timing == "after_tile"
        bridges = set() if built or late else bridges_around(position, step.cell)
        deployments = set() if deployed else free_segments(position, step.cell)
        assert set(position.legal_actions) == {Pass()} | bridges | deployments


def bridges_around(position: Position, cell: Cell) -> set[Action]:
    """The bridges that a player may build on a tile and its neighbours."""
    if not position.supply.get("bridge", [0] * position.players)[position.player]:
        return set()
    table = naive.table_of(position)
    where = {cell, *(naive.beside(cell, side) for side in range(4))} & table.keys()
    return {BuildBridge(spot, axis) for spot in where for axis in Axis if naive.bridgeable(table, spot, axis)}


def free_segments(position: Position, cell: Cell) -> set[Action]:
    """The deployments open to a player on a tile."""
    placed = position.tile_at(cell)
    assert placed is not None
    if not position.supply["follower"][position.player]:
        return set()
    segments = naive.Laid(placed.face.segments, placed.bridge).all_segments
    return {
        Deploy(segment.name)
        for segment in segments
        if not position.feature_at(cell, segment.name).followers
        and (position.options.farmers or segment.kind is not FeatureKind.FIELD)
    }
