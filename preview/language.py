"""The language of the preview.

Translators can try a language here whose translation is not complete, and which users cannot choose yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from cogs.texts.languages import Language, languages
from operations.settings import SettingsError

if TYPE_CHECKING:
    from host import Host


def enable_language(code: str) -> Language:
    """Make a language choosable from now on, even if its translation is incomplete, and return it.

    Raises:
        SettingsError: there are no texts in this language.
    """
    by_code = languages()
    if code not in by_code:
        raise SettingsError(f"CASTELLAN_PREVIEW_LANGUAGE: no texts in {code!r}; there are: {', '.join(by_code)}")
    language = replace(by_code[code], offered=True)
    by_code[code] = language
    return language


def set_language(host: Host, members: Iterable[int], language: Language) -> None:
    """Set the language of these members, and so of the tables that they open, until they choose another one."""
    for member in members:
        host.locales.set_chosen(member, language.code)
