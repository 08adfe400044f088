"""Veiled positions of Carcassonne: copies without hidden information, for computer players that think ahead.

``test_the_castle_properties.py`` has the same tests for The Castle.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.carcassonne import OFFERED, Options, new_setup
from engine.carcassonne.expansions.river import LAKE, NAME
from engine.carcassonne.position import Position
from engine.selfplay import random_action
from tests.engine.carcassonne_games import SAMPLE_EXPANSIONS

GAME_SEED = 36
"""The seed of a random game in which a builder grants a second tile while lots of a bazaar lie face down."""


@pytest.mark.parametrize("order", ["bazaar_first", "builder_first"])
def test_a_veiled_position_differs_in_hidden_tiles_alone(order: str) -> None:
    """Tiles set aside face down for a bazaar are hidden, too."""
    rng = Random(GAME_SEED)
    options = Options(bazaar_builder_order=order)  # type: ignore[arg-type]
    position = Position(new_setup(players=3, seed=f"veiled{GAME_SEED}", options=options, expansions=SAMPLE_EXPANSIONS))
    set_aside = 0
    while position.step is not None:
        veiled = position.veiled()
        assert repr(veiled) == repr(position)
        assert veiled.setup.seed == ""
        hidden = set(position.unseen)
        assert all(
            at in hidden or first == second
            for at, (first, second) in enumerate(zip(position.setup.pile, veiled.setup.pile, strict=True))
        )
        assert Counter(veiled.face_down) == Counter(position.face_down)
        assert list(veiled.legal_actions)[:50] == list(position.legal_actions)[:50]
        set_aside += bool(position.set_aside)
        position.apply(random_action(position, rng))
    assert (set_aside > 0) == (order == "builder_first")


def test_a_veiled_position_keeps_separate_decks_apart() -> None:
    """Players know that the river comes first and its lake last, but not the order of the other tiles."""
    setup = new_setup(players=2, seed="decks", expansions=(NAME,))
    position = Position(setup)
    river, rest = setup.decks[NAME][1:-1], setup.decks["pile"]
    other_order = (setup.decks[NAME][0], *reversed(river), LAKE, *reversed(rest))
    exchanged = position.copy()
    exchanged.setup = replace(setup, pile=other_order, seed="another")
    assert exchanged.veiled().setup == position.veiled().setup
    assert position.veiled().setup.decks[NAME][-1] == LAKE


def test_play_gives_the_same_position_as_push_but_cannot_be_undone() -> None:
    first = Position(new_setup(players=2, seed="played", expansions=OFFERED))
    second, rng = first.copy(), Random(1)
    for _ in range(40):
        action = random_action(first, rng)
        assert first.push(action) == second.play(action)
    assert repr(first) == repr(second)
    with pytest.raises(IndexError):
        second.pop()
