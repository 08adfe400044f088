"""The contract of hints, for every registered game: each hint is compared with trying out all legal placements.

A hint is a fact that a player could work out with patience, such as the cells on which no remaining tile fits. The same
contract is tested for every game, so this module names none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES, Cell, Place, Position, Resign, Setup, hints_on, replay, state_digest
from engine.hints import Hint, Hints, Missing
from engine.tiles import TileKind
from engine.views import Feature
from tests.engine.every_game import action_counts, play_moves, play_random_game, seeds, setups
from tests.engine.examples import examples


def all_hints(hints: Hints[Any, Any]) -> object:
    """Return the values of all hints."""
    features = hints.open_features()
    return (
        [(kind.id, left) for kind, left in hints.remaining()],
        hints.dead_cells(),
        features,
        [hints.completion(feature) for feature in features],
        hints.projection(),
        hints.holdings(),
    )


@given(setups(), seeds(), action_counts(), seeds())
@examples(40)
def test_hints_do_not_depend_on_hidden_tiles(setup: Setup, seed: int, plies: int, shuffle_seed: int) -> None:
    position, log = play_random_game(setup, seed, plies, resigning=True)
    notation = GAMES[setup.game].notation
    decks = {name: list(deck) for name, deck in notation.decks(setup).items()}
    for name, seen in notation.revealed(position).items():
        hidden = sorted(set(range(len(decks[name]))) - set(seen))
        cards = [decks[name][at] for at in hidden]
        Random(shuffle_seed).shuffle(cards)
        for at, card in zip(hidden, cards, strict=True):
            decks[name][at] = card
    other = notation.with_decks(setup, {name: tuple(deck) for name, deck in decks.items()}, setup.seed)
    assert all_hints(hints_on(replay(other, log))) == all_hints(hints_on(position))


@given(setups(), seeds(), action_counts())
@examples(30)
def test_hints_do_not_change_the_position(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies, resigning=True)
    digest = state_digest(position)
    first = all_hints(hints_on(position))
    assert state_digest(position) == digest
    assert all_hints(hints_on(position.copy())) == first


@given(setups(), seeds(), action_counts())
@examples(40)
def test_every_tile_of_the_pile_is_seen_or_remains(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies, resigning=True)
    remaining = {kind.id: left for kind, left in hints_on(position).remaining()}
    notation = GAMES[setup.game].notation
    decks = {name: deck for name, deck in notation.decks(setup).items() if {*deck} <= {*setup.pile}}
    seen = Counter(decks[name][at] for name in decks for at in notation.revealed(position)[name])
    assert Counter(remaining) + seen == Counter(setup.pile)
    assert list(remaining) == sorted(set(setup.pile))


# ---------------------------------------------------------------- cells and gaps


def sample_placements(setup: Setup, seed: int, share: float) -> Iterator[tuple[Position, Hints[Any, Any]]]:
    """Yield a share of the positions of a random game in which a tile is to be placed, with their hints."""
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed, resigning=True):
        if position.hand is not None and rng.random() < share:
            hints = hints_on(position)
            assert isinstance(hints, Hints)
            yield position, hints


def legal_placements(position: Position, hints: Hints[Any, Any]) -> Iterator[tuple[TileKind, Place, Position]]:
    """Yield every legal placement of every tile still to be placed, by every player.

    Each comes with the position in which that player holds that tile.
    """
    step: Any = position.step
    for kind in hints.tiles_to_place:
        for seat in range(position.players):
            if not position.withdrawn[seat]:
                trial = position.copy()
                trial.agenda[-1] = replace(step, player=seat, tile=kind)
                for action in trial.legal_actions:
                    if isinstance(action, Place):
                        yield kind, action, trial


@given(setups(), seeds())
@examples(25)
def test_dead_cells_are_those_on_which_nothing_is_legal(setup: Setup, seed: int) -> None:
    for position, hints in sample_placements(setup, seed, 0.02):
        plain: set[Cell] = set()
        aided: set[Cell] = set()
        for _, action, _ in legal_placements(position, hints):
            (plain if action.aid is None else aided).add(action.cell)
        blank = set(position.open_cells()) - plain
        hinted = hints.dead_cells()
        assert (set(hinted.dead), set(hinted.aided)) == (blank - aided, blank & aided)
        for cells in hinted:
            assert list(cells) == sorted(cells, key=lambda cell: cell[::-1])


@given(setups(), seeds())
@examples(10)
def test_completing_tiles_are_those_found_by_trying_all_placements(setup: Setup, seed: int) -> None:
    for position, hints in sample_placements(setup, seed, 0.02):
        still_open = [feature for feature in position.features() if feature.open_ends > 0]
        features = Random(seed).sample(still_open, min(4, len(still_open)))
        completing_kinds: list[set[tuple[str, bool]]] = [set() for _ in features]
        for kind, action, trial in legal_placements(position, hints):
            after = trial.copy()
            after.apply(action)
            for feature, kinds in zip(features, completing_kinds, strict=True):
                if later_state(after, feature).complete:
                    kinds.add((kind.id, action.aid is not None))
        for feature, kinds in zip(features, completing_kinds, strict=True):
            missing = hints.completion(feature)
            assert missing is not None
            check_completion(
                position, missing, {(name, aid) for name, aid in kinds if not aid or (name, False) not in kinds}
            )


def later_state(position: Position, feature: Feature) -> Feature:
    """Return the feature in a later position."""
    cell, segment = feature.parts[0]
    return position.feature_at(cell, segment.name)


def check_completion(position: Position, missing: Missing, kinds: set[tuple[str, bool]]) -> None:
    """Compare a hint about a feature with the kinds of tiles that complete it."""
    assert {(candidate.kind.id, candidate.aided) for candidate in missing.completing_tiles} == kinds
    assert (missing.min_tiles == 1) == bool(kinds)
    assert missing.min_tiles >= len(missing.gaps) > 0
    dead = set(hints_on(position).dead_cells().dead)
    assert {gap.cell for gap in missing.gaps if gap.dead} == {gap.cell for gap in missing.gaps} & dead
    assert missing.impossible or not any(gap.dead for gap in missing.gaps)


@given(setups(), seeds(), action_counts())
@examples(40)
def test_only_incomplete_features_with_figures_are_listed(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies, resigning=True)
    hints = hints_on(position)
    listed = hints.open_features()
    for feature in position.features():
        assert (hints.completion(feature) is not None) == (feature.open_ends > 0)
        assert (feature in listed) == (feature.open_ends > 0 and bool(feature.followers))


# ---------------------------------------------------------------- the end


@given(setups(), seeds(), action_counts())
@examples(50)
def test_the_projection_equals_the_concluded_game(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies, resigning=True)
    final, _ = position.concluded()
    projection = hints_on(position).projection()
    assert final.is_over
    assert [entry.now for entry in projection] == position.scores
    assert [entry.total for entry in projection] == final.scores
    if position.is_over:
        assert not any(entry.gains for entry in projection)


@given(setups(), seeds(), action_counts())
@examples(40)
def test_the_projection_comes_true_when_all_others_resign(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies, resigning=True)
    if position.hand is None:
        return
    expected = [entry.total for entry in hints_on(position).projection()]
    for seat in {*range(position.players)} - {position.player}:
        if not position.withdrawn[seat]:
            position.apply(Resign(seat))
    assert position.is_over
    assert position.scores == expected


@given(setups(), seeds(), st.integers(0, 100))
@examples(20)
def test_hints_not_offered_are_empty(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies, resigning=True)
    hints = hints_on(position)
    assert Hint.FIELDS in hints.offers or hints.holdings() == ()
