"""The contract of text forms, for every registered game: positions and records round trip and reveal nothing hidden.

A record is a setup with its actions. Cards that lie face down are written only once the game has revealed them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES, GameKind, Position, Setup, begin, replay
from engine.agenda import Step, Task
from engine.notation.positions import format_position, parse_position
from engine.notation.records import UNFINISHED, Record, RevealTracker, format_record, read_record
from engine.selfplay import random_action
from tests.engine.every_game import action_counts, dealt_setups, play_moves, play_random_game, seeds, setups


def public_view(position: Position) -> list[object]:
    """Return everything that players can see."""
    return [
        position.scores,
        position.supply,
        position.withdrawn,
        position.ply,
        position.turn,
        position.player,
        position.pile_left,
        position.hand,
        position.ranking(),
        [(placed.cell, placed.tile, placed.rotation, placed.player, placed.number) for placed in position.placed()],
        list(position.standing_figures()),
        list(position.features()),
        list(position.open_cells()),
        {key: value for key, value in position.extra.items() if value},
        list(islice(position.legal_actions, 200)),
        len(position.legal_actions),
    ]


def with_true_decks(read: Position, original: Position) -> Position:
    """Put the hidden cards of a parsed position into the order of the original, which the text does not contain."""
    notation = GAMES[original.setup.game].notation
    own, decks, known = notation.decks(read.setup), notation.decks(original.setup), notation.revealed(original)
    mixed = {}
    for name, places in notation.revealed(read).items():
        hidden = (card for at, card in enumerate(decks[name]) if at not in known[name])
        mixed[name] = tuple(card if at in places else next(hidden) for at, card in enumerate(own[name]))
    read.setup = notation.with_decks(read.setup, mixed, original.setup.seed)
    return read


@given(setups(), seeds(), action_counts())
def test_a_position_round_trips(setup: Setup, seed: int, plies: int) -> None:
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed, plies, resigning=True):
        if rng.random() > 0.05:
            continue
        text = format_position(position)
        read = parse_position(text)
        assert format_position(read) == text
        assert public_view(read) == public_view(position)


@given(setups(), seeds(), action_counts())
def test_a_parsed_position_continues_like_the_original(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies, resigning=True)
    read, rng = with_true_decks(parse_position(format_position(position)), position), Random(seed)
    for _ in range(60):
        if position.step is None:
            break
        action = random_action(position, rng)
        assert read.apply(action) == position.apply(action)
        assert format_position(read) == format_position(position)


@given(setups(), seeds(), action_counts())
def test_undo_restores_the_text(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies, resigning=True)
    rng, texts = Random(seed), []
    for _ in range(8):
        if position.step is None:
            break
        texts.append(format_position(position))
        position.push(random_action(position, rng))
    for text in reversed(texts):
        assert format_position(position) != text
        position.pop()
        assert format_position(position) == text


@given(setups(), seeds(), action_counts(), st.sampled_from(["", "A game", 'quoted "[ ] \\ ; +', "Ω 🏰"]))
def test_a_record_round_trips(setup: Setup, seed: int, plies: int, title: str) -> None:
    position, log = play_random_game(setup, seed, plies, resigning=True)
    names = [f"{title or 'seat'} {seat}" for seat in range(setup.players)]
    record = Record.of(setup, log, names=names, title=title)
    text = format_record(record)
    assert read_record(text) == record
    assert format_record(read_record(text)) == text
    assert record.actions == tuple(log)
    assert record.commitment == setup.commitment
    assert format_position(record.position()) == format_position(position)
    if position.is_over:
        assert record.setup == setup
    else:
        assert text.splitlines()[-1] == UNFINISHED


@given(setups(), seeds(), st.integers(0, 150))
def test_a_record_gives_the_position_at_every_ply(setup: Setup, seed: int, plies: int) -> None:
    _, log = play_random_game(setup, seed, plies, resigning=True)
    record = read_record(format_record(Record.of(setup, log)))
    position = begin(setup)
    for ply in range(0, len(log), 7):
        while position.ply < ply:
            position.apply(log[position.ply])
        assert format_position(record.position(ply)) == format_position(position)


@given(setups(), seeds(), st.integers(0, 200))
def test_texts_of_a_running_game_reveal_nothing_hidden(setup: Setup, seed: int, plies: int) -> None:
    """The texts stay the same with another order of the hidden cards and another seed."""
    position, log = play_random_game(setup, seed, plies, resigning=True)
    if position.is_over:
        return
    other = reshuffle_hidden(position, Random(seed))
    assert format_position(replay(other, log)) == format_position(position)
    record, other_record = Record.of(setup, log), Record.of(other, log)
    assert replace(other_record, commitment=record.commitment) == record
    assert other_record.commitment != record.commitment or other == setup
    assert format_record(replace(other_record, commitment=record.commitment)) == format_record(record)
    assert record.setup.seed == ""
    assert setup.seed not in [word.strip('"[]') for word in format_record(record).split()] or len(setup.seed) < 5


@given(setups(), seeds(), st.integers(0, 200))
def test_a_record_made_with_the_full_setup_reveals_nothing_hidden(setup: Setup, seed: int, plies: int) -> None:
    """Writing removes the hidden part of the setup if the caller has not."""
    position, log = play_random_game(setup, seed, plies, resigning=True)
    unredacted = Record(setup=setup, actions=tuple(log), commitment=setup.commitment)
    assert format_record(unredacted) == format_record(Record.of(setup, log))
    assert ("[Seed" in format_record(unredacted)) == position.is_over


def reshuffle_hidden(position: Position, rng: Random) -> Setup:
    """Return the setup of a position with its hidden cards in another order."""
    notation = GAMES[position.setup.game].notation
    decks, known = notation.decks(position.setup), notation.revealed(position)
    mixed = {name: tuple(shuffle_hidden(deck, set(known[name]), rng)) for name, deck in decks.items()}
    setup: Setup = notation.with_decks(position.setup, mixed, seed="another one")
    return setup


def shuffle_hidden(deck: tuple[str, ...], known: set[int], rng: Random) -> Iterator[str]:
    """Yield the cards of a deck with the unknown ones in random order."""
    hidden = [card for at, card in enumerate(deck) if at not in known]
    rng.shuffle(hidden)
    shuffled = iter(hidden)
    return (card if at in known else next(shuffled) for at, card in enumerate(deck))


@given(setups(), seeds(), action_counts())
def test_revealed_cards_stay_revealed(setup: Setup, seed: int, plies: int) -> None:
    notation = GAMES[setup.game].notation
    sizes = {name: len(deck) for name, deck in notation.decks(setup).items()}
    before: dict[str, set[int]] = {name: set() for name in sizes}
    for position, _, _ in play_moves(setup, seed, plies, resigning=True):
        seen = notation.revealed(position)
        assert seen.keys() == sizes.keys()
        for name, places in seen.items():
            assert list(places) == sorted(set(places))
            assert before[name] <= set(places) <= set(range(sizes[name]))
            before[name] = set(places)


@given(dealt_setups())
def test_decks_round_trip_through_the_setup(setup: Setup) -> None:
    notation = GAMES[setup.game].notation
    assert notation.with_decks(setup, notation.decks(setup), setup.seed) == setup
    assert notation.from_seed(setup) == setup
    assert sorted(card for deck in notation.decks(setup).values() for card in deck) == sorted(setup.shuffled)


@given(setups(), seeds())
def test_everything_is_revealed_when_a_game_is_over(setup: Setup, seed: int) -> None:
    position, log = play_random_game(setup, seed, resigning=True)
    assert position.is_over
    game = begin(setup)
    rng = RevealTracker(game)
    tokens = rng.new_tokens(game)
    for action in log:
        game.apply(action)
        tokens += rng.new_tokens(game)
    assert len(tokens) == len(setup.shuffled)
    assert rng.new_tokens(game) == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_step_and_task_has_a_word(game: GameKind) -> None:
    package = type(game.notation).__module__.rpartition(".")[0]
    kinds = {full_name(kind) for base in (Step, Task) for kind in all_subclasses(base)}
    words = game.notation.words
    assert {full_name(word.kind) for word in words} == {name for name in kinds if name.startswith(f"{package}.")}
    assert len({word.name for word in words}) == len(words)


def all_subclasses(kind: type) -> Iterator[type]:
    """Yield the direct and indirect subclasses of a class."""
    for sub in kind.__subclasses__():
        yield sub
        yield from all_subclasses(sub)


def full_name(kind: type) -> str:
    """Return the name of a class with its module."""
    return f"{kind.__module__}.{kind.__qualname__}"
