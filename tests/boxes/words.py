"""Requirements of the presentation: words and buttons for everything in a box, English texts, and its rule book.

A presenter turns positions, events and questions into messages. Each check yields a sentence for everything that is
missing.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

from cogs.games.carcassonne.box import BOXES
from cogs.games.carcassonne.words import tile_words
from cogs.presenting.ids import OwnOp
from cogs.texts import LANGUAGE, catalogue, has_text, rule_book
from cogs.texts.check import length, max_length, max_rule_book_length
from engine.actions import Action
from engine.agenda import Step
from engine.carcassonne import REGISTRY, TileKind
from engine.events import Event
from tests.boxes.rules import tiles_of
from tests.cogs.box_texts import looked_up, required_texts
from tests.engine.box_words import classes_of
from tests.engine.test_every_kind import boxes_with_edge

OPTION_WORDS = {
    "farmers": (r"\bfarmers?\b|\bpigs?\b", {"TB-01"}),
    "bazaar_mode": (r"\bbid\b|\bauction|\b(buy|buys|sell|sells|sold)\b", set()),
    "castle_town_shape": (r"half-round|pointed|shape", set()),
    "bazaar_too_few_tiles": (r"as many tiles|exactly one of|fewer tiles|enough tiles", set()),
    "bridge_timing": (r"before the follower|once it is placed", set()),
    "castle_conversion_trigger": (r"holders? (of|choose|decides)|another player has laid", {"CA-29", "CA-40", "CA-42"}),
    "tc_keep_trigger": (r"keep goes|keep moves|house that you have completed", set()),
    "tc_wall_pickup": (r"between two scorings|stops? on (a|the) corner", {"TC-14"}),
}
"""Words that refer to an option, and the rules in which they have another meaning."""


def missing(name: str) -> Iterator[str]:
    """Yield the kinds of things of a box that its presenter has no words or buttons for."""
    box = BOXES[name]
    events = {*box.events} ^ {*box.silent}
    for field, known_kinds, base in (
        ("actions", box.actions, Action),
        ("events (or, where none is needed, silent)", events, Event),
        ("questions", {*box.questions, *box.tile_origins}, Step),
    ):
        lacking = [kind.__name__ for kind in classes_of(REGISTRY[name], base) if kind not in known_kinds]
        yield from (f"BoxPresenter.{field} has nothing for {kind}" for kind in lacking)
    for operation in box.handlers:
        if not isinstance(operation, OwnOp):
            yield f"BoxPresenter.handlers: {operation} is not an operation of its own (OwnOp)"
    for tile in tiles_of(REGISTRY[name]):
        if not tile_words(tile) or (_has_own_edge(name, tile) and not [*box.parts(tile)]):
            yield f"BoxPresenter.parts (or drawn) does not describe {tile.id}"


def _has_own_edge(name: str, tile: TileKind) -> bool:
    """Return True if a tile has an edge that this box has added."""
    return any(segment.is_bare and name in boxes_with_edge(segment.kind) for segment in tile.segments)


def without_text(name: str) -> Iterator[str]:
    """Yield the keys of English texts that a box needs and that are missing or too long."""
    sentences = catalogue().sentences
    for key in sorted({*required_texts(name), *looked_up(name)}):
        if not has_text(key):
            yield key
        elif (limit := max_length(key)) is not None and length(sentences[key]) > limit:
            yield f"{key} has {length(sentences[key])} characters, at most {limit} fit"


# -- the rule book ----------------------------------------------------------------------------------------------------


def rules_of(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the entries of the rules that belong to a box, or need it, by id."""
    tables = rule_book.read_files(LANGUAGE).tables
    groups, names = tables[rule_book.TIES]["boxes"], tables[rule_book.TIES]["names"]
    called = {phrase for phrase, box in names.items() if box == name}
    return {
        rule_id: entry
        for file, table in tables.items()
        if file not in (rule_book.TIES, rule_book.TOPICS, rule_book.DOCUMENTS)
        for rule_id, entry in table.items()
        if name == entry.get("box", groups.get(rule_id[:2]))
        or name in entry.get("needed", "").split()
        or any(phrase in entry.get(rule_book.NEEDS, "") for phrase in called)
    }


def without_page(name: str) -> Iterator[str]:
    """Yield the parts of a box that are missing from the rule book."""
    tables, rules = rule_book.read_files(LANGUAGE).tables, rules_of(name)
    ties, documents = tables[rule_book.TIES], tables[rule_book.DOCUMENTS]["documents"]
    file = f"cogs/texts/en/rulebook/{name}.toml"
    if not rules:
        yield f'no rule belongs to it: rules and, in [ties.boxes], their group (XX = "{name}"), for example in {file}'
    if name not in ties["short"]:
        yield f"ties.short.{name}: what the rules in short assume, an empty table if nothing ({file})"
    in_topics = {rule_id for topic in tables[rule_book.TOPICS].values() for rule_id in topic["rules"].split()}
    yield from (f"{rule_id} is in no topic (topics.{name}.rules)" for rule_id in rules if rule_id not in in_topics)
    for rule_id, entry in rules.items():
        yield from (f"{rule_id}{problem}" for problem in _problems(entry, documents))
        if rule_book.NEEDS not in entry:
            yield from (f"{rule_id} {problem}" for problem in _untied(rule_id, entry))
    options = REGISTRY[name].options
    tied = {option for entry in rules.values() for option in _options_in(entry)}
    for option in sorted({*options.values()} - tied if options is not None else ()):
        yield f"option {option}: no rule of the box is tied to it (options, only or expects of the rule)"


def _problems(entry: Mapping[str, Any], documents: Container[str]) -> Iterator[str]:
    """Yield what is wrong with the texts and sources of a rule."""
    for field in ("title", "text", "sources"):
        text, limit = entry.get(field, ""), max_rule_book_length(("", "", field))
        if not text:
            yield f" has no {field}"
        elif limit is not None and len(text) > limit:
            yield f": its {field} has {len(text)} characters, at most {limit} fit"
    for source in entry.get("sources", "").split():
        document = source.partition("/")[0]
        if document not in documents:
            yield f" names the source {document!r}, which has no name (sources.{document})"


def _untied(rule_id: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the options whose subject a rule mentions although the rule does not declare that it depends on them."""
    words = f"{entry.get('title', '')} {entry.get('text', '')}"
    for option, (pattern, harmless) in OPTION_WORDS.items():
        if option not in _options_in(entry) and rule_id not in harmless and re.search(pattern, words, re.IGNORECASE):
            yield f"speaks of what option {option} decides, and is not tied to it (options, only or expects)"


def _options_in(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the options that an entry of the rule book names."""
    yield from entry.get("options", "").split()
    for clause in (*entry.get("only", "").split(), *entry.get("expects", "").split()):
        yield from (side.partition("=")[0] for side in clause.split("|"))
