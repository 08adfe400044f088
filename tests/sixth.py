"""A sixth language, made of the English one: what is said stands in brackets, is longer, and has accents.

What stands outside the brackets was never looked up: it has to be a name, a number or notation. A bracket that is cut
off, or one within another, shows where a sentence is cut or glued together. What is filled in stands outside.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import pytest

from cogs import texts
from cogs.texts import LANGUAGE, Catalogue, catalogue, tables_of
from cogs.texts.check import most
from cogs.texts.languages import Language, languages

CODE: Final = "sv"
LOCALE: Final = "sv-SE"
OPEN: Final = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}"
CLOSE: Final = "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
LONGER: Final = 1.4
_ACCENTS: Final = str.maketrans("aeiouycnszrldtgAEIOUYCNSZRLDTG", "áéíőúýčňšžřłďťğÁÉÍŐÚÝČŇŠŽŘŁĎŤĞ")
_KEPT: Final = re.compile(
    r"```[^`]*```|`[^`]*`|<[^<>]*>|T\{lot\}|\{[^{}]*\}|\*+|~~|\n|### |-# |^- |\\\.|[^\w\s.,;:!?'()/&…“”{}<>*~`-]+",
    re.MULTILINE,
)
_WORDS: Final = re.compile(r"[^\W\d_].*[^\W\d_.,;:…]|[^\W\d_]")
_NOTATION: Final = ("compass.",)


def said(text: str, most: int | None = None) -> str:
    """An English text in the sixth language; of so many characters at most, if they are enough for the English one."""
    room = None if most is None else most - len(text)
    parts: list[str] = []
    end = 0
    for kept in [*_KEPT.finditer(text), None]:
        between = text[end : kept.start() if kept else len(text)]
        parts.append(_between(between, room))
        if room is not None:
            room -= len(parts[-1]) - len(between)
        parts.append(kept[0] if kept else "")
        end = kept.end() if kept else 0
    return "".join(parts)


def _between(text: str, room: int | None) -> str:
    return _WORDS.sub(lambda found: _bracketed(found[0], room), text, count=1)


def _bracketed(words: str, room: int | None) -> str:
    longer = round(len(words) * (LONGER - 1))
    longer = longer if room is None else max(0, min(longer, room - 2))
    return f"{OPEN}{words.translate(_ACCENTS)}{'ö' * longer}{CLOSE}"


def _tables(tables: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    return {
        name: _tables(value, f"{prefix}{name}.") if isinstance(value, dict) else _said(f"{prefix}{name}", value)
        for name, value in tables.items()
    }


def _said(key: str, text: str) -> str:
    plural, _, category = key.rpartition(".")
    limit = most(plural if category in texts.PLURAL_CATEGORIES else key)
    return text if key.startswith(_NOTATION) else said(text, limit)


def sixth() -> Catalogue:
    """The sentences of the sixth language."""
    return Catalogue(CODE, _tables(tables_of(LANGUAGE)))


@contextmanager
def with_sixth(code: str = CODE) -> Iterator[Catalogue]:
    """There is a sixth language meanwhile."""
    made = sixth()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "catalogue", lambda language=LANGUAGE: made if language == code else catalogue(language))
        patch.setitem(languages(), code, Language(code, said("Sixth")))  # type: ignore[misc]
        yield made


def bare(text: str) -> str:
    """Return the text outside the brackets.

    Raises:
        ValueError: brackets are cut off, or stand within each other.
    """
    outside: list[str] = []
    depth = 0
    for sign in text:
        if sign == OPEN:
            depth += 1
        elif sign == CLOSE:
            depth -= 1
        elif not depth:
            outside.append(sign)
        if depth not in (0, 1):
            raise ValueError(f"brackets do not pair: {text!r}")
    if depth:
        raise ValueError(f"a bracket is cut off: {text!r}")
    return "".join(outside)
