"""Random games of The Castle: results equal those of a slow oracle, and nothing is lost or created.

The oracle (``naive_castle.py``) is a simple reimplementation. It computes placements, features and empty areas from the
printed tiles each time.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given

from engine import Deploy, Place, state_digest
from engine.events import Completed, GameOver, Scored, TileDiscarded, TilePlaced
from engine.the_castle import (
    DeployFollower,
    ExtraTurn,
    PlaceTile,
    Position,
    Setup,
    WallTile,
    empty_areas,
    keep_result,
    wall,
)
from engine.the_castle.events import KeepMoved, WallTilesUsed, WallTileTaken
from engine.the_castle.wall import ALL_WALL_TILES
from tests.engine import naive_castle
from tests.engine.every_game import action_counts, play_moves, play_random_game, seeds
from tests.engine.the_castle_games import setups

# -- the ward ---------------------------------------------------------------------------------------------------------


def describe_features(position: Position) -> Counter[Any]:
    """Return the features in the format of the oracle."""
    return Counter(
        (
            feature.kind,
            frozenset((cell, frozenset(segment.place_names)) for cell, segment in feature.parts),
            feature.open_ends,
            feature.marks,
            feature.tiles,
        )
        for feature in position.features()
    )


@given(setups(), seeds(), action_counts())
def test_features_are_those_of_the_oracle(setup: Setup, seed: int, plies: int) -> None:
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed, plies):
        if rng.random() < 0.1:
            assert describe_features(position) == naive_castle.features(naive_castle.table_of(position))


@given(setups(), seeds(), action_counts())
def test_placements_are_those_of_the_oracle(setup: Setup, seed: int, plies: int) -> None:
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed, plies):
        if position.hand is None or rng.random() > 0.2:
            continue
        places = {(*action.cell, action.rotation) for action in position.legal_actions if isinstance(action, Place)}
        assert places == naive_castle.placements(naive_castle.table_of(position), position.hand)


@given(setups(), seeds())
def test_discarded_tiles_have_no_place(setup: Setup, seed: int) -> None:
    table = naive_castle.table_of(Position(setup))
    for _, _, events in play_moves(setup, seed):
        for event in events:
            if isinstance(event, TilePlaced):
                table[event.cell] = naive_castle.turned_parts(event.cell, event.tile, event.rotation // 90)
            if isinstance(event, TileDiscarded):
                assert naive_castle.placements(table, event.tile) == set()


@given(setups(), seeds(), action_counts())
def test_deployments_are_the_free_features_of_the_tile(setup: Setup, seed: int, plies: int) -> None:
    for position, _, _ in play_moves(setup, seed, plies):
        step = position.step
        if isinstance(step, DeployFollower):
            placed = position.tile_at(step.cell)
            assert placed is not None
            free = {
                Deploy(segment.name)
                for segment in placed.face.segments
                if not position.feature_at(step.cell, segment.name).followers
            }
            if not position.supply["follower"][step.player]:
                free = set()
            assert {action for action in position.legal_actions if isinstance(action, Deploy)} == free


@given(setups(), seeds(), action_counts())
def test_empty_areas_are_those_of_the_oracle(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies)
    rules = position.options
    sizes = naive_castle.empty_areas(
        naive_castle.table_of(position),
        diagonal=rules.tc_empty_area_adjacency == "diagonal",
        starts=rules.tc_empty_area_includes_start_spaces,
    )
    assert [area.size for area in empty_areas(position)] == sizes


# -- conservation -----------------------------------------------------------------------------------------------------


@given(setups(), seeds())
def test_figures_and_keeps_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    for position, _, _ in play_moves(setup, seed, resigning=True):
        figures = list(position.supply["follower"])
        for standing in position.standing_figures():
            figures[standing.player] += 1
        assert figures == [6, 6]
        assert position.supply["keep"] == [int(keep is None) for keep in position.keeps]


@given(setups(), seeds())
def test_castle_tiles_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    played: Counter[str] = Counter()
    for position, _, events in play_moves(setup, seed):
        played.update(event.tile.id for event in events if isinstance(event, TilePlaced | TileDiscarded))
        in_hand = Counter([position.hand.id] if position.hand else [])
        assert played + in_hand == Counter(setup.pile[: position.next_tile])


@given(setups(), seeds())
def test_wall_tiles_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    used: Counter[WallTile] = Counter()
    for position, _, events in play_moves(setup, seed):
        for event in events:
            if isinstance(event, WallTilesUsed):
                used[event.kind] += event.count
        hands = Counter(kind for hand in position.hands for kind in hand)
        taken = Counter(setup.wall_tile_on(corner) for corner in position.taken)
        assert hands + used == taken
        assert hands + used <= Counter(ALL_WALL_TILES)
        if not position.is_over:
            assert sorted((*position.corners, *position.taken)) == sorted(wall().corners)


@given(setups(), seeds())
def test_wall_tiles_are_taken_where_markers_rest(setup: Setup, seed: int) -> None:
    """A score marker has to rest on the corner's space when its tile is taken; this follows from the events alone."""
    scores, remaining_corners = [0, 0], set(wall().corners)
    for _, _, events in play_moves(setup, seed):
        for event in events:
            if isinstance(event, Scored):
                scores[event.player] += event.points
            if isinstance(event, WallTileTaken):
                corner = wall().corner_at[event.space]
                assert scores[event.player] % 100 == event.space
                assert corner in remaining_corners
                remaining_corners.remove(corner)


@given(setups(), seeds())
def test_points_come_from_scores(setup: Setup, seed: int) -> None:
    scores = [0, 0]
    for position, _, events in play_moves(setup, seed, resigning=True):
        for event in events:
            if isinstance(event, Scored):
                assert event.points == sum(term.points for term in event.terms) > 0
                scores[event.player] += event.points
            if isinstance(event, GameOver):
                assert list(event.scores) == scores
        assert position.scores == scores


@given(setups(), seeds())
def test_a_completed_feature_is_announced_once_and_cleared(setup: Setup, seed: int) -> None:
    announced, rng = 0, Random(seed)
    for position, _, events in play_moves(setup, seed):
        announced += sum(isinstance(event, Completed) for event in events)
        if isinstance(position.step, PlaceTile | ExtraTurn | None) and rng.random() < 0.3:
            complete = [feature for feature in position.features() if feature.complete]
            assert announced == len(complete)
            assert not any(feature.followers for feature in complete)


@given(setups(), seeds())
def test_merchants_are_never_returned(setup: Setup, seed: int) -> None:
    merchants: set[object] = set()
    for position, _, _ in play_moves(setup, seed):
        standing = {
            (figure.player, figure.cell, figure.segment)
            for figure in position.standing_figures()
            if figure.segment.kind == "court"
        }
        assert merchants <= standing
        merchants = standing


@given(setups(), seeds())
def test_a_keep_only_grows(setup: Setup, seed: int) -> None:
    sizes = [0, 0]
    for position, _, events in play_moves(setup, seed):
        for event in events:
            if isinstance(event, KeepMoved):
                assert event.size > sizes[event.player]
                sizes[event.player] = event.size
        assert [keep.size if keep else 0 for keep in position.keeps] == sizes
    assert keep_result(position).sizes == tuple(sizes)


# -- positions without hidden information -----------------------------------------------------------------------------


@given(setups(), seeds(), action_counts())
def test_a_veiled_position_reveals_nothing_hidden(setup: Setup, seed: int, plies: int) -> None:
    """The same moves are legal in it, and no wall tile is known before it is taken."""
    position, _ = play_random_game(setup, seed, plies)
    veiled = position.veiled()
    assert repr(veiled) == repr(position)
    assert list(veiled.legal_actions) == list(position.legal_actions)
    revealed = Counter(setup.wall_tile_on(corner) for corner in position.taken)
    assert Counter(kind for kind in veiled.setup.wall_tiles if kind is not WallTile.HIDDEN) == revealed
    assert sorted(veiled.setup.pile) == sorted(setup.pile)
    for _, _, events in play_to_the_end(veiled, seed):
        for event in events:
            if isinstance(event, WallTileTaken):
                assert event.kind is WallTile.HIDDEN
    assert position.setup == setup


def play_to_the_end(position: Position, seed: int) -> Any:
    """Play a position to its end with random legal actions; yield the position, the action and its events."""
    rng = Random(seed)
    while position.step is not None:
        actions = position.legal_actions
        action = actions[rng.randrange(len(actions))]
        yield position, action, position.apply(action)


@given(setups(), seeds(), action_counts())
def test_an_early_end_takes_no_wall_tile(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies)
    digest = state_digest(position)
    _, events = position.concluded()
    assert not any(isinstance(event, WallTileTaken) for event in events)
    assert state_digest(position) == digest
