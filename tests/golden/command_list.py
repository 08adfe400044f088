"""Write ``docs/commands.md``: every command with its options, as Discord describes them in English.

Run ``python -m tests.golden.command_list`` after a change of a command or its texts.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.command_groups import Carc, Tourney
from cogs.commands.operator import OperatorCommands
from cogs.commands.settings import ForgetMe
from cogs.texts import t

COMMANDS_FILE: Final = Path(__file__).parents[2] / "docs" / "commands.md"
"""The file that is written."""
PARENTS: Final[Mapping[str, str]] = {
    "tourney": "Events: for players",
    "tourney manage": "Events: for organisers",
    "tourney team": "Events: teams",
    "tourney ladder": "Events: the ladder",
    "operator": "For whoever runs the bot",
}
"""The section of the commands in a group, by the name of the group."""
PLAYER_SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "Start and play": ("new", "learn", "challenge", "play", "plan", "undo", "games", "time meet", "here"),
    "Look things up": ("board", "tiles", "hints", "log", "rules", "notes"),
    "Away, time and leaving": (
        *("settings", "time remind", "vacation", "absent", "time give", "time pause", "time resume", "time keep"),
        "resign",
        "forget-me",
    ),
    "Afterwards": ("replay", "export", "import", "leaderboard", "profile"),
    "For those who manage a server": ("manage", "time end"),
}
"""The sections of ``/carc``, and of commands in no group, with their commands in order."""
OTHERS: Final = "Others"
"""The section of commands that no other one names."""
COMMON_OPTIONS: Final[Mapping[str, str]] = {"game": "command.game", "event": "command.tourney.event"}
"""Keys of the descriptions of options that the introduction of the document explains once for all commands."""


async def all_commands() -> list[app_commands.Command[Any, ..., Any]]:
    """Return the commands that the bot registers, without their groups."""
    bot = commands.Bot(command_prefix=commands.when_mentioned, intents=discord.Intents.none())
    for cog in (Carc(), Tourney(), ForgetMe(), OperatorCommands()):
        await bot.add_cog(cog)
    return [command for command in bot.tree.walk_commands() if isinstance(command, app_commands.Command)]


def section_of(command: app_commands.Command[Any, ..., Any]) -> str:
    """Return the title of the section in which a command is listed."""
    group = command.parent.qualified_name if command.parent else ""
    if command.qualified_name == "tourney create":
        return PARENTS["tourney manage"]
    if group in PARENTS:
        return PARENTS[group]
    name = _short_name(command)
    return next((title for title, names in PLAYER_SECTIONS.items() if name in names), OTHERS)


def _short_name(command: app_commands.Command[Any, ..., Any]) -> str:
    """Return the name of a command without ``carc``."""
    return command.qualified_name.removeprefix("carc ")


def _place(command: app_commands.Command[Any, ..., Any]) -> tuple[int, str]:
    """Return the place of a command among those of its section: as it is listed here, else by its name."""
    names = PLAYER_SECTIONS.get(section_of(command), ())
    name = _short_name(command)
    return (names.index(name) if name in names else len(names), command.qualified_name)


def _entry(command: app_commands.Command[Any, ..., Any]) -> Iterator[str]:
    """Yield the lines of a command."""
    yield f"- **`/{command.qualified_name}`**: {command.description}"
    for option in command.parameters:
        if option.name in COMMON_OPTIONS and option.description == t(COMMON_OPTIONS[option.name]):
            continue
        needed = " (required)" if option.required else ""
        values = f" Values: {'; '.join(choice.name for choice in option.choices)}." if option.choices else ""
        yield f"  - `{option.name}:`{needed} {option.description}{'.' if values else ''}{values}"


def command_list() -> str:
    """Return the sections of the document: every command with its options."""
    entries: dict[str, list[str]] = defaultdict(list)
    for command in sorted(asyncio.run(all_commands()), key=_place):
        entries[section_of(command)] += _entry(command)
    titles = [*PLAYER_SECTIONS, *PARENTS.values(), OTHERS]
    return "\n".join(f"## {title}\n\n" + "\n".join(entries[title]) + "\n" for title in titles if entries[title])


def document() -> str:
    """Return the whole document: its introduction and the list."""
    head = COMMANDS_FILE.read_text(encoding="utf-8").partition("\n## ")[0]
    return f"{head.rstrip()}\n\n{command_list()}"


if __name__ == "__main__":
    COMMANDS_FILE.write_text(document(), encoding="utf-8")
