"""The glossary: what each term is called in each language, as its ``terms.toml`` says; its tables stand in docs/."""

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
    table = tomllib.loads((TEXTS / language / "terms.toml").read_text(encoding="utf-8"))
    for game, entries in table.items():
        for name, entry in entries.items():
            lists = {field: tuple(entry.get(field, "").split(", ")) for field in ("forms", "never")}
            yield Term(game, name.replace("-", " "), **{**entry, **lists})


def entries(language: str) -> dict[str, tuple[str, str]]:
    """The game of each rule and topic, and all that it says in small letters."""
    book = rulebook(language)
    return {name: (entry.game, said(entry)) for name, entry in {**book.rules, **book.topics}.items()}


def said(entry: RuleBookEntry) -> str:
    """Title, text and what values of options mean."""
    text = entry.text if isinstance(entry, Rule) else entry.intro
    return " \n ".join([entry.title, text, *(words for _, words in entry.ties.here)]).lower()


def table(language: str) -> str:
    """The table of a language as it stands in the glossary."""
    head = f"## {LANGUAGES[language]}\n\n| term | game | word | gender | source | forms |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(term.row for term in terms(language)) + "\n"


ONWARD = ("play", "confirm", "decline")
"""Buttons that bring a game on, whatever the game is, by the ends of their keys."""
ASIDE = (
    *("back", "board", "careful_on", "change", "give", "hints", "leave_open", "log", "more_spots", "notes", "other"),
    *("pause", "plan", "proof", "publish", "quick_on", "resign", "rules", "switch", "tell", "tiles", "undo"),
    *("with_bridge", "without_bridge", "write_notes"),
)
"""Those that do not."""


def buttons() -> str:
    """The table of the buttons that stand below every game, as they are called, in each of their forms."""
    speakers = ("English", *LANGUAGES.values())
    lines = [f"| what it does | {' | '.join(speakers)} |", f"|---|{'---|' * len(speakers)}"]
    for name in (*ONWARD, *ASIDE):
        called = [_called(language, f"button.{name}") for language in (LANGUAGE, *LANGUAGES)]
        lines.append(f"| {'aside' if name in ASIDE else name} | {' | '.join(called)} |")
    return "\n".join(lines) + "\n"


def _called(language: str, key: str) -> str:
    return " / ".join(dict.fromkeys(aloud(text) for text in texts_of(catalogue(language).sentences[key])))


ENGLISH = tuple(terms(LANGUAGE))
