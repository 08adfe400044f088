"""Hooks for expansions and hints that are not overridden have no effect, and every hook has a user.

A hook is a method of ``Expansion`` that the engine calls at some moment of a turn; a box (expansion) overrides those
that it needs. ``Pausing`` is an expansion that exists only in the tests.
"""

from __future__ import annotations

import inspect

import pytest

from engine.carcassonne import REGISTRY, Position, new_setup, tile
from engine.carcassonne.table import Expansion
from engine.events import Term
from engine.hints import Hints
from tests.engine import pedlars
from tests.engine.test_after_deployment import Pausing

HOOKS = [name for name, hook in vars(Expansion).items() if inspect.isfunction(hook)]
"""The names of all hooks."""


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_that_no_box_overrides_has_no_effect(name: str) -> None:
    """The engine calls only expansions that override a hook; calling the default changes nothing, either."""
    hook = getattr(Expansion(), name)
    terms = (Term("tiles", 3, 3),)
    result = hook(*(terms if argument == "terms" else None for argument in inspect.signature(hook).parameters))
    assert not result or result == terms


def test_every_hook_is_used_by_a_box() -> None:
    """The user may be a box that exists only in tests. Unused hooks have to be removed."""
    boxes = (*REGISTRY.values(), pedlars.BOX)
    mechanisms = [*(mechanism for box in boxes for mechanism in box.mechanisms), Pausing()]
    assert {
        name
        for name in HOOKS
        if all(getattr(type(mechanism), name) is getattr(Expansion, name) for mechanism in mechanisms)
    } == set()


def test_tiles_and_legal_actions_have_a_readable_repr() -> None:
    position = Position(new_setup(players=2, seed="1"))
    assert repr(tile("base/D")) == "tile('base/D')"
    assert repr(position.legal_actions) == f"<{len(position.legal_actions)} legal actions of player {position.player}>"


def test_a_game_without_fields_has_no_holdings() -> None:
    assert Hints.holdings(None) == ()  # type: ignore[arg-type]
