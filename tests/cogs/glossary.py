"""The glossary: the term of each language for each concept, from ``terms.toml``; docs/ contains its tables."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cogs.texts import LANGUAGE, catalogue
from cogs.texts.catalogue import texts_of
from cogs.texts.rule_book import Rule, RuleBookEntry, rulebook
from cogs.words.story import aloud

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "cogs" / "texts"
LANGUAGES = {"cs": "Czech", "de": "German", "nl": "Dutch", "pl": "Polish"}
BOTH = "both"
"""Terms of both games."""
GENDERS = {"m", "f", "n", "pl", ""}
SOURCES = {"000", "001", "002", "003", "HiG", "publisher", "ours"}


@dataclass(frozen=True)
class Term:
    """A language's term for a concept of a game."""

    game: str
    name: str
    """The English term."""
    term: str
    forms: tuple[str, ...]
    gender: str = ""
    source: str = ""
    stem: str = ""
    """The common beginning of all its forms, if no other word begins so."""
    never: tuple[str, ...] = ()
    """Synonyms that the texts must not use."""

    @property
    def key(self) -> tuple[str, str]:
        """The key of the term: its game and its English name."""
        return self.game, self.name

    @property
    def row(self) -> str:
        """The row of the term in the glossary."""
        game = "" if self.game == BOTH else self.game
        return f"| {self.name} | {game} | {self.term} | {self.gender} | {self.source} | {', '.join(self.forms)} |"

    def covers(self, game: str) -> bool:
        """Return whether it is a term of a game."""
        return self.game in (BOTH, game)


def terms(language: str) -> Iterator[Term]:
    """Yield the terms of a language."""
    table = tomllib.loads((TEXTS / language / "terms.toml").read_text(encoding="utf-8"))
    for game, entries in table.items():
        for name, entry in entries.items():
            lists = {field: tuple(entry.get(field, "").split(", ")) for field in ("forms", "never")}
            yield Term(game, name.replace("-", " "), **{**entry, **lists})


def entries(language: str) -> dict[str, tuple[str, str]]:
    """Return the game and the lower-case text of each rule and topic; those that are read in English are left out."""
    book = rulebook(language)
    return {
        name: (entry.game, lower_text(entry))
        for name, entry in {**book.rules, **book.topics}.items()
        if name not in book.untranslated
    }


def lower_text(entry: RuleBookEntry) -> str:
    """Return title, text and meanings of option values, in lower case."""
    text = entry.text if isinstance(entry, Rule) else entry.intro
    return " \n ".join([entry.title, text, *(words for _, words in entry.ties.here)]).lower()


def table(language: str) -> str:
    """Return the table of a language in the glossary."""
    head = f"## {LANGUAGES[language]}\n\n| term | game | word | gender | source | forms |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(term.row for term in terms(language)) + "\n"


ONWARD = ("play", "confirm", "decline")
"""Buttons that continue any game, by the ends of their keys."""
ASIDE = (
    *("back", "board", "careful_on", "change", "give", "hints", "leave_open", "log", "more_spots", "notes", "other"),
    *("pause", "plan", "proof", "publish", "quick_on", "resign", "rules", "switch", "tell", "tiles", "undo"),
    *("with_bridge", "without_bridge", "write_notes"),
)
"""Buttons that do not continue a game."""


def buttons() -> str:
    """Return the glossary's table of the buttons that every game has, with all forms of their names."""
    speakers = ("English", *LANGUAGES.values())
    lines = [f"| what it does | {' | '.join(speakers)} |", f"|---|{'---|' * len(speakers)}"]
    for name in (*ONWARD, *ASIDE):
        called = [_names_of(language, f"button.{name}") for language in (LANGUAGE, *LANGUAGES)]
        lines.append(f"| {'aside' if name in ASIDE else name} | {' | '.join(called)} |")
    return "\n".join(lines) + "\n"


def _names_of(language: str, key: str) -> str:
    return " / ".join(dict.fromkeys(aloud(text) for text in texts_of(catalogue(language).sentences[key])))


ENGLISH = tuple(terms(LANGUAGE))
