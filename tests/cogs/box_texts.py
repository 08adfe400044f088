"""The keys of all texts that a box (an expansion) needs, derived from the engine, its presenter, and played games.

Texts about a box's drawings, scores, questions and pieces are looked up by a key prefix and a name of the engine. A
term is one counted item of a score, such as its tiles. :func:`missing_texts` returns every such key that English lacks,
so that the author of a new box sees all at once.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from cogs.games.carcassonne import boxes
from cogs.games.carcassonne.box import BOXES
from cogs.games.presenters import presenter_of
from cogs.texts import FAILED_TEXTS, LANGUAGE, has_text
from cogs.texts.rule_book import option_page
from cogs.words.story import Storyteller, terms_words
from engine import carcassonne, hints_on
from engine.carcassonne import REGISTRY, Position, new_setup
from engine.carcassonne.tiles import EDGE_KINDS, tile_set
from engine.events import Scored
from host import PACES
from tests.engine.carcassonne_games import lively_action
from tests.engine.test_every_kind import boxes_with_edge

GAMES_PER_BOX = 4
"""Games played with each box; keys of events too rare to occur in them are found in the source code."""
BOXES_FOLDER = Path(boxes.__file__).parent
NAMES = ("Ana", "Ben", "Cleo")
"""Players of the played games."""
PLAYER_COUNT = 3


def missing_texts(name: str) -> set[str]:
    """Find the keys of all texts that a box needs and English does not have."""
    return {key for key in {*required_texts(name)} if not has_text(key)} | texts_missing_in_games(name)


def required_texts(name: str) -> Iterator[str]:
    """List the keys of texts that a box needs, except those that its own functions look up by name."""
    yield from (f"{family}.{name}" for family in ("expansion", "rules"))
    yield from _texts_of_pieces(name)
    yield from _texts_of_tiles(name)
    yield from _texts_of_scores(name)
    yield from _texts_of_choices(name)
    yield from _texts_of_questions(name)
    presented = BOXES[name]
    yield from (f"tell.part.{chapter}" for chapter in presented.chapters)
    if presented.piece is not None:
        piece = presented.piece.name
        yield from (f"button.{piece}", f"button.with_{piece}", f"button.without_{piece}")
        yield from (f"panel.{piece}", f"panel.spots_{piece}")


def _texts_of_pieces(name: str) -> Iterator[str]:
    """Yield the keys of a box's figures and other pieces."""
    for mechanism in REGISTRY[name].mechanisms:
        for figure in mechanism.figures():
            yield from (f"figure.{figure.name}", f"figure_button.{figure.name}")
            ends = ("_home", "_out") if figure.count == 1 else ("",)
            yield from (f"piece.{figure.name}{end}" for end in ends)
        yield from (f"piece.{piece}" for piece in mechanism.pieces(PLAYER_COUNT))


def _texts_of_tiles(name: str) -> Iterator[str]:
    """Yield the keys of a box's kinds of edges, and of what is printed on its tiles."""
    tiles = REGISTRY[name].tiles
    yield from (f"feature.{edge}" for edge in EDGE_KINDS if name in boxes_with_edge(edge))
    for kind in tile_set(tiles.name).values() if tiles is not None else ():
        yield from (f"tile.flag.{flag}" for flag in kind.flags)
        drawn = (BOXES[name].drawn(segment) for segment in kind.segments)
        yield from (f"tile.with.{drawing}" for drawing in drawn if drawing)


def _texts_of_scores(name: str) -> Iterator[str]:
    """Yield the keys of a box's score categories and terms."""
    yield from (f"{family}.{kind}" for kind in BOXES[name].categories for family in ("category", "legend"))
    for source in rule_modules(name):
        yield from (f"term.{term}" for term in strings_at_argument(source, "Term", 0))
        yield from (f"feature.{kind}" for kind in strings_at_argument(source, "Scored", 2))


def _texts_of_choices(name: str) -> Iterator[str]:
    """Yield the keys of a box's lasting choices and options."""
    for setting, values in BOXES[name].choices.items():
        yield from (f"setting.{setting}.{end}" for end in ("name", "title", *values))
    options = REGISTRY[name].options
    for entry in fields(options) if options is not None else ():
        yield from (f"option.{entry.name}.{value}" for value in options.values()[entry.name])
        yield f"ruling.page.{option_page(entry.metadata['rules'][0][:2], 'game')}"


def _texts_of_questions(name: str) -> Iterator[str]:
    """Yield the keys of a box's buttons for passing, and of the pace (time allowed) of its questions out of turn."""
    questions = BOXES[name].questions
    yield from (question.passing for question in questions.values())
    if any(step.out_of_turn for step in questions):
        yield from (f"pace_aside.{name}.{pace}" for pace in PACES)


def looked_up(name: str) -> Iterator[str]:
    """Yield the keys that the presenter of a box looks up in full, not put together of parts."""
    module = name.replace("-", "_")
    for path in (BOXES_FOLDER / f"{module}.py", *(BOXES_FOLDER / module).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id="t"), args=[ast.Constant(value=str(key)), *_]):
                    yield key
                case _:
                    pass


def rule_modules(name: str) -> Iterator[ModuleType]:
    """Find the modules with the rules of a box."""
    modules = {inspect.getmodule(type(mechanism)) for mechanism in REGISTRY[name].mechanisms}
    return (module for module in modules if module is not None)


def strings_at_argument(module: ModuleType, call: str, index: int) -> Iterator[str]:
    """Find the strings at an argument position of calls in a module, resolving conditionals and constants."""
    path = inspect.getsourcefile(module)
    for node in ast.walk(ast.parse(Path(path or "").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call and len(node.args) > index:
            yield from _values(vars(module), node.args[index])


def _values(module_variables: dict[str, Any], node: ast.expr) -> Iterator[str]:
    """Yield the strings that an expression can have."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name(id=name) if isinstance(module_variables.get(name), str):
            yield str(module_variables[name])
        case ast.IfExp(body=body, orelse=orelse):
            yield from _values(module_variables, body)
            yield from _values(module_variables, orelse)
        case _:
            pass  # computed keys are found by playing games


def texts_missing_in_games(name: str) -> set[str]:
    """Play games with a box, render all its texts, and find the keys without a text."""
    before = set(FAILED_TEXTS)
    for seed in range(GAMES_PER_BOX):
        _render_all_texts((name,) if seed % 2 else (*carcassonne.DEFAULT_EXPANSIONS, name), seed)
    missing = {(language, key) for language, key in FAILED_TEXTS if language == LANGUAGE} - before
    for entry in missing:
        del FAILED_TEXTS[entry]
    return {key for _, key in missing}


def _render_all_texts(expansions: Iterable[str], seed: int) -> None:
    """Play a random game and build every text about it."""
    rng, boxes = Random(seed), tuple(dict.fromkeys(expansions))
    position = Position(new_setup(players=PLAYER_COUNT, seed=str(seed), expansions=boxes))
    presenter = presenter_of(position)
    while position.step is not None:
        presenter.headline(NAMES, position, NAMES[0])
        presenter.details(NAMES, position)
        presenter.offers(position)
        action = lively_action(position, rng)
        presenter.prospect(NAMES, position, action)
        presenter.action_words(position, action)
        events = position.apply(action)
        list(Storyteller(presenter.sentence, NAMES).sentences(events))
        for event in events:
            if isinstance(event, Scored):
                terms_words(event.terms)
        if position.hand is not None and rng.random() < 0.1:
            for holding in hints_on(position).holdings():
                terms_words(holding.terms)
            for seat in range(PLAYER_COUNT):
                list(presenter.belongings(position, seat))
