"""All texts that players read, by language, and the function :func:`t`, which looks them up.

>>> t("card.your_turn", player="Ana")

looks a sentence up by its key, in the current language (:mod:`cogs.texts.languages`), and fills in its values.
:mod:`cogs.texts.catalogue` describes the forms that a sentence can have, such as plurals. The sentences are in TOML
files, one or several for each language.

If a language lacks a sentence, the English one is used, and if English lacks it, too, the last word of its key; both
are counted. So a gap in the texts never prevents a message, and a text may be written in English first.
"""

from __future__ import annotations

import logging
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from cogs.texts.catalogue import MINUS, PLURAL_CATEGORIES, Catalogue
from cogs.texts.languages import DESCRIPTION_FILE, LANGUAGE, current_language, languages
from engine.caching import thread_safe_cache

log = logging.getLogger(__name__)


OTHER_FILES: Final = frozenset({DESCRIPTION_FILE, "terms.toml"})
"""Files of a language that hold no sentences: its description, and its glossary of game terms."""
MAX_KEYS_LOGGED: Final = 20
"""Maximum number of missing texts of a language that are named in the log."""
FAILED_TEXTS: Final[Counter[tuple[str, str]]] = Counter()
"""The number of failed attempts to form a sentence, by language and key."""


def tables_of(language: str) -> dict[str, Any]:
    """Return the content of all files of a language, as one nested table.

    Raises:
        FileNotFoundError: there is no such language.
    """
    tables: dict[str, Any] = {}
    for text in _files(language):
        _merge(tables, tomllib.loads(text))
    if not tables and language not in languages():
        raise FileNotFoundError(f"no texts in {language!r}")
    return tables


def _files(language: str) -> Iterator[str]:
    """Yield the content of each file of a language."""
    home = resources.files(__package__)
    folder, file = home.joinpath(language), home.joinpath(f"{language}.toml")
    if file.is_file():
        yield file.read_text(encoding="utf-8")
    if folder.is_dir():
        for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".toml") and file.name not in OTHER_FILES:
                yield file.read_text(encoding="utf-8")


def _merge(target: dict[str, Any], table: Mapping[str, Any]) -> None:
    """Merge a nested table into another one."""
    for name, value in table.items():
        if isinstance(value, dict) and isinstance(target.get(name), dict):
            _merge(target[name], value)
        else:
            target[name] = value


def catalogue(language: str = LANGUAGE) -> Catalogue:
    """Return the sentences of a language; its files are read once."""
    return _read_catalogue(language)


@thread_safe_cache
def _read_catalogue(language: str) -> Catalogue:
    """Read the sentences of a language, and log which of the English ones are missing."""
    description = languages().get(language)
    read = Catalogue(language, tables_of(language), description.forms if description else {})
    if lacking := missing_in(read):
        extra = {"language": language, "count": len(lacking), "texts": lacking[:MAX_KEYS_LOGGED]}
        log.info("texts are missing in a language, the English ones are shown", extra=extra)
    return read


def missing_in(read: Catalogue) -> list[str]:
    """Return the keys of English that a catalogue lacks, sorted."""
    return [] if read.language == LANGUAGE else sorted(catalogue().sentences.keys() - read.sentences.keys())


def t(key: str, /, **values: object) -> str:
    """Return a sentence in the current language with its values filled in; see :meth:`Catalogue.filled`.

    This never raises: a sentence that cannot be formed is replaced by the English one, or by the last word of its key.
    """
    language = current_language()
    try:
        return catalogue(language).filled(key, values)
    except Exception as error:  # noqa: BLE001 - an error in a catalogue must not prevent a card
        return _replacement(language, key, values, error)


def _replacement(language: str, key: str, values: Mapping[str, object], error: Exception) -> str:
    """Return the English sentence, or the last word of the key, for one that failed, and count it.

    A failure is logged once, unless the language merely lacks the sentence, which was logged when it was read.
    """
    FAILED_TEXTS[language, key] += 1
    first, extra = FAILED_TEXTS[language, key] == 1, {"language": language, "text": key}
    if language == LANGUAGE:
        if first:
            log.error("a text is missing, its key is shown: %r", error, extra=extra)
        return key.rpartition(".")[2].replace("_", " ")
    if first and key in catalogue(language).sentences:
        log.warning("a text cannot be formed, the English one is shown: %r", error, extra=extra)
    try:
        return catalogue().filled(key, values)
    except Exception as second:  # noqa: BLE001 - as above
        return _replacement(LANGUAGE, key, values, second)


def listed(items: Sequence[str]) -> str:
    """Return items as one phrase in the current language, such as ``a, b and c``."""
    return catalogue(current_language()).listed(items)


def has_text(key: str) -> bool:
    """Return whether there is a sentence with this key."""
    return key in catalogue().sentences
