"""Whole random games of every preset of every game, looked at after each action.

The other property tests draw their rules; here no preset can be missed.
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
from tests.engine.every_game import luck, moves

PRESETS = [(game, name) for game in GAMES.values() for name in game.presets]
every_preset = pytest.mark.parametrize(
    ("game", "preset"), PRESETS, ids=[f"{game.name}-{name}" for game, name in PRESETS]
)


def features(position: Position) -> Counter[Any]:
    """The features, however their parts and figures are ordered."""
    return Counter(
        feature._replace(parts=frozenset(feature.parts), followers=frozenset(feature.followers))
        for feature in position.features()
    )


def taken_back(position: Position, chance: Random) -> str:
    """The text of the position after something was done and taken back."""
    if position.step is not None:
        position.push(random_action(position, chance))
        position.pop()
    return format_position(position)


@every_preset
@settings(max_examples=max(1, settings().max_examples // 20))
@given(luck(), st.integers(0, 4))
def test_every_preset_is_played_by_the_same_laws(game: GameKind, preset: str, seed: int, more_players: int) -> None:
    """Joined features are those joined anew; taking back restores the text; the log is the game."""
    players = game.players[more_players % len(game.players)]
    setup = game.new_setup(players=players, seed=str(seed), options=game.presets[preset], expansions=game.expansions)
    chance, log = Random(seed), []
    resigning = (seed + PRESETS.index((game, preset))) % 2 == 1
    for position, action, _ in moves(setup, seed, resigning=resigning):
        log.append(action)
        assert features(position.rebuilt()) == features(position)
        text = format_position(position)
        assert taken_back(position, chance) == text
        last = position
    assert state_digest(replay(setup, log)) == state_digest(last)
