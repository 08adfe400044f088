"""Write and read the tags of positions and records: lines of the form ``[Key "value"]``.

A value is written as a JSON string, so that it can hold any text. Errors of reading name the number of the line.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeVar

from engine.errors import NotationError

T = TypeVar("T")
"""The type to which a value is converted."""

MAX_TEXT_LENGTH: Final = 256 * 1024
"""The most characters of a text that is read."""
COMMENT: Final = ";"
"""The start of a comment, which ends with the line; allowed where a line or a token may begin."""
VERSION_KEY: Final = "Castellan"
"""The key of the first tag, whose value is the kind and version of the text."""
_TAG: Final = re.compile(r'\[([A-Z][A-Za-z]{0,31}) ("(?:[^"\\]|\\.)*")\]')
"""A line ``[Key "value"]``; in the value, quotes and backslashes are escaped."""


class RecordError(NotationError):
    """The text is not a valid position or record; ``line`` counts from 1, ``reason`` says what is wrong there."""

    code = "record"

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Tag(NamedTuple):
    """A line ``[Key "value"]``; ``line`` is its number in a text that is read, 0 in one that is written."""

    key: str
    value: str
    line: int = 0


class NumberedLine(NamedTuple):
    """A line that is neither blank nor a comment, with its number from 1."""

    number: int
    text: str


def tags_text(tags: Iterable[Tag]) -> str:
    """Return the tags as text, one a line."""
    return "".join(f"[{tag.key} {json.dumps(tag.value, ensure_ascii=False)}]\n" for tag in tags)


def counts_text(names: Iterable[str]) -> str:
    """Return sorted names with their counts: ``base/A*2 base/C``."""
    counts = sorted(Counter(names).items())
    return " ".join(name if count == 1 else f"{name}*{count}" for name, count in counts)


def read_counts(text: str, max_names: int) -> tuple[str, ...]:
    """Read what :func:`counts_text` wrote; return each name as often as it is counted, sorted.

    Raises:
        ValueError: the text does not have this form, or there are more than ``max_names`` names.
    """
    names: Counter[str] = Counter()
    for entry in text.split():
        name, _, count = entry.partition("*")
        if count and not re.fullmatch(r"[1-9]\d{0,3}", count):
            raise ValueError(f"not a number: {entry!r}")
        names[name] += int(count or 1)
    if names.total() > max_names:
        raise ValueError(f"{names.total()} are too many, at most {max_names}")
    return tuple(sorted(names.elements()))


def remaining_names(names: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """Return the names that are left, sorted, when some have been taken.

    Raises:
        ValueError: more of one name are taken than there are.
    """
    remaining = Counter(names)
    remaining.subtract(Counter(taken))
    missing = [name for name, count in remaining.items() if count < 0]
    if missing:
        raise ValueError(f"there are not so many {missing[0]!r}")
    return tuple(sorted(remaining.elements()))


def split_pile(pile: Iterable[str], text: str, max_names: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tiles drawn from a pile and those that remain, which ``text`` counts, each sorted by name."""
    remaining = read_counts(text, max_names)
    return remaining_names(pile, remaining), remaining


def lines_of(text: str, first_line: int = 1) -> Iterator[NumberedLine]:
    """Yield the lines that are neither blank nor comments, stripped of white space.

    Raises:
        RecordError: the text is too long.
    """
    if len(text) > MAX_TEXT_LENGTH:
        last = first_line + text.count("\n", 0, MAX_TEXT_LENGTH)
        raise RecordError(last, f"the text is too long: {len(text)} characters, at most {MAX_TEXT_LENGTH}")
    for number, line in enumerate(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").split("\n"), first_line):
        stripped = line.strip()
        if stripped and not stripped.startswith(COMMENT):
            yield NumberedLine(number, stripped)


class Tags:
    """The tags of a text, read one by one; :meth:`finish` refuses those that were not read."""

    def __init__(self, lines: Iterable[NumberedLine], first_line: int = 1) -> None:
        self.first_line = self.last_line = first_line
        self._unread: dict[str, Tag] = {}
        for number, text in lines:
            tag = _tag(number, text)
            if tag.key in self._unread:
                raise RecordError(number, f"[{tag.key}] stands here for the second time")
            self._unread[tag.key] = tag
            self.last_line = number

    def __contains__(self, key: str) -> bool:
        return key in self._unread

    def read(self, key: str, convert: Callable[[str], T]) -> T:
        """Return the converted value of a tag.

        Raises:
            RecordError: the tag is missing, or its value cannot be converted.
        """
        tag = self._unread.pop(key, None)
        if tag is None:
            raise RecordError(self.last_line, f"there is no [{key}]")
        return convert_at_line(tag.line, f"[{key}] ", convert, tag.value)

    def read_or(self, key: str, convert: Callable[[str], T], default: T) -> T:
        """Return the converted value of a tag, or a default if the tag is missing.

        Raises:
            RecordError: the value cannot be converted.
        """
        return self.read(key, convert) if key in self._unread else default

    def finish(self) -> None:
        """Make sure that all tags have been read.

        Raises:
            RecordError: a tag is left over.
        """
        for tag in self._unread.values():
            raise RecordError(tag.line, f"unknown tag [{tag.key}]")


def convert_at_line(line: int, prefix: str, convert: Callable[[str], T], text: str) -> T:
    """Convert a text; turn errors of the conversion into errors that name the line, with ``prefix`` before the reason.

    Raises:
        RecordError: the value cannot be converted.
    """
    try:
        return convert(text)
    except RecordError:
        raise
    except (ValueError, LookupError, TypeError) as error:
        reason = error.args[0] if error.args else type(error).__name__
        raise RecordError(line, f"{prefix}{reason}") from error


def _tag(number: int, text: str) -> Tag:
    """Read a tag."""
    match = _TAG.fullmatch(text)
    if match is None:
        raise RecordError(number, f'not a tag: {quoted(text)}, expected [Key "value"]')
    key, value = match.groups()
    return Tag(key, convert_at_line(number, f"[{key}] ", json.loads, value), number)


def quoted(text: str) -> str:
    """Return a token in quotes for an error message, shortened if it is long."""
    return repr(text if len(text) <= 40 else f"{text[:40]}…")


def whole_number(lowest: int, highest: int) -> Callable[[str], int]:
    """Return a function that converts a whole number within bounds."""

    def convert(text: str) -> int:
        if not re.fullmatch(r"-?\d{1,6}", text, re.ASCII) or not lowest <= int(text) <= highest:
            raise ValueError(f"not a number from {lowest} to {highest}: {quoted(text)}")
        return int(text)

    return convert


def options_text(differences: Mapping[str, object]) -> str:
    """Return options as ``name=value`` pairs."""
    return " ".join(f"{name}={_value_text(value)}" for name, value in differences.items())


def read_options(text: str, values: Mapping[str, Iterable[T]]) -> dict[str, T]:
    """Read what :func:`options_text` wrote; ``values`` are the possible values by name.

    Raises:
        ValueError: a name or value is unknown.
    """
    options: dict[str, T] = {}
    for entry in text.split():
        name, _, value = entry.partition("=")
        values_by_text = {_value_text(possible): possible for possible in values.get(name, ())}
        if value not in values_by_text or name in options:
            raise ValueError(f"unknown option: {quoted(entry)}")
        options[name] = values_by_text[value]
    return options


def _value_text(value: object) -> str:
    """Return the value of an option as text."""
    return str(value).lower() if isinstance(value, bool) else str(value)
