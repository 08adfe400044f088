"""Every sentence a player reads, in one file a language.

``t("card.your_turn", player="Ana")`` looks a sentence up and fills it in. A table whose keys are plural categories
(``one``, ``few``, ``other`` …) is one sentence in several forms; its ``count`` chooses, by the language's plural rule.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from babel.core import Locale
from babel.lists import format_list
from babel.plural import PluralRule

from engine.once import once

LANGUAGE: Final = "en"
MINUS: Final = "\N{MINUS SIGN}"
PLURAL_CATEGORIES: Final = frozenset({"zero", "one", "two", "few", "many", "other"})


class Catalogue:
    """The sentences of one language.

    Raises:
        FileNotFoundError: there is no file for the language.
    """

    def __init__(self, language: str) -> None:
        text = resources.files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
        self.sentences: Mapping[str, str | dict[str, str]] = dict(_flat(tomllib.loads(text)))
        """By dotted key; a sentence with plural forms is a dict of them."""
        self._plural: PluralRule = Locale(language).plural_form

    def text(self, key: str, /, **values: object) -> str:
        """The sentence with its values filled in.

        Raises:
            KeyError: the key or one of the sentence's values is missing.
        """
        sentence = self.sentences[key]
        if isinstance(sentence, dict):
            count = values["count"]
            if not isinstance(count, int):
                raise KeyError(f"{key} needs a whole number as its count, not {count!r}")
            sentence = sentence.get(self._plural(abs(count))) or sentence["other"]
        return sentence.format(**{name: _shown(value) for name, value in values.items()})


def _shown(value: object) -> object:
    """A value as it is read: a negative number has a real minus, as in the pictures."""
    return str(value).replace("-", MINUS, 1) if isinstance(value, int) and value < 0 else value


def _flat(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str | dict[str, str]]]:
    found: list[tuple[str, str | dict[str, str]]] = []
    for name, value in table.items():
        if isinstance(value, str) or ("other" in value and value.keys() <= PLURAL_CATEGORIES):
            found.append((prefix + name, value))
        else:
            found += _flat(value, f"{prefix}{name}.")
    return found


@once
def catalogue(language: str = LANGUAGE) -> Catalogue:
    """The sentences of a language, read once."""
    return Catalogue(language)


def t(key: str, /, **values: object) -> str:
    """A sentence of the default language, filled in; see :meth:`Catalogue.text`."""
    return catalogue().text(key, **values)


def listed(items: Sequence[str]) -> str:
    """Items in one phrase: ``a, b and c``."""
    return format_list(items, locale=LANGUAGE)


def known(key: str) -> bool:
    """Whether the default language has this sentence."""
    return key in catalogue().sentences
