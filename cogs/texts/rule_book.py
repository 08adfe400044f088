"""The rule book: every rule by its id, in words for players, and the topics in which the rules are read.

``<language>/rulebook/`` has these TOML files:

- one for each group of rules, with an entry for each rule: its title, its text, its sources, and its *ties*;
- ``topics.toml``, the topics in reading order, each with its rules;
- ``documents.toml``, the names of the sources; a rule's ``sources`` name them, with footnotes after a slash, as in
  ``"polish first/13,15"``;
- ``ties.toml``, which says how rules depend on what a table plays, in addition to the rules' own ties.

The file of a box (an expansion) may hold its own part of the last three, in the tables ``topics``, ``sources`` (names
of documents), ``needs`` and ``ties``; its topics are read after all others.

*Translations.* A file of another language has the entries of the English file of the same name, with the texts alone:
``title``, ``text``, ``intro``, and in the table ``here`` the meaning of a value. The names in ``documents.toml`` are
texts, too, and its table ``needs`` translates the English phrases for what a rule needs. Everything else (sources,
related rules, ties, the order of topics) is in the English files alone. Missing texts are read in English.

*Ties* are conditions on the expansions and options of a table. An entry's ``only`` names values of options without
which it does not apply, ``expects`` values that it assumes, and ``options`` the options that it leaves open. A value is
written ``option=value``. Clauses are separated by spaces, alternative values by commas
(``castle_first_score=next_turn,same_round``), and alternatives of several options by a stroke
(``bazaar_mode=draft|bazaar_all_zero_fallback=draft``). The table ``here`` states what a value means for this entry; by
default the option's own words do. ``en/rulebook/ties.toml`` states to which expansion each group of rules belongs,
which options make no difference beside others, on which page each option is chosen, and what the summaries of the rules
assume.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import resources
from typing import Any, Final, TypeAlias

from cogs.texts.languages import LANGUAGE, current_language, folded
from engine.caching import thread_safe_cache

log = logging.getLogger(__name__)

DOCUMENTS: Final = "documents"
TIES: Final = "ties"
TOPICS: Final = "topics"
NEEDS: Final = "needs"
MEANINGS: Final = "here"
"""Names of files, and of tables in them; ``MEANINGS`` is the table with the meanings of values for one entry."""
WORDS: Final = ("title", "text", "intro")
"""Fields of an entry that hold texts."""
Path: TypeAlias = tuple[str, ...]
"""The place of a text: file, entry, field and, in a table, the value."""
_PARTS: Final[Mapping[str, Path]] = {
    TOPICS: (TOPICS,),
    "sources": (DOCUMENTS, "documents"),
    NEEDS: (DOCUMENTS, NEEDS),
    TIES: (TIES,),
}
"""The tables that a file of rules may hold of another file, each with its place there."""


@dataclass(frozen=True, slots=True)
class Files:
    """The rule book files of a language as tables by file name, compared with the English ones."""

    tables: Mapping[str, Any]
    missing: tuple[Path, ...] = ()
    """Texts that the language lacks; the tables hold the English ones."""
    unknown: tuple[Path, ...] = ()
    """Texts that English does not have."""


def texts_in(files: Files) -> Iterator[tuple[Path, str]]:
    """Yield all texts of a rule book with their places."""
    for name, table in files.tables.items():
        yield from ((path, words) for path, words in nested_values((name,), table) if isinstance(words, str))


def read_files(language: str) -> Files:
    """Return the files of a language, merged into the English ones.

    Raises:
        FileNotFoundError: there is no rule book in this language.
    """
    english = _tables(LANGUAGE)
    if language == LANGUAGE:
        return Files(english)
    english_paths = dict.fromkeys(_word_paths(english))
    translated = {
        path: words for name, table in _tables(language).items() for path, words in nested_values((name,), table)
    }
    tables = deepcopy(english)
    for path in english_paths:
        if path in translated:
            _set_text(tables, path, translated[path])
    missing = tuple(path for path in english_paths if path not in translated)
    return Files(tables, missing, tuple(path for path in translated if path not in english_paths))


def english_texts() -> Iterator[tuple[Path, str]]:
    """Yield all English texts of the rule book with the places of their translations."""
    tables = _tables(LANGUAGE)
    texts = {path: text for name, table in tables.items() for path, text in nested_values((name,), table)}
    for path in dict.fromkeys(_word_paths(tables)):
        yield path, texts.get(path, path[-1])  # a phrase of what a rule needs is itself the key of its translation


def merged_path(path: Path) -> Path:
    """Return the place of a text in the merged rule book, by its place in a file."""
    file, part, *rest = path
    is_part = file not in {DOCUMENTS, TIES, TOPICS} and part in _PARTS
    return (*_PARTS[part], *rest) if is_part else path


def nested_values(path: Path, value: object) -> Iterator[tuple[Path, Any]]:
    """Yield all values of nested tables with their places."""
    if isinstance(value, dict):
        for name, below in value.items():
            yield from nested_values((*path, name), below)
    else:
        yield path, value


def _tables(language: str) -> dict[str, Any]:
    """Return the files of a language by name; what files of rules hold of other files is moved there."""
    tables = dict(_files(language))
    for name in sorted(tables.keys() - {DOCUMENTS, TIES, TOPICS}):
        for part in tables[name].keys() & _PARTS.keys():
            _add_table(tables, _PARTS[part], tables[name].pop(part))
    return tables


def _files(language: str) -> Iterator[tuple[str, Any]]:
    """Yield the files of a language by name."""
    folder = resources.files(__package__).joinpath(language, "rulebook")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        name, _, ending = file.name.rpartition(".")
        if ending == "toml":
            yield name, tomllib.loads(file.read_text(encoding="utf-8"))


def _word_paths(english: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the places of all texts in the English files."""
    for name, table in english.items():
        for path, value in nested_values((name,), table):
            if name == DOCUMENTS or path[2] in (*WORDS, MEANINGS):
                yield path
            elif path[2] == NEEDS:
                yield (DOCUMENTS, NEEDS, value)


def _add_table(tables: dict[str, Any], path: Path, part: Mapping[str, Any]) -> None:
    """Add a table to that at a place; nested tables are combined."""
    for name in path:
        tables = tables.setdefault(name, {})
    for name, value in part.items():
        if isinstance(value, dict):
            _add_table(tables, (name,), value)
        else:
            tables[name] = value


def _set_text(tables: dict[str, Any], path: Path, words: str) -> None:
    """Put a text at its place in nested tables."""
    table = tables
    for name in path[:-1]:
        table = table.setdefault(name, {})
    table[path[-1]] = words


Values: TypeAlias = Mapping[str, str]
"""The options of a table by name, with their values as text, without options that make no difference there."""
FIELDS: Final = ("only", "expects", "options", "here", "tells", "box", "needed")
"""Fields of an entry that state its ties."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition on a table: one of several values of options."""

    values: tuple[tuple[str, tuple[str, ...]], ...]
    """The options, each with its accepted values."""

    @classmethod
    def parse(cls, text: str) -> Clause:
        """Parse one clause."""
        sides = (part.partition("=") for part in text.split("|"))
        return cls(tuple((name, tuple(values.split(","))) for name, _, values in sides))

    @property
    def names(self) -> tuple[str, ...]:
        """The options in the condition."""
        return tuple(name for name, _ in self.values)

    def broken(self, played: Values) -> bool:
        """Return whether a table violates the condition; options that make no difference there do not count."""
        applicable = [(played[name], values) for name, values in self.values if name in played]
        return bool(applicable) and not any(value in values for value, values in applicable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """The conditions on a table's expansions and options under which an entry of the rule book applies."""

    box: str = ""
    """The expansion that the entry belongs to; empty for the base game."""
    needed: tuple[str, ...] = ()
    """Expansions of which at least one is needed as well."""
    elsewhere: bool = False
    """True if it needs an expansion that this bot does not have."""
    only: tuple[Clause, ...] = ()
    expects: tuple[Clause, ...] = ()
    options: tuple[str, ...] = ()
    meanings: tuple[tuple[str, str], ...] = ()
    """The meaning of values for this entry, as pairs of value and text."""
    tells: str = ""
    """A number in the text that depends on the table: ``pile``, the tiles face down when the game starts."""

    @classmethod
    def parse(cls, entry: Mapping[str, Any], box: str = "", needed: tuple[str, ...] = ()) -> Ties:
        """Parse the ties of an entry; ``box`` and ``needed`` are defaults."""
        needed = tuple(entry.get("needed", "").split()) or needed
        return cls(
            box=entry.get("box", box),
            needed=needed,
            elsewhere="needs" in entry and not needed,
            only=_clauses(entry.get("only", "")),
            expects=_clauses(entry.get("expects", "")),
            options=tuple(entry.get("options", "").split()),
            meanings=tuple(entry.get("here", {}).items()),
            tells=entry.get("tells", ""),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The options that the entry depends on, without duplicates."""
        return tuple(dict.fromkeys(self._names()))

    def _names(self) -> Iterator[str]:
        for clause in (*self.only, *self.expects):
            yield from clause.names
        yield from self.options


def _clauses(text: str) -> tuple[Clause, ...]:
    """Parse clauses, which are separated by spaces."""
    return tuple(map(Clause.parse, text.split()))


@thread_safe_cache
def _table() -> Mapping[str, Any]:
    """Return the content of ``ties.toml`` with the parts of the boxes; the files are read once."""
    table: Mapping[str, Any] = _tables(LANGUAGE)[TIES]
    return table


@thread_safe_cache
def moot() -> Mapping[str, Clause]:
    """Return the options that matter only under a condition on other options, with that condition."""
    return {name: Clause.parse(text) for name, text in _table()["matters"].items()}


def option_page(group: str, otherwise: str) -> str:
    """Return the page on which an option is chosen, by the group of its first rule."""
    page: str = _table()["pages"].get(group, otherwise)
    return page


LONGEST_QUERY: Final = 100
"""The number of characters of a query that are searched for."""
MIN_WORD: Final = 4
"""The fewest letters of a word that counts in a fuzzy search."""
_ID: Final = re.compile(r"([a-z]{2})[\s_-]*([0-9]{0,2})([a-z]?)")
"""A rule's id as it may be typed, also only its beginning: group, number, letter."""
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Source:
    """A source of a rule: a document with footnotes."""

    document: str
    """Its key in ``documents.toml``."""
    footnotes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic: rules that are read together."""

    id: str
    game: str
    title: str
    intro: str
    rules: tuple[str, ...]
    ties: Ties
    """Conditions of the whole topic."""

    @property
    def label(self) -> str:
        """The label in a list."""
        return self.title

    @property
    def words(self) -> str:
        """The text that is searched."""
        return f"{self.title} {self.intro}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule with its sources."""

    id: str
    """Its id, such as ``BR-09``."""
    game: str
    title: str
    text: str
    sources: tuple[Source, ...]
    ties: Ties
    """The conditions under which the rule applies."""
    editions: tuple[str, ...] = ()
    """The editions that have the rule; empty if all have it."""
    certainty: str = ""
    """Status of a rule that was not in the original print, in words."""
    needs: str = ""
    """Expansions without which the rule never applies, in words."""
    related: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """The options that the rule depends on."""
        return self.ties.names

    @property
    def label(self) -> str:
        """The label in a list."""
        return f"{self.id} · {self.title}"

    @property
    def words(self) -> str:
        """The text that is searched."""
        return f"{self.title} {self.text}"


RuleBookEntry: TypeAlias = Topic | Rule
"""An entry that can be looked up."""


@dataclass(frozen=True, slots=True)
class _SearchText:
    """The texts of an entry, without case and accents, in the book's language and in English, for searching."""

    titles: tuple[str, ...]
    labels: tuple[str, ...]
    words: str

    @classmethod
    def of(cls, entry: RuleBookEntry, english: Rulebook | None) -> _SearchText:
        """Return the search texts of an entry; ``english`` is the English book, if this is another one."""
        versions = (entry,) if english is None else (entry, english.topics.get(entry.id) or english.rules[entry.id])
        titles = tuple(folded(version.title) for version in versions)
        labels = tuple(folded(version.label) for version in versions)
        return cls(titles, labels, folded(" ".join(version.words for version in versions)))

    @property
    def names(self) -> tuple[str, ...]:
        """The full names of the entry."""
        return (*self.titles, *self.labels)

    def score(self, word: str) -> int:
        """Return the weight of a word for this entry: 2 in the title, 1 in the text alone, else 0."""
        return any(word in title for title in self.titles) + (word in self.words)


class Rulebook:
    """The rules and topics of all games in one language.

    Raises:
        FileNotFoundError: there is no rule book in this language.
        TypeError: an entry lacks something, or has something unknown.
    """

    def __init__(self, language: str) -> None:
        files = read_files(language)
        self.missing: Sequence[str] = [".".join(path) for path in files.missing]
        """The places of texts that are read in English."""
        self.untranslated: Sequence[str] = list(dict.fromkeys(path[1] for path in files.missing))
        """The entries, or tables of names, some of whose texts are read in English."""
        tables = dict(files.tables)
        names = tables.pop(DOCUMENTS)
        self.documents: Mapping[str, str] = names["documents"]
        ties, topics = tables.pop(TIES), tables.pop(TOPICS)
        self.short: Mapping[str, Ties] = {name: Ties.parse(entry) for name, entry in ties["short"].items()}
        """The assumptions of the rule summaries, by game or expansion."""
        topics_by_rule: dict[str, list[str]] = {}
        for topic_id, topic in topics.items():
            for rule_id in topic["rules"].split():
                topics_by_rule.setdefault(rule_id, []).append(topic_id)
        self.rules: Mapping[str, Rule] = {
            rule_id: _rule(
                rule_id, entry, topics_by_rule[rule_id], topics[topics_by_rule[rule_id][0]]["game"], {**names, **ties}
            )
            for table in tables.values()
            for rule_id, entry in table.items()
        }
        self.topics: Mapping[str, Topic] = {name: self._topic(name, entry) for name, entry in topics.items()}
        english = None if language == LANGUAGE else _read(LANGUAGE)
        self._search_texts = {entry.id: _SearchText.of(entry, english) for entry in self._entries("")}
        self._vocabulary = sorted({word for text in self._search_texts.values() for word in _WORD.findall(text.words)})

    def _topic(self, topic_id: str, entry: Mapping[str, Any]) -> Topic:
        """Return a topic; if all its rules belong to one expansion, so does the topic."""
        rules = tuple(entry["rules"].split())
        boxes = {self.rules[rule_id].ties.box for rule_id in rules if rule_id in self.rules}
        ties = Ties.parse(entry, boxes.pop() if len(boxes) == 1 else "")
        return Topic(id=topic_id, ties=ties, **{**_fields_without_ties(entry), "rules": rules})

    def topics_of(self, game: str) -> list[Topic]:
        """Return the topics of a game in reading order."""
        return [topic for topic in self.topics.values() if topic.game == game]

    def find(self, text: str) -> RuleBookEntry | None:
        """Return the topic or rule that a text names, by its id in any spelling (``br9``) or its full title."""
        query = folded(text[:LONGEST_QUERY].strip())
        number = _ID.fullmatch(query)
        rule_id = f"{number[1].upper()}-{number[2]:0>2}{number[3]}" if number else ""
        if entry := self.topics.get(query) or self.rules.get(rule_id):
            return entry
        return next((entry for entry in self._entries("") if query in self._search_texts[entry.id].names), None)

    def sole_topic(self, text: str, game: str) -> Topic | None:
        """Return the only topic of a game whose title has all words of a text, such as ``keep`` for The Keep."""
        query = set(_words(text[:LONGEST_QUERY]))
        for titles in zip(*(self._search_texts[topic.id].titles for topic in self.topics_of(game)), strict=True):
            titled = zip(self.topics_of(game), titles, strict=True)
            matching = [topic for topic, title in titled if query <= set(_WORD.findall(title))]
            if len(matching) == 1:
                return matching[0]
        return None

    def search(self, text: str, game: str, limit: int) -> Sequence[RuleBookEntry]:
        """Return the entries that match a text, best first: by id, then by words of the title, then of the text.

        Entries of this game come first; an empty text matches its topics.
        """
        query = folded(text[:LONGEST_QUERY])
        words = _WORD.findall(query)
        if not words:
            return self.topics_of(game)[:limit]
        number = _ID.fullmatch(query.strip())
        ranks = ((self._rank(entry, number, words), entry) for entry in self._entries(game))
        ranked = [(rank, entry) for rank, entry in ranks if rank is not None]
        return [entry for _, entry in sorted(ranked, key=lambda pair: (pair[1].game != game, pair[0]))][:limit]

    def closest(self, text: str, game: str, limit: int) -> list[RuleBookEntry]:
        """Return the entries that share most words with a text, after correcting misspelt words."""
        query = [self._corrected(word) for word in _words(text[:LONGEST_QUERY]) if len(word) >= MIN_WORD]
        scores = [
            (sum(self._search_texts[entry.id].score(word) for word in query), entry) for entry in self._entries(game)
        ]
        best = sorted((pair for pair in scores if pair[0]), key=lambda pair: (-pair[0], pair[1].game != game))
        return [entry for _, entry in best[:limit]]

    def _entries(self, game: str) -> Iterator[RuleBookEntry]:
        """Yield the topics, then the rules; the entries of the game come first in both."""
        groups: tuple[Iterable[RuleBookEntry], ...] = (self.topics.values(), self.rules.values())
        for entries in groups:
            yield from sorted(entries, key=lambda entry: entry.game != game)

    def _rank(self, entry: RuleBookEntry, number: re.Match[str] | None, words: Sequence[str]) -> int | None:
        """Return how well an entry matches a text, which may be a rule's id: 0 is best, None is no match."""
        if isinstance(entry, Rule) and number:
            group, digits = number[1].upper(), number[2] + number[3]
            if digits and entry.id == f"{group}-{digits:0>2}":
                return 0
            if entry.id.startswith(f"{group}-{digits}"):
                return 1
        search = self._search_texts[entry.id]
        ranked = enumerate((*search.labels, search.words), start=2)
        return next((rank for rank, text in ranked if all(word in text for word in words)), None)

    def _corrected(self, word: str) -> str:
        """Return the most similar word of the rule book, or the word itself if it occurs there or none is similar."""
        if any(word in vocabulary for vocabulary in self._vocabulary):
            return word
        return next(iter(get_close_matches(word, self._vocabulary, 1)), word)


def _words(text: str) -> list[str]:
    """Return the words of a text, folded for the search."""
    return _WORD.findall(folded(text))


def _rule(
    rule_id: str, entry: Mapping[str, Any], topic_ids: Sequence[str], game: str, names: Mapping[str, Any]
) -> Rule:
    """Return a rule from its entry; ``names`` holds the names of sources, editions and expansions."""
    needs = entry.get(NEEDS, "")
    needed = tuple(box for name, box in names["names"].items() if name in needs)
    return Rule(
        id=rule_id,
        game=game,
        topics=tuple(topic_ids),
        ties=Ties.parse(entry, names["boxes"].get(rule_id[:2], ""), needed),
        **{
            **_fields_without_ties(entry),
            "related": tuple(entry.get("related", "").split()),
            "sources": tuple(_sources(entry["sources"].split())),
            "editions": tuple(names["editions"][code] for code in entry.get("editions", "").split()),
            "certainty": names["certainty"][entry["certainty"]] if "certainty" in entry else "",
            NEEDS: names.get(NEEDS, {}).get(needs, needs),
        },
    )


def _fields_without_ties(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry other than its ties."""
    return {key: value for key, value in entry.items() if key not in FIELDS}


def _sources(tokens: Iterable[str]) -> Iterator[Source]:
    """Return the sources of a rule, with all footnotes of a document together."""
    numbers: dict[str, set[int]] = {}
    for token in tokens:
        document, _, footnotes = token.partition("/")
        numbers.setdefault(document, set()).update(int(note) for note in footnotes.split(",") if note)
    return (Source(document, tuple(sorted(notes))) for document, notes in numbers.items())


def rulebook(language: str = "") -> Rulebook:
    """Return the rule book of a language, by default the current one; the English one if it has none."""
    return _read(language or current_language())


@thread_safe_cache
def _read(language: str) -> Rulebook:
    """Return a rule book; its files are read once."""
    try:
        book = Rulebook(language)
    except FileNotFoundError:
        return _read(LANGUAGE)
    if book.missing:
        extra = {"language": language, "count": len(book.missing), "rules": book.untranslated}
        log.info("texts are missing in a rule book, the English ones are shown", extra=extra)
    return book
