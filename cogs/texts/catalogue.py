"""The sentences of one language: looked up, chosen among their forms, and filled in.

A sentence is one text, or a table of several. A table of plural categories (``one``, ``few``, ``other`` …) is chosen by
the value ``count``, and has just those of its language that whole numbers use. A table with ``by`` names the values by
which it is chosen, one after the other, ``by = "kind count"``: a whole number chooses by its plural category, words by
what they are (``city``, for the phrase ``feature.city``), or ``other``.

What is filled in may be a phrase that a language inflects: ``{what:za}`` asks for it in the form ``za``, which the
language tells in ``language.toml``. The phrase ``feature.city`` in this form stands under ``za.feature.city``; one that
is made of others passes on what its own text there says.

Commands in sentences become mentions, to be pressed: a text says `` `/carc play` ``, and once it is known how Discord
numbers the bot's commands (:func:`number_commands`) that is shown as ``</carc play:id>``. What is typed behind a
command (`` `/carc board words:` ``) cannot stand in a mention and follows. Names of commands are the same in all
languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter
from typing import Any, Final, TypeAlias

from babel import localedata
from babel.core import Locale

_NAMED: Final = re.compile(r"`/([a-z-]+)((?: [a-z-]+)*)((?: [^`]*)?)`")
_numbers: Final[dict[int, Mapping[str, int]]] = {}
"""Of each bot of this process that is registered, Discord's numbers of its commands, by their first words."""
_ids: Final[dict[str, int]] = {}
"""Those that are the same for all of them: whoever looks up a sentence does not say for which bot."""


def number_commands(ids: Mapping[str, int], bot: object = None) -> None:
    """Say how Discord numbers the commands of a bot, by their first words."""
    _numbers[id(bot)] = dict(ids)
    _agree()


def forget_commands(bot: object = None) -> None:
    """The commands of a bot have no numbers any more: it goes."""
    _numbers.pop(id(bot), None)
    _agree()


def _agree() -> None:
    """Keep what can be mentioned whichever bot says it: a number that is another bot's leads nowhere."""
    _ids.clear()
    if _numbers:
        _ids.update(set.intersection(*(set(ids.items()) for ids in _numbers.values())))


def names_command(text: str) -> bool:
    """Whether a text names a command."""
    return _NAMED.search(text) is not None


def mentioning(text: str) -> str:
    """A text whose commands can be pressed."""
    return _NAMED.sub(_mention, text) if _ids else text


def _mention(found: re.Match[str]) -> str:
    root, below, typed = found.groups()
    if root not in _ids:
        return found[0]
    mention = f"</{root}{below}:{_ids[root]}>"
    return f"{mention} `{typed.strip()}`" if typed else mention


MINUS: Final = "\N{MINUS SIGN}"
PLURAL_CATEGORIES: Final = frozenset({"zero", "one", "two", "few", "many", "other"})
BY: Final = "by"
OTHER: Final = "other"
COUNT: Final = "count"
_MOST: Final = 1000
"""Whole numbers up to which plural categories are asked for; nothing is counted beyond."""
_FORM: Final = re.compile(r"\{\w+:(\w+)\}")


@dataclass(frozen=True, slots=True)
class Branching:
    """A sentence in several forms, and by which values one is chosen."""

    by: tuple[str, ...]
    forms: Mapping[tuple[str, ...], str]
    ways: Mapping[tuple[str, ...], frozenset[str]]
    """How one may go on from each beginning of a form's key."""

    @classmethod
    def among(cls, by: tuple[str, ...], forms: Mapping[tuple[str, ...], str]) -> Branching:
        """The sentence in these forms."""
        ways: dict[tuple[str, ...], set[str]] = {}
        for form in forms:
            for place, branch in enumerate(form):
                ways.setdefault(form[:place], set()).add(branch)
        return cls(by, forms, {begun: frozenset(branches) for begun, branches in ways.items()})


Sentence: TypeAlias = str | dict[str, str] | Branching
"""A text, its plural forms, or its forms by something else."""


class Phrase(str):
    """A text that knows which sentence it is, so that another sentence can have it in another form."""

    __slots__ = ("catalogue", "key", "values")
    catalogue: Catalogue
    key: str
    values: Mapping[str, object]

    def __format__(self, form: str, /) -> str:
        return self.catalogue.in_form(form, self) if form else str(self)


class PhraseList(str):
    """Phrases in a row, which have all the same form."""

    __slots__ = ("catalogue", "items")
    catalogue: Catalogue
    items: Sequence[str]

    def __format__(self, form: str, /) -> str:
        return self.catalogue.listed([format(item, form) for item in map(_formed, self.items)]) if form else str(self)


class _Fixed(str):
    """What is the same in every form: names, numbers, notation."""

    __slots__ = ()

    def __format__(self, _form: str, /) -> str:
        return str(self)


class Catalogue:
    """The sentences of one language."""

    def __init__(self, language: str, tables: Mapping[str, Any], forms: Mapping[str, str] | None = None) -> None:
        self.language = language
        self.sentences: Mapping[str, Sentence] = dict(_flat(tables))
        """By dotted key; a sentence with plural forms is a dict of them."""
        self.forms: Mapping[str, str] = forms or {}
        """The forms of phrases that the language has."""
        self.unsaid: dict[str, int] = {}
        """How often which forms of phrases were wanted and are not there."""
        self._plural, self._lists = _grammar(language)
        self._commanding = {key for key, text in self.sentences.items() if any(map(names_command, texts_of(text)))}
        self._inflected = {key for key, text in self.sentences.items() if any(map(_FORM.search, texts_of(text)))}

    def categories(self) -> frozenset[str]:
        """Return the plural categories that whole numbers have in this language; asks for a thousand of them."""
        return frozenset(self._plural(number) for number in range(_MOST + 1))

    def text(self, key: str, /, **values: object) -> str:
        """The sentence with its values filled in.

        Raises:
            KeyError: the key or one of the sentence's values is missing.
        """
        return self.filled(key, values)

    def filled(self, key: str, values: Mapping[str, object]) -> str:
        """The same, with the values as they stand in a table."""
        sentence = self.sentences[key]
        if not isinstance(sentence, str):
            sentence = self._chosen(key, sentence, values)
        if key in self._commanding:
            sentence = mentioning(sentence)
        if not self.forms:
            return sentence.format_map(_shown(values)) if values else sentence.format()
        shown = _shown(values)
        if key in self._inflected:
            shown = {name: _formed(value) for name, value in shown.items()}
        phrase = Phrase(sentence.format_map(shown))
        phrase.catalogue, phrase.key, phrase.values = self, key, values
        return phrase

    def listed(self, items: Sequence[str]) -> str:
        """Items in one phrase: ``a, b and c``."""
        listing = PhraseList(_joined(list(map(str, items)), self._lists))
        if not self.forms:
            return str(listing)
        listing.catalogue, listing.items = self, items
        return listing

    def in_form(self, form: str, phrase: Phrase) -> str:
        """A phrase in one of the forms of the language; as it is where that form is not there."""
        key = f"{form}.{phrase.key}"
        if key in self.sentences:
            return self.filled(key, phrase.values)
        self.unsaid[key] = self.unsaid.get(key, 0) + 1
        return str(phrase)

    def _chosen(self, key: str, sentence: dict[str, str] | Branching, values: Mapping[str, object]) -> str:
        if isinstance(sentence, Branching):
            chosen: tuple[str, ...] = ()
            for name in sentence.by:
                chosen = (*chosen, self._branch(values[name], sentence.ways[chosen]))
            return sentence.forms[chosen]
        count = values[COUNT]
        if not isinstance(count, int):
            raise KeyError(f"{key} needs a whole number as its count, not {count!r}")
        return sentence[self._plural(abs(count))]

    def _branch(self, value: object, there: frozenset[str]) -> str:
        if isinstance(value, int):
            return self._plural(abs(value))
        return next((kind for kind in _kinds(value) if kind in there), OTHER)


def _grammar(language: str) -> tuple[Callable[[int], str], Mapping[str, str]]:
    """The plural rule of a language, and how a list is written; what else Babel knows, a megabyte, is not kept."""
    locale = Locale(language)
    rules = lru_cache(maxsize=_MOST)(locale.plural_form), dict(locale.list_patterns["standard"])
    localedata._cache.clear()  # noqa: SLF001 - there is no other way
    return rules


def _joined(items: Sequence[str], patterns: Mapping[str, str]) -> str:
    if len(items) < 2:
        return "".join(items)
    if len(items) == 2:
        return patterns["2"].format(*items)
    text = patterns["start"].format(*items[:2])
    for item in items[2:-1]:
        text = patterns["middle"].format(text, item)
    return patterns["end"].format(text, items[-1])


def _kinds(value: object) -> Iterator[str]:
    """What a value may be: the name of a phrase, then those of the phrases in it; a text is what it says."""
    if isinstance(value, Phrase):
        yield value.key.rpartition(".")[2]
        for inner in value.values.values():
            yield from _kinds(inner)
    elif isinstance(value, str):
        yield str(value)


def _shown(values: Mapping[str, object]) -> Mapping[str, object]:
    """Values as they are read: a negative number has a real minus, as in the pictures."""
    for value in values.values():
        if isinstance(value, int) and value < 0:
            return {name: _with_minus(value) for name, value in values.items()}
    return values


def _with_minus(value: object) -> object:
    return str(value).replace("-", MINUS, 1) if isinstance(value, int) and value < 0 else value


def _formed(value: object) -> object:
    """A value of which a form may be wanted."""
    return value if isinstance(value, Phrase | PhraseList) else _Fixed(value)


def texts_of(sentence: Sentence) -> Iterator[str]:
    """All texts of a sentence."""
    match sentence:
        case str():
            yield sentence
        case Branching():
            yield from sentence.forms.values()
        case _:
            yield from sentence.values()


def values_of(sentence: Sentence) -> frozenset[str]:
    """The names of the values that a sentence takes."""
    filled = {name for text in texts_of(sentence) for _, name, _, _ in Formatter().parse(text) if name}
    match sentence:
        case str():
            return frozenset(filled)
        case Branching(by=by):
            return frozenset({*filled, *by})
        case _:
            return frozenset({*filled, COUNT})


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Sentence]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield prefix + name, value
        elif BY in value:
            by = tuple(value[BY].split())
            forms = {key: branch for key, branch in value.items() if key != BY}
            yield prefix + name, Branching.among(by, dict(_branches(forms, len(by))))
        elif value and value.keys() <= PLURAL_CATEGORIES:
            yield prefix + name, value
        else:
            yield from _flat(value, f"{prefix}{name}.")


def _branches(table: Mapping[str, Any], depth: int) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, value in table.items():
        if depth == 1:
            yield (name,), value
        else:
            yield from (((name, *rest), text) for rest, text in _branches(value, depth - 1))
