"""Requirements of the engine: a box has effects, text forms, names of its own, options, and stable storage formats.

Each check yields a sentence for everything that is missing.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields

from engine import GAMES, NotationError, parse_action
from engine.actions import Action
from engine.agenda import Step, Task
from engine.carcassonne import REGISTRY, TileKind, tile_set
from engine.carcassonne.box import Box
from engine.carcassonne.table import ORDINARY, Expansion, Figure
from tests.engine import storage_formats
from tests.engine.box_words import classes_of


def figures_of(box: Box) -> list[Figure]:
    """Return the figures of a box."""
    return [figure for mechanism in box.mechanisms for figure in mechanism.figures()]


def pieces_of(box: Box) -> list[str]:
    """Return the names of the pieces of a box other than figures."""
    return [piece for mechanism in box.mechanisms for piece in mechanism.pieces(2)]


def tiles_of(box: Box) -> list[TileKind]:
    """Return the tiles of a box."""
    return list(tile_set(box.tiles.name).values()) if box.tiles is not None else []


def missing(name: str) -> Iterator[str]:
    """Yield everything that is missing from the rules of a box."""
    box = REGISTRY[name]
    before = list(REGISTRY)[: list(REGISTRY).index(name)]
    for other in sorted({*box.depends_on} - {*before}):
        yield f"depends_on names {other!r}, which is not registered before it"
    for mechanism in box.mechanisms:
        if not any(getattr(type(mechanism), hook) is not getattr(Expansion, hook) for hook in hooks()):
            yield f"{type(mechanism).__name__} overrides no hook of Expansion, so it changes nothing"
    yield from _without_text(name)
    yield from _duplicates("word", [word.name for word in box.words], _words())
    yield from _duplicates("tag", [codec.tag for codec in box.extra_codecs], _tags())
    yield from _duplicates("figure", [figure.name for figure in figures_of(box)], _figures())
    yield from _option_problems(box)


def hooks() -> list[str]:
    """Return the names of the hooks of a mechanism."""
    return [name for name, hook in vars(Expansion).items() if inspect.isfunction(hook)]


def _without_text(name: str) -> Iterator[str]:
    """Yield the steps, tasks and actions of a box that cannot be written as text."""
    worded = {word.kind for word in REGISTRY[name].words}
    for kind in classes_of(REGISTRY[name], Step, Task):
        if kind not in worded:
            yield f"{kind.__name__} has no AgendaWord among the words of the Box, so a position with it is not stored"
    for kind in classes_of(REGISTRY[name], Action):
        action = storage_formats.sample_action(kind)
        try:
            read = parse_action(str(action))
        except NotationError:
            yield f"{kind.__name__} has no Form among the forms of the Box: {str(action)!r} cannot be read"
            continue
        if read != action:
            yield f"{kind.__name__}: {str(action)!r} is read as {read!r}"


def _duplicates(what: str, own: Iterable[str], all_of_them: Iterable[str]) -> Iterator[str]:
    """Yield the names of a box that occur more than once among all names of that sort."""
    counts = Counter(all_of_them)
    yield from (f"the {what} {name!r} is also that of something else" for name in own if counts[name] > 1)


def _words() -> list[str]:
    """Return the words of all steps and tasks."""
    return [word.name for word in GAMES["carcassonne"].notation.words]


def _tags() -> list[str]:
    """Return the tags of the state of all boxes."""
    return [codec.tag for box in REGISTRY.values() for codec in box.extra_codecs]


def _figures() -> list[str]:
    """Return the names of all figures."""
    return [ORDINARY.name, *(figure.name for box in REGISTRY.values() for figure in figures_of(box))]


def _option_problems(box: Box) -> Iterator[str]:
    """Yield what is wrong with the options of a box."""
    if box.options is None:
        return
    numbers = Counter(
        entry.metadata["number"] for other in REGISTRY.values() if other.options for entry in fields(other.options)
    )
    for entry in fields(box.options):
        number, values = entry.metadata["number"], box.options.values()[entry.name]
        if numbers[number] > 1:
            yield f"option {entry.name}: {number} is the number of another option"
        if len(values) < 2 or entry.default not in values:
            yield f"option {entry.name} needs two values or more, the default among them"


def unpinned(name: str) -> Iterator[str]:
    """Yield the storage formats that are not stored yet, and those that are lost."""
    if new := storage_formats.unstored_formats(name):
        texts = ", ".join(text for kind in new.values() for text in kind)
        yield f"new: {texts} (if they are meant to stay: python -m tests.engine.storage_formats {name})"
    for kind, texts_lost in storage_formats.lost_formats(name).items():
        yield f"{kind} that games hold can no longer be read: {', '.join(texts_lost)}"
