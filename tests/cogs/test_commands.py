"""The command tree."""

from typing import Any, cast
from unittest.mock import MagicMock

import discord
from discord.ext import commands

from cogs.carc import HANDLINGS, Carc
from cogs.commands import same_commands, shape
from cogs.ui.ids import Op
from tests.discord_limits.commands import commands_problems


async def tree() -> tuple[commands.Bot, list[dict[str, Any]]]:
    """A bot with our commands, and what it registers."""
    bot = commands.Bot(command_prefix=commands.when_mentioned, intents=discord.Intents.none())
    await bot.add_cog(Carc(MagicMock()))
    return bot, [command.to_dict(bot.tree) for command in bot.tree.get_commands()]


async def test_the_commands_are_those_of_the_design() -> None:
    bot, payload = await tree()
    assert not commands_problems(payload)
    group = bot.tree.get_command("carc")
    assert isinstance(group, discord.app_commands.Group)
    names = {command.name for command in group.commands}
    looking = {"board", "tiles", "log", "games", "rules", "hints", "replay", "export", "import"}
    assert names == {"new", "play", "resign", "here", "settings", *looking}
    assert group.guild_only


async def test_the_same_commands_are_recognised_however_discord_orders_them() -> None:
    bot, payload = await tree()
    bot.tree.fetch_commands = _fetched(payload)  # type: ignore[method-assign]
    assert await same_commands(bot.tree, None)
    payload[0]["options"][0]["description"] = "Another one"
    assert not await same_commands(bot.tree, None)


def _fetched(payload: list[dict[str, Any]]) -> Any:
    commands_ = [MagicMock(to_dict=MagicMock(return_value={"id": "1", "version": "2", **entry})) for entry in payload]

    async def fetch(**_: object) -> list[Any]:
        return commands_

    return fetch


def test_order_and_empty_fields_do_not_matter() -> None:
    one = [{"name": "a", "type": 1, "options": []}, {"name": "b", "type": 1, "required": False}]
    other = [{"name": "b", "type": 1, "id": "9"}, {"name": "a", "type": 1, "name_localizations": None}]
    assert shape(one) == shape(cast("list[dict[str, Any]]", other))


def test_every_operation_is_handled() -> None:
    assert set(HANDLINGS) == set(Op)
