"""Commands that have a new name, and the answer to whoever still sends the old one.

Discord's clients keep the list of commands for a while, so that they offer a name that is no longer registered. Whoever
chooses it is told the new name instead of an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import discord

from cogs.texts import t
from cogs.texts.catalogue import mentioning
from cogs.words.refusals import RefusedError


@dataclass(frozen=True, slots=True)
class NewName:
    """The command that replaces another one, and the choice of its option that does the same, if it has one."""

    command: str
    option: str = ""
    choice_key: str = ""
    """The key of the choice's words."""

    def mention(self) -> str:
        """Return the command in words, as a link if Discord's id of it is known."""
        choice = f" {self.option}:{t(self.choice_key)}" if self.option else ""
        return mentioning(f"`/{self.command}{choice}`")


def _page(name: str) -> NewName:
    """Return the command that shows a page of an event."""
    return NewName("tourney show", "page", f"command.tourney.page_{name}")


RENAMED_COMMANDS: Final[Mapping[str, NewName]] = {
    "carc keep": NewName("carc time keep"),
    "carc remind": NewName("carc time remind"),
    "tourney standings": _page("standings"),
    "tourney bracket": _page("bracket"),
    "tourney round": _page("games"),
    "tourney rules": _page("rules"),
    "tourney audit": _page("log"),
    "tourney export": _page("files"),
    "tourney team show": _page("teams"),
}
"""The new names of commands by the old ones, without the slash."""
_SUBCOMMANDS: Final = frozenset(
    {discord.AppCommandOptionType.subcommand.value, discord.AppCommandOptionType.subcommand_group.value}
)
"""The types of options that are the words of a command behind its first one."""


def renamed_command(data: Mapping[str, Any]) -> RefusedError | None:
    """Return the refusal that names the new command, if an interaction with this data is an old one."""
    old = " ".join(_words(data))
    new = RENAMED_COMMANDS.get(old)
    return RefusedError("renamed_command", old=f"`/{old}`", new=new.mention()) if new else None


def _words(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of a command: its name, and those of its group and subcommand."""
    yield data.get("name", "")
    for option in data.get("options") or ():
        if option.get("type") in _SUBCOMMANDS:
            yield from _words(option)
