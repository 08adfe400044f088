"""Hooks and callbacks that a box or a game does not define have no effect."""

from __future__ import annotations

import inspect

import pytest

from engine.carcassonne import REGISTRY, Position, new_setup, tile
from engine.carcassonne.table import Expansion
from engine.events import Term
from engine.hints import Hints
from tests.engine import abbey_mayor

HOOKS = [name for name, hook in vars(Expansion).items() if inspect.isfunction(hook)]


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_has_no_effect_until_a_box_says_so(name: str) -> None:
    """The table only calls expansions that override a hook; calling the others has no effect, either."""
    hook = getattr(Expansion(), name)
    terms = (Term("tiles", 3, 3),)
    found = hook(*(terms if argument == "terms" else None for argument in inspect.signature(hook).parameters))
    assert not found or found == terms


def test_every_hook_is_used_by_a_box() -> None:
    """Of ours, or of the tests; a seam without any has a named place in the documents, no code."""
    parts = [part for box in (*REGISTRY.values(), abbey_mayor.BOX) for part in box.mechanisms]
    assert {
        name for name in HOOKS if all(getattr(type(part), name) is getattr(Expansion, name) for part in parts)
    } == set()


def test_a_tile_and_its_legal_actions_say_what_they_are() -> None:
    position = Position(new_setup(players=2, seed="1"))
    assert repr(tile("base/D")) == "tile('base/D')"
    assert repr(position.legal_actions) == f"<{len(position.legal_actions)} legal actions of player {position.player}>"


def test_where_a_game_has_no_fields_nobody_holds_any() -> None:
    assert Hints.holdings(None) == ()  # type: ignore[arg-type]
