"""The registered commands: in every language, with the same names in all, and within Discord's limits."""

from collections.abc import Iterator, Mapping
from typing import Any
from unittest.mock import MagicMock

import discord
import pytest
from discord.ext import commands

from cogs.command_groups import Carc, Tourney
from cogs.commands.operator import OperatorCommands
from cogs.commands.settings import ForgetMe
from cogs.texts import LANGUAGE, t
from cogs.texts.languages import offered
from cogs.texts.translator import Translator
from tests.discord_limits.commands import commands_problems
from tests.pseudo_language import OPENING_BRACKET, PSEUDO_LOCALE, install_pseudo_language


@pytest.fixture
async def payload() -> list[dict[str, Any]]:
    """Return the registered commands of a bot that speaks a sixth language."""
    bot = commands.Bot(command_prefix=commands.when_mentioned, intents=discord.Intents.none())
    for cog in (Carc, ForgetMe, Tourney, OperatorCommands):
        await bot.add_cog(cog(MagicMock()))
    with install_pseudo_language():
        return [await command.get_translated_payload(bot.tree, Translator()) for command in bot.tree.get_commands()]


def described(node: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """The translations of all descriptions and choices."""
    yield node["description_localizations"]
    for option in node.get("options") or ():
        yield from described(option)
    for choice in node.get("choices") or ():
        yield choice["name_localizations"]


def sentences(node: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """The translations of all descriptions, which are nowhere what they are in English."""
    yield node["description_localizations"]
    for option in node.get("options") or ():
        yield from sentences(option)


def names(node: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """The translations of all names of commands and options."""
    yield node.get("name_localizations") or {}
    for option in node.get("options") or ():
        yield from names(option)


async def test_everything_is_described_in_every_language(payload: list[dict[str, Any]]) -> None:
    found = [words for command in payload for words in described(command)]
    assert len(found) > 100
    spoken = {language.code for language in offered()} - {LANGUAGE}
    assert all(OPENING_BRACKET in words[PSEUDO_LOCALE] and words.keys() <= {PSEUDO_LOCALE, *spoken} for words in found)
    assert all(spoken <= words.keys() for command in payload for words in sentences(command))


async def test_names_are_the_same_in_all_languages(payload: list[dict[str, Any]]) -> None:
    assert not [words for command in payload for words in names(command) if words]


async def test_the_longest_words_count(payload: list[dict[str, Any]]) -> None:
    assert not commands_problems(payload)


async def test_nothing_is_translated_where_nobody_speaks_another_language() -> None:
    context: Any = MagicMock()
    said = discord.app_commands.locale_str(t("command.play.description"))
    for locale in (discord.Locale.british_english, discord.Locale.swedish, discord.Locale.brazil_portuguese):
        assert await Translator().translate(said, locale, context) is None
