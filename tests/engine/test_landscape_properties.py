"""Features and legal actions of random games, compared with those of a slow reimplementation (``naive.py``).

The engine's landscape joins the segments of tiles into features as tiles are placed. The reimplementation, called the
oracle, computes the same features from scratch. A placement is called aided if it needs a bridge, and plain otherwise.
Codes such as BA-09 are rules of the rule digest.
"""

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
from tests.engine.carcassonne_games import modelled_setups, setups
from tests.engine.every_game import action_counts, play_moves, play_random_game, seeds
from tests.engine.rebuilding import rebuilt


def describe_features(position: Position) -> Counter[Any]:
    """Return the features in the format of the oracle, which counts the town under a castle as a city."""
    return Counter(
        (
            "city" if feature.kind == "castle" else feature.kind,
            frozenset((cell, segment.places) for cell, segment in feature.parts),
            feature.open_ends,
            feature.marks,
        )
        for feature in position.features()
    )


def normalized_features(position: Position) -> Counter[Any]:
    """Return all views of features, with their parts and figures sorted."""
    return Counter(
        feature._replace(
            parts=tuple(sorted(feature.parts, key=str)), followers=tuple(sorted(feature.followers, key=str))
        )
        for feature in position.features()
    )


FOLLOWERS = {"follower": 1, "big-follower": 2, "phantom": 1}
"""Kinds of followers, with their weight in a majority."""


@given(setups(), seeds(), action_counts())
def test_features_are_those_of_the_oracle(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies=plies)
    assert describe_features(position) == naive.features(naive.table_of(position), position.land.surrounded)


@given(setups(), seeds(), action_counts())
def test_rebuilding_all_features_gives_the_same_position(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies=plies)
    rejoined = rebuilt(position)
    assert normalized_features(rejoined) == normalized_features(position)
    assert rejoined.land.frontier == position.land.frontier
    assert Counter(rejoined.standing_figures()) == Counter(position.standing_figures())
    assert set(rejoined.legal_actions) == set(position.legal_actions)


@given(setups(), seeds(), action_counts())
def test_placements_are_those_of_the_oracle(setup: Setup, seed: int, plies: int) -> None:
    rng = Random(seed)
    tiles_with_bridges_built: set[int] = set()
    for position, _, events in play_moves(setup, seed, plies=plies):
        tiles_with_bridges_built |= tile_with_bridge_built(position, events)
        step = position.step
        if not isinstance(step, PlaceTile) or rng.random() > 0.1:
            continue
        bridges = bridges_left(position, step.player, tiles_with_bridges_built)
        plain, aided = naive.placements(naive.table_of(position), step.tile, bridges=bridges)
        places = [action for action in position.legal_actions if isinstance(action, Place)]
        assert {(*place.cell, place.rotation) for place in places if place.aid is None} == plain
        assert {
            (*place.cell, place.rotation, *place.aid.cell, str(place.aid.axis)) for place in places if place.aid
        } == aided
        assert len(places) == len(plain) + len(aided)
        assert (len(places) < len(position.legal_actions)) == (not plain)


@given(modelled_setups(), seeds(), action_counts())
def test_tiles_owners_and_completion_of_features(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies=plies)
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


@given(modelled_setups(), seeds(), action_counts())
def test_legal_actions_after_a_placement(setup: Setup, seed: int, plies: int) -> None:
    """After a placement the player may deploy a figure, build a bridge, move the fairy, or pass.

    Followers go to free features of the tile (BA-09, BA-10), builders and pigs to features with a follower of their
    owner (IX-06, IX-07), the fairy to a follower (IX-14), bridges on the tile and beside it (BR-02, BR-04, BR-08,
    BR-14, BR-15).
    """
    built = deployed = False
    tiles_with_bridges_built: set[int] = set()
    for position, action, events in play_moves(setup, seed, plies=plies):
        tiles_with_bridges_built |= tile_with_bridge_built(position, events)
        deployed = isinstance(action, Deploy | MoveFairy)
        built = any(isinstance(event, BridgeBuilt) for event in events) or (built and not isinstance(action, Place))
        step = position.step
        if not isinstance(step, DeployFollower):
            continue
        figure_first = deployed and position.options.bridge_timing == "after_tile"
        no_bridge = built or figure_first or not bridges_left(position, step.player, tiles_with_bridges_built)
        bridges = set() if no_bridge else bridges_near(position, step.cell)
        figures = set() if deployed else figure_actions(position, step.cell)
        assert set(position.legal_actions) == {Pass()} | bridges | figures


def tile_with_bridge_built(position: Position, events: tuple[Event, ...]) -> set[int]:
    """Return the number of the newest tile if the events include a bridge."""
    return {len(position.land.order) - 1} if any(isinstance(event, BridgeBuilt) for event in events) else set()


def bridges_left(position: Position, player: int, tiles_with_bridges_built: set[int]) -> int:
    """Return the bridges that a player may still build.

    By the option ``per_turn`` (O-21) there is none after a bridge in the first half of a double turn.
    """
    if position.options.bridge_limit_scope == "per_turn" and first_tile(position) in tiles_with_bridges_built:
        return 0
    return position.supply["bridge"][player] if "bridge" in position.supply else 0


def bridges_near(position: Position, cell: Cell) -> set[Action]:
    """Return the bridges that may be built on a tile and its neighbours."""
    table = naive.table_of(position)
    where = {cell, *(naive.beside(cell, side) for side in range(4))} & table.keys()
    return {BuildBridge(spot, axis) for spot in where for axis in Axis if naive.can_hold_bridge(table, spot, axis)}


def figure_actions(position: Position, cell: Cell) -> set[Action]:
    """Return the legal actions with a figure: deployments on the tile and moves of the fairy."""
    return follower_deployments(position, cell) | builder_and_pig_deployments(position, cell) | fairy_moves(position)


def builder_and_pig_deployments(position: Position, cell: Cell) -> set[Action]:
    """Return the deployments of builders and pigs, which have to join a follower of their owner."""
    placed, player = position.tile_at(cell), position.player
    assert placed is not None
    figures = [figure for figure in ("builder", "pig") if figure in position.supply and position.supply[figure][player]]
    return {
        Deploy(segment.name, figure)
        for segment in naive.LaidTile(placed.face.segments, bridge_on(placed)).all_segments
        for figure in figures
        if segment.kind in ({"field"} if figure == "pig" else {"city", "road"})
        and any(
            entry.player == player and entry.figure in FOLLOWERS
            for entry in position.feature_at(cell, segment.name).followers
        )
    }


def fairy_moves(position: Position) -> set[Action]:
    """Return the moves of the fairy to followers of the player."""
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


def follower_deployments(position: Position, cell: Cell) -> set[Action]:
    """Return the deployments of followers on free features of a tile."""
    placed = position.tile_at(cell)
    assert placed is not None
    kinds = [figure for figure in FOLLOWERS if figure in position.supply and position.supply[figure][position.player]]
    segments = naive.LaidTile(placed.face.segments, bridge_on(placed)).all_segments
    return {
        Deploy(segment.name, figure)
        for segment in segments
        for figure in kinds
        if not position.feature_at(cell, segment.name).followers
        and (position.options.farmers or segment.kind is not FeatureKind.FIELD)
        and segment.kind in {*FeatureKind}
    }
