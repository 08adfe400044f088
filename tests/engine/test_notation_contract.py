"""Positions and records as text, of every game that the engine plays: nothing here names one."""

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
from engine.notation.reading import read_record
from engine.notation.records import UNFINISHED, Record, RevealTracker, format_record
from engine.selfplay import random_action
from tests.engine.every_game import dealt_setups, lengths, luck, moves, play, setups


def seen_by_everybody(position: Position) -> list[object]:
    """Return everything that players can look at."""
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


def with_true_decks(read: Position, true: Position) -> Position:
    """The position that was read, what lies face down in the order that only the true one knows."""
    notation = GAMES[true.setup.game].notation
    own, decks, known = notation.decks(read.setup), notation.decks(true.setup), notation.revealed(true)
    mixed = {}
    for name, places in notation.revealed(read).items():
        hidden = (card for at, card in enumerate(decks[name]) if at not in known[name])
        mixed[name] = tuple(card if at in places else next(hidden) for at, card in enumerate(own[name]))
    read.setup = notation.with_decks(read.setup, mixed, true.setup.seed)
    return read


@given(setups(), luck(), lengths())
def test_a_position_is_its_text(setup: Setup, seed: int, plies: int) -> None:
    chance = Random(seed)
    for position, _, _ in moves(setup, seed, plies, resigning=True):
        if chance.random() > 0.05:
            continue
        text = format_position(position)
        read = parse_position(text)
        assert format_position(read) == text
        assert seen_by_everybody(read) == seen_by_everybody(position)


@given(setups(), luck(), lengths())
def test_from_a_read_position_the_game_goes_on_as_it_would(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies, resigning=True)
    read, random = with_true_decks(parse_position(format_position(position)), position), Random(seed)
    for _ in range(60):
        if position.step is None:
            break
        action = random_action(position, random)
        assert read.apply(action) == position.apply(action)
        assert format_position(read) == format_position(position)


@given(setups(), luck(), lengths())
def test_taking_back_restores_the_text(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies, resigning=True)
    random, texts = Random(seed), []
    for _ in range(8):
        if position.step is None:
            break
        texts.append(format_position(position))
        position.push(random_action(position, random))
    for text in reversed(texts):
        assert format_position(position) != text
        position.pop()
        assert format_position(position) == text


@given(setups(), luck(), lengths(), st.sampled_from(["", "A game", 'quoted "[ ] \\ ; +', "Ω 🏰"]))
def test_a_record_is_its_text(setup: Setup, seed: int, plies: int, title: str) -> None:
    position, log = play(setup, seed, plies, resigning=True)
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


@given(setups(), luck(), st.integers(0, 150))
def test_at_every_ply_the_record_shows_what_was_to_be_seen(setup: Setup, seed: int, plies: int) -> None:
    _, log = play(setup, seed, plies, resigning=True)
    record = read_record(format_record(Record.of(setup, log)))
    position = begin(setup)
    for ply in range(0, len(log), 7):
        while position.ply < ply:
            position.apply(log[position.ply])
        assert format_position(record.position(ply)) == format_position(position)


@given(setups(), luck(), st.integers(0, 200))
def test_of_a_running_game_nothing_face_down_is_told(setup: Setup, seed: int, plies: int) -> None:
    """Another order of what lies face down, and another seed, give the same texts."""
    position, log = play(setup, seed, plies, resigning=True)
    if position.is_over:
        return
    other = reshuffled(position, Random(seed))
    assert format_position(replay(other, log)) == format_position(position)
    record, same = Record.of(setup, log), Record.of(other, log)
    assert replace(same, commitment=record.commitment) == record
    assert same.commitment != record.commitment or other == setup
    assert format_record(replace(same, commitment=record.commitment)) == format_record(record)
    assert record.setup.seed == ""
    assert setup.seed not in [word.strip('"[]') for word in format_record(record).split()] or len(setup.seed) < 5


@given(setups(), luck(), st.integers(0, 200))
def test_a_careless_record_tells_nothing_either(setup: Setup, seed: int, plies: int) -> None:
    """A record made by hand with the true setup in it writes the same text."""
    position, log = play(setup, seed, plies, resigning=True)
    careless = Record(setup=setup, actions=tuple(log), commitment=setup.commitment)
    assert format_record(careless) == format_record(Record.of(setup, log))
    assert ("[Seed" in format_record(careless)) == position.is_over


def reshuffled(position: Position, random: Random) -> Setup:
    """The same game with what lies face down in another order."""
    notation = GAMES[position.setup.game].notation
    decks, known = notation.decks(position.setup), notation.revealed(position)
    mixed = {name: tuple(mix(deck, set(known[name]), random)) for name, deck in decks.items()}
    setup: Setup = notation.with_decks(position.setup, mixed, seed="another one")
    return setup


def mix(deck: tuple[str, ...], known: set[int], random: Random) -> Iterator[str]:
    hidden = [card for at, card in enumerate(deck) if at not in known]
    random.shuffle(hidden)
    others = iter(hidden)
    return (card if at in known else next(others) for at, card in enumerate(deck))


@given(setups(), luck(), lengths())
def test_what_has_come_to_light_stays_so(setup: Setup, seed: int, plies: int) -> None:
    notation = GAMES[setup.game].notation
    sizes = {name: len(deck) for name, deck in notation.decks(setup).items()}
    before: dict[str, set[int]] = {name: set() for name in sizes}
    for position, _, _ in moves(setup, seed, plies, resigning=True):
        seen = notation.revealed(position)
        assert seen.keys() == sizes.keys()
        for name, places in seen.items():
            assert list(places) == sorted(set(places))
            assert before[name] <= set(places) <= set(range(sizes[name]))
            before[name] = set(places)


@given(dealt_setups())
def test_decks_are_dealt_as_they_are(setup: Setup) -> None:
    notation = GAMES[setup.game].notation
    assert notation.with_decks(setup, notation.decks(setup), setup.seed) == setup
    assert notation.from_seed(setup) == setup
    assert sorted(card for deck in notation.decks(setup).values() for card in deck) == sorted(setup.shuffled)


@given(setups(), luck())
def test_everything_has_come_to_light_when_a_game_is_over(setup: Setup, seed: int) -> None:
    position, log = play(setup, seed, resigning=True)
    assert position.is_over
    game = begin(setup)
    chance = RevealTracker(game)
    told = chance.new_tokens(game)
    for action in log:
        game.apply(action)
        told += chance.new_tokens(game)
    assert len(told) == len(setup.shuffled)
    assert chance.new_tokens(game) == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_step_and_task_has_a_word(game: GameKind) -> None:
    package = type(game.notation).__module__.rpartition(".")[0]
    kinds = {full_name(kind) for base in (Step, Task) for kind in below(base)}
    words = game.notation.words
    assert {full_name(word.kind) for word in words} == {name for name in kinds if name.startswith(f"{package}.")}
    assert len({word.name for word in words}) == len(words)


def below(kind: type) -> Iterator[type]:
    for sub in kind.__subclasses__():
        yield sub
        yield from below(sub)


def full_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
