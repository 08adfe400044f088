"""The engine's value classes are immutable, because copies of a position and its undo stack share them.

A value is an action, event, step, task or another frozen object of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import engine
from engine.actions import Action, Instead
from engine.agenda import Step, Task
from engine.events import Event

VALUE_BASES = (Action, Instead, Event, Step, Task)
"""Base classes of the values in logs, events and agendas."""


def engine_classes() -> Iterator[type[Any]]:
    """Yield every class that the engine defines."""
    for entry in walk_packages(engine.__path__, "engine."):
        module = import_module(entry.name) if not entry.name.endswith("__main__") else None
        for value in vars(module).values() if module else ():
            if isinstance(value, type) and value.__module__ == entry.name:
                yield value


CLASSES = list(engine_classes())
"""All classes of the engine."""
KINDS = [kind for kind in CLASSES if issubclass(kind, VALUE_BASES) and kind not in VALUE_BASES]
"""The classes of values."""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_steps_tasks_actions_and_events_compare_by_value(kind: type[Any]) -> None:
    """The agenda is searched for them, and digests contain their text."""
    assert is_dataclass(kind)
    assert kind.__eq__ is not object.__eq__
    assert kind.__repr__ is not object.__repr__


@pytest.mark.parametrize(
    "kind", [kind for kind in CLASSES if is_dataclass(kind)], ids=lambda kind: f"{kind.__module__}.{kind.__name__}"
)
def test_every_dataclass_is_frozen_and_slotted(kind: type[Any]) -> None:
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)
