"""The words of the boxes of Carcassonne, drawn from the registry and from the files of each box.

A module that all boxes share must not use them. So a new box is covered as soon as it stands in the registry: by the
things that it brings (figures, pieces, edges, what is printed on its tiles), by its events, actions, steps and options,
and by the names of its modules. Ordinary words, which happen to be in one of these names, are left out: whatever *The
Castle* and the rules of events say, too, which know no box, and what the base game is about.
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
KNOW_NO_BOX = ("tournaments", "engine/the_castle", "renderers/the_castle", "cogs/games/the_castle")
"""Rooms of which every word is an ordinary one."""
SHORTEST = 3
"""Letters of a word that says anything."""


# -- reading modules --------------------------------------------------------------------------------------------------


def words(text: str) -> set[str]:
    """The words of an identifier or a string, each without the ending of a plural, too."""
    found = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}
    return found | {word.removesuffix("s") for word in found}


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every identifier, import and string of a module but its docstrings, with its line."""
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


def told(text: str) -> Iterator[tuple[int, str]]:
    """Every line of the docstrings and comments of a module, with its number."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from enumerate(str(node.value.value).splitlines(), node.value.lineno)


# -- what a box is about ----------------------------------------------------------------------------------------------


def modules(box: Box) -> Iterator[ModuleType]:
    """The modules of a box: all of its package, or the one in which it stands."""
    name = type(box.mechanisms[0]).__module__
    inside = f"{registry.__name__}."
    if name.startswith(inside):
        name = inside + name.removeprefix(inside).partition(".")[0]
    yield (package := sys.modules[name])
    for found in walk_packages(getattr(package, "__path__", ()), f"{name}."):
        yield import_module(found.name)


def defined(box: Box, *bases: type) -> Iterator[str]:
    """The names of the classes of these kinds that a box defines."""
    for module in modules(box):
        for name, value in vars(module).items():
            if isinstance(value, type) and value.__module__ == module.__name__ and issubclass(value, bases):
                yield name


def options(box: Box) -> list[str]:
    """The names of the options that a box brings."""
    return [option.name for option in fields(box.options)] if box.options is not None else []


def parts(name: str) -> list[str]:
    """The words of the name of a class, in their order."""
    return re.findall(r"[A-Z][a-z]*", name)


def printed(tiles: TileSet) -> Iterator[str]:
    """Yield the kinds of edges, the flags and the attributes with their values printed on the tiles of a set."""
    yield from (edge.name for edge in tiles.edges)
    yield from tiles.attributes
    for kind in tile_set(tiles.name).values():
        yield from kind.flags
        for segment in kind.segments:
            yield from (segment.shows(attribute) or "" for attribute in tiles.attributes)


def things(box: Box) -> Iterator[str]:
    """Yield the names of the things that a box is about.

    An event is called after what something happens to (``LotSold``), an action and a step begin with a verb
    (``SelectLot``), and an option begins with its subject (``castle_fairy``).
    """
    yield box.name
    yield from box.arrangers
    yield from (module.__name__.rpartition(".")[2] for module in modules(box))
    for mechanism in box.mechanisms:
        yield type(mechanism).__name__
        yield from (figure.name for figure in mechanism.figures())
        yield from mechanism.pieces(min(GAMES["carcassonne"].players))
    if box.tiles is not None:
        yield from printed(box.tiles)
    yield from (parts(name)[0] for name in defined(box, Event))
    for name in defined(box, Action, Step):
        verb, *rest = parts(name)
        yield from rest or [verb]
    yield from (name.partition("_")[0] for name in options(box))


# -- ordinary words ---------------------------------------------------------------------------------------------------


def basics() -> Iterator[str]:
    """Yield the names of the things that the base game is about."""
    yield BASE_SET
    yield from FeatureKind
    yield from (option.name for option in fields(BaseOptions))
    yield from printed(TileSet(BASE_SET, "", attributes=frozenset()))


@cache
def ordinary() -> frozenset[str]:
    """The words that say nothing of a box."""
    games = [game.replace("-", "[- _]") for game in GAMES]
    named_games = re.compile("|".join(games), re.IGNORECASE)
    found: set[str] = set()
    for room in KNOW_NO_BOX:
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for _, said in (*named(ast.parse(text)), *told(text)):
                found |= words(named_games.sub(" ", said))
    own = {game.rpartition("-")[2] for game in GAMES}
    return frozenset(found - own | {word for name in basics() for word in words(name)})


# -- what a shared module must not say --------------------------------------------------------------------------------


def words_of(box: Box) -> set[str]:
    """The words that belong to a box alone."""
    found = {word for name in things(box) for word in words(name)}
    return {word for word in found if len(word) >= SHORTEST} - ordinary()


def names_of(box: Box) -> set[str]:
    """Return names of a box that may be put together of ordinary words, as ``bidonlot`` or ``bigfollower``."""
    figures = (figure.name for mechanism in box.mechanisms for figure in mechanism.figures())
    constants = (name for name, value in vars(registry).items() if value == box.name and name.isupper())
    defines = defined(box, Event, Action, Step, Task)
    return {joined(name) for name in (box.name, *figures, *constants, *defines, *options(box))} - ordinary()


def joined(name: str) -> str:
    """A name without what joins its words."""
    return re.sub(r"[\W_]", "", name).lower()


def spelled(box: Box) -> re.Pattern[str]:
    """Return a pattern of the name of a box, whatever joins its words; an ordinary word is never matched."""
    name = box.name.replace("-", "[-_]")
    return re.compile(rf"\b{name}\b" if joined(box.name) in names_of(box) else r"(?!)", re.IGNORECASE)


@cache
def _drawn(boxes: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    chosen = [REGISTRY[name] for name in boxes]
    return (frozenset[str]().union(*map(words_of, chosen)), frozenset[str]().union(*map(names_of, chosen)))


def box_words(text: str) -> set[str]:
    """The words in this that belong to a box of the registry; the whole, where it is the name of something of one."""
    found, names = _drawn(tuple(REGISTRY))
    return words(text) & found | {joined(text)} & names


def naming_a_box(path: Path, excused: Iterable[str] = ()) -> list[str]:
    """The lines of a module that name a box, with what they say; ``excused`` are texts that mean something else."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for line, text in named(tree)
        if box_words(text) and text not in excused
    ]
