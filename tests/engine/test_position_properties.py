"""Positions in random games of every registered game: undo, copy, replay, legality, and hidden information.

A property is checked in many random games, which Hypothesis draws. Hidden information is the order of what lies face
down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given

from engine import (
    GAMES,
    Action,
    IllegalActionError,
    Position,
    Resign,
    Setup,
    begin,
    hints_on,
    parse_action,
    read_setup,
    replay,
    state_digest,
)
from engine.notation.positions import format_position
from tests.engine.every_game import RANDOM_GAMES, action_counts, play_moves, play_random_game, seeds, setups
from tests.engine.rebuilding import rebuilt


def pick_legal_actions(position: Position, rng: Random, number: int) -> list[Action]:
    """Pick some of the legal actions at random."""
    actions = position.legal_actions
    return [actions[rng.randrange(len(actions))] for _ in range(number if actions else 0)]


def near_misses_of_all_games(position: Position, rng: Random) -> Iterator[Action]:
    """Yield actions of every kind and of every game, most of them illegal."""
    for module in RANDOM_GAMES.values():
        yield from module.near_misses(position, rng)


def normalized_features(position: Position) -> Counter[Any]:
    """Return the features without the order of their parts and figures."""
    return Counter(
        feature._replace(parts=frozenset(feature.parts), followers=frozenset(feature.followers))
        for feature in position.features()
    )


@given(setups(), seeds(), action_counts())
def test_pop_restores_the_position(setup: Setup, seed: int, plies: int) -> None:
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed, plies):
        if rng.random() > 0.05:
            continue
        digests: list[str] = []
        while position.step is not None and len(digests) < 6:
            digests.append(state_digest(position))
            position.push(pick_legal_actions(position, rng, 1)[0])
        for digest in reversed(digests):
            assert state_digest(position) != digest
            position.pop()
            assert state_digest(position) == digest


@given(setups(), seeds(), action_counts())
def test_a_copy_is_independent(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies)
    digest, before = state_digest(position), list(position.features())
    other = position.copy()
    assert state_digest(other) == digest
    for action in pick_legal_actions(position, Random(seed), 1):
        other.apply(action)
        assert state_digest(other) != digest
    assert (state_digest(position), list(position.features())) == (digest, before)


@given(setups(), seeds(), action_counts())
def test_replaying_the_stored_log_gives_the_position(setup: Setup, seed: int, plies: int) -> None:
    position, log = play_random_game(setup, seed, plies, resigning=True)
    stored = read_setup(setup.to_json())
    assert stored == setup
    assert stored.commitment == setup.commitment
    texts = [str(action) for action in log]
    assert [parse_action(text) for text in texts] == log
    assert state_digest(replay(stored, map(parse_action, texts))) == state_digest(position)
    assert position.ply == len(log)


@given(setups(), seeds(), action_counts())
def test_rebuilding_all_features_gives_the_same_features(setup: Setup, seed: int, plies: int) -> None:
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed, plies):
        if rng.random() < 0.05:
            assert normalized_features(rebuilt(position)) == normalized_features(position)


@given(setups(), seeds(), action_counts())
def test_exactly_the_listed_actions_are_legal(setup: Setup, seed: int, plies: int) -> None:
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed, plies):
        if rng.random() > 0.05:
            continue
        actions = position.legal_actions
        listed = set(actions)
        assert len(actions) == len(listed) == len(list(actions))
        assert bool(actions) == bool(listed) == (position.step is not None)
        assert all(action in actions for action in listed)
        digest = state_digest(position)
        for action in near_misses_of_all_games(position, rng):
            assert (action in actions) == (action in listed), action
            if action not in listed:
                with pytest.raises(IllegalActionError):
                    position.apply(action)
        assert state_digest(position) == digest


@given(setups(), seeds(), action_counts())
def test_every_listed_action_can_be_applied(setup: Setup, seed: int, plies: int) -> None:
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed, plies):
        if rng.random() > 0.1:
            continue
        for action in pick_legal_actions(position, rng, 5):
            other = position.copy()
            assert other.apply(action) is not None
            assert other.ply == position.ply + 1


@given(setups(), seeds())
def test_a_finished_game_takes_no_more_actions(setup: Setup, seed: int) -> None:
    position, _ = play_random_game(setup, seed)
    assert position.step is None
    assert position.player == -1
    assert position.hand is None
    assert not position.pile_left
    for action in (*near_misses_of_all_games(position, Random(seed)), Resign(0)):
        with pytest.raises(IllegalActionError):
            position.apply(action)


@given(setups(), seeds())
def test_legal_actions_are_a_sequence(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed):
        if rng.random() > 0.1:
            continue
        actions = position.legal_actions
        listed = list(actions)
        for index in (0, -1, len(listed) // 2) if listed else ():
            assert actions[index] == listed[index]
        assert actions[1:3] == listed[1:3]
        with pytest.raises(IndexError):
            actions[len(listed)]


# -- hidden information -----------------------------------------------------------------------------------------------


def reshuffle_hidden(position: Position, seed: int) -> Setup:
    """Return the setup of a position with its hidden cards in another order."""
    notation = GAMES[position.setup.game].notation
    decks = {name: list(deck) for name, deck in notation.decks(position.setup).items()}
    for name, seen in notation.revealed(position).items():
        hidden = sorted(set(range(len(decks[name]))) - set(seen))
        cards = [decks[name][at] for at in hidden]
        Random(seed).shuffle(cards)
        for at, card in zip(hidden, cards, strict=True):
            decks[name][at] = card
    return notation.with_decks(position.setup, {name: tuple(deck) for name, deck in decks.items()}, seed="another")


@given(setups(), seeds(), action_counts())
def test_the_features_of_a_tile_are_those_with_a_part_on_it(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies)
    features = list(position.features())
    for cell in (placed.cell for placed in position.placed()):
        there = [feature for feature in features if any(part_cell == cell for part_cell, _ in feature.parts)]
        assert list(position.features_at(cell)) == there
    assert not [feature for cell in position.open_cells() for feature in position.features_at(cell)]


def public_view(position: Position) -> list[Any]:
    """Return everything that a player can see, as text where there is one."""
    return [
        repr(position),
        repr(position.setup),
        repr(position.legal_actions),
        set(position.legal_actions),
        format_position(position),
        list(position.placed()),
        list(position.standing_figures()),
        list(position.features()),
        list(position.open_cells()),
        (position.scores, position.supply, position.step, position.turn, position.pile_left),
        position.ranking(),
        hints_on(position).remaining(),
        hints_on(position).projection(),
    ]


@given(setups(), seeds(), action_counts())
def test_the_public_view_does_not_depend_on_hidden_cards(setup: Setup, seed: int, plies: int) -> None:
    position, log = play_random_game(setup, seed, plies)
    if position.is_over:
        return
    other = begin(reshuffle_hidden(position, seed))
    original = begin(setup)
    for action in log:
        assert other.apply(action) == original.apply(action)
    assert public_view(other) == public_view(position)
