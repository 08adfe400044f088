"""Limits of application commands (interactions/application-commands of Discord's documentation).

Functions named ``_check_…`` yield a sentence for each violation; ``place`` is the command or option that it is about.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum

from tests.discord_limits.text import Json, check_count, check_length, check_range, check_unique


class CommandKind(IntEnum):
    """The types of application commands."""

    CHAT_INPUT = 1
    USER = 2
    MESSAGE = 3
    ENTRY_POINT = 4


class OptionKind(IntEnum):
    """Types of options that have limits of their own; all others hold a single value."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    NUMBER = 10


MAX_COMMANDS_BY_KIND = {
    CommandKind.CHAT_INPUT: 100,
    CommandKind.USER: 15,
    CommandKind.MESSAGE: 15,
    CommandKind.ENTRY_POINT: 1,
}
NESTING_KINDS = {OptionKind.SUBCOMMAND, OptionKind.GROUP}
KINDS_WITH_CHOICES = {OptionKind.STRING, OptionKind.INTEGER, OptionKind.NUMBER}
MAX_COMMAND_CHARACTERS = 8000


def commands_problems(commands: Sequence[Json]) -> list[str]:
    """Return the violations of a complete set of commands, the payload of `PUT …/commands`."""
    return list(_check_commands(commands))


def _check_commands(commands: Sequence[Json]) -> Iterator[str]:
    kinds = Counter(_kind(command) for command in commands)
    for kind, most in MAX_COMMANDS_BY_KIND.items():
        if kinds[kind] > most:
            yield f"commands: {kinds[kind]} of type {kind.name}, at most {most}"
    yield from check_unique("commands", ((_kind(command).name, command.get("name")) for command in commands))
    for command in commands:
        place = f"/{command.get('name')}"
        if _kind(command) is CommandKind.CHAT_INPUT:
            yield from _check_names(place, command)
            yield from _check_options(place, command.get("options") or (), depth=0)
        else:
            yield from _check_context_menu(place, command)
        if (size := _character_count(command)) > MAX_COMMAND_CHARACTERS:
            yield f"{place}: {size} characters in names, descriptions and values together, at most 8000"


def _kind(command: Json) -> CommandKind:
    return CommandKind(command.get("type") or CommandKind.CHAT_INPUT)


def _check_context_menu(place: str, command: Json) -> Iterator[str]:
    yield from check_length(f"{place}.name", command.get("name"), 1, 32)
    if command.get("description"):
        yield f"{place}.description: not allowed for a context menu"
    if command.get("options"):
        yield f"{place}.options: not allowed for a context menu"


def _check_names(place: str, node: Json) -> Iterator[str]:
    """Check the name and description of a command or option, with their translations."""
    for key, name in _translated(node, "name"):
        yield from check_length(f"{place}.{key}", name, 1, 32)
        if any(not _is_name_character(character) for character in name):
            yield f"{place}.{key}: {name!r} may hold only letters, digits, -, _ and '"
        if name != name.lower():
            yield f"{place}.{key}: {name!r} is not in lower case"
    for key, description in _translated(node, "description"):
        yield from check_length(f"{place}.{key}", description, 1, 100)


def _translated(node: Json, key: str) -> Iterator[tuple[str, str]]:
    yield key, node.get(key) or ""
    for locale, text in (node.get(f"{key}_localizations") or {}).items():
        yield f"{key}_localizations.{locale}", text


def _is_name_character(character: str) -> bool:
    """Return whether a character matches `^[-_'\\p{L}\\p{N}\\p{sc=Deva}\\p{sc=Thai}]$`.

    Marks of the Devanagari and Thai scripts are neither letters nor digits, so they are recognised by their names.
    """
    if character in "-_'" or unicodedata.category(character)[0] in "LN":
        return True
    return unicodedata.name(character, "").startswith(("DEVANAGARI ", "THAI "))


def _check_options(place: str, options: Sequence[Json], depth: int) -> Iterator[str]:
    yield from check_count(f"{place}.options", options, 0, 25)
    yield from check_unique(f"{place}.options", (option.get("name") for option in options))
    nesting = [option for option in options if option["type"] in NESTING_KINDS]
    if nesting and len(nesting) != len(options):
        yield f"{place}.options: subcommands and plain options mixed"
    yield from _check_required_first(place, options)
    for option in options:
        here = f"{place} {option.get('name')}"
        yield from _check_names(here, option)
        if option["type"] in NESTING_KINDS:
            yield from _check_nesting_option(here, option, depth)
        else:
            yield from _check_value_option(here, option)


def _check_required_first(place: str, options: Sequence[Json]) -> Iterator[str]:
    seen_optional = False
    for option in options:
        if option.get("required") and seen_optional:
            yield f"{place} {option.get('name')}: required, but stands after an optional one"
        seen_optional = seen_optional or (not option.get("required") and option["type"] not in NESTING_KINDS)


def _check_nesting_option(place: str, option: Json, depth: int) -> Iterator[str]:
    inner = option.get("options") or ()
    if option["type"] == OptionKind.GROUP:
        if depth > 0:
            yield f"{place}: a group within a group"
        if any(child["type"] != OptionKind.SUBCOMMAND for child in inner):
            yield f"{place}: a group may hold only subcommands"
    elif any(child["type"] in NESTING_KINDS for child in inner):
        yield f"{place}: a subcommand may hold only plain options"
    yield from _check_options(place, inner, depth + 1)


def _check_value_option(place: str, option: Json) -> Iterator[str]:
    choices = option.get("choices") or ()
    yield from check_count(f"{place}.choices", choices, 0, 25)
    if choices and option["type"] not in KINDS_WITH_CHOICES:
        yield f"{place}.choices: not allowed for option type {option['type']}"
    if choices and option.get("autocomplete"):
        yield f"{place}: choices and autocomplete together"
    for index, choice in enumerate(choices):
        for key, name in _translated(choice, "name"):
            yield from check_length(f"{place}.choices[{index}].{key}", name, 1, 100)
        if isinstance(choice.get("value"), str):
            yield from check_length(f"{place}.choices[{index}].value", choice["value"], 1, 100)
    yield from check_range(f"{place}.min_length", option.get("min_length"), 0, 6000)
    yield from check_range(f"{place}.max_length", option.get("max_length"), 1, 6000)


def _character_count(node: Json) -> int:
    """Return the number of characters that count towards a command's 8000; of translations the longest counts."""
    own = sum(max(len(text) for _, text in _translated(node, key)) for key in ("name", "description"))
    choices = sum(_choice_character_count(choice) for choice in node.get("choices") or ())
    return own + choices + sum(_character_count(option) for option in node.get("options") or ())


def _choice_character_count(choice: Json) -> int:
    return max(len(text) for _, text in _translated(choice, "name")) + len(str(choice.get("value", "")))
