"""Every sentence a player reads, by language.

``t("card.your_turn", player="Ana")`` looks a sentence up in the language that is spoken (:mod:`cogs.texts.languages`)
and fills it in; :mod:`cogs.texts.catalogue` tells what a sentence may be. What a language does not say is said in
English, and counted.
"""

from __future__ import annotations

import logging
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from cogs.texts.catalogue import MINUS, PLURAL_CATEGORIES, Catalogue
from cogs.texts.languages import ABOUT, LANGUAGE, languages, spoken
from engine.once import once

__all__ = [
    "LANGUAGE",
    "MINUS",
    "PLURAL_CATEGORIES",
    "UNSAID",
    "Catalogue",
    "catalogue",
    "known",
    "listed",
    "t",
    "tables_of"
]  # fmt: skip

log = logging.getLogger(__name__)

_ASIDE: Final = frozenset({ABOUT, "terms.toml"})
"""Files of a language that hold no sentences: what it is, and what it calls the things of the games."""
UNSAID: Final[Counter[tuple[str, str]]] = Counter()
"""How often something was said in English instead: by language and key."""


def tables_of(language: str) -> dict[str, Any]:
    """All that the files of a language say.

    Raises:
        FileNotFoundError: there is no such language.
    """
    tables: dict[str, Any] = {}
    for text in _files(language):
        _lay(tables, tomllib.loads(text))
    if not tables and language not in languages():
        raise FileNotFoundError(f"no texts in {language!r}")
    return tables


def _files(language: str) -> Iterator[str]:
    home = resources.files(__package__)
    folder, file = home.joinpath(language), home.joinpath(f"{language}.toml")
    if file.is_file():
        yield file.read_text(encoding="utf-8")
    if folder.is_dir():
        for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".toml") and file.name not in _ASIDE:
                yield file.read_text(encoding="utf-8")


def _lay(below: dict[str, Any], table: Mapping[str, Any]) -> None:
    """Lay a table onto another one."""
    for name, value in table.items():
        if isinstance(value, dict) and isinstance(below.get(name), dict):
            _lay(below[name], value)
        else:
            below[name] = value


@once
def catalogue(language: str = LANGUAGE) -> Catalogue:
    """The sentences of a language, read once."""
    about = languages().get(language)
    return Catalogue(language, tables_of(language), about.forms if about else {})


def t(key: str, /, **values: object) -> str:
    """A sentence of the language that is spoken, filled in; see :meth:`Catalogue.text`."""
    language = spoken()
    if language != LANGUAGE:
        try:
            return catalogue(language).filled(key, values)
        except Exception as error:  # noqa: BLE001 - whatever a translation has wrong, the card has to come
            _in_english(language, key, error)
    return catalogue().filled(key, values)


def _in_english(language: str, key: str, error: Exception) -> None:
    """Count what a language cannot say, and tell of it once."""
    UNSAID[language, key] += 1
    if UNSAID[language, key] == 1:
        log.warning("said in English: %r", error, extra={"language": language, "text": key})


def listed(items: Sequence[str]) -> str:
    """Items in one phrase: ``a, b and c``."""
    return catalogue(spoken()).listed(items)


def known(key: str) -> bool:
    """Whether there is such a sentence."""
    return key in catalogue().sentences
