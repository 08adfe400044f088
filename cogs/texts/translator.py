"""Translations of what Discord shows of commands: descriptions and choices; their names are the same in all languages.

Commands are described where they stand, in English. Which sentence that is, its words tell; a choice that is made of
several names them (``keys``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Place

from cogs.texts import LANGUAGE, catalogue, listed, t
from cogs.texts.languages import matched, speaking
from engine.caching import thread_safe_cache

_NAMES: Final = frozenset({Place.command_name, Place.group_name, Place.parameter_name})
LONGEST: Final = 100
"""Characters of a description or a choice."""
_GROUPS: Final = ("command.", "option.", "setting.", "")
"""Where it is looked for what describes a command, last of all everywhere; the first that has these words holds."""


@thread_safe_cache
def _keys() -> Mapping[str, str]:
    """The key of each sentence that may describe something, by its English words."""
    found: dict[str, str] = {}
    for group in _GROUPS:
        for key, text in catalogue(LANGUAGE).sentences.items():
            if key.startswith(group) and isinstance(text, str):
                found.setdefault(text, key)
    return found


def together(keys: Iterable[str]) -> app_commands.locale_str:
    """The name of a choice that is made of several sentences."""
    keys = tuple(keys)
    return app_commands.locale_str(_choice(keys), keys=keys)


def _choice(keys: Iterable[str]) -> str:
    words = listed([t(key) for key in keys])
    return words if len(words) <= LONGEST else t("command.new.all")


class Translator(app_commands.Translator):
    """Says what describes a command in the languages that can be chosen.

    A start asks for tens of thousands of words, twice over and once for each region of a language: they are kept.
    """

    def __init__(self) -> None:
        self._languages: dict[discord.Locale, str] = {}
        self._said: dict[tuple[str, tuple[str, ...], str], str | None] = {}

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """The words in the language of a locale; None where they are the English ones."""
        if context.location in _NAMES:
            return None
        language = self._languages.get(locale)
        if language is None:
            language = self._languages[locale] = matched(str(locale))
        if language in ("", LANGUAGE):
            return None
        asked = (string.message, string.extras.get("keys", ()), language)
        if asked not in self._said:
            self._said[asked] = _said(*asked)
        return self._said[asked]


def _said(message: str, keys: tuple[str, ...], language: str) -> str | None:
    """The words in another language, or None."""
    keys = keys or tuple(key for key in [_keys().get(message)] if key)
    if not keys:
        return None
    with speaking(language):
        words = _choice(keys)
    return None if words == message else words
