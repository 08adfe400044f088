"""Random games: taking back, copying, replaying, and the one definition of legality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from engine import Action, Cell, Deploy, IllegalActionError, Pass, Place, Resign, parse_action, read_setup, replay
from engine.carcassonne import (
    Axis,
    Bid,
    BidOnLot,
    BuildBridge,
    BuildCastle,
    Buy,
    ChooseLot,
    ChooseSource,
    Decline,
    PickLot,
    Position,
    ScoreTown,
    SelectLot,
    Sell,
    Setup,
)
from tests.engine.games import lengths, luck, moves, play, setups

SEGMENTS = ("city.N", "city.E", "road.N", "road.W", "road.E", "field.NL", "field.WR", "monastery", "river.N")


def some(position: Position, chance: Random, number: int) -> list[Action]:
    """A few of the legal actions."""
    actions = position.legal_actions
    return [actions[chance.randrange(len(actions))] for _ in range(number if actions else 0)]


def anything(position: Position, chance: Random) -> Iterator[Action]:
    """Actions of every kind, most of them not legal."""
    cells = [*position.open_cells(), *(placed.cell for placed in position.placed()), Cell(40, -40)]
    cell, other = chance.choice(cells), chance.choice(cells)
    axis = chance.choice(list(Axis))
    yield from (Decline(), Pass(), BuildCastle(), ScoreTown(), Buy(), Sell())
    yield from (Place(cell, rotation) for rotation in (0, 90, 180, 270, 45, 360))
    yield from (Place(cell, rotation, BuildBridge(other, axis)) for rotation in (0, 90))
    yield from (Place(cell, 0, BuildBridge(cell, axis)), BuildBridge(cell, axis), BuildBridge(other, axis))
    yield from (Deploy(segment) for segment in SEGMENTS)
    yield from (Deploy("road.N", "builder"), ChooseSource(cell, "road.N"), ChooseSource(cell, "castle"))
    yield from (Bid(amount) for amount in (-1, 0, 1, 5, 998, 999, 1000))
    yield from (SelectLot(lot, bid) for lot in (0, 1, 2, 7) for bid in (-1, 0, 3, 1000))
    yield from (PickLot(lot) for lot in (0, 1, 2, 7))


@given(setups(), luck(), lengths())
def test_pop_restores_the_position(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies=plies):
        if chance.random() > 0.05:
            continue
        digests: list[str] = []
        while position.step is not None and len(digests) < 6:
            digests.append(position.digest())
            position.push(some(position, chance, 1)[0])
        for digest in reversed(digests):
            assert position.digest() != digest
            position.pop()
            assert position.digest() == digest


@given(setups(), luck(), lengths())
def test_a_copy_goes_its_own_way(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies=plies)
    digest, features = position.digest(), list(position.features())
    other = position.copy()
    assert other.digest() == digest
    for action in some(position, Random(seed), 1):
        other.apply(action)
        assert other.digest() != digest
    assert (position.digest(), list(position.features())) == (digest, features)


@given(setups(), luck(), lengths())
def test_the_log_is_the_game(setup: Setup, seed: int, plies: int) -> None:
    position, log = play(setup, seed, plies=plies, resigning=True)
    stored = read_setup(setup.to_json())
    assert stored == setup
    assert stored.commitment == setup.commitment
    texts = [str(action) for action in log]
    assert [parse_action(text) for text in texts] == log
    assert replay(stored, map(parse_action, texts)).digest() == position.digest()
    assert position.ply == len(log)


@given(setups(), luck(), lengths())
def test_what_is_listed_is_legal_and_nothing_else(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies=plies):
        if chance.random() > 0.05:
            continue
        actions = position.legal_actions
        listed = set(actions)
        assert len(actions) == len(listed) == len(list(actions))
        assert bool(actions) == bool(listed) == (position.step is not None)
        assert all(action in actions for action in listed)
        digest = position.digest()
        for action in anything(position, chance):
            assert (action in actions) == (action in listed), action
            if action not in listed:
                with pytest.raises(IllegalActionError):
                    position.apply(action)
                assert position.digest() == digest


@given(setups(), luck(), lengths())
def test_everything_listed_can_be_done(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies=plies):
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


@given(setups(), luck(), lengths())
def test_what_lies_face_down_cannot_be_seen(setup: Setup, seed: int, plies: int) -> None:
    position, log = play(setup, seed, plies=plies)
    seen = position.next_tile
    hidden = list(setup.pile[seen:])
    Random(seed).shuffle(hidden)
    other = replay(replace(setup, pile=(*setup.pile[:seen], *hidden)), log)
    assert repr(other) == repr(position)
    assert repr(other.legal_actions) == repr(position.legal_actions)
    assert set(other.legal_actions) == set(position.legal_actions)
    assert other.scores == position.scores


@given(setups(), luck())
def test_bids_are_a_sequence(setup: Setup, seed: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed):
        if not isinstance(position.step, ChooseLot | BidOnLot) or chance.random() > 0.1:
            continue
        actions = position.legal_actions
        listed = list(actions)
        for index in (0, -1, len(listed) // 2):
            assert actions[index] == listed[index]
        assert actions[1:3] == listed[1:3]
        with pytest.raises(IndexError):
            actions[len(listed)]
