"""The glossary: what each term is called in each language, as ``cogs/texts/terms`` says; its tables stand in docs/."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cogs.texts import LANGUAGE
from cogs.texts.rule_book import Entry, Rule, rulebook

ROOT = Path(__file__).parents[2]
TERMS = ROOT / "cogs" / "texts" / "terms"
LANGUAGES = {"cs": "Czech", "de": "German", "nl": "Dutch", "pl": "Polish"}
BOTH = "both"
"""Terms of both games."""
GENDERS = {"m", "f", "n", "pl", ""}
SOURCES = {"000", "001", "002", "003", "HiG", "publisher", "ours"}


@dataclass(frozen=True)
class Term:
    """What a language calls something in a game."""

    game: str
    name: str
    """What English calls it."""
    term: str
    forms: tuple[str, ...]
    gender: str = ""
    source: str = ""
    stem: str = ""
    """How all of its forms begin, where nothing else does."""
    never: tuple[str, ...] = ()
    """Words for it that the texts do not use."""

    @property
    def key(self) -> tuple[str, str]:
        """Which term it is."""
        return self.game, self.name

    @property
    def row(self) -> str:
        """Its line of the glossary."""
        game = "" if self.game == BOTH else self.game
        return f"| {self.name} | {game} | {self.term} | {self.gender} | {self.source} | {', '.join(self.forms)} |"

    def covers(self, game: str) -> bool:
        """Whether it is a term of a game."""
        return self.game in (BOTH, game)


def terms(language: str) -> Iterator[Term]:
    """The terms of a language."""
    table = tomllib.loads((TERMS / f"{language}.toml").read_text(encoding="utf-8"))
    for game, entries in table.items():
        for name, entry in entries.items():
            lists = {field: tuple(entry.get(field, "").split(", ")) for field in ("forms", "never")}
            yield Term(game, name.replace("-", " "), **{**entry, **lists})


def entries(language: str) -> dict[str, tuple[str, str]]:
    """The game of each rule and topic, and all that it says in small letters."""
    book = rulebook(language)
    return {name: (entry.game, said(entry)) for name, entry in {**book.rules, **book.topics}.items()}


def said(entry: Entry) -> str:
    """Title, text and what values of options mean."""
    text = entry.text if isinstance(entry, Rule) else entry.intro
    return " \n ".join([entry.title, text, *(words for _, words in entry.ties.here)]).lower()


def table(language: str) -> str:
    """The table of a language as it stands in the glossary."""
    head = f"## {LANGUAGES[language]}\n\n| term | game | word | gender | source | forms |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(term.row for term in terms(language)) + "\n"


ENGLISH = tuple(terms(LANGUAGE))
