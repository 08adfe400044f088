"""The preview in another language, including languages whose translation is not complete yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from cogs.texts.languages import Language, languages
from operations.settings import SettingsError

if TYPE_CHECKING:
    from host import Host


def enable_language(code: str) -> Language:
    """Offer a language from now on, and return it.

    Raises:
        SettingsError: there are no texts in this language.
    """
    known = languages()
    if code not in known:
        raise SettingsError(f"CASTELLAN_PREVIEW_LANGUAGE: no texts in {code!r}; there are: {', '.join(known)}")
    language = replace(known[code], offered=True)
    known[code] = language
    return language


def set_language(host: Host, members: Iterable[int], language: Language) -> None:
    """Set the language of these members, and so of the tables that they open, until they choose another one."""
    for member in members:
        host.locales.chose(member, language.code)
