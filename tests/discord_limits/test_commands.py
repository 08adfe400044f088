"""Every limit of a set of commands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_limits.commands import CommandKind, OptionKind, commands_problems
from tests.discord_limits.payloads import choices, command, command_option


def with_options(*options: dict[str, Any]) -> list[dict[str, Any]]:
    return [command(options=list(options))]


def numbered(number: int, **fields: Any) -> list[dict[str, Any]]:
    return [command(f"c{index}", **fields) for index in range(number)]


def menus(number: int, kind: CommandKind) -> list[dict[str, Any]]:
    return numbered(number, type=kind, description="")


def subcommand(name: str = "new", *options: dict[str, Any]) -> dict[str, Any]:
    return command_option(name, OptionKind.SUBCOMMAND, options=list(options))


def group(name: str, *options: dict[str, Any]) -> dict[str, Any]:
    return command_option(name, OptionKind.GROUP, options=list(options))


def one(**fields: Any) -> list[dict[str, Any]]:
    return with_options(command_option(**fields))


def translated(name: str) -> list[dict[str, Any]]:
    """The long options, the first choice of which is called so in another language."""
    first, *others = LONG
    choice, *rest = first["choices"]
    return [{**first, "choices": [{**choice, "name_localizations": {"de": name}}, *rest]}, *others]


# Twenty options of 395 characters each: name, description and four choices.
LONG = [
    command_option(
        f"option-{index:02}",
        description="x" * 86,
        choices=[{"name": "x" * 50, "value": f"{choice}".rjust(25, "v")} for choice in range(4)],
    )
    for index in range(20)
]

CASES: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]], str]] = [
    ("slash commands", numbered(100), numbered(101), "CHAT_INPUT, at most 100"),
    ("user menus", menus(15, CommandKind.USER), menus(16, CommandKind.USER), "USER, at most 15"),
    ("message menus", menus(15, CommandKind.MESSAGE), menus(16, CommandKind.MESSAGE), "MESSAGE, at most 15"),
    ("entry points", menus(1, CommandKind.ENTRY_POINT), menus(2, CommandKind.ENTRY_POINT), "ENTRY_POINT"),
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
    ("menu's description", menus(1, CommandKind.USER), [command("a", type=2)], "context menu"),
    (
        "menu's options",
        menus(1, CommandKind.USER),
        [{**command("a", type=2, description=""), "options": [command_option()]}],
        "options",
    ),
    (
        "options",
        with_options(*[command_option(f"o{n}") for n in range(25)]),
        with_options(*[command_option(f"o{n}") for n in range(26)]),
        "26 items",
    ),
    (
        "options unique",
        with_options(command_option("a"), command_option("b")),
        with_options(command_option("a"), command_option("a")),
        "2 times",
    ),
    (
        "required first",
        with_options(command_option("a", required=True), command_option("b")),
        with_options(command_option("a"), command_option("b", required=True)),
        "stands after an optional one",
    ),
    ("choices", one(choices=choices(25)), one(choices=choices(26)), "26 items"),
    ("choices' type", one(choices=choices(1)), one(kind=6, choices=choices(1)), "option type 6"),
    ("autocomplete", one(autocomplete=True), one(autocomplete=True, choices=choices(1)), "together"),
    (
        "choice name",
        one(choices=[{"name": "x" * 100, "value": 1}]),
        one(choices=[{"name": "x" * 101, "value": 1}]),
        "101",
    ),
    (
        "translated choice",
        one(choices=[{"name": "x", "name_localizations": {"de": "x" * 100}, "value": 1}]),
        one(choices=[{"name": "x", "name_localizations": {"de": "x" * 101}, "value": 1}]),
        "choices[0].name_localizations.de: 101",
    ),
    (
        "choice value",
        one(choices=[{"name": "x", "value": "v" * 100}]),
        one(choices=[{"name": "x", "value": "v" * 101}]),
        "value: 101",
    ),
    ("shortest", one(min_length=6000), one(min_length=6001), "min_length: 6001"),
    ("longest", one(max_length=1), one(max_length=0), "max_length: 0"),
    (
        "subcommands",
        with_options(subcommand("a"), subcommand("b")),
        with_options(subcommand(), command_option()),
        "mixed",
    ),
    (
        "25 subcommands",
        with_options(*[subcommand(f"s{n}") for n in range(25)]),
        with_options(*[subcommand(f"s{n}") for n in range(26)]),
        "26",
    ),
    ("group", with_options(group("g", subcommand())), with_options(group("g", command_option())), "only subcommands"),
    ("nested groups", with_options(group("g", subcommand())), with_options(group("g", group("h"))), "within a group"),
    (
        "subcommand",
        with_options(subcommand("a", command_option())),
        with_options(subcommand("a", subcommand("b"))),
        "only plain options",
    ),
    (
        "all characters",
        [command("carc", description="x" * 96, options=LONG)],
        [command("carc", description="x" * 97, options=LONG)],
        "8001 characters",
    ),
    (
        "all characters of the longest translations",
        [command("carc", description="x" * 96, options=translated("y" * 50))],
        [command("carc", description="x" * 96, options=translated("y" * 51))],
        "8001 characters",
    ),
]


@pytest.mark.parametrize(("good", "bad", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_commands_keep_or_break_the_limit(good: list[Any], bad: list[Any], said: str) -> None:
    assert commands_problems(good) == []
    problems = commands_problems(bad)
    assert any(said in problem for problem in problems), problems
