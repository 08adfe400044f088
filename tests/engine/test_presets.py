"""Invariants in whole random games of every preset of every game, checked after each action.

The other property tests draw their rules at random. These tests cover every preset.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES, GameKind, Position, replay, state_digest
from engine.notation.positions import format_position
from engine.selfplay import random_action
from tests.engine.every_game import play_moves, seeds
from tests.engine.examples import SOAK_EXAMPLES
from tests.engine.rebuilding import rebuilt

PRESETS = [(game, name) for game in GAMES.values() for name in game.presets]
"""Every preset (the options of an edition) of every game."""
INTERVAL = 1 if settings().max_examples >= SOAK_EXAMPLES else 3
"""One position in so many is compared; each of them with `make soak`."""
every_preset = pytest.mark.parametrize(
    ("game", "preset"), PRESETS, ids=[f"{game.name}-{name}" for game, name in PRESETS]
)


def normalized_features(position: Position) -> Counter[Any]:
    """Return the features without the order of their parts and figures."""
    return Counter(
        feature._replace(parts=frozenset(feature.parts), followers=frozenset(feature.followers))
        for feature in position.features()
    )


def text_after_undo(position: Position, rng: Random) -> str:
    """Return the text of the position after a random action and its undo."""
    if position.step is not None:
        position.push(random_action(position, rng))
        position.pop()
    return format_position(position)


@every_preset
@settings(max_examples=max(1, settings().max_examples // 20))
@given(seeds(), st.integers(0, 4))
def test_every_preset_keeps_the_invariants(game: GameKind, preset: str, seed: int, more_players: int) -> None:
    """Features equal rebuilt ones, undo restores the text, and the log replays to the same position.

    The first two are looked at after every third action, and with `make soak` after each one.
    """
    players = game.players[more_players % len(game.players)]
    setup = game.new_setup(players=players, seed=str(seed), options=game.presets[preset], expansions=game.expansions)
    rng, log = Random(seed), []
    resigning = (seed + PRESETS.index((game, preset))) % 2 == 1
    for position, action, _ in play_moves(setup, seed, resigning=resigning):
        log.append(action)
        final = position
        if len(log) % INTERVAL:
            continue
        assert normalized_features(rebuilt(position)) == normalized_features(position)
        text = format_position(position)
        assert text_after_undo(position, rng) == text
    assert state_digest(replay(setup, log)) == state_digest(final)
