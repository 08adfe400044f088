"""The glossary: each language's term for each concept of the games, read from ``cogs/texts/*/terms.toml``.

``docs/glossary.md`` contains it as tables, which the functions of this module format.
"""

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
"""Names of the languages in the document."""
BOTH_GAMES = "both"
"""Terms of both games."""
GENDERS = {"m", "f", "n", "pl", ""}
"""Grammatical genders of a term, and plural."""
SOURCES = {"000", "001", "002", "003", "HiG", "publisher", "ours"}
"""Sources of a term, as listed at the top of ``docs/glossary.md``."""


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
    """The common beginning of all its forms, if no other word begins with it."""
    never: tuple[str, ...] = ()
    """Synonyms that the texts must not use."""

    @property
    def key(self) -> tuple[str, str]:
        """The key of the term: its game and its English name."""
        return self.game, self.name

    @property
    def row(self) -> str:
        """The row of the term in the glossary."""
        game = "" if self.game == BOTH_GAMES else self.game
        return f"| {self.name} | {game} | {self.term} | {self.gender} | {self.source} | {', '.join(self.forms)} |"

    def covers(self, game: str) -> bool:
        """Return whether this is a term of a game."""
        return self.game in (BOTH_GAMES, game)


def terms(language: str) -> Iterator[Term]:
    """Yield the terms of a language."""
    data = tomllib.loads((TEXTS / language / "terms.toml").read_text(encoding="utf-8"))
    for game, entries in data.items():
        for name, entry in entries.items():
            lists = {field: tuple(entry.get(field, "").split(", ")) for field in ("forms", "never")}
            yield Term(game, name.replace("-", " "), **{**entry, **lists})


def rule_texts(language: str) -> dict[str, tuple[str, str]]:
    """Return the game and the lower-case text of each rule and topic, except those without a translation."""
    book = rulebook(language)
    return {
        name: (entry.game, lower_text(entry))
        for name, entry in {**book.rules, **book.topics}.items()
        if name not in book.untranslated
    }


def lower_text(entry: RuleBookEntry) -> str:
    """Return title, text and meanings of option values, in lower case."""
    text = entry.text if isinstance(entry, Rule) else entry.intro
    return " \n ".join([entry.title, text, *(words for _, words in entry.ties.meanings)]).lower()


def term_table(language: str) -> str:
    """Return the table of a language in the glossary."""
    head = f"## {LANGUAGES[language]}\n\n| term | game | word | gender | source | forms |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(term.row for term in terms(language)) + "\n"


CONTINUING_BUTTONS = ("play", "confirm", "decline")
"""Buttons that continue any game, by the last words of their keys."""
OTHER_BUTTONS = (
    *("advice", "back", "board", "change", "give", "hints", "leave_open", "log", "more_spots", "notes", "other"),
    "other_parts",
    *("pause", "plan", "proof", "resign", "leave_lesson", "rules", "switch", "take_back", "tell", "tiles", "undo"),
    *("with_bridge", "without_bridge", "write_notes"),
)
"""Buttons that do not continue a game."""


def button_table() -> str:
    """Return the glossary's table of the buttons that every game has, with all forms of their names."""
    language_names = ("English", *LANGUAGES.values())
    lines = [f"| what it does | {' | '.join(language_names)} |", f"|---|{'---|' * len(language_names)}"]
    for name in (*CONTINUING_BUTTONS, *OTHER_BUTTONS):
        names = [_button_names(language, f"button.{name}") for language in (LANGUAGE, *LANGUAGES)]
        lines.append(f"| {'aside' if name in OTHER_BUTTONS else name} | {' | '.join(names)} |")
    return "\n".join(lines) + "\n"


def _button_names(language: str, key: str) -> str:
    """Return the labels of a button, as a screen reader reads them."""
    return " / ".join(dict.fromkeys(aloud(text) for text in texts_of(catalogue(language).sentences[key])))


ENGLISH_TERMS = tuple(terms(LANGUAGE))
