"""Positions of Carcassonne without hidden information; those of The Castle are in ``test_the_castle_properties.py``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.carcassonne import OFFERED, Options, new_setup
from engine.carcassonne.expansions.river import LAKE, NAME
from engine.carcassonne.position import Position
from engine.selfplay import random_action

SEED = 36
"""A random game in which a builder grants a second tile while the lots of a bazaar lie face down."""


@pytest.mark.parametrize("order", ["bazaar_first", "builder_first"])
def test_a_veiled_position_differs_in_what_nobody_has_seen_alone(order: str) -> None:
    """Tiles that were set aside face down are as unknown as the pile."""
    random = Random(SEED)
    options = Options(bazaar_builder_order=order)  # type: ignore[arg-type]
    position = Position(new_setup(players=3, seed=f"veiled{SEED}", options=options, expansions=OFFERED))
    set_aside = 0
    while position.step is not None:
        veiled = position.veiled()
        assert repr(veiled) == repr(position)
        assert veiled.setup.seed == ""
        hidden = set(position.unseen)
        assert all(
            at in hidden or one == other
            for at, (one, other) in enumerate(zip(position.setup.pile, veiled.setup.pile, strict=True))
        )
        assert Counter(veiled.face_down) == Counter(position.face_down)
        assert list(veiled.legal_actions)[:50] == list(position.legal_actions)[:50]
        set_aside += bool(position.set_aside)
        position.apply(random_action(position, random))
    assert (set_aside > 0) == (order == "builder_first")


def test_separate_decks_stay_apart() -> None:
    """Everybody knows that the river comes first, and the lake last of it; nobody knows the order of the others."""
    setup = new_setup(players=2, seed="decks", expansions=(NAME,))
    position = Position(setup)
    river, rest = setup.decks[NAME][1:-1], setup.decks["pile"]
    others = (setup.decks[NAME][0], *reversed(river), LAKE, *reversed(rest))
    exchanged = position.copy()
    exchanged.setup = replace(setup, pile=others, seed="another")
    assert exchanged.veiled().setup == position.veiled().setup
    assert position.veiled().setup.decks[NAME][-1] == LAKE


def test_an_action_that_is_only_played_leaves_the_position_like_one_that_is_pushed() -> None:
    one = Position(new_setup(players=2, seed="played", expansions=OFFERED))
    other, random = one.copy(), Random(1)
    for _ in range(40):
        action = random_action(one, random)
        assert one.push(action) == other.play(action)
    assert repr(one) == repr(other)
    with pytest.raises(IndexError):
        other.pop()
