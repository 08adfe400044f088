"""Members whose Discord is in another language than English."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from simcord import interactions

from tests.e2e.screen import MemberLanguage
from tests.loopback import interactions as loopback


@contextmanager
def use_locale(language: str, locale: str, *, others: Mapping[int, str] | None = None) -> Iterator[None]:
    """Everybody's Discord is in this locale meanwhile, that of ``others`` (by user) in another one.

    Members read this language; their tables are told in it.
    """
    payload = interactions.base_payload

    def spoken(*args: Any, **kwargs: Any) -> Any:
        record, made = payload(*args, **kwargs)
        return record, {**made, "locale": (others or {}).get(kwargs["user_id"], locale)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interactions, "base_payload", spoken)
        patch.setattr(loopback, "base_payload", spoken)
        patch.setattr(MemberLanguage, "language", language)
        yield
