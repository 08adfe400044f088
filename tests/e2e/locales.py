"""Locales of the members' Discord clients.

A locale is the language setting that a client sends with each interaction, such as "en-US"; the bot has texts in
fewer languages, named by codes such as "en".
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from simcord import interactions

from tests.e2e.screen import MemberLanguage
from tests.loopback import interactions as loopback


@contextmanager
def use_locale(language: str, locale: str, *, others: Mapping[int, str] | None = None) -> Iterator[None]:
    """Give all members this locale within the block, except ``others`` (locales by user id).

    ``language`` is the language in which the members then read texts, and in which their tables are shown.
    """
    payload = interactions.base_payload

    def localized_payload(*args: Any, **kwargs: Any) -> Any:
        """Build an interaction and put the locale into it."""
        record, built = payload(*args, **kwargs)
        return record, {**built, "locale": (others or {}).get(kwargs["user_id"], locale)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interactions, "base_payload", localized_payload)
        patch.setattr(loopback, "base_payload", localized_payload)
        patch.setattr(MemberLanguage, "language", language)
        yield
