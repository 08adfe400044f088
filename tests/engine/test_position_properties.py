"""Random games of whatever can be played: taking back, copying, replaying, and the one definition of legality."""

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
from tests.engine.every_game import LIVELY, lengths, luck, moves, play, setups


def some(position: Position, chance: Random, number: int) -> list[Action]:
    """A few of the legal actions."""
    actions = position.legal_actions
    return [actions[chance.randrange(len(actions))] for _ in range(number if actions else 0)]


def anything(position: Position, chance: Random) -> Iterator[Action]:
    """Actions of every kind and of every game, most of them not legal."""
    for module in LIVELY.values():
        yield from module.near_misses(position, chance)


def features(position: Position) -> Counter[Any]:
    """The features, however their parts and figures are ordered."""
    return Counter(
        feature._replace(parts=frozenset(feature.parts), followers=frozenset(feature.followers))
        for feature in position.features()
    )


@given(setups(), luck(), lengths())
def test_pop_restores_the_position(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies):
        if chance.random() > 0.05:
            continue
        digests: list[str] = []
        while position.step is not None and len(digests) < 6:
            digests.append(state_digest(position))
            position.push(some(position, chance, 1)[0])
        for digest in reversed(digests):
            assert state_digest(position) != digest
            position.pop()
            assert state_digest(position) == digest


@given(setups(), luck(), lengths())
def test_a_copy_goes_its_own_way(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies)
    digest, before = state_digest(position), list(position.features())
    other = position.copy()
    assert state_digest(other) == digest
    for action in some(position, Random(seed), 1):
        other.apply(action)
        assert state_digest(other) != digest
    assert (state_digest(position), list(position.features())) == (digest, before)


@given(setups(), luck(), lengths())
def test_the_log_is_the_game(setup: Setup, seed: int, plies: int) -> None:
    position, log = play(setup, seed, plies, resigning=True)
    stored = read_setup(setup.to_json())
    assert stored == setup
    assert stored.commitment == setup.commitment
    texts = [str(action) for action in log]
    assert [parse_action(text) for text in texts] == log
    assert state_digest(replay(stored, map(parse_action, texts))) == state_digest(position)
    assert position.ply == len(log)


@given(setups(), luck(), lengths())
def test_joined_as_they_are_laid_or_joined_anew(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies):
        if chance.random() < 0.05:
            assert features(position.rebuilt()) == features(position)


@given(setups(), luck(), lengths())
def test_what_is_listed_is_legal_and_nothing_else(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies):
        if chance.random() > 0.05:
            continue
        actions = position.legal_actions
        listed = set(actions)
        assert len(actions) == len(listed) == len(list(actions))
        assert bool(actions) == bool(listed) == (position.step is not None)
        assert all(action in actions for action in listed)
        digest = state_digest(position)
        for action in anything(position, chance):
            assert (action in actions) == (action in listed), action
            if action not in listed:
                with pytest.raises(IllegalActionError):
                    position.apply(action)
        assert state_digest(position) == digest


@given(setups(), luck(), lengths())
def test_everything_listed_can_be_done(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies):
        if chance.random() > 0.1:
            continue
        for action in some(position, chance, 5):
            other = position.copy()
            assert other.apply(action) is not None
            assert other.ply == position.ply + 1


@given(setups(), luck())
def test_a_finished_game_takes_no_more_actions(setup: Setup, seed: int) -> None:
    position, _ = play(setup, seed)
    assert position.step is None
    assert position.player == -1
    assert position.hand is None
    assert not position.pile_left
    for action in (*anything(position, Random(seed)), Resign(0)):
        with pytest.raises(IllegalActionError):
            position.apply(action)


@given(setups(), luck())
def test_lists_of_actions_are_sequences(setup: Setup, seed: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed):
        if chance.random() > 0.1:
            continue
        actions = position.legal_actions
        listed = list(actions)
        for index in (0, -1, len(listed) // 2) if listed else ():
            assert actions[index] == listed[index]
        assert actions[1:3] == listed[1:3]
        with pytest.raises(IndexError):
            actions[len(listed)]


# -- what lies face down ----------------------------------------------------------------------------------------------


def shuffled_anew(position: Position, seed: int) -> Setup:
    """Return the setup of a position with everything unseen in another order."""
    notation = GAMES[position.setup.game].notation
    decks = {name: list(deck) for name, deck in notation.decks(position.setup).items()}
    for name, seen in notation.revealed(position).items():
        hidden = sorted(set(range(len(decks[name]))) - set(seen))
        cards = [decks[name][at] for at in hidden]
        Random(seed).shuffle(cards)
        for at, card in zip(hidden, cards, strict=True):
            decks[name][at] = card
    return notation.with_decks(position.setup, {name: tuple(deck) for name, deck in decks.items()}, seed="another")


def seen_by_all(position: Position) -> list[Any]:
    """Everything that a player can look at, as text where it is one."""
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


@given(setups(), luck(), lengths())
def test_what_lies_face_down_cannot_be_seen(setup: Setup, seed: int, plies: int) -> None:
    position, log = play(setup, seed, plies)
    if position.is_over:
        return
    other = begin(shuffled_anew(position, seed))
    same = begin(setup)
    for action in log:
        assert other.apply(action) == same.apply(action)
    assert seen_by_all(other) == seen_by_all(position)
