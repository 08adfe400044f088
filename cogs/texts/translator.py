"""Translations of slash commands for Discord: their descriptions and choices, in all offered languages.

Names of commands and options are the same in all languages. Where commands are defined, their descriptions are in
English; the translator finds the key of such a sentence by its English text, and looks the key up in another language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Place

from cogs.texts import LANGUAGE, catalogue, t
from cogs.texts.languages import offered_language_of, speaking
from engine.caching import thread_safe_cache

_NAMES: Final = frozenset({Place.command_name, Place.group_name, Place.parameter_name})
"""Kinds of texts that are not translated."""
_GROUPS: Final = ("command.", "option.", "setting.", "")
"""Prefixes of keys in the order in which sentences are searched by their text; the first match counts."""


@thread_safe_cache
def _keys() -> Mapping[str, str]:
    """Return the keys of sentences by their English text."""
    keys: dict[str, str] = {}
    for group in _GROUPS:
        for key, text in catalogue(LANGUAGE).sentences.items():
            if key.startswith(group) and isinstance(text, str):
                keys.setdefault(text, key)
    return keys


class Translator(app_commands.Translator):
    """Translates descriptions of commands into the offered languages.

    Translations are cached, because discord.py asks for tens of thousands at a start, some of them several times.
    """

    def __init__(self) -> None:
        self._languages: dict[discord.Locale, str] = {}
        self._translated: dict[tuple[str, str], str | None] = {}

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Return a text in the language of a locale; None if it is the English one."""
        if context.location in _NAMES:
            return None
        language = self._languages.get(locale)
        if language is None:
            language = self._languages[locale] = offered_language_of(str(locale))
        if language in ("", LANGUAGE):
            return None
        cache_key = (string.message, language)
        if cache_key not in self._translated:
            self._translated[cache_key] = _translation(*cache_key)
        return self._translated[cache_key]


def _translation(message: str, language: str) -> str | None:
    """Return a text in another language; None if that language has no text of its own."""
    key = _keys().get(message)
    if key is None:
        return None
    with speaking(language):
        words = t(key)
    return None if words == message else words
