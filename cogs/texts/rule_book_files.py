"""The files of the rule book: English has everything, every other language only what it says.

A file of another language has the entries of the English file of its name, each with nothing but words: ``title``,
``text``, ``intro``, and in its table ``here`` what a value means. The names in ``documents.toml`` are words, and its
table ``needs`` tells how the language calls what a rule needs, by the English phrase. All else (sources, related
rules, ties, the order of topics) stands in the English files alone. What a language does not say is read in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, TypeAlias

from cogs.texts.languages import LANGUAGE

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
    wanted = dict.fromkeys(_words(english))
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


def _words(english: Mapping[str, Any]) -> Iterator[Path]:
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
