"""Positions share what they are made of, as copies and undoing need it: nothing in it may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import engine
from engine.actions import Action
from engine.agenda import Step, Task
from engine.events import Event

SHARED = (Action, Event, Step, Task)
"""The classes of values in logs, events and agendas."""


def classes() -> Iterator[type[Any]]:
    """Every class that the engine defines."""
    for found in walk_packages(engine.__path__, "engine."):
        module = import_module(found.name) if not found.name.endswith("__main__") else None
        for value in vars(module).values() if module else ():
            if isinstance(value, type) and value.__module__ == found.name:
                yield value


CLASSES = list(classes())
KINDS = [kind for kind in CLASSES if issubclass(kind, SHARED) and kind not in SHARED]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_steps_tasks_actions_and_events_are_values(kind: type[Any]) -> None:
    """Told apart by what is in them: a digest holds their text, and the agenda is searched for them."""
    assert is_dataclass(kind)
    assert kind.__eq__ is not object.__eq__
    assert kind.__repr__ is not object.__repr__


@pytest.mark.parametrize(
    "kind", [kind for kind in CLASSES if is_dataclass(kind)], ids=lambda kind: f"{kind.__module__}.{kind.__name__}"
)
def test_they_never_change(kind: type[Any]) -> None:
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)
