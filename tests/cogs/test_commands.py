"""The command tree: its limits, its registration only after changes, and a handler for every button operation.

At its start the bot fetches its registered commands and compares them with its own ("recognised"); it registers them
again if they differ.
"""

from typing import Any, cast
from unittest.mock import AsyncMock

import discord
import pytest
from discord.ext import commands

from cogs.command_groups import HANDLERS, Carc, Tourney
from cogs.commands.renamed import RENAMED_COMMANDS
from cogs.commands.tourneys import tourney
from cogs.presenting.ids import operations
from cogs.texts import t
from cogs.tree import compared_fields, same_commands
from tests.discord_limits.commands import commands_problems


async def create_bot_with_commands() -> tuple[commands.Bot, list[dict[str, Any]]]:
    """Return a bot with the ``/carc`` commands, and the payload that it registers."""
    bot = commands.Bot(command_prefix=commands.when_mentioned, intents=discord.Intents.none())
    await bot.add_cog(Carc())
    return bot, [command.to_dict(bot.tree) for command in bot.tree.get_commands()]


async def test_the_event_commands_keep_the_limits_and_match_the_buttons() -> None:
    bot, _ = await create_bot_with_commands()
    await bot.add_cog(Tourney())
    payload = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    assert not commands_problems(payload)
    group = bot.tree.get_command("tourney")
    assert isinstance(group, discord.app_commands.Group)
    names = {command.name for command in group.commands}
    member_commands = {"list", "show", "join", "leave", "checkin", "ladder", "team", "explain", "report"}
    assert names == member_commands | {"create", "manage"}
    assert set(tourney.PAGES) == set(tourney.PAGE_NAMES)


async def test_what_a_newcomer_needs_is_registered_first() -> None:
    bot, _ = await create_bot_with_commands()
    await bot.add_cog(Tourney())
    carc, events = [[option["name"] for option in command.to_dict(bot.tree)["options"]] for command in groups_of(bot)]
    assert carc[:5] == ["new", "learn", "play", "games", "board"]
    assert carc[-1] == "manage", "for those who manage the server"
    assert carc.index("log") < carc.index("plan") < carc.index("notes"), "commands of boxes follow those of a turn"
    assert events[:4] == ["list", "show", "join", "leave"]
    assert events[-2:] == ["create", "manage"], "for organisers"


def groups_of(bot: commands.Bot) -> list[discord.app_commands.Group]:
    """Return the groups of commands of a bot, in the order in which they are registered."""
    return [command for command in bot.tree.get_commands() if isinstance(command, discord.app_commands.Group)]


async def test_renamed_commands_lead_to_a_choice_that_exists() -> None:
    bot, _ = await create_bot_with_commands()
    await bot.add_cog(Tourney())
    registered = {command.qualified_name: command for command in bot.tree.walk_commands()}
    for old, new in RENAMED_COMMANDS.items():
        assert old not in registered
        command = registered[new.command]
        assert isinstance(command, discord.app_commands.Command)
        options = [option for option in command.parameters if option.name == new.option]
        assert all(t(new.choice_key) in {choice.name for choice in option.choices} for option in options)
        assert len(options) == bool(new.option)


async def test_the_commands_are_complete() -> None:
    bot, payload = await create_bot_with_commands()
    assert not commands_problems(payload)
    group = bot.tree.get_command("carc")
    assert isinstance(group, discord.app_commands.Group)
    names = {command.name for command in group.commands}
    read_only = {
        "board",
        "tiles",
        "log",
        "games",
        "rules",
        "hints",
        "replay",
        "export",
        "import",
        "leaderboard",
        "profile",
    }
    assert names == {
        "new",
        "learn",
        "play",
        "plan",
        "notes",
        "resign",
        "undo",
        "absent",
        "vacation",
        "here",
        "settings",
        "manage",
        "time",
        "challenge",
        *read_only,
    }
    assert group.allowed_contexts is not None
    assert group.allowed_contexts.to_array() == [0, 1], "in servers and in direct messages with the bot"


async def test_commands_are_recognised_in_any_order() -> None:
    bot, payload = await create_bot_with_commands()
    assert await recognises(bot, [as_returned_by_discord(entry) for entry in payload])
    payload[0]["options"][0]["description"] = "Another one"
    assert not await recognises(bot, [as_returned_by_discord(entry) for entry in payload])


@pytest.mark.parametrize(
    "change",
    [
        {"default_member_permissions": "32"},
        {"contexts": [0]},
        {"contexts": None},
        {"nsfw": True},
        {"name_localizations": {"de": "karte"}},
        {"description_localizations": {"de": "Ein Spiel"}},
    ],
    ids=str,
)
async def test_a_changed_command_is_registered_again(change: dict[str, Any]) -> None:
    bot, payload = await create_bot_with_commands()
    assert not await recognises(bot, [{**as_returned_by_discord(entry), **change} for entry in payload])


async def test_changed_permissions_are_registered_again() -> None:
    bot, payload = await create_bot_with_commands()
    registered = [as_returned_by_discord(entry) for entry in payload]
    group = bot.tree.get_command("carc")
    assert isinstance(group, discord.app_commands.Group)
    group.default_permissions = discord.Permissions(manage_threads=True)
    assert not await recognises(bot, registered)
    assert await recognises(bot, [{**registered[0], "default_member_permissions": str(1 << 34)}])


async def test_installation_contexts_are_compared_only_if_set() -> None:
    bot, payload = await create_bot_with_commands()
    for contexts in ([0], [0, 1]):
        assert await recognises(
            bot, [{**as_returned_by_discord(entry), "integration_types": contexts} for entry in payload]
        )
    group = bot.tree.get_command("carc")
    assert isinstance(group, discord.app_commands.Group)
    group.allowed_installs = discord.app_commands.AppInstallationType(guild=True)
    assert await recognises(bot, [{**as_returned_by_discord(entry), "integration_types": [0]} for entry in payload])
    assert not await recognises(
        bot, [{**as_returned_by_discord(entry), "integration_types": [0, 1]} for entry in payload]
    )


async def test_translations_are_compared_completely() -> None:
    class German(discord.app_commands.Translator):
        """A translator into abbreviated German."""

        async def translate(
            self,
            string: discord.app_commands.locale_str,
            locale: discord.Locale,
            context: discord.app_commands.TranslationContextTypes,
        ) -> str | None:
            """Translate into German only."""
            return f"{string.message[:20]} auf Deutsch" if locale is discord.Locale.german and context.data else None

    bot, payload = await create_bot_with_commands()
    option = payload[0]["options"][0]
    group = bot.tree.get_command("carc")
    assert isinstance(group, discord.app_commands.Group)
    for part in (group, *group.commands):
        part._locale_description = discord.app_commands.locale_str(part.description)
    bot.tree._state._translator = German()
    assert not await recognises(bot, [as_returned_by_discord(entry) for entry in payload])
    translator = bot.tree.translator
    assert translator is not None
    translated = await group.get_translated_payload(bot.tree, translator)
    assert await recognises(bot, [as_returned_by_discord(translated)])
    option = translated["options"][0]
    option["description_localizations"] = {"de": "Etwas anderes"}
    assert not await recognises(bot, [as_returned_by_discord(translated)])


def as_returned_by_discord(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a command as Discord returns it: with ids, without default values."""
    present = {name: value for name, value in entry.items() if value not in (None, False)}
    return {
        "id": "1",
        "version": "2",
        "application_id": "3",
        "dm_permission": True,
        **present,
        "integration_types": [0],
    }


async def recognises(bot: commands.Bot, registered: list[dict[str, Any]]) -> bool:
    """Return whether the bot recognises an answer as its own commands, with all translations requested."""
    request = AsyncMock(return_value=registered)
    bot.http.request = request  # type: ignore[method-assign]
    bot._connection.application_id = 7
    is_same = await same_commands(bot.tree, None)
    assert request.await_args is not None
    assert request.await_args.kwargs == {"params": {"with_localizations": "true"}}
    assert request.await_args.args[0].url.endswith("/applications/7/commands")
    return is_same


def test_order_and_empty_fields_are_ignored() -> None:
    ours = [{"name": "a", "type": 1, "options": []}, {"name": "b", "type": 1, "required": False}]
    discords = [{"name": "b", "type": 1, "id": "9"}, {"name": "a", "type": 1, "name_localizations": None}]
    assert compared_fields(ours) == compared_fields(cast("list[dict[str, Any]]", discords))


def test_every_operation_is_handled() -> None:
    assert set(HANDLERS) == set(operations())
