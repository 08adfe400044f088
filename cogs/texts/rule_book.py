"""The rule book: every rule by its id, in a player's words, and the topics under which it is read.

``<language>/rulebook/`` holds a TOML file for each group of rules; ``topics.toml``, which tells in what order they are
read; ``documents.toml``, the names of what they come from; and ``ties.toml``, which with what the rules say themselves
tells how they depend on what a table plays. A rule's ``sources`` name a document, with footnotes behind a stroke:
``"polish first/13,15"``.

Files. A file of another language has the entries of the English file of its name, each with nothing but words:
``title``, ``text``, ``intro``, and in its table ``here`` what a value means. The names in ``documents.toml`` are words,
and its table ``needs`` tells how the language calls what a rule needs, by the English phrase. All else (sources,
related rules, ties, the order of topics) stands in the English files alone. What a language does not say is read in
English.

Ties to expansions and options. A text's ``only`` names values without which it is not played, ``expects`` values that
it takes for granted, and ``options`` are those that it leaves open. Values are written ``option=value``: several
clauses with spaces between them, in one clause several values with commas
(``castle_first_score=next_turn,same_round``), and where the value of another option will do as well, that one behind a
stroke (``bazaar_mode=draft|bazaar_all_zero_fallback=draft``). What such a value means for this text in particular
stands in its table ``here``; otherwise the words of the option tell it. ``en/rulebook/ties.toml`` says to which
expansion each group of rules belongs, which options make no difference beside others, on which page each is chosen, and
what the rules in short take for granted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import resources
from typing import Any, Final, TypeAlias

from cogs.texts.languages import LANGUAGE, folded, spoken
from engine.caching import thread_safe_cache

DOCUMENTS: Final = "documents"
NEEDS: Final = "needs"
HERE: Final = "here"
WORDS: Final = ("title", "text", "intro")
"""What an entry says."""
Path: TypeAlias = tuple[str, ...]
"""Where words stand: file, entry, field and, in a table, the value."""


@dataclass(frozen=True, slots=True)
class Files:
    """The tables of a language by the names of their files, and how its words stand beside the English ones."""

    tables: Mapping[str, Any]
    missing: tuple[Path, ...] = ()
    """Words that it does not have: they are read in English."""
    unknown: tuple[Path, ...] = ()
    """What it has and English has not."""


def texts_in(files: Files) -> Iterator[tuple[Path, str]]:
    """All that the rule book of a language says, and where."""
    for name, table in files.tables.items():
        yield from ((path, words) for path, words in _flat((name,), table) if isinstance(words, str))


def read(language: str) -> Files:
    """The files of a language, laid onto the English ones.

    Raises:
        FileNotFoundError: there is no rule book in this language.
    """
    english = dict(_files(LANGUAGE))
    if language == LANGUAGE:
        return Files(english)
    wanted = dict.fromkeys(_word_paths(english))
    said = {path: words for name, table in _files(language) for path, words in _flat((name,), table)}
    tables = deepcopy(english)
    for path in wanted:
        if path in said:
            _put(tables, path, said[path])
    missing = tuple(path for path in wanted if path not in said)
    return Files(tables, missing, tuple(path for path in said if path not in wanted))


def _files(language: str) -> Iterator[tuple[str, Any]]:
    folder = resources.files(__package__).joinpath(language, "rulebook")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        name, _, ending = file.name.rpartition(".")
        if ending == "toml":
            yield name, tomllib.loads(file.read_text(encoding="utf-8"))


def _word_paths(english: Mapping[str, Any]) -> Iterator[Path]:
    """Where the English files have words."""
    for name, table in english.items():
        for path, value in _flat((name,), table):
            if name == DOCUMENTS or path[2] in (*WORDS, HERE):
                yield path
            elif path[2] == NEEDS:
                yield (DOCUMENTS, NEEDS, value)


def _flat(path: Path, value: object) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for name, below in value.items():
            yield from _flat((*path, name), below)
    else:
        yield path, value


def _put(tables: dict[str, Any], path: Path, words: str) -> None:
    table = tables
    for name in path[:-1]:
        table = table.setdefault(name, {})
    table[path[-1]] = words


Values: TypeAlias = Mapping[str, str]
"""What a table plays: the values of its options as they are written, without those that make no difference."""
FIELDS: Final = ("only", "expects", "options", "here", "tells", "box", "needed")
"""What an entry of the rule book may say of its ties."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Values of which a table has one, or not."""

    values: tuple[tuple[str, tuple[str, ...]], ...]
    """Each option with its values."""

    @classmethod
    def parse(cls, text: str) -> Clause:
        """Read one clause."""
        sides = (part.partition("=") for part in text.split("|"))
        return cls(tuple((name, tuple(values.split(","))) for name, _, values in sides))

    @property
    def names(self) -> tuple[str, ...]:
        """The options that it speaks of."""
        return tuple(name for name, _ in self.values)

    def broken(self, played: Values) -> bool:
        """Whether a table plays otherwise; not where the options make no difference there."""
        known = [(played[name], values) for name, values in self.values if name in played]
        return bool(known) and not any(value in values for value, values in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """What a text has to do with what a table plays."""

    box: str = ""
    """The expansion to which it belongs; none for the game itself."""
    needed: tuple[str, ...] = ()
    """Expansions of which one is needed as well."""
    elsewhere: bool = False
    """Whether it needs what nobody can play here."""
    only: tuple[Clause, ...] = ()
    expects: tuple[Clause, ...] = ()
    options: tuple[str, ...] = ()
    here: tuple[tuple[str, str], ...] = ()
    """What a value means for this text, by the value."""
    tells: str = ""
    """A number that only a table knows: ``pile``, the tiles that lie face down when its game begins."""

    @classmethod
    def parse(cls, entry: Mapping[str, Any], box: str = "", needed: tuple[str, ...] = ()) -> Ties:
        """Read the ties of an entry; ``box`` and ``needed`` hold unless it names its own."""
        needed = tuple(entry.get("needed", "").split()) or needed
        return cls(
            box=entry.get("box", box),
            needed=needed,
            elsewhere="needs" in entry and not needed,
            only=_clauses(entry.get("only", "")),
            expects=_clauses(entry.get("expects", "")),
            options=tuple(entry.get("options", "").split()),
            here=tuple(entry.get("here", {}).items()),
            tells=entry.get("tells", ""),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Every option on which the text hangs, once."""
        return tuple(dict.fromkeys(self._names()))

    def _names(self) -> Iterator[str]:
        for clause in (*self.only, *self.expects):
            yield from clause.names
        yield from self.options


def _clauses(text: str) -> tuple[Clause, ...]:
    return tuple(map(Clause.parse, text.split()))


@thread_safe_cache
def _table() -> Mapping[str, Any]:
    """The file, read once."""
    file = resources.files(__package__).joinpath(LANGUAGE, "rulebook", "ties.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@thread_safe_cache
def moot() -> Mapping[str, Clause]:
    """Options that make a difference only where a clause about others holds."""
    return {name: Clause.parse(text) for name, text in _table()["matters"].items()}


def option_page(group: str, otherwise: str) -> str:
    """The page on which an expansion's option is chosen whose first rule is of this group."""
    page: str = _table()["pages"].get(group, otherwise)
    return page


TOPICS: Final = "topics"
TIES: Final = "ties"
LONGEST_QUERY: Final = 100
"""Characters of a question that are looked at."""
LEAST_WORD: Final = 4
"""Letters that a word needs to say what somebody means."""
_ID: Final = re.compile(r"([a-z]{2})[\s_-]*([0-9]{0,2})([a-z]?)")
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Source:
    """A document, with the footnotes that say so."""

    document: str
    """Its key in ``documents.toml``."""
    footnotes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Rules that are read together."""

    id: str
    game: str
    title: str
    intro: str
    rules: tuple[str, ...]
    ties: Ties
    """What holds for all that is told here."""

    @property
    def label(self) -> str:
        """How it is called in a list."""
        return self.title

    @property
    def words(self) -> str:
        """All that it says."""
        return f"{self.title} {self.intro}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: what it says, and who says it."""

    id: str
    """Its number, such as ``BR-09``."""
    game: str
    title: str
    text: str
    sources: tuple[Source, ...]
    ties: Ties
    """What it has to do with what a table plays."""
    editions: tuple[str, ...] = ()
    """The names of the editions that have it; none when all have."""
    certainty: str = ""
    """How sure it is, when it was not printed at first."""
    needs: str = ""
    """The expansions without which it never comes up."""
    related: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """The options on which it hangs."""
        return self.ties.names

    @property
    def label(self) -> str:
        """How it is called in a list."""
        return f"{self.id} · {self.title}"

    @property
    def words(self) -> str:
        """All that it says."""
        return f"{self.title} {self.text}"


RuleBookEntry: TypeAlias = Topic | Rule
"""What can be looked up."""


@dataclass(frozen=True, slots=True)
class _Plain:
    """What an entry says as it is compared with what somebody types: in its language, and in English."""

    titles: tuple[str, ...]
    labels: tuple[str, ...]
    words: str

    @classmethod
    def of(cls, entry: RuleBookEntry, english: Rulebook | None) -> _Plain:
        """An entry, with what it is in the English book."""
        both = (entry,) if english is None else (entry, english.topics.get(entry.id) or english.rules[entry.id])
        titles, labels = tuple(folded(it.title) for it in both), tuple(folded(it.label) for it in both)
        return cls(titles, labels, folded(" ".join(it.words for it in both)))

    @property
    def names(self) -> tuple[str, ...]:
        """How it may be called whole."""
        return (*self.titles, *self.labels)

    def tells(self, word: str) -> int:
        """How much a word says about it: twice as much in the title."""
        return any(word in title for title in self.titles) + (word in self.words)


class Rulebook:
    """The rules and topics of all games in one language.

    Raises:
        FileNotFoundError: there is no rule book in this language.
        TypeError: an entry lacks something, or has something unknown.
    """

    def __init__(self, language: str) -> None:
        files = read(language)
        self.missing: Sequence[str] = [".".join(path) for path in files.missing]
        """What is read in English here."""
        tables = dict(files.tables)
        names = tables.pop(DOCUMENTS)
        self.documents: Mapping[str, str] = names["documents"]
        ties, topics = tables.pop(TIES), tables.pop(TOPICS)
        self.short: Mapping[str, Ties] = {name: Ties.parse(entry) for name, entry in ties["short"].items()}
        """What the rules in short take for granted, by their game or expansion."""
        homes: dict[str, list[str]] = {}
        for topic_id, topic in topics.items():
            for rule_id in topic["rules"].split():
                homes.setdefault(rule_id, []).append(topic_id)
        self.rules: Mapping[str, Rule] = {
            rule_id: _rule(rule_id, entry, homes[rule_id], topics[homes[rule_id][0]]["game"], {**names, **ties})
            for table in tables.values()
            for rule_id, entry in table.items()
        }
        self.topics: Mapping[str, Topic] = {name: self._topic(name, entry) for name, entry in topics.items()}
        english = None if language == LANGUAGE else _read(LANGUAGE)
        self._plain = {entry.id: _Plain.of(entry, english) for entry in self._entries("")}
        self._vocabulary = sorted({word for plain in self._plain.values() for word in _WORD.findall(plain.words)})

    def _topic(self, topic_id: str, entry: Mapping[str, Any]) -> Topic:
        """A topic; the expansion of all its rules is its own."""
        rules = tuple(entry["rules"].split())
        boxes = {self.rules[rule_id].ties.box for rule_id in rules if rule_id in self.rules}
        ties = Ties.parse(entry, boxes.pop() if len(boxes) == 1 else "")
        return Topic(id=topic_id, ties=ties, **{**_own(entry), "rules": rules})

    def topics_of(self, game: str) -> list[Topic]:
        """The topics of a game, in the order of reading."""
        return [topic for topic in self.topics.values() if topic.game == game]

    def find(self, text: str) -> RuleBookEntry | None:
        """The topic or rule that a text names: by its id, however that is typed (``br9``), or by its whole title."""
        wanted = folded(text[:LONGEST_QUERY].strip())
        number = _ID.fullmatch(wanted)
        rule_id = f"{number[1].upper()}-{number[2]:0>2}{number[3]}" if number else ""
        if entry := self.topics.get(wanted) or self.rules.get(rule_id):
            return entry
        return next((entry for entry in self._entries("") if wanted in self._plain[entry.id].names), None)

    def sole_topic(self, text: str, game: str) -> Topic | None:
        """The only topic of a game with all words of a text in its title, such as ``keep`` for The Keep."""
        wanted = set(_words(text[:LONGEST_QUERY]))
        for titles in zip(*(self._plain[topic.id].titles for topic in self.topics_of(game)), strict=True):
            named = zip(self.topics_of(game), titles, strict=True)
            found = [topic for topic, title in named if wanted <= set(_WORD.findall(title))]
            if len(found) == 1:
                return found[0]
        return None

    def search(self, text: str, game: str, limit: int) -> Sequence[RuleBookEntry]:
        """What a text may mean, likeliest first: by the id, by words of the title, by words of the text.

        What belongs to this game comes before the rest; without a text these are its topics.
        """
        wanted = folded(text[:LONGEST_QUERY])
        words = _WORD.findall(wanted)
        if not words:
            return self.topics_of(game)[:limit]
        number = _ID.fullmatch(wanted.strip())
        ranks = ((self._rank(entry, number, words), entry) for entry in self._entries(game))
        found = [(rank, entry) for rank, entry in ranks if rank is not None]
        return [entry for _, entry in sorted(found, key=lambda pair: (pair[1].game != game, pair[0]))][:limit]

    def closest(self, text: str, game: str, limit: int) -> list[RuleBookEntry]:
        """The entries that share most words with a text which names none of them; misspelt words are mended."""
        wanted = [self._mended(word) for word in _words(text[:LONGEST_QUERY]) if len(word) >= LEAST_WORD]
        scores = [(sum(self._plain[entry.id].tells(word) for word in wanted), entry) for entry in self._entries(game)]
        best = sorted((pair for pair in scores if pair[0]), key=lambda pair: (-pair[0], pair[1].game != game))
        return [entry for _, entry in best[:limit]]

    def _entries(self, game: str) -> Iterator[RuleBookEntry]:
        """Topics, then rules, those of the game first."""
        groups: tuple[Iterable[RuleBookEntry], ...] = (self.topics.values(), self.rules.values())
        for entries in groups:
            yield from sorted(entries, key=lambda entry: entry.game != game)

    def _rank(self, entry: RuleBookEntry, number: re.Match[str] | None, words: Sequence[str]) -> int | None:
        """How well an entry answers a text that may be the number of a rule, 0 the best; None when it does not."""
        if isinstance(entry, Rule) and number:
            group, digits = number[1].upper(), number[2] + number[3]
            if digits and entry.id == f"{group}-{digits:0>2}":
                return 0
            if entry.id.startswith(f"{group}-{digits}"):
                return 1
        plain = self._plain[entry.id]
        hays = enumerate((*plain.labels, plain.words), start=2)
        return next((rank for rank, hay in hays if all(word in hay for word in words)), None)

    def _mended(self, word: str) -> str:
        if any(word in known for known in self._vocabulary):
            return word
        return next(iter(get_close_matches(word, self._vocabulary, 1)), word)


def _words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def _rule(rule_id: str, entry: Mapping[str, Any], homes: Sequence[str], game: str, names: Mapping[str, Any]) -> Rule:
    needs = entry.get(NEEDS, "")
    needed = tuple(box for name, box in names["names"].items() if name in needs)
    return Rule(
        id=rule_id,
        game=game,
        topics=tuple(homes),
        ties=Ties.parse(entry, names["boxes"].get(rule_id[:2], ""), needed),
        **{
            **_own(entry),
            "related": tuple(entry.get("related", "").split()),
            "sources": tuple(_sources(entry["sources"].split())),
            "editions": tuple(names["editions"][code] for code in entry.get("editions", "").split()),
            "certainty": names["certainty"][entry["certainty"]] if "certainty" in entry else "",
            NEEDS: names.get(NEEDS, {}).get(needs, needs),
        },
    )


def _own(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What an entry says besides its ties."""
    return {key: value for key, value in entry.items() if key not in FIELDS}


def _sources(tokens: Iterable[str]) -> Iterator[Source]:
    found: dict[str, set[int]] = {}
    for token in tokens:
        document, _, footnotes = token.partition("/")
        found.setdefault(document, set()).update(int(note) for note in footnotes.split(",") if note)
    return (Source(document, tuple(sorted(notes))) for document, notes in found.items())


def rulebook(language: str = "") -> Rulebook:
    """The rule book of a language, by default of that which is spoken; English where it has none."""
    return _read(language or spoken())


@thread_safe_cache
def _read(language: str) -> Rulebook:
    """A rule book, read once."""
    try:
        return Rulebook(language)
    except FileNotFoundError:
        return _read(LANGUAGE)
