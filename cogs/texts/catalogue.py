"""The sentences of one language: look one up, select its form, and fill in its values.

*Forms.* A sentence is one text, or a table of several. In a table of plural categories (``one``, ``few``, ``other`` …)
the value ``count`` selects the text; the table has exactly the categories that whole numbers use in its language. A
table with ``by`` names the selecting values in order, as in ``by = "kind count"``: a whole number selects by its plural
category, a phrase by the last part of its key (``city`` for ``feature.city``); other values select ``other``.

*Inflection.* A value may be a phrase that the language inflects: ``{what:za}`` asks for its form ``za``, which
``language.toml`` declares. The form ``za`` of the phrase ``feature.city`` has the key ``za.feature.city``; a phrase
made of other phrases states there in which form it needs each.

*Commands.* Once Discord's ids of the bot's commands are known (:func:`number_commands`), a text with `` `/carc play` ``
becomes the clickable mention ``</carc play:id>``. Options behind a command (`` `/carc board words:` ``) cannot be part
of a mention and follow it. Names of commands are the same in all languages.
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
"""A command in a text: its first word, further words, and options."""
_numbers: Final[dict[int, Mapping[str, int]]] = {}
"""The ids of commands by their first words, for each bot of this process; only tests run several."""
_ids: Final[dict[str, int]] = {}
"""The ids that all bots share, since a sentence is not looked up for a particular bot."""


def number_commands(ids: Mapping[str, int], bot: object = None) -> None:
    """Set Discord's ids of a bot's commands, by their first words."""
    _numbers[id(bot)] = dict(ids)
    _update_ids()


def forget_commands(bot: object = None) -> None:
    """Remove the command ids of a bot that is closed."""
    _numbers.pop(id(bot), None)
    _update_ids()


def _update_ids() -> None:
    """Keep only the ids that all bots share, because a mention with the id of another bot's command is broken."""
    _ids.clear()
    if _numbers:
        _ids.update(set.intersection(*(set(ids.items()) for ids in _numbers.values())))


def names_command(text: str) -> bool:
    """Return whether a text names a command."""
    return _NAMED.search(text) is not None


def mentioning(text: str) -> str:
    """Return a text with its commands turned into clickable mentions."""
    return _NAMED.sub(_mention, text) if _ids else text


def _mention(match: re.Match[str]) -> str:
    """Return the mention of a command that a text names; the name itself if the id of the command is unknown."""
    root, below, typed = match.groups()
    if root not in _ids:
        return match[0]
    mention = f"</{root}{below}:{_ids[root]}>"
    return f"{mention} `{typed.strip()}`" if typed else mention


MINUS: Final = "\N{MINUS SIGN}"
"""The typographic minus sign."""
PLURAL_CATEGORIES: Final = frozenset({"zero", "one", "two", "few", "many", "other"})
BY: Final = "by"
"""Key that names the selecting values in a table of several forms."""
OTHER: Final = "other"
"""The branch for values without one of their own."""
COUNT: Final = "count"
"""The value that selects a plural category."""
_MAX_COUNT: Final = 1000
"""Largest whole number for which plural categories are determined; no text counts further."""
_FORM: Final = re.compile(r"\{\w+:(\w+)\}")
"""A value for which a sentence asks in a form, as ``{what:za}``."""


@dataclass(frozen=True, slots=True)
class Branching:
    """A sentence in several forms, and the names of the values that select one."""

    by: tuple[str, ...]
    forms: Mapping[tuple[str, ...], str]
    ways: Mapping[tuple[str, ...], frozenset[str]]
    """The branches that follow each prefix of a form's key."""

    @classmethod
    def among(cls, by: tuple[str, ...], forms: Mapping[tuple[str, ...], str]) -> Branching:
        """Return the sentence with these forms."""
        ways: dict[tuple[str, ...], set[str]] = {}
        for form in forms:
            for place, branch in enumerate(form):
                ways.setdefault(form[:place], set()).add(branch)
        return cls(by, forms, {prefix: frozenset(branches) for prefix, branches in ways.items()})


Sentence: TypeAlias = str | dict[str, str] | Branching
"""A text, its forms by plural category, or its forms by named values."""


class Phrase(str):
    """A filled-in text that remembers its key and values, so that another sentence can ask for another form of it."""

    __slots__ = ("catalogue", "key", "values")
    catalogue: Catalogue
    key: str
    values: Mapping[str, object]

    def __format__(self, form: str, /) -> str:
        return self.catalogue.in_form(form, self) if form else str(self)


class PhraseList(str):
    """A list of phrases in words; asked for a form, it inflects all of them."""

    __slots__ = ("catalogue", "items")
    catalogue: Catalogue
    items: Sequence[str]

    def __format__(self, form: str, /) -> str:
        return self.catalogue.listed([format(item, form) for item in map(_formed, self.items)]) if form else str(self)


class _Fixed(str):
    """A value that is the same in every form: a name, a number or notation."""

    __slots__ = ()

    def __format__(self, _form: str, /) -> str:
        return str(self)


class Catalogue:
    """The sentences of one language."""

    def __init__(self, language: str, tables: Mapping[str, Any], forms: Mapping[str, str] | None = None) -> None:
        self.language = language
        self.sentences: Mapping[str, Sentence] = dict(_flat(tables))
        """The sentences by dotted key."""
        self.forms: Mapping[str, str] = forms or {}
        """The grammatical forms of phrases in this language, each with a description."""
        self.unsaid: dict[str, int] = {}
        """Counts of requested forms of phrases that are missing, by key."""
        self._plural, self._lists = _grammar(language)
        self._with_commands = {key for key, text in self.sentences.items() if any(map(names_command, texts_of(text)))}
        self._inflected = {key for key, text in self.sentences.items() if any(map(_FORM.search, texts_of(text)))}

    def categories(self) -> frozenset[str]:
        """Return the plural categories that whole numbers have in this language; checks a thousand numbers."""
        return frozenset(self._plural(number) for number in range(_MAX_COUNT + 1))

    def filled(self, key: str, values: Mapping[str, object]) -> str:
        """Return the sentence with its values filled in.

        Raises:
            KeyError: the key or one of the sentence's values is missing.
        """
        sentence = self.sentences[key]
        if not isinstance(sentence, str):
            sentence = self._chosen(key, sentence, values)
        if key in self._with_commands:
            sentence = mentioning(sentence)
        if not self.forms:
            return sentence.format_map(_shown(values)) if values else sentence.format()
        formatted = _shown(values)
        if key in self._inflected:
            formatted = {name: _formed(value) for name, value in formatted.items()}
        phrase = Phrase(sentence.format_map(formatted))
        phrase.catalogue, phrase.key, phrase.values = self, key, values
        return phrase

    def listed(self, items: Sequence[str]) -> str:
        """Return items as one phrase: ``a, b and c``."""
        listing = PhraseList(_joined(list(map(str, items)), self._lists))
        if not self.forms:
            return str(listing)
        listing.catalogue, listing.items = self, items
        return listing

    def in_form(self, form: str, phrase: Phrase) -> str:
        """Return a phrase in a form of the language; unchanged, and counted, if that form is missing."""
        key = f"{form}.{phrase.key}"
        if key in self.sentences:
            return self.filled(key, phrase.values)
        self.unsaid[key] = self.unsaid.get(key, 0) + 1
        return str(phrase)

    def _chosen(self, key: str, sentence: dict[str, str] | Branching, values: Mapping[str, object]) -> str:
        """Return the form of a sentence that the values select."""
        if isinstance(sentence, Branching):
            chosen: tuple[str, ...] = ()
            for name in sentence.by:
                chosen = (*chosen, self._branch(values[name], sentence.ways[chosen]))
            return sentence.forms[chosen]
        count = values[COUNT]
        if not isinstance(count, int):
            raise KeyError(f"{key} needs a whole number as its count, not {count!r}")
        return sentence[self._plural(abs(count))]

    def _branch(self, value: object, available: frozenset[str]) -> str:
        """Return the branch that a value selects among those that are there."""
        if isinstance(value, int):
            return self._plural(abs(value))
        return next((kind for kind in _kinds(value) if kind in available), OTHER)


def _grammar(language: str) -> tuple[Callable[[int], str], Mapping[str, str]]:
    """Return the plural rule and the list patterns of a language; drop Babel's other data, about a megabyte."""
    locale = Locale(language)
    rules = lru_cache(maxsize=_MAX_COUNT)(locale.plural_form), dict(locale.list_patterns["standard"])
    localedata._cache.clear()  # noqa: SLF001 - Babel has no public function for it
    return rules


def _joined(items: Sequence[str], patterns: Mapping[str, str]) -> str:
    """Join items by the list patterns of a language."""
    if len(items) < 2:
        return "".join(items)
    if len(items) == 2:
        return patterns["2"].format(*items)
    text = patterns["start"].format(*items[:2])
    for item in items[2:-1]:
        text = patterns["middle"].format(text, item)
    return patterns["end"].format(text, items[-1])


def _kinds(value: object) -> Iterator[str]:
    """Yield the branches that a value can select.

    A phrase selects by the last part of its key, then by its values; a plain text selects the branch of that name.
    """
    if isinstance(value, Phrase):
        yield value.key.rpartition(".")[2]
        for inner in value.values.values():
            yield from _kinds(inner)
    elif isinstance(value, str):
        yield str(value)


def _shown(values: Mapping[str, object]) -> Mapping[str, object]:
    """Return the values with a typographic minus sign in negative numbers, as in the pictures."""
    for value in values.values():
        if isinstance(value, int) and value < 0:
            return {name: _with_minus(value) for name, value in values.items()}
    return values


def _with_minus(value: object) -> object:
    return str(value).replace("-", MINUS, 1) if isinstance(value, int) and value < 0 else value


def _formed(value: object) -> object:
    """Return a value that accepts a form: phrases are inflected, all else stays the same."""
    return value if isinstance(value, Phrase | PhraseList) else _Fixed(value)


def texts_of(sentence: Sentence) -> Iterator[str]:
    """Yield all texts of a sentence."""
    match sentence:
        case str():
            yield sentence
        case Branching():
            yield from sentence.forms.values()
        case _:
            yield from sentence.values()


def values_of(sentence: Sentence) -> frozenset[str]:
    """Return the names of the values that a sentence needs."""
    filled = {name for text in texts_of(sentence) for _, name, _, _ in Formatter().parse(text) if name}
    match sentence:
        case str():
            return frozenset(filled)
        case Branching(by=by):
            return frozenset({*filled, *by})
        case _:
            return frozenset({*filled, COUNT})


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Sentence]]:
    """Yield the sentences of nested tables by dotted keys."""
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
    """Yield the forms of a branching sentence, by the values that select them."""
    for name, value in table.items():
        if depth == 1:
            yield (name,), value
        else:
            yield from (((name, *rest), text) for rest, text in _branches(value, depth - 1))
