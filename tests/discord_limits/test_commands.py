"""Limits of a set of commands: for each, a set that reaches the limit and one that exceeds it by one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_limits.commands import CommandKind, OptionKind, commands_problems
from tests.discord_limits.payloads import choices, command, command_option


def command_with_options(*options: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a set of one command with these options."""
    return [command(options=list(options))]


def numbered_commands(number: int, **fields: Any) -> list[dict[str, Any]]:
    """Return this many commands with distinct names."""
    return [command(f"c{index}", **fields) for index in range(number)]


def context_menus(number: int, kind: CommandKind) -> list[dict[str, Any]]:
    """Return this many context menus."""
    return numbered_commands(number, type=kind, description="")


def subcommand(name: str = "new", *options: dict[str, Any]) -> dict[str, Any]:
    """Return a subcommand."""
    return command_option(name, OptionKind.SUBCOMMAND, options=list(options))


def group(name: str, *options: dict[str, Any]) -> dict[str, Any]:
    """Return a group of subcommands."""
    return command_option(name, OptionKind.GROUP, options=list(options))


def command_with_option(**fields: Any) -> list[dict[str, Any]]:
    """Return a set of one command with one option."""
    return command_with_options(command_option(**fields))


def options_with_translated_choice(name: str) -> list[dict[str, Any]]:
    """Return the long options with a German name for the first choice."""
    first, *others = LONG_OPTIONS
    choice, *rest = first["choices"]
    return [{**first, "choices": [{**choice, "name_localizations": {"de": name}}, *rest]}, *others]


LONG_OPTIONS = [
    command_option(
        f"option-{index:02}",
        description="x" * 86,
        choices=[{"name": "x" * 50, "value": f"{choice}".rjust(25, "v")} for choice in range(4)],
    )
    for index in range(20)
]
"""Twenty options of 395 characters each, counting name, description and four choices: 7900 together."""

# The limit, commands within it, commands beyond it, a part of the expected problem.
CASES: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]], str]] = [
    ("slash commands", numbered_commands(100), numbered_commands(101), "CHAT_INPUT, at most 100"),
    ("user menus", context_menus(15, CommandKind.USER), context_menus(16, CommandKind.USER), "USER, at most 15"),
    (
        "message menus",
        context_menus(15, CommandKind.MESSAGE),
        context_menus(16, CommandKind.MESSAGE),
        "MESSAGE, at most 15",
    ),
    (
        "entry points",
        context_menus(1, CommandKind.ENTRY_POINT),
        context_menus(2, CommandKind.ENTRY_POINT),
        "ENTRY_POINT",
    ),
    ("unique", [command("a"), command("b")], [command("a"), command("a")], "2 times"),
    ("name", [command("x" * 32)], [command("x" * 33)], "name: 33"),
    ("no name", [command("x")], [command("")], "name: 0"),
    ("letters", [command("carc-neu_1'ß")], [command("carc!")], "may hold only"),
    ("other scripts", [command("कारकासोन")], [command("carc ñ")], "may hold only"),
    ("case", [command("carc")], [command("Carc")], "lower case"),
    (
        "translated name",
        [command(name_localizations={"de": "neu"})],
        [command(name_localizations={"de": "Neu"})],
        "de: 'Neu'",
    ),
    ("description", [command(description="x" * 100)], [command(description="x" * 101)], "description: 101"),
    ("no description", [command()], [command(description="")], "description: 0"),
    ("menu's name", [command("Show Board", type=2, description="")], [command("x" * 33, type=2, description="")], "33"),
    ("menu's description", context_menus(1, CommandKind.USER), [command("a", type=2)], "context menu"),
    (
        "menu's options",
        context_menus(1, CommandKind.USER),
        [{**command("a", type=2, description=""), "options": [command_option()]}],
        "options",
    ),
    (
        "options",
        command_with_options(*[command_option(f"o{n}") for n in range(25)]),
        command_with_options(*[command_option(f"o{n}") for n in range(26)]),
        "26 items",
    ),
    (
        "options unique",
        command_with_options(command_option("a"), command_option("b")),
        command_with_options(command_option("a"), command_option("a")),
        "2 times",
    ),
    (
        "required first",
        command_with_options(command_option("a", required=True), command_option("b")),
        command_with_options(command_option("a"), command_option("b", required=True)),
        "stands after an optional one",
    ),
    ("choices", command_with_option(choices=choices(25)), command_with_option(choices=choices(26)), "26 items"),
    (
        "choices' type",
        command_with_option(choices=choices(1)),
        command_with_option(kind=6, choices=choices(1)),
        "option type 6",
    ),
    (
        "autocomplete",
        command_with_option(autocomplete=True),
        command_with_option(autocomplete=True, choices=choices(1)),
        "together",
    ),
    (
        "choice name",
        command_with_option(choices=[{"name": "x" * 100, "value": 1}]),
        command_with_option(choices=[{"name": "x" * 101, "value": 1}]),
        "101",
    ),
    (
        "translated choice",
        command_with_option(choices=[{"name": "x", "name_localizations": {"de": "x" * 100}, "value": 1}]),
        command_with_option(choices=[{"name": "x", "name_localizations": {"de": "x" * 101}, "value": 1}]),
        "choices[0].name_localizations.de: 101",
    ),
    (
        "choice value",
        command_with_option(choices=[{"name": "x", "value": "v" * 100}]),
        command_with_option(choices=[{"name": "x", "value": "v" * 101}]),
        "value: 101",
    ),
    ("shortest", command_with_option(min_length=6000), command_with_option(min_length=6001), "min_length: 6001"),
    ("longest", command_with_option(max_length=1), command_with_option(max_length=0), "max_length: 0"),
    (
        "subcommands",
        command_with_options(subcommand("a"), subcommand("b")),
        command_with_options(subcommand(), command_option()),
        "mixed",
    ),
    (
        "25 subcommands",
        command_with_options(*[subcommand(f"s{n}") for n in range(25)]),
        command_with_options(*[subcommand(f"s{n}") for n in range(26)]),
        "26",
    ),
    (
        "group",
        command_with_options(group("g", subcommand())),
        command_with_options(group("g", command_option())),
        "only subcommands",
    ),
    (
        "nested groups",
        command_with_options(group("g", subcommand())),
        command_with_options(group("g", group("h"))),
        "within a group",
    ),
    (
        "subcommand",
        command_with_options(subcommand("a", command_option())),
        command_with_options(subcommand("a", subcommand("b"))),
        "only plain options",
    ),
    (
        "all characters",
        [command("carc", description="x" * 96, options=LONG_OPTIONS)],
        [command("carc", description="x" * 97, options=LONG_OPTIONS)],
        "8001 characters",
    ),
    (
        "all characters of the longest translations",
        [command("carc", description="x" * 96, options=options_with_translated_choice("y" * 50))],
        [command("carc", description="x" * 96, options=options_with_translated_choice("y" * 51))],
        "8001 characters",
    ),
]


@pytest.mark.parametrize(("good", "bad", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_commands_beyond_the_limit_are_reported(good: list[Any], bad: list[Any], expected: str) -> None:
    assert commands_problems(good) == []
    problems = commands_problems(bad)
    assert any(expected in problem for problem in problems), problems
