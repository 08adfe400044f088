"""How the texts of the rule book hang on what a table plays: on its expansions, and on the values of its options.

A text's ``only`` names values without which it is not played, ``expects`` values that it takes for granted, and
``options`` are those that it leaves open. Values are written ``option=value``: several clauses with spaces between
them, in one clause several values with commas (``castle_first_score=next_turn,same_round``), and where the value of
another option will do as well, that one behind a stroke (``bazaar_mode=draft|bazaar_all_zero_fallback=draft``). What
such a value means for this text in particular stands in its table ``here``; otherwise the words of the option tell it.

``en/rulebook/ties.toml`` says to which expansion each group of rules belongs, which options make no difference
beside others, on which page each is chosen, and what the rules in short take for granted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, TypeAlias

from cogs.texts import LANGUAGE
from engine.once import once

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


@once
def _table() -> Mapping[str, Any]:
    """The file, read once."""
    file = resources.files(__package__).joinpath(LANGUAGE, "rulebook", "ties.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@once
def moot() -> Mapping[str, Clause]:
    """Options that make a difference only where a clause about others holds."""
    return {name: Clause.parse(text) for name, text in _table()["matters"].items()}


def option_page(group: str, otherwise: str) -> str:
    """The page on which an expansion's option is chosen whose first rule is of this group."""
    page: str = _table()["pages"].get(group, otherwise)
    return page
