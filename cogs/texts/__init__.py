"""Every sentence a player reads, by language.

``t("card.your_turn", player="Ana")`` looks a sentence up in the language that is spoken (:mod:`cogs.texts.languages`)
and fills it in; :mod:`cogs.texts.catalogue` tells what a sentence may be. What a language does not say is said in
English, and what English does not say either by the last word of its key; both are counted. So no card ends because a
catalogue lacks something.
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
from engine.caching import thread_safe_cache

log = logging.getLogger(__name__)


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


_ASIDE: Final = frozenset({ABOUT, "terms.toml"})
"""Files of a language that hold no sentences: what it is, and what it calls the things of the games."""
UNSAID: Final[Counter[tuple[str, str]]] = Counter()
"""How often a language could not say something: by language and key; what English could not was said by its key."""


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


def catalogue(language: str = LANGUAGE) -> Catalogue:
    """The sentences of a language, read once."""
    return _read(language)


@thread_safe_cache
def _read(language: str) -> Catalogue:
    about = languages().get(language)
    return Catalogue(language, tables_of(language), about.forms if about else {})


def t(key: str, /, **values: object) -> str:
    """Say a sentence in the language that is spoken, filled in; see :meth:`Catalogue.text`.

    A sentence that cannot be said is replaced, never raised: by the English one, then by the last word of its key.
    """
    language = spoken()
    try:
        return catalogue(language).filled(key, values)
    except Exception as error:  # noqa: BLE001 - whatever a catalogue has wrong, the card has to come
        return _instead(language, key, values, error)


def _instead(language: str, key: str, values: Mapping[str, object], error: Exception) -> str:
    """Say in English, or by its key, what a language cannot say; count it, and log it once."""
    UNSAID[language, key] += 1
    first, extra = UNSAID[language, key] == 1, {"language": language, "text": key}
    if language == LANGUAGE:
        if first:
            log.error("said by its key: %r", error, extra=extra)
        return key.rpartition(".")[2].replace("_", " ")
    if first:
        log.warning("said in English: %r", error, extra=extra)
    try:
        return catalogue().filled(key, values)
    except Exception as also:  # noqa: BLE001 - the same
        return _instead(LANGUAGE, key, values, also)


def listed(items: Sequence[str]) -> str:
    """Items in one phrase: ``a, b and c``."""
    return catalogue(spoken()).listed(items)


def known(key: str) -> bool:
    """Whether there is such a sentence."""
    return key in catalogue().sentences
