"""The offline Discord in another language, be it one that is still being translated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from cogs.texts.languages import Language, languages
from operations.settings import SettingsError

if TYPE_CHECKING:
    from host import Host


def offered(code: str) -> Language:
    """The language with this code, which can be chosen from now on.

    Raises:
        SettingsError: there is none.
    """
    known = languages()
    if code not in known:
        raise SettingsError(f"CASTELLAN_PREVIEW_LANGUAGE: no texts in {code!r}; there are: {', '.join(known)}")
    language = replace(known[code], offered=True)
    known[code] = language
    return language


def speak_to(host: Host, members: Iterable[int], language: Language) -> None:
    """Speak a language to these members, until they choose another one, and at the tables that they open."""
    for member in members:
        host.locales.chose(member, language.code)
