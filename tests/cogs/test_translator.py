"""Descriptions of commands are translated into every language, names are not; both keep Discord's limits.

The commands are also translated into the pseudo-language, whose texts are longer.
"""

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
from cogs.texts.languages import offered_languages
from cogs.texts.translator import Translator
from engine.carcassonne import OFFERED
from tests.discord_limits.commands import commands_problems
from tests.pseudo_language import OPENING_BRACKET, PSEUDO_LOCALE, install_pseudo_language


@pytest.fixture
async def payload() -> list[dict[str, Any]]:
    """Return the commands registered by a bot that also has texts in the pseudo-language."""
    bot = commands.Bot(command_prefix=commands.when_mentioned, intents=discord.Intents.none())
    for cog in (Carc, ForgetMe, Tourney, OperatorCommands):
        await bot.add_cog(cog())
    with install_pseudo_language():
        return [await command.get_translated_payload(bot.tree, Translator()) for command in bot.tree.get_commands()]


def translated_texts(node: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """Yield the translations of all descriptions and choices."""
    yield node["description_localizations"]
    for option in node.get("options") or ():
        yield from translated_texts(option)
    for choice in node.get("choices") or ():
        yield choice["name_localizations"]


def translated_descriptions(node: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """Yield the translations of all descriptions, which differ from English in every language."""
    yield node["description_localizations"]
    for option in node.get("options") or ():
        yield from translated_descriptions(option)


def translated_names(node: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """Yield the translations of all names of commands and options."""
    yield node.get("name_localizations") or {}
    for option in node.get("options") or ():
        yield from translated_names(option)


def choice_values(node: Mapping[str, Any]) -> Iterator[object]:
    """Yield the values of all choices."""
    yield from (choice["value"] for choice in node.get("choices") or ())
    for option in node.get("options") or ():
        yield from choice_values(option)


async def test_all_descriptions_and_choices_are_translated(payload: list[dict[str, Any]]) -> None:
    texts = [words for command in payload for words in translated_texts(command)]
    assert len(texts) > 100
    offered_codes = {language.code for language in offered_languages()} - {LANGUAGE}
    assert all(
        OPENING_BRACKET in words[PSEUDO_LOCALE] and words.keys() <= {PSEUDO_LOCALE, *offered_codes} for words in texts
    )
    assert all(offered_codes <= words.keys() for command in payload for words in translated_descriptions(command))


async def test_names_are_not_translated(payload: list[dict[str, Any]]) -> None:
    assert not [words for command in payload for words in translated_names(command) if words]


async def test_the_longest_translations_keep_the_limits(payload: list[dict[str, Any]]) -> None:
    assert not commands_problems(payload)


async def test_a_box_more_makes_no_command_longer(payload: list[dict[str, Any]]) -> None:
    """Expansions are suggested while a user types: with ten more as fixed choices, Discord would refuse ``/carc``."""
    assert not [words for command in payload for words in choice_values(command) if words in OFFERED]


async def test_descriptions_are_not_translated_into_other_languages() -> None:
    context: Any = MagicMock()
    description = discord.app_commands.locale_str(t("command.play.description"))
    for locale in (discord.Locale.british_english, discord.Locale.swedish, discord.Locale.brazil_portuguese):
        assert await Translator().translate(description, locale, context) is None
