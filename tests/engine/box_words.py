"""The vocabulary of each box (expansion) of Carcassonne, collected from the registry and the box's modules.

Modules shared by all boxes must not use these words. A new box is covered as soon as it is registered: its vocabulary
is the names of its figures, pieces and edges, the flags and attributes of its tiles, its events, actions, steps and
options, and its modules. Ordinary words in such names are left out. A word is ordinary if the base game, *The Castle*
or the tournament rules use it, too.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

from engine import GAMES
from engine.actions import Action
from engine.agenda import Step, Task
from engine.carcassonne import REGISTRY, FeatureKind, tile_set
from engine.carcassonne import expansions as registry
from engine.carcassonne.base import BaseOptions
from engine.carcassonne.box import Box
from engine.carcassonne.tiles import BASE_SET, TileSet
from engine.events import Event

ROOT = Path(__file__).parents[2]
"""The folder of the repository."""
PACKAGES_WITHOUT_BOXES = ("tournaments", "engine/the_castle", "renderers/the_castle", "cogs/games/the_castle")
"""Packages that are independent of all boxes. Each word in them is an ordinary one."""
MIN_WORD_LENGTH = 3
"""Length in letters below which a word is ignored."""


# -- reading modules --------------------------------------------------------------------------------------------------


def words(text: str) -> set[str]:
    """Return the words of an identifier or a string in lower case, plurals also in the singular."""
    parts = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}
    return parts | {word.removesuffix("s") for word in parts}


def code_texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every identifier, import and string of a module except its docstrings, with its line number."""
    prose = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        for statement in node.body
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield line, node.value
        for field in ("id", "attr", "arg", "name", "asname", "module"):
            if isinstance(value := getattr(node, field, None), str):
                yield line, value


def prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield every line of the docstrings and comments of a module, with its line number."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from enumerate(str(node.value.value).splitlines(), node.value.lineno)


# -- names that a box defines -----------------------------------------------------------------------------------------


def modules_of(box: Box) -> Iterator[ModuleType]:
    """Yield the modules of a box: all those of its package, or its only module."""
    name = type(box.mechanisms[0]).__module__
    inside = f"{registry.__name__}."
    if name.startswith(inside):
        name = inside + name.removeprefix(inside).partition(".")[0]
    yield (package := sys.modules[name])
    for module in walk_packages(getattr(package, "__path__", ()), f"{name}."):
        yield import_module(module.name)


def classes_of(box: Box, *bases: type) -> Iterator[type[Any]]:
    """Yield the subclasses of these bases that a box defines."""
    for module in modules_of(box):
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == module.__name__ and issubclass(value, bases):
                yield value


def defined_classes(box: Box, *bases: type) -> Iterator[str]:
    """Yield the names of the subclasses of these bases that a box defines."""
    return (kind.__name__ for kind in classes_of(box, *bases))


def option_names(box: Box) -> list[str]:
    """Return the names of the options that a box adds."""
    return [option.name for option in fields(box.options)] if box.options is not None else []


def class_name_words(name: str) -> list[str]:
    """Split the name of a class into its words."""
    return re.findall(r"[A-Z][a-z]*", name)


def printed_names(tiles: TileSet) -> Iterator[str]:
    """Yield the kinds of edges, the flags and the attributes with their values printed on the tiles of a set."""
    yield from (edge.name for edge in tiles.edges)
    yield from tiles.attributes
    for kind in tile_set(tiles.name).values():
        yield from kind.flags
        for segment in kind.segments:
            yield from (segment.shows(attribute) or "" for attribute in tiles.attributes)


def subject_names(box: Box) -> Iterator[str]:
    """Yield the names of the things that a box is about.

    The subject of an event comes first in its name (``LotSold``), as does that of an option (``castle_fairy``). Actions
    and steps begin with a verb (``SelectLot``).
    """
    yield box.name
    yield from box.arrangers
    yield from (module.__name__.rpartition(".")[2] for module in modules_of(box))
    for mechanism in box.mechanisms:
        yield type(mechanism).__name__
        yield from (figure.name for figure in mechanism.figures())
        yield from mechanism.pieces(min(GAMES["carcassonne"].players))
    if box.tiles is not None:
        yield from printed_names(box.tiles)
    yield from (class_name_words(name)[0] for name in defined_classes(box, Event))
    for name in defined_classes(box, Action, Step):
        verb, *rest = class_name_words(name)
        yield from rest or [verb]
    yield from (name.partition("_")[0] for name in option_names(box))


# -- ordinary words ---------------------------------------------------------------------------------------------------


def base_game_names() -> Iterator[str]:
    """Yield the names of the things that the base game is about."""
    yield BASE_SET
    yield from FeatureKind
    yield from (option.name for option in fields(BaseOptions))
    yield from printed_names(TileSet(BASE_SET, "", attributes=frozenset()))


@cache
def ordinary_words() -> frozenset[str]:
    """Return the words that do not indicate a box."""
    games = [game.replace("-", "[- _]") for game in GAMES]
    named_games = re.compile("|".join(games), re.IGNORECASE)
    ordinary: set[str] = set()
    for room in PACKAGES_WITHOUT_BOXES:
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for _, line in (*code_texts(ast.parse(text)), *prose_lines(text)):
                ordinary |= words(named_games.sub(" ", line))
    own = {game.rpartition("-")[2] for game in GAMES}
    return frozenset(ordinary - own | {word for name in base_game_names() for word in words(name)})


# -- words that shared modules must not use ---------------------------------------------------------------------------


def words_of(box: Box) -> set[str]:
    """Return the words that belong to a box alone."""
    names = {word for name in subject_names(box) for word in words(name)}
    return {word for word in names if len(word) >= MIN_WORD_LENGTH} - ordinary_words()


def names_of(box: Box) -> set[str]:
    """Return the names of a box that may be compounds of ordinary words, as ``bidonlot`` or ``bigfollower``."""
    figures = (figure.name for mechanism in box.mechanisms for figure in mechanism.figures())
    constants = (name for name, value in vars(registry).items() if value == box.name and name.isupper())
    defines = defined_classes(box, Event, Action, Step, Task)
    return {
        normalized(name) for name in (box.name, *figures, *constants, *defines, *option_names(box))
    } - ordinary_words()


def normalized(name: str) -> str:
    """Return a name in lower case without hyphens and underscores."""
    return re.sub(r"[\W_]", "", name).lower()


def name_pattern(box: Box) -> re.Pattern[str]:
    """Return a pattern that matches the name of a box with hyphens or underscores.

    A name that is an ordinary word, too, is never matched.
    """
    name = box.name.replace("-", "[-_]")
    return re.compile(rf"\b{name}\b" if normalized(box.name) in names_of(box) else r"(?!)", re.IGNORECASE)


@cache
def _registered_words(boxes: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of these boxes, and their names."""
    chosen = [REGISTRY[name] for name in boxes]
    return (frozenset[str]().union(*map(words_of, chosen)), frozenset[str]().union(*map(names_of, chosen)))


def box_words(text: str) -> set[str]:
    """Return the words of a text that belong to a registered box, and the text itself if it is such a name."""
    found, names = _registered_words(tuple(REGISTRY))
    return words(text) & found | {normalized(text)} & names


def lines_naming_a_box(path: Path, excused: Iterable[str] = ()) -> list[str]:
    """Return the lines of a module that name a box; ``excused`` are texts that mean something else."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for line, text in code_texts(tree)
        if box_words(text) and text not in excused
    ]
