"""A pseudo-language beside the five real ones: English texts in brackets, two fifths longer and with accents.

Each translated text stands in brackets, and values that are inserted into it stand outside. So any words outside
brackets are untranslated. Only names, numbers and notation are allowed there. A bracket that is cut off, or one within
another, shows where a text was truncated or glued together from parts.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import pytest

from cogs import texts
from cogs.texts import LANGUAGE, Catalogue, catalogue, tables_of
from cogs.texts.check import max_length
from cogs.texts.languages import Language, languages

PSEUDO_CODE: Final = "sv"
"""The code of Swedish, a locale of Discord for which the bot has no texts."""
PSEUDO_LOCALE: Final = "sv-SE"
"""A locale that Discord has and for which there is no real translation."""
OPENING_BRACKET: Final = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}"
CLOSING_BRACKET: Final = "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
EXPANSION: Final = 1.4
"""The length of a text, as a multiple of the English one."""
_ACCENTS: Final = str.maketrans("aeiouycnszrldtgAEIOUYCNSZRLDTG", "áéíőúýčňšžřłďťğÁÉÍŐÚÝČŇŠŽŘŁĎŤĞ")
_UNTRANSLATED: Final = re.compile(
    r"```[^`]*```|`[^`]*`|<[^<>]*>|T\{lot\}|\{[^{}]*\}|\*+|~~|\n|### |-# |^- |\\\.|[^\w\s.,;:!?'()/&…“”{}<>*~`-]+",
    re.MULTILINE,
)
"""Parts that stay as they are: code, mentions, placeholders, markup and symbols."""
_WORDS: Final = re.compile(r"[^\W\d_].*[^\W\d_.,;:…]|[^\W\d_]")
"""The text from the first letter to the last."""
_NOTATION_KEYS: Final = ("compass.",)
"""Prefixes of the keys of texts that are notation and stay English."""


def pseudo_localize(text: str, max_length: int | None = None) -> str:
    """Return an English text in the pseudo-language, within the limit unless the English text exceeds it."""
    spare = None if max_length is None else max_length - len(text)
    parts: list[str] = []
    end = 0
    for fixed in [*_UNTRANSLATED.finditer(text), None]:
        between = text[end : fixed.start() if fixed else len(text)]
        parts.append(_localize_part(between, spare))
        if spare is not None:
            spare -= len(parts[-1]) - len(between)
        parts.append(fixed[0] if fixed else "")
        end = fixed.end() if fixed else 0
    return "".join(parts)


def _localize_part(text: str, spare: int | None) -> str:
    """Localize one part of a text, between inserted values."""
    return _WORDS.sub(lambda found: _bracket(found[0], spare), text, count=1)


def _bracket(words: str, spare: int | None) -> str:
    """Put words into brackets, with accents and padding."""
    padding = round(len(words) * (EXPANSION - 1))
    padding = padding if spare is None else max(0, min(padding, spare - 2))  # the brackets take two characters
    return f"{OPENING_BRACKET}{words.translate(_ACCENTS)}{'ö' * padding}{CLOSING_BRACKET}"


def _localize_tables(tables: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Localize all texts of nested tables."""
    return {
        name: _localize_tables(value, f"{prefix}{name}.")
        if isinstance(value, dict)
        else _localize_entry(f"{prefix}{name}", value)
        for name, value in tables.items()
    }


def _localize_entry(key: str, text: str) -> str:
    """Localize one text within the limit of its key."""
    plural, _, category = key.rpartition(".")
    limit = max_length(plural if category in texts.PLURAL_CATEGORIES else key)
    return text if key.startswith(_NOTATION_KEYS) else pseudo_localize(text, limit)


def pseudo_catalogue() -> Catalogue:
    """Return the texts of the pseudo-language."""
    return Catalogue(PSEUDO_CODE, _localize_tables(tables_of(LANGUAGE)))


@contextmanager
def install_pseudo_language(code: str = PSEUDO_CODE) -> Iterator[Catalogue]:
    """Offer the pseudo-language as a sixth language within the block."""
    made = pseudo_catalogue()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "catalogue", lambda language=LANGUAGE: made if language == code else catalogue(language))
        patch.setitem(languages(), code, Language(code, pseudo_localize("Sixth")))  # type: ignore[misc]
        yield made


def text_outside_brackets(text: str) -> str:
    """Return the text outside the brackets.

    Raises:
        ValueError: brackets are cut off, or stand within each other.
    """
    outside: list[str] = []
    depth = 0
    for sign in text:
        if sign == OPENING_BRACKET:
            depth += 1
        elif sign == CLOSING_BRACKET:
            depth -= 1
        elif not depth:
            outside.append(sign)
        if depth not in (0, 1):
            raise ValueError(f"brackets do not pair: {text!r}")
    if depth:
        raise ValueError(f"a bracket is cut off: {text!r}")
    return "".join(outside)
