"""Whether Discord already knows the commands as they are: registering them is limited to so many a day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import discord
    from discord import app_commands
    from discord.ext import commands

_COMPARED: Final = (
    "type", "name", "description", "required", "autocomplete",
    "min_value", "max_value", "min_length", "max_length", "value",
)  # fmt: skip


async def same_commands(tree: app_commands.CommandTree[commands.Bot], guild: discord.Object | None) -> bool:
    """Whether the commands registered at Discord are those of the tree."""
    registered = [command.to_dict() for command in await tree.fetch_commands(guild=guild)]
    ours = [command.to_dict(tree) for command in tree.get_commands(guild=guild)]
    return shape(registered) == shape(ours)


def shape(commands: Iterable[Mapping[str, Any]]) -> list[object]:
    """What a player sees of commands, options and choices; the order of the commands does not matter."""
    return sorted(map(_shape_of, commands), key=repr)


def _shape_of(part: Mapping[str, Any]) -> object:
    seen = tuple((name, _plain(part[name])) for name in _COMPARED if part.get(name) not in (None, False, ""))
    options = part.get("options") or ()
    return seen, tuple(map(_shape_of, options)), tuple(map(_shape_of, part.get("choices") or ()))


def _plain(value: object) -> object:
    return getattr(value, "value", value)
